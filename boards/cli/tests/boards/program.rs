//! `lodger-board`, about to be started.

use std::process::Command;

/// The path of the program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_lodger-board");

/// With some arguments, and the default actions of signals.
pub(crate) fn lodger_board(arguments: &[&str]) -> Command {
    #[cfg(unix)]
    lodger_terminal::signals::reset_for_children().expect("handlers");
    let mut command = Command::new(PROGRAM);
    command.args(arguments);
    command
}

/// With some arguments, by somebody who wants a signal ignored.
#[cfg(unix)]
pub(crate) fn lodger_board_ignoring(signal: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' {signal}; exec \"$0\" \"$@\""), PROGRAM]);
    command.args(arguments);
    command
}
