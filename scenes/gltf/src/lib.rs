//! What a ledger and a packer need of glTF 2.0, and no more.
//!
//! [`parse`] reads the JSON of a .glb or .gltf file, [`place`] puts the nodes of a scene into the world, and
//! [`Data`] hands out the elements of accessors, from [`Buffers`] that are read when they are first needed.
//! [`Parts`] is what a packer looks at beside that: meshes with all their attributes, materials, textures.
//!
//! Only what is needed is looked at: anything else, broken or not, is skipped. Nothing is trusted: every
//! index is looked up, nothing is followed recursively, and whatever is made of a file is paid from its
//! [`Purse`] first.
#![forbid(unsafe_code)]

mod accessors;
mod buffers;
mod document;
mod error;
mod file_quota;
mod lenient;
mod nodes;
pub mod raw;

pub use accessors::{Component, Data, Elements, Wanted, wanted};
pub use buffers::{Buffers, Outside, data_uri};
pub use document::{GltfFile, Parts, parse};
pub use error::{GltfFileError, JsonError, ellipsized, ellipsized_message};
pub use file_quota::Purse;
pub use lenient::{Blocks, Corner, Index, LevelIds, MOST_LEVELS, Numbers, Text, Whole};
pub use nodes::{PlacedNode, first_camera, place};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
