//! The one error of every command: what failed, and what its reader can do about it.

use std::fmt;
use std::io;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The binary was started by hand, without what cargo tells it.
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
    /// Something is missing that only rustup could install.
    NoRustup(String),
    /// What `cargo metadata` said could not be understood.
    Metadata(&'static str),
    /// QEMU is missing and cannot be installed from here.
    NoQemu(&'static str),
    /// A program is missing and cannot be installed from here.
    NoProgram(&'static str),
    /// A board, program or file that a command needs is not there or not what it should be.
    Unfit(String),
    /// A program on a board ended with this code.
    Program(String, i32),
}

impl fmt::Display for Failure {
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
            Self::Unfit(what) => write!(f, "{what}"),
            Self::Program(name, code) => write!(f, "{name} ended with code {code}"),
            Self::NoRustup(missing) => write!(
                f,
                "{missing} is not installed, and there is no rustup here to install it\n  \
                 either install rustup (https://rustup.rs), or add {missing} with what manages Rust here"
            ),
            Self::Metadata(what) => write!(f, "cannot read `cargo metadata`: {what}"),
        }
    }
}
