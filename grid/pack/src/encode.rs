//! Levels, skins and physics shapes as the blocks of an asset, as today's viewer writes them.

mod area;
mod asset;
mod block;
mod deflate;
mod hulls;
mod level;
mod skin;

pub(crate) use area::{has_area, with_areas};
pub(crate) use asset::{asset, bare};
pub use deflate::deflate;
pub(crate) use level::{faces, level_block};

use lodger_core::cost::Provenance;

/// How far the sizes of the blocks of an asset that was made here can be trusted: they are what a grid counts.
pub const ASSET_SIZES: Provenance = Provenance::Exact;

/// How far the same sizes can be trusted of what a viewer makes of .glb files of the same levels: it merges and orders
/// vertices in its own way, and its zlib-ng may be of another version.
pub const UPLOAD_SIZES: Provenance = Provenance::Estimated;
