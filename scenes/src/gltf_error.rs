//! What is wrong with a glTF file.

use std::error::Error as StdError;
use std::fmt;

use crate::work::WorkError;

/// What is wrong with a glTF file.
#[derive(Debug)]
#[non_exhaustive]
pub enum GltfError {
    /// It is neither a .glb file nor JSON of the shape of glTF.
    NotGltf(gltf::json::Error),
    /// It begins as a .glb file and does not go on as one.
    NotGlb(gltf::Error),
    /// The JSON part of a .glb file is broken.
    Json(gltf::json::Error),
    /// The header of a .glb file gives a length that does not even hold the header.
    Length {
        /// That length, in bytes.
        bytes: u32,
    },
    /// A .glb file ends within its header.
    Cut,
    /// The default scene does not exist.
    NoSuchScene(usize),
    /// The scene refers to a node that does not exist.
    NoSuchNode(usize),
    /// A node is reached twice, so that the nodes are no tree.
    NoTree(usize),
    /// A node cannot be an actor.
    Node {
        /// Its index in the file.
        index: usize,
        /// The name that its actor would have.
        name: String,
        /// Why it cannot.
        error: NodeError,
    },
}

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
    /// Its work cannot be so.
    Work(WorkError),
    /// Its bounding sphere is not finite.
    NoSphere,
}

/// Why a mesh cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The positions have no bounds, as glTF demands.
    NoBounds {
        /// Which primitive of the mesh.
        primitive: usize,
        /// Which bound: `min` or `max`.
        bound: &'static str,
    },
    /// The mode is none of glTF's.
    NoMode {
        /// Which primitive of the mesh.
        primitive: usize,
    },
    /// There are more triangles than fit 32 bits.
    TooManyTriangles(u64),
}

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOT_WHOLE: &str = "this is not a whole .glb file";
        match self {
            Self::NotGltf(error) => write!(f, "this is not a glTF file: {error}"),
            Self::NotGlb(error) => write!(f, "{NOT_WHOLE}: {error}"),
            Self::Json(error) => write!(f, "the JSON of this .glb file is broken: {error}"),
            Self::Length { bytes } => write!(f, "{NOT_WHOLE}: its header says {bytes} bytes"),
            Self::Cut => write!(f, "{NOT_WHOLE}: it ends within its header"),
            Self::NoSuchScene(index) => {
                write!(f, "the default scene is {index}, but there is no such scene")
            }
            Self::NoSuchNode(index) => {
                write!(f, "the scene refers to node {index}, but there is no such node")
            }
            Self::NoTree(index) => {
                write!(f, "node {index} is reached twice: the nodes of a scene must form a tree")
            }
            Self::Node { index, name, error } => write!(f, "node {index} `{name}`: {error}"),
        }
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
            Self::Work(error) => write!(f, "its work {error}"),
            Self::NoSphere => {
                f.write_str("its bounding sphere is not finite: see its mesh and its scale")
            }
        }
    }
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
            Self::NoBounds { primitive, bound } => write!(
                f,
                "primitive {primitive}: its POSITION accessor has no `{bound}` of three numbers, as \
                 glTF demands"
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

impl StdError for GltfError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::NotGltf(error) | Self::Json(error) => Some(error),
            Self::NotGlb(error) => Some(error),
            Self::Node { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl StdError for NodeError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Mesh { error, .. } => Some(error),
            Self::Work(error) => Some(error),
            _ => None,
        }
    }
}

impl StdError for MeshError {}
