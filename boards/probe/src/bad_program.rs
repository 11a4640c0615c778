//! Files that are no programs.

use std::error::Error;
use std::fmt;

use crate::cause::Cause;

/// Why a file is no program for a Cortex-M.
#[derive(Debug)]
#[non_exhaustive]
pub enum BadProgram {
    /// It is no ELF file of 32 bits.
    NoElf(Cause),
    /// It is for another processor than an Arm, whose name this is.
    AnotherProcessor(String),
    /// A segment lies outside of the file.
    CutShort,
    /// It holds nothing to write.
    Empty,
}

impl fmt::Display for BadProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoElf(why) => write!(f, "it is no 32-bit ELF file ({why})"),
            Self::AnotherProcessor(name) => write!(f, "it is for another processor: {name}"),
            Self::CutShort => f.write_str("a segment lies outside of the file"),
            Self::Empty => f.write_str("it holds nothing to write"),
        }
    }
}

impl Error for BadProgram {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoElf(why) => Some(&**why),
            Self::AnotherProcessor(_) | Self::CutShort | Self::Empty => None,
        }
    }
}
