//! What is wrong with a glTF file.

mod mesh;
mod node;
mod skin;

use std::error::Error as StdError;
use std::fmt;

use lodger_gltf::Error as FileError;

pub use mesh::MeshError;
pub use node::NodeError;
pub use skin::SkinError;

/// What is wrong with a glTF file.
#[derive(Debug)]
#[non_exhaustive]
pub enum GltfError {
    /// It is not glTF, or broken.
    File(FileError),
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

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Node { index, name, error } => write!(f, "node {index} `{name}`: {error}"),
        }
    }
}

impl StdError for GltfError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::File(error) => error.source(),
            Self::Node { error, .. } => Some(error),
        }
    }
}
