//! `lodger-board`, about to be started.

use std::process::Command;

/// The path of the program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_lodger-board");

/// With some arguments, and the default actions of signals.
pub(crate) fn lodger_board(arguments: &[&str]) -> Command {
    #[cfg(unix)]
    catch_what_is_ignored();
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

/// Lets children begin with the default actions of signals, also where these tests are a background job
/// that ignores them: a signal that is caught here is not ignored there.
#[cfg(unix)]
fn catch_what_is_ignored() {
    use std::sync::{Arc, Once};

    use lodger_terminal::signals::is_ignored;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let ignored = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| is_ignored(signal));
        for signal in ignored {
            signal_hook::flag::register(signal, Arc::default()).expect("a handler");
        }
    });
}
