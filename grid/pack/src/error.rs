//! Why a model becomes no asset.

use std::fmt;

use crate::choice::TooDear;

/// Why a model becomes no asset.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read, or is no glTF that makes sense.
    Model {
        /// The file.
        file: String,
        /// What is wrong, and where in it.
        problem: String,
        /// What to do about it.
        help: Option<String>,
        /// Whether it is about a skin, which [`SkinChoice::Rest`](crate::SkinChoice::Rest) leaves out.
        is_of_skin: bool,
    },
    /// It has become too large: more than 64 m a side.
    TooLarge {
        /// The object.
        object: String,
        /// Its sides in metres.
        size: [f64; 3],
    },
    /// The rules of the streaming cost are none.
    Rules(lodger_core::Error),
    /// No land impact of that size can be had.
    TooDear(Box<TooDear>),
    /// No physics shape came out.
    Physics {
        /// The object.
        object: String,
        /// Why.
        problem: String,
    },
    /// What cannot be written as an asset.
    Asset {
        /// The object.
        object: String,
        /// Why.
        error: Box<lodger_mesh_asset::Error>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { file, problem, .. } => write!(f, "{file}: {problem}"),
            Self::TooLarge { object, size: [x, y, z] } => {
                write!(f, "{object} is {x:.2} x {y:.2} x {z:.2} m, no prim is larger than 64 m")
            }
            Self::Rules(error) => error.fmt(f),
            Self::TooDear(what) => what.fmt(f),
            Self::Physics { object, problem } => write!(f, "{object}: {problem}"),
            Self::Asset { object, error } => write!(f, "{object}: {error}"),
        }
    }
}

impl std::error::Error for Error {}
