//! How the program ends, by one rule for every command.

use std::process::ExitCode;

/// The exit code where there are findings, or some rows failed.
const FINDINGS: u8 = 1;
/// The exit code for usage and input that cannot be worked with; clap uses the same.
pub(crate) const USAGE_OR_INPUT: u8 = 2;

/// The exit codes, for the help of every command. Ctrl-C ends the program with 130, as shells say it.
pub(crate) const EXIT_CODES: &str = "Exit codes: 0 fine, 1 findings or some rows failed, 2 usage or \
    input, or nothing could be read. Use --help for more.";

/// How a command that had an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All is well.
    Fine,
    /// There are findings, or some of what was named could not be read.
    Findings,
    /// Nothing of what was named could be read; the answer says why.
    NothingRead,
}

impl Verdict {
    /// Fine, unless it is not.
    pub(crate) fn of(fine: bool) -> Self {
        if fine { Self::Fine } else { Self::Findings }
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Fine => Self::SUCCESS,
            Verdict::Findings => Self::from(FINDINGS),
            Verdict::NothingRead => Self::from(USAGE_OR_INPUT),
        }
    }
}
