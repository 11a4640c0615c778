//! The error of all commands, with advice to the user.

use std::fmt;
use std::io;
use std::path::Path;

#[derive(Debug)]
pub(crate) enum TaskError {
    /// The program was started without cargo's environment variables.
    NotUnderCargo,
    /// A command line that could not be started, and the reason.
    Start(String, io::Error),
    Step {
        name: String,
        command: String,
    },
    /// A missing component that only rustup installs.
    NoRustup(String),
    Metadata(&'static str),
    NoQemu(&'static str),
    NoProgram(&'static str),
    Invalid(String),
    /// The name and the exit code of a program on a board.
    Program(String, i32),
}

impl TaskError {
    pub(crate) fn file(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::Invalid(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUnderCargo => write!(f, "start this through cargo: cargo xtask …"),
            Self::Start(command, error) => write!(f, "cannot start `{command}`: {error}"),
            Self::Step { name, command } => {
                write!(f, "step `{name}` failed\n  again, alone:  {command}")
            }
            Self::NoQemu(program) => write!(
                f,
                "{program} is not installed, and there is no apt-get here to install it\n  \
                 install QEMU (7.2 or later), so that this works: {program} --version"
            ),
            Self::NoProgram(program) => write!(
                f,
                "{program} is not installed, and there is no apt-get here to install it\n  \
                 install it, so that this works: {program} --version"
            ),
            Self::Invalid(what) => write!(f, "{what}"),
            Self::Program(name, code) => write!(f, "{name} ended with code {code}"),
            Self::NoRustup(missing) => write!(
                f,
                "{missing} is not installed, and there is no rustup here to install it\n  \
                 either install rustup (https://rustup.rs), or add {missing} with the manager of this Rust"
            ),
            Self::Metadata(what) => write!(f, "cannot read `cargo metadata`: {what}"),
        }
    }
}
