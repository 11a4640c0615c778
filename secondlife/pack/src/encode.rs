//! Levels, skins and physics shapes as the blocks of an asset, as today's viewer writes them.

mod asset;
mod deflate;
mod level;

pub(crate) use asset::{asset, bare};
pub use deflate::deflate;
pub(crate) use level::{faces, has_area, level_block, with_areas};

use lodger_core::cost::Provenance;

/// How far the sizes of the blocks of an asset that was made here can be trusted: they are what a grid counts.
pub const ASSET_SIZES: Provenance = Provenance::Exact;

/// How far the same sizes can be trusted of what a viewer makes of .glb files of the same levels: it merges and orders
/// vertices in its own way, and its zlib-ng may be of another version.
pub const UPLOAD_SIZES: Provenance = Provenance::Estimated;
