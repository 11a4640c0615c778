//! Reads the part of glTF 2.0 that schedulers and packers need.
//!
//! - [`parse`] reads the JSON of a .glb or .gltf file.
//! - [`place_nodes`] places the nodes of a scene in the world.
//! - [`AccessorReader`] reads elements of accessors from [`Buffers`].
//! - [`RawSections`] has the raw JSON of materials, textures and all attributes.
//!
//! Unused parts of a file are skipped, valid or not. Every index is checked, nothing is recursive, and memory is
//! charged to the file's [`FileQuota`] before it is used.
#![forbid(unsafe_code)]

mod accessors;
mod buffers;
mod document;
mod error;
mod lenient;
mod nodes;
pub mod raw;

pub use accessors::{AccessorReader, AccessorSpec, Component, Elements, accessor_specs};
pub use buffers::{Buffers, ExternalFiles, FileQuota, data_uri};
pub use document::{GltfFile, RawSections, parse};
pub use error::{GltfFileError, JsonError, ellipsized, ellipsized_message};
pub use lenient::{
    BoundsCorner, ChunkedVec, FixedArray, Index, LenientText, LenientUint, LevelIds, MAX_LEVELS,
};
pub use nodes::{PlacedNode, first_camera, place_nodes};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
