//! Second Life and `OpenSimulator` content on a host.
//!
//! - [`archive`]: `.oar`, `.iar` and the XML of objects to linksets
//! - [`files`]: mesh assets, archives and objects from the paths of a command line
//! - [`pricing`]: meshes, linksets and archives to weights and land impact
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod archive;
pub mod files;
pub mod pricing;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
