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

mod blocks;
mod buffers;
mod clip;
mod component;
mod container;
mod document;
mod elements;
mod error;
mod json_price;
mod lists;
mod loose;
mod nodes;
mod numbers;
mod parts;
mod purse;
pub mod raw;
pub mod wanted;

pub use blocks::Blocks;
pub use buffers::{Buffers, Outside, data_uri};
pub use clip::{clipped, short};
pub use component::Component;
pub use document::{GltfFile, parse};
pub use elements::{Data, Elements, Wanted};
pub use error::{BufferError, DataError, Error, JsonError, OutsideError};
pub use lists::{Corner, LevelIds, MOST_LEVELS};
pub use loose::{Index, Text, Whole};
pub use nodes::{PlacedNode, first_camera, place};
pub use numbers::Numbers;
pub use parts::Parts;
pub use purse::Purse;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
