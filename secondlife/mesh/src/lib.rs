//! The mesh asset of Second Life: read, written and judged. Bytes in, types out; no files.
//!
//! An asset is a header, which is a binary LLSD map, and blocks, each of them zlib-compressed binary
//! LLSD. The header names every block and says where it is. [`Asset`] reads a file and its blocks,
//! [`AssetBuilder`] writes one, [`lint`] says what an upload would refuse or punish. The `.slm`
//! files of a viewer's cache are the same container with a list of materials in the header.
//!
//! What the costs of an asset depend on comes without inflating anything ([`Header::lod_bytes`]) or
//! from the physics blocks alone ([`Asset::physics`]).
//!
//! # Important terms
//!
//! - **unit space**: the cube of side 1 around the origin that a mesh is stored in. An asset has no
//!   scale: whoever uses it multiplies by the scale of the object, in metres per axis.
//! - **face**: what has one material; called submesh by the format. Faces, triangles and hulls are
//!   counted from 0.
//! - **quantum**: 1/65535 of a domain, the step of a coordinate.
//! - **hull**: the convex hull around everything; **decomposition**: hulls that together are the shape
//!
//! # Trust
//!
//! Every length and offset comes from a stranger. Each is checked before it is used, what a block
//! inflates to is capped ([`Limits`]), and an [`Error`] says in which block, face and field it was, and
//! for syntax at which byte. Nothing panics, and no memory is reserved for a length that was only
//! claimed.
//!
//! Source: Second Life wiki, Mesh/Mesh physics and Mesh/Mesh Asset Format.
//!
//! # Examples
//! ```
//! use lodger_mesh_asset::{Asset, AssetBuilder, Block, Face, Geometry, Faces, Quantized};
//!
//! let corners = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]];
//! let face = Geometry::new(Quantized::from_points(&corners)?, &[[0, 1, 2]])?;
//! let lod = Faces::new([Face::from(face)]);
//! let mut builder = AssetBuilder::new();
//! builder.set_lod(Block::HighLod, &lod)?;
//! let file = builder.encode()?;
//!
//! let asset = Asset::parse(&file)?;
//! let sizes = asset.header().lod_bytes();
//! assert!(sizes.lowest == 0 && sizes.high > 0);
//! let block = asset.inflate(Block::HighLod)?.ok_or("no high LOD")?;
//! assert_eq!(block.lod()?, lod);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod asset;
#[cfg(feature = "vectors")]
mod batch;
mod build;
mod convex;
mod error;
mod fields;
mod geometry;
mod header;
mod inflate;
pub mod lint;
pub mod llsd;
mod physics_inputs;
mod quantized;
mod skin;

pub use asset::{Asset, Inflated};
#[cfg(feature = "vectors")]
pub use batch::{radii, streaming_costs};
pub use build::AssetBuilder;
pub use convex::{Convex, PhysicsCostData};
pub use error::{Error, Problem};
pub use geometry::{Counts, Face, Faces, Geometry};
pub use header::{Block, Extent, Header, UnknownBlock};
pub use inflate::Limits;
pub use physics_inputs::{PhysicsInputs, PhysicsMesh};
pub use quantized::{Domain, Quantized};
pub use skin::{Influence, Influences, Skin, VertexWeights};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
