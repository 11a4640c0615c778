//! Why something has no price.

use std::fmt;
use std::sync::Arc;

use uuid::Uuid;

/// Why something has no price. A copy shares what the error says: an error about a mesh is kept once,
/// however often the mesh is used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A mesh asset cannot be read, or its physics mesh cannot be measured.
    Asset(lodger_mesh_asset::Error),
    /// A number that core does not take.
    Refused(lodger_core::Error),
    /// The box around a linkset is larger than core takes.
    LinksetSize(lodger_core::Error),
    /// A scale without a side above 0 has no proportions.
    NoExtent,
    /// A text is not two sizes with `..` between them.
    NoSizes,
    /// A text is neither the name of a set of constants of simulator resource cost, nor four numbers.
    NoSimulator,
    /// The first size must be at least so many metres and below the second, which is at most so many.
    SizeRange {
        /// Metres.
        smallest: f64,
        /// Metres.
        largest: u16,
    },
    /// A mesh that a part shows has no price.
    Mesh {
        /// The asset.
        id: Uuid,
        /// Why.
        error: Arc<Error>,
    },
    /// A part shows a mesh that was not given.
    MissingMesh(Uuid),
    /// A part of a linkset has no price.
    Part {
        /// Its number, counted from 1: that of the root.
        number: usize,
        /// Its name.
        name: Arc<str>,
        /// Why.
        error: Arc<Error>,
    },
}

impl From<lodger_mesh_asset::Error> for Error {
    fn from(error: lodger_mesh_asset::Error) -> Self {
        Self::Asset(error)
    }
}

impl From<lodger_core::Error> for Error {
    fn from(error: lodger_core::Error) -> Self {
        Self::Refused(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asset(error) => error.fmt(f),
            Self::Refused(error) => error.fmt(f),
            Self::LinksetSize(error) => write!(f, "its size: {error}"),
            Self::NoExtent => f.write_str("a scale with a side above 0 is needed"),
            Self::SizeRange { smallest, largest } => write!(
                f,
                "the first must be at least {smallest} m and below the second, which is at most {largest} m"
            ),
            Self::NoSimulator => f.write_str(
                "`unofficial-2011` or four numbers are expected: simulation factor, active cost high and \
                 low, linkset factor, as in 0.5,2,1,0",
            ),
            Self::NoSizes => f.write_str("two lengths in metres are expected, as in 0.1..64"),
            Self::Mesh { id, error } => write!(f, "its mesh {id}: {error}"),
            Self::MissingMesh(id) => write!(f, "its mesh {id} is missing"),
            Self::Part { number, name, error } => write!(f, "part {number} ({name}): {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Asset(error) => Some(error),
            Self::Refused(error) | Self::LinksetSize(error) => Some(error),
            Self::Mesh { error, .. } | Self::Part { error, .. } => Some(&**error),
            Self::NoExtent
            | Self::NoSimulator
            | Self::NoSizes
            | Self::SizeRange { .. }
            | Self::MissingMesh(_) => None,
        }
    }
}
