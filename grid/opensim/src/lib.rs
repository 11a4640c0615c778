//! Content of Second Life and `OpenSimulator` on a host: archives, the files of a user, and prices.
//!
//! - [`archive`]: `.oar`, `.iar` and the XML of objects to linksets
//! - [`files`]: the mesh assets, archives and objects that the paths of a command line name
//! - [`pricing`]: meshes, linksets and archives to weights and land impact
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod archive;
pub mod files;
pub mod pricing;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
