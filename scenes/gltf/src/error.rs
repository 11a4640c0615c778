//! What is wrong with a glTF file.

mod data;
mod json;

use std::error::Error as StdError;
use std::fmt;

use lodger_allowance::Spent;

pub use data::{BufferError, DataError, OutsideError};
pub use json::JsonError;

/// What is wrong with a glTF file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// It is neither a .glb file nor JSON of the shape of glTF.
    NotGltf(JsonError),
    /// The JSON part of a .glb file is broken.
    Json(JsonError),
    /// It is glTF 2.0, but a value that is needed is of another type than glTF gives it.
    Broken(JsonError),
    /// It is JSON, but has no `asset.version`, as every glTF file has.
    NoVersion {
        /// Whether `nodes` is an object, as in glTF 1.0.
        has_keyed_nodes: bool,
    },
    /// It is another glTF than 2.
    Version {
        /// The version that it is, or the least that it asks for.
        found: String,
    },
    /// The header of a .glb file gives a length that does not even hold the header.
    Length {
        /// That length, in bytes.
        bytes: u32,
    },
    /// A .glb file is shorter than its header says.
    Truncated {
        /// What its header says, in bytes.
        bytes: u32,
        /// How many bytes there are.
        found: usize,
    },
    /// A .glb file does not begin with its JSON.
    NoJson,
    /// A chunk of a .glb file ends beyond the file.
    Chunk {
        /// What it says to hold, in bytes.
        bytes: u32,
    },
    /// A .glb file ends within a header.
    Cut,
    /// The default scene does not exist.
    NoSuchScene(usize),
    /// The scene that is asked for does not exist.
    SceneBeyond {
        /// Which is asked for.
        index: usize,
        /// How many there are.
        scenes: usize,
    },
    /// The scene refers to a node that does not exist.
    NoSuchNode(usize),
    /// A node is reached twice, so that the nodes are no tree.
    NoTree(usize),
    /// Reading it takes more than it may.
    Spent(Spent),
}

impl From<Spent> for Error {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOT_WHOLE: &str = "this is not a whole .glb file";
        match self {
            Self::NotGltf(error) => write!(f, "this is not glTF: {error}"),
            Self::Json(error) => write!(f, "the JSON of this .glb file is broken: {error}"),
            Self::Broken(error) => write!(f, "this glTF file is broken: {error}"),
            Self::NoVersion { has_keyed_nodes: false } => {
                f.write_str("this is not glTF: it has no `asset.version`")
            }
            Self::NoVersion { has_keyed_nodes: true } => f.write_str(
                "this is not glTF 2.0: it has no `asset.version`, and its `nodes` is an object, as in \
                 glTF 1.0",
            ),
            Self::Version { found } => write!(f, "this is glTF {found}; lodger reads 2.0"),
            Self::Length { bytes } => write!(f, "{NOT_WHOLE}: its header says {bytes} bytes"),
            Self::Truncated { bytes, found } => {
                write!(f, "{NOT_WHOLE}: its header says {bytes} bytes, but it has {found}")
            }
            Self::NoJson => write!(f, "{NOT_WHOLE}: it does not begin with JSON"),
            Self::Chunk { bytes } => {
                write!(f, "{NOT_WHOLE}: a chunk of {bytes} bytes ends beyond it")
            }
            Self::Cut => write!(f, "{NOT_WHOLE}: it ends within a header"),
            Self::NoSuchScene(index) => {
                write!(f, "the default scene is {index}, but there is no such scene")
            }
            Self::SceneBeyond { index, scenes: 0 } => {
                write!(f, "there is no scene {index}: the file has none")
            }
            Self::SceneBeyond { index, scenes: 1 } => {
                write!(f, "there is no scene {index}: the file has 1, which is scene 0")
            }
            Self::SceneBeyond { index, scenes } => {
                let last = scenes.saturating_sub(1);
                write!(f, "there is no scene {index}: the file has {scenes}, 0 to {last}")
            }
            Self::NoSuchNode(index) => {
                write!(f, "the scene refers to node {index}, but there is no such node")
            }
            Self::NoTree(index) => {
                write!(f, "node {index} is reached twice: the nodes of a scene must form a tree")
            }
            Self::Spent(spent) => spent.fmt(f),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::NotGltf(error) | Self::Json(error) | Self::Broken(error) => Some(error),
            Self::Spent(spent) => Some(spent),
            _ => None,
        }
    }
}
