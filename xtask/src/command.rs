//! External commands that print as shell lines.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::{self, Stdio};

use crate::error::TaskError;

/// A program, its arguments and its environment; stdin is empty.
pub(crate) struct Command {
    shown: &'static str,
    program: OsString,
    args: Vec<String>,
    env: Vec<(&'static str, String)>,
}

impl Command {
    pub(crate) fn new(program: &'static str) -> Self {
        Self::at(program, OsStr::new(program))
    }

    /// The program at `path`, shown as `shown`.
    pub(crate) fn at(shown: &'static str, path: &OsStr) -> Self {
        let program = path.to_owned();
        Self { shown, program, args: Vec::new(), env: Vec::new() }
    }

    /// Appends arguments, separated by white space.
    pub(crate) fn args(mut self, args: &str) -> Self {
        self.args.extend(args.split_whitespace().map(str::to_owned));
        self
    }

    /// Appends one argument, white space included.
    pub(crate) fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    pub(crate) fn succeeds(&self, folder: &Path) -> Result<bool, TaskError> {
        Ok(self.status(folder)?.success())
    }

    pub(crate) fn status(&self, folder: &Path) -> Result<process::ExitStatus, TaskError> {
        self.process(folder).status().map_err(|error| self.not_started(error))
    }

    /// Replaces this process, so Ctrl-C and the exit code are the command's.
    #[cfg(unix)]
    pub(crate) fn exec(&self, folder: &Path) -> Result<(), TaskError> {
        use std::os::unix::process::CommandExt as _;
        Err(self.not_started(self.process(folder).exec()))
    }

    #[cfg(not(unix))]
    pub(crate) fn exec(&self, folder: &Path) -> Result<(), TaskError> {
        match self.status(folder)?.code() {
            Some(0) => Ok(()),
            code => Err(TaskError::Program(self.to_string(), code.unwrap_or(-1))),
        }
    }

    /// The standard output, or `None` if the command fails or cannot be started.
    pub(crate) fn output(&self, folder: &Path) -> Option<String> {
        let output = self.process(folder).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    pub(crate) fn process(&self, folder: &Path) -> process::Command {
        let mut process = process::Command::new(&self.program);
        process.args(&self.args).current_dir(folder).stdin(Stdio::null());
        let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        names.filter(|name| is_of_this_program(name)).for_each(|name| {
            process.env_remove(name);
        });
        process.envs(self.env.clone());
        process
    }

    fn not_started(&self, error: io::Error) -> TaskError {
        TaskError::Start(self.to_string(), error)
    }
}

/// Whether cargo sets a variable for this program alone; build scripts that read one would rerun.
fn is_of_this_program(variable: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| variable.starts_with(prefix))
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.env.iter().try_for_each(|(name, value)| write!(f, "{name}=\"{value}\" "))?;
        write!(f, "{}", self.shown)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Command;

    #[test]
    fn a_command_does_not_inherit_this_programs_variables() {
        let command = Command::new("env").process(".".as_ref()).output().unwrap();
        let said = String::from_utf8_lossy(&command.stdout).into_owned();
        assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
        assert!(said.contains("PATH=") && !said.contains("CARGO_PKG_NAME"), "{said}");
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        let command =
            Command::new("cargo").args("doc --no-deps").env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(command.to_string(), "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps");
    }
}
