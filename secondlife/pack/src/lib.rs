//! A model to mesh assets of Second Life that cost what you want.
//!
//! A [`Model`] is what somebody made: objects of up to eight faces, in metres, Z up. For each object a
//! [`Chain`] of simpler forms is made and measured, and lodger's optimal policy decides which of
//! them become its levels of detail, so that all objects together, linked, cost at most a stated land
//! impact. [`pack`] does all of it.
//!
//! # Important terms
//!
//! - **object**: what becomes one mesh asset, and one prim of a linkset; **face**: what has one material.
//! - **level**: the geometry of all faces at one level of detail; [`Level`].
//! - **candidate**: a level that might be shown, with its bytes and its error; **chain**: the candidates of
//!   an object, best first, none of them worse and heavier than another.
//! - **error**: the greatest distance between the surfaces of a level and its source, in metres,
//!   looked for from both sides at sampled points; of a rigged object also in a bent pose.
//! - **frame**: where an object is, and how large: from metres to the unit space of an asset.
//! - **weight**: how long, and from how near, a level of detail is looked at: the ring in which it is shown.
#![forbid(unsafe_op_in_unsafe_fn)]

mod aabb;
mod chain;
mod choice;
mod encode;
mod error;
mod files;
mod frame;
mod glb;
mod model;
mod note;
mod packing;
mod physics;
mod read;
mod report;
mod resize;
mod spend;

pub use chain::{Candidate, Chain, Origin};
pub use choice::{Choice, LodRule, Share};
pub use encode::{ASSET_SIZES, UPLOAD_SIZES, deflate};
pub use error::{Error, TooDear};
pub use files::ObjectFile;
pub use frame::Frame;
pub use model::{Face, Joint, Level, Material, Model, Object, Rig};
pub use note::Note;
pub use packing::{Options, Packed, PackedObject, Step, pack};
pub use physics::{
    COVERAGE, ChildProcess, DECOMPOSE, Decompose, Physics, PhysicsChoice, TOLERANCE,
    serve_decomposition,
};
pub use read::{SkinChoice, Source, read};
pub use report::page;

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
