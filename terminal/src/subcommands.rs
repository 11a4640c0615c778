//! The command line, and subcommands that are programs and packages of their own, as `lodger-board` is for
//! `lodger board`: it is found as git and cargo find theirs.

use std::env;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};

use clap::Parser;

use crate::command_spec::CommandSpec;
use crate::{Diagnostic, Severity, Target, output};

/// The exit code of a command line that is wrong; clap uses the same.
pub(crate) const USAGE: i32 = 2;

/// The only argument of a program that shall print its [`CommandSpec`] as JSON.
const DESCRIBE: &str = "--lodger-command-spec";

/// Parses the command line. If it is wrong, or asks for help or the version, this function prints that and ends the
/// program: with 2 if the command line is wrong or stdout cannot be written to, else with 0. A closed pipe is no
/// error. It also prints the [`CommandSpec`] that [`describe_program`] asks for.
#[must_use]
pub fn command_line<P: Parser>() -> P {
    if env::args_os().skip(1).eq([DESCRIBE]) {
        let described = output::write_json(Target::Stdout, &CommandSpec::of(&P::command()));
        process::exit(described.map_or(USAGE, |()| 0));
    }
    P::try_parse().unwrap_or_else(|answer| {
        let told = answer.print().and_then(|()| io::stdout().flush());
        let code = match told {
            Err(error) if !answer.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
                Diagnostic::error(format!("cannot write to stdout: {error}")).print();
                USAGE
            }
            _ => answer.exit_code(),
        };
        process::exit(code)
    })
}

/// Replaces this process with another program, which gets all arguments behind the command. It returns only an error;
/// for a missing program, with the arguments of `cargo build` that put it beside lodger.
#[must_use]
pub fn exec_program(name: &str, build: &str) -> Diagnostic {
    let Some(program) = find(name) else {
        let message = format!("the program `{name}` is neither beside lodger nor on PATH");
        return Diagnostic::error(message).help(format!("build it with: cargo build {build}"));
    };
    let mut command = Command::new(&program);
    // The first two are ourselves and the command.
    command.args(env::args_os().skip(2));
    let error = exec(command);
    Diagnostic::error(format!("cannot start `{}`: {error}", program.display()))
}

/// Asks a program for the description of its command line; `None` if it is not installed. A program that does not
/// answer gets a warning.
#[must_use]
pub fn describe_program(name: &str) -> Option<CommandSpec> {
    let program = find(name)?;
    let answer = Command::new(&program).arg(DESCRIBE).stdin(Stdio::null()).output();
    let answer = answer.ok().filter(|answer| answer.status.success());
    let spec = answer.and_then(|answer| serde_json::from_slice(&answer.stdout).ok());
    if spec.is_none() {
        let message =
            format!("`{}` does not describe its options, so they are left out", program.display());
        Diagnostic::new(Severity::Warning, message).print();
    }
    spec
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
fn exec(mut command: Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

/// The exit code is the program's own.
#[cfg(not(unix))]
fn exec(mut command: Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(USAGE)),
        Err(error) => error,
    }
}
