//! What is wrong with the index of a Streamed SOG.

use std::error::Error as StdError;
use std::fmt;

use lodger_gltf::JsonError;

/// What is wrong with the index of a Streamed SOG, at the place that the error has.
#[derive(Debug)]
#[non_exhaustive]
pub enum SogError {
    /// It is no JSON.
    Json(JsonError),
    /// It is of a later version than 1.
    Version {
        /// Its version, as it is written.
        found: String,
    },
    /// A key is missing.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A key is there twice.
    Repeated {
        /// The key.
        key: String,
    },
    /// A value is not what it should be.
    Wrong {
        /// Its key.
        key: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A level is none of the file's.
    NoSuchLevel {
        /// What it is called.
        key: String,
        /// How many the file has.
        levels: usize,
    },
    /// A box ends before it begins.
    Reversed,
    /// The errors of a leaf fall towards a coarser level.
    Falling,
    /// A node has levels, as leaves have, and children.
    Both,
}

impl fmt::Display for SogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "this index of a Streamed SOG is broken: {error}"),
            Self::Version { found } => {
                write!(f, "this is a Streamed SOG of version {found}; lodger reads version 1")
            }
            Self::Missing { key } => write!(f, "`{key}` is missing"),
            Self::Repeated { key } => write!(f, "`{key}` is there twice"),
            Self::Wrong { key, expected } => write!(f, "`{key}` must be {expected}"),
            Self::NoSuchLevel { key, levels: 1 } => {
                write!(f, "there is no level `{key}`: the file has 1, which is level 0")
            }
            Self::NoSuchLevel { key, levels } => write!(
                f,
                "there is no level `{key}`: the file has {levels}, 0 to {}",
                levels.saturating_sub(1)
            ),
            Self::Reversed => {
                f.write_str("`bound` must not end, at `max`, before it begins at `min`")
            }
            Self::Falling => f.write_str(
                "`errors` must not fall from a level to the next, as level 0 is the finest",
            ),
            Self::Both => f.write_str("a node has either `children` or, as a leaf, `lods`"),
        }
    }
}

impl StdError for SogError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            _ => None,
        }
    }
}
