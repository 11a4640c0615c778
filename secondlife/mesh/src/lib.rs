//! Reads, writes and lints Second Life mesh assets. Works on bytes, not on files.
//!
//! An asset is a header (a binary LLSD map with the name, offset and size of each block), then blocks of
//! zlib-compressed binary LLSD. The `.slm` files of a viewer's cache have the same format, with a list of materials
//! in the header.
//!
//! | task | start at |
//! |---|---|
//! | read a file | [`Asset::parse`], then [`Asset::inflate`] and the methods of [`BlockData`] |
//! | inputs of the streaming cost | [`AssetHeader::lod_bytes`]; inflates nothing |
//! | inputs of the physics cost | [`Asset::physics`]; inflates only physics blocks, if the file has a hull |
//! | write a file | [`AssetBuilder`] |
//! | find problems before an upload | [`lint`] |
//!
//! # Important terms
//!
//! - **unit space**: the cube of side 1 around the origin that contains a mesh. Multiply by the scale of the object,
//!   in metres per axis.
//! - **face**: the triangles with one material. Faces, triangles and hulls count from 0.
//! - **quantum**: 1/65535 of a domain, the step of a coordinate.
//! - **hull**: the convex hull around the mesh; **decomposition**: hulls that together form the physics shape.
//!
//! # Trust
//!
//! Assets are untrusted input. Every length and offset is checked before use, [`AssetLimits`] caps inflated blocks,
//! and no memory is reserved for a claimed length. Nothing panics.
//!
//! Source: Second Life wiki, Mesh/Mesh physics and Mesh/Mesh Asset Format.
//!
//! # Examples
//! ```
//! use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder, Faces, Geometry, Quantized};
//!
//! let corners = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]];
//! let triangle = Geometry::new(Quantized::from_points(&corners)?, &[[0, 1, 2]])?;
//! let lod = Faces::new([triangle.into()]);
//! let mut builder = AssetBuilder::new();
//! builder.set_lod(AssetBlock::HighLod, &lod)?;
//! let file = builder.encode()?;
//!
//! let asset = Asset::parse(&file)?;
//! assert!(asset.header().lod_bytes().high > 100);
//! let block = asset.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
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

pub use asset::{Asset, BlockData};
#[cfg(feature = "vectors")]
pub use batch::{radii, streaming_costs};
pub use build::AssetBuilder;
pub use convex::{PhysicsConvex, PhysicsCostData};
pub use error::{AssetError, AssetErrorKind};
pub use geometry::{Face, Faces, Geometry, GeometryCounts};
pub use header::{AssetBlock, AssetHeader, BlockRange, UnknownBlock};
pub use inflate::AssetLimits;
pub use physics_inputs::{PhysicsInputs, PhysicsMesh};
pub use quantized::{Domain, Quantized};
pub use skin::{Influence, Influences, Skin, VertexWeights};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
