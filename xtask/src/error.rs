//! The error of every command: the cause, and what the user can do.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum TaskError {
    /// The binary was started without cargo's environment variables.
    NotUnderCargo,
    /// The program could not be started; the first field is the whole command line.
    Start(String, io::Error),
    /// The step ran and failed.
    Step {
        /// The step's name in the table.
        name: String,
        /// The command line that runs it alone.
        command: String,
    },
    /// A component is missing that only rustup can install.
    NoRustup(String),
    /// The output of `cargo metadata` has an unexpected form.
    Metadata(&'static str),
    /// QEMU is missing and cannot be installed from here.
    NoQemu(&'static str),
    /// A program is missing and cannot be installed from here.
    NoProgram(&'static str),
    /// A board, program or file that a command needs is missing or invalid.
    Invalid(String),
    /// A program on a board ended with this code.
    Program(String, i32),
}

impl TaskError {
    /// An error about a file or folder.
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
