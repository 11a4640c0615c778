//! Entry points for fuzzing: bytes in, whether they were valid out, and a panic for whatever must
//! not be.
//!
//! The fuzz targets call them under libFuzzer; the tests of the workspace include this file and call
//! them on mutated seeds, on a stable toolchain.

mod archive;
mod asset;
mod choice;
mod entries;
mod limits;
mod llsd;
mod objects;
mod pricing;
mod scenes;
pub mod seeds;
mod stream;
mod terminal;
mod wire;

pub use archive::archive;
pub use asset::asset;
pub use choice::choice;
pub use entries::entries;
pub use llsd::llsd;
pub use objects::objects;
pub use pricing::pricing;
pub use scenes::{gltf, linkset, scene, sog};
pub use stream::stream;
pub use terminal::terminal;
pub use wire::{conform, telemetry};
