//! Files for tests: each format is made here once. Lengths, counts and places may be false, and [`damage`] makes any
//! file wrong while most of its structure stays.

pub mod archive;
pub mod compressed;
pub mod damage;
pub mod gltf;
pub mod llsd;
pub mod mesh;
pub mod scene;
pub mod streamed_sog;
