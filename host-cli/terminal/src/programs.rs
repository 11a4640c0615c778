//! Commands that are programs and packages of their own, as `lodger-board` is for `lodger board`: found
//! as git and cargo find theirs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Diagnostic;

/// Becomes a program, with all that stands behind the command on our command line. Returns only what was in the
/// way; where that is that there is no such program, with the arguments of `cargo build` that put it beside lodger.
#[must_use]
pub fn become_program(name: &str, build: &str) -> Diagnostic {
    let Some(program) = find(name) else {
        let message = format!("the program `{name}` is neither beside lodger nor on PATH");
        return Diagnostic::error(message).help(format!("build it with: cargo build {build}"));
    };
    let mut command = Command::new(&program);
    // The first two are ourselves and the command.
    command.args(env::args_os().skip(2));
    let error = take_over(command);
    Diagnostic::error(format!("cannot start `{}`: {error}", program.display()))
}

/// The program beside the one that runs, or else the first on PATH.
fn find(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok();
    let beside = own.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&path));
    folders.map(|folder| folder.join(&file)).find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Signals, terminal and exit code are the program's own.
#[cfg(unix)]
fn take_over(mut command: Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

/// The exit code is the program's own.
#[cfg(not(unix))]
fn take_over(mut command: Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(crate::command_line::USAGE)),
        Err(error) => error,
    }
}
