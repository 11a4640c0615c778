//! Exit codes, as `lodger board --help` promises them. A program on a board brings its own.

/// All is well.
pub(crate) const FINE: u8 = 0;
/// Some answers differ, or the program crashed.
pub(crate) const FINDINGS: u8 = 1;
/// Usage, probe, board or program cannot be worked with; clap uses the same.
pub(crate) const USAGE_OR_INPUT: u8 = 2;
/// The command was ended by Ctrl-C or with its terminal, as a shell reports it.
pub(crate) const INTERRUPTED: u8 = 130;
