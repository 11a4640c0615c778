//! Why a node cannot be an actor.

use std::error::Error as StdError;
use std::fmt;

use lodger_allowance::Spent;
use lodger_gltf::DataError;

use super::mesh::MeshError;
use crate::work::WorkError;

/// Why a node cannot be an actor.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum NodeError {
    /// Its mesh does not exist.
    NoSuchMesh(usize),
    /// Its mesh, or that of a level, cannot be drawn.
    Mesh {
        /// Its index in the file.
        index: usize,
        /// Why it cannot.
        error: MeshError,
    },
    /// `MSFT_lod` has no list of nodes.
    NoLevels,
    /// `MSFT_lod` lists a node that does not exist.
    NoSuchLevel(String),
    /// `MSFT_lod` lists too many levels.
    TooManyLevels(usize),
    /// A node below a level does not exist.
    NoSuchChild(usize),
    /// A node is below itself.
    Circle(usize),
    /// It has no mesh and nothing to be seen below it, but lower levels that are.
    NothingBelow,
    /// It, or one of its levels, draws more triangles than fit 32 bits.
    TooManyTriangles(u64),
    /// `EXT_mesh_gpu_instancing` says nothing of where the instances are.
    NoInstances,
    /// The attributes of `EXT_mesh_gpu_instancing` are not equally many.
    InstanceCounts {
        /// How many the first attribute has.
        first: u64,
        /// How many another one has.
        other: u64,
    },
    /// An attribute of `EXT_mesh_gpu_instancing` cannot be read.
    Instances {
        /// Which attribute.
        attribute: &'static str,
        /// Why it cannot.
        error: DataError,
    },
    /// Its work cannot be so.
    Work(WorkError),
    /// Its bounding sphere is not finite.
    NoSphere,
    /// What it needs is more than the file may take.
    Spent(Spent),
}

impl From<Spent> for NodeError {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchMesh(index) => {
                write!(f, "it has mesh {index}, but there is no such mesh")
            }
            Self::Mesh { index, error } => write!(f, "mesh {index}: {error}"),
            Self::NoLevels => f.write_str("MSFT_lod has no array `ids`"),
            Self::NoSuchLevel(id) => {
                write!(f, "MSFT_lod lists node {id}, but there is no such node")
            }
            Self::TooManyLevels(levels) => {
                write!(f, "MSFT_lod lists {levels} LODs, but at most 256 are possible")
            }
            Self::NoSuchChild(index) => {
                write!(f, "node {index} is below one of its levels, but there is no such node")
            }
            Self::Circle(index) => {
                write!(f, "node {index} is below itself: nodes must form trees")
            }
            Self::NothingBelow => f.write_str(
                "it has lower LODs, but nothing to be seen at its highest, which is all below it",
            ),
            Self::TooManyTriangles(triangles) => {
                write!(f, "it draws {triangles} triangles, more than lodger can count")
            }
            Self::NoInstances => {
                f.write_str("EXT_mesh_gpu_instancing has none of TRANSLATION, ROTATION and SCALE")
            }
            Self::InstanceCounts { first, other } => write!(
                f,
                "the attributes of EXT_mesh_gpu_instancing are of {first} and of {other} instances"
            ),
            Self::Instances { attribute, error } => {
                write!(f, "the {attribute} of its instances cannot be read: {error}")
            }
            Self::Work(error) => write!(f, "its work {error}"),
            Self::Spent(spent) => spent.fmt(f),
            Self::NoSphere => {
                f.write_str("its bounding sphere is not finite: see its mesh and its scale")
            }
        }
    }
}

impl StdError for NodeError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Mesh { error, .. } => Some(error),
            Self::Instances { error, .. } => Some(error),
            Self::Work(error) => Some(error),
            Self::Spent(spent) => Some(spent),
            _ => None,
        }
    }
}
