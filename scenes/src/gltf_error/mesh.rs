//! Why a mesh cannot be drawn.

use std::error::Error as StdError;
use std::fmt;

use lodger_gltf::DataError;

/// Why a mesh cannot be drawn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// The accessor of positions does not exist.
    NoPositions {
        /// Which primitive of the mesh.
        primitive: usize,
        /// The accessor.
        accessor: usize,
    },
    /// The accessor of indices does not exist.
    NoIndices {
        /// Which primitive of the mesh.
        primitive: usize,
        /// The accessor.
        accessor: usize,
    },
    /// The accessor that counts the corners does not say how many there are.
    NoCount {
        /// Which primitive of the mesh.
        primitive: usize,
        /// The accessor.
        accessor: usize,
    },
    /// The positions have no bounds, as glTF demands, and no data to measure.
    NoBounds {
        /// Which primitive of the mesh.
        primitive: usize,
        /// Which bound: `min` or `max`.
        bound: &'static str,
    },
    /// The positions have no bounds, as glTF demands, and cannot be measured.
    NotMeasured {
        /// Which primitive of the mesh.
        primitive: usize,
        /// Which bound: `min` or `max`.
        bound: &'static str,
        /// Why they cannot.
        error: DataError,
    },
    /// The mode is none of glTF's.
    NoMode {
        /// Which primitive of the mesh.
        primitive: usize,
    },
    /// There are more triangles than fit 32 bits.
    TooManyTriangles(u64),
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPositions { primitive, accessor } => write!(
                f,
                "primitive {primitive}: POSITION is accessor {accessor}, but there is no such \
                 accessor"
            ),
            Self::NoIndices { primitive, accessor } => write!(
                f,
                "primitive {primitive}: its indices are accessor {accessor}, but there is no such \
                 accessor"
            ),
            Self::NoCount { primitive, accessor } => {
                write!(f, "primitive {primitive}: accessor {accessor} has no `count`")
            }
            Self::NoBounds { primitive, bound } => write!(
                f,
                "primitive {primitive}: its POSITION accessor has no `{bound}` of three numbers, as \
                 glTF demands, and no data to measure"
            ),
            Self::NotMeasured { primitive, bound, error } => write!(
                f,
                "primitive {primitive}: its POSITION accessor has no `{bound}` of three numbers, as \
                 glTF demands, and cannot be measured: {error}"
            ),
            Self::NoMode { primitive } => {
                write!(f, "primitive {primitive}: its mode is none of glTF's, 0 to 6")
            }
            Self::TooManyTriangles(triangles) => {
                write!(f, "it draws {triangles} triangles, more than lodger can count")
            }
        }
    }
}

impl StdError for MeshError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::NotMeasured { error, .. } => Some(error),
            _ => None,
        }
    }
}
