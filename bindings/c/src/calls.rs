//! The functions of the header, a file for each of its sections.

pub(crate) mod actors;
pub(crate) mod frame;
pub(crate) mod library;
#[cfg(target_family = "wasm")]
pub(crate) mod memory;
pub(crate) mod modules;
pub(crate) mod scene;
pub(crate) mod views;
