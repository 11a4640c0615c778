//! How the program ends.

use std::process::ExitCode;

/// The exit code where there are findings, or some rows failed.
pub(crate) const FINDINGS: u8 = 1;
/// The exit code for usage and input that cannot be worked with; clap uses the same.
pub(crate) const USAGE_OR_INPUT: u8 = 2;

/// The exit codes, for the help of every command. Ctrl-C ends the program with 130, as shells say it.
pub(crate) const EXIT_CODES: &str =
    "Exit codes: 0 fine, 1 findings or some rows failed, 2 usage or input. Use --help for more.";

/// How a command that could do its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All is well.
    Fine,
    /// There are findings, or some rows failed.
    Findings,
    /// Somebody else chose the exit code: a program on a board, or who pressed Ctrl-C.
    #[cfg(feature = "boards")]
    Code(u8),
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
            #[cfg(feature = "boards")]
            Verdict::Code(code) => Self::from(code),
        }
    }
}
