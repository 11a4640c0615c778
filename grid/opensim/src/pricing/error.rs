//! Errors of pricing.

use std::sync::Arc;

use uuid::Uuid;

/// Why something has no price. A copy shares what the error says: an error about a mesh is kept once,
/// however often the mesh is used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh asset cannot be read, or its physics mesh cannot be measured.
    #[error(transparent)]
    Asset(#[from] lodger_mesh_asset::Error),
    /// A number that core does not take.
    #[error(transparent)]
    Refused(#[from] lodger_core::Error),
    /// The box around a linkset is larger than core takes.
    #[error("its size: {0}")]
    LinksetSize(#[source] lodger_core::Error),
    /// A scale without a side above 0 has no proportions.
    #[error("a scale with a side above 0 is needed")]
    NoExtent,
    /// A text is not two sizes with `..` between them.
    #[error("two lengths in metres are expected, as in 0.1..64")]
    NoSizes,
    /// A text is neither the name of a set of constants of simulator resource cost, nor four numbers.
    #[error(
        "`unofficial-2011` or four numbers are expected: simulation factor, active cost high and low, linkset \
         factor, as in 0.5,2,1,0"
    )]
    NoSimulator,
    /// The first size must be at least so many metres and below the second, which is at most so many.
    #[error(
        "the first must be at least {smallest} m and below the second, which is at most {largest} m"
    )]
    SizeRange {
        /// Metres.
        smallest: f64,
        /// Metres.
        largest: u16,
    },
    /// A mesh that a part shows has no price.
    #[error("its mesh {id}: {error}")]
    Mesh {
        /// The asset.
        id: Uuid,
        /// The error of the mesh.
        #[source]
        error: Arc<Error>,
    },
    /// A part shows a mesh that was not given.
    #[error("its mesh {0} is missing")]
    MissingMesh(Uuid),
    /// A part of a linkset has no price.
    #[error("part {number} ({name}): {error}")]
    Part {
        /// Its number, counted from 1: that of the root.
        number: usize,
        /// Its name.
        name: Arc<str>,
        /// The error of the part.
        #[source]
        error: Arc<Error>,
    },
}
