//! Files that are right but for what they are asked to have wrong.

pub(super) mod gltf;
pub(super) mod llsd;
pub(super) mod mesh;
pub(super) mod object;
mod packed;
pub(super) mod scene;
pub(super) mod sog;
pub(super) mod solid;
pub(super) mod tar;

pub(super) use packed::{Piece, gzip, gzip_of, run, zlib_of};
