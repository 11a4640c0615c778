//! Scenes and camera paths of a command line, numbers of its options, and words for what is wrong with them.
//!
//! [`load_linkset`] and [`read_linkset`] read linksets. [`rules`], [`shape`], [`scale`], [`hulls`] and [`widths`] are what a mesh is priced for. [`SceneArgs`] say which scene is read and what replaces its values; [`Asked::load`] reads it, and
//! [`camera_path`] where a camera goes in it. [`told`], [`spent`] and [`unwanted`] tell what is wrong with a
//! file, [`FileError`] is such a file as a row, and [`Unfit`] what is wrong with an option. [`figures`] are for sentences
//! and tables.
#![forbid(unsafe_code)]

mod conditions;
pub mod figures;
mod file_error;
mod linkset;
mod mistake;
mod number;
mod path;
mod scene;
mod scene_args;

pub use conditions::{Widths, hulls, rules, scale, shape, widths};
pub use file_error::{FileError, bad_asset, needs_more, unreadable};
pub use linkset::{load_linkset, read_linkset};
pub use mistake::{decode, spent, told, unwanted};
pub use number::{Unfit, checked, coordinates, number, whole};
pub use path::camera_path;
pub use scene::Asked;
pub use scene_args::SceneArgs;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
