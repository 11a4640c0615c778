//! Reads the part of glTF 2.0 that schedulers and packers need. Works on bytes, and does no I/O.
//!
//! ```
//! use std::io;
//!
//! use lodger_gltf::{AccessorReader, Buffers, FileQuota, accessor_specs, parse, place_nodes};
//! use lodger_quota::Quota;
//!
//! let text = br#"{
//!     "asset": {"version": "2.0"},
//!     "scenes": [{"nodes": [0]}],
//!     "nodes": [{"mesh": 0, "translation": [10, 0, 0]}],
//!     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
//!     "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}],
//!     "bufferViews": [{"buffer": 0, "byteLength": 12}],
//!     "buffers": [{"byteLength": 12, "uri": "data:;base64,AACAPwAAAEAAAEBA"}]
//! }"#;
//! let quota = Quota::default();
//! let file_quota = FileQuota::new(&quota);
//! let file = parse(text, &file_quota)?;
//!
//! // The first node of the scene, and its transform to the world.
//! let node = place_nodes(&file.document, None, &file_quota)?[0];
//! assert_eq!(node.world.translation.to_array(), [10.0, 0.0, 0.0]);
//!
//! // The positions of its mesh. The closure reads files beside this one, which it has none of.
//! let mut external = |uri: &str, _: u64| Err(io::Error::other(uri));
//! let buffers = Buffers::new(&file.document.buffers, file.bin, &mut external, &file_quota);
//! let accessors = AccessorReader::new(&file.document, buffers, &file_quota);
//! let mesh = file.document.meshes.get(0).ok_or("no mesh")?;
//! let index = mesh.primitives[0].attributes.position.ok_or("no positions")?;
//! let positions: Vec<_> = accessors.elements::<3>(index, accessor_specs::POSITION)?.collect();
//! assert_eq!(positions, [[1.0, 2.0, 3.0]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | task | start at |
//! |---|---|
//! | Read the JSON and the binary chunk of a .glb or .gltf file | [`parse`], [`GltfFile`] |
//! | Place the nodes of a scene in the world | [`place_nodes`], [`first_camera`] |
//! | Read elements of accessors, also sparse and normalized ones | [`AccessorReader`], [`accessor_specs`] |
//! | Read buffers: the binary chunk, `data:` URIs and other files | [`Buffers`] |
//! | Read materials, textures and all attributes as raw JSON | [`GltfFile::raw_sections`] |
//!
//! Lengths are in glTF's metres, and the axes are glTF's. Unused parts of a file are skipped, valid or not.
//!
//! # Errors
//!
//! A [`GltfFileError`] says which part of the file is wrong, and why. Files are untrusted input: every index is checked,
//! nothing is recursive, and memory and work are charged to the file's [`FileQuota`] before they are used.
//! [`FileQuota::exceeded`] tells a file that needs more than its quota from an invalid one.
#![forbid(unsafe_code)]

mod accessors;
mod buffers;
mod document;
mod error;
mod json;
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
