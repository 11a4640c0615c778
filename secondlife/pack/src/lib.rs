//! Packs a model into mesh assets of Second Life with a target land impact.
//!
//! A [`Model`] has objects of up to eight submeshes, in metres, Z up. [`pack`] makes and measures a
//! [`LodChain`] of simpler meshes for each object, and lodger's optimal policy selects its levels
//! of detail, so that the land impact of all objects, linked, does not exceed the target.
//!
//! # Important terms
//!
//! - **object**: one mesh asset, and one prim of a linkset; **submesh**: its triangles of one
//!   material.
//! - **level**: the geometry of an object at one level of detail; [`LodMesh`].
//! - **candidate**: a mesh that may become a level, with its bytes and its error; **chain**: the
//!   candidates of an object, best first.
//! - **error**: the greatest distance between the surfaces of a level and its source, in metres,
//!   from samples on both; for a rigged object also in a bent pose.
//! - **frame**: position and size of an object: metres to the unit space of its asset.
//! - **importance**: the loss for each metre of error, from the width of the ring in which a level
//!   is shown.
#![forbid(unsafe_op_in_unsafe_fn)]

mod encode;
mod error;
mod frame;
mod glb;
mod knapsack;
mod lod_chain;
mod lod_selection;
mod model;
mod packing;
mod physics;
mod read;
mod report;
mod resize;
#[cfg(test)]
mod test_meshes;

pub use encode::{ASSET_SIZES, UPLOAD_SIZES, deflate};
pub use error::{PackError, TargetInfeasible};
pub use frame::ObjectFrame;
pub use lod_chain::{LodCandidate, LodChain, LodOrigin};
pub use lod_selection::{LodRule, LodSelection, TriangleTarget};
pub use model::{Joint, LodMesh, Material, Model, ModelObject, Note, Rig, Submesh};
pub use packing::{ObjectFile, PackOptions, PackProgress, PackedModel, PackedObject, pack};
pub use physics::{
    COVERAGE, ChildDecomposer, CollisionKind, CollisionShape, DECOMPOSE_ARG, Decompose, TOLERANCE,
    run_decomposer,
};
pub use read::{GltfSource, SkinChoice, read};
pub use report::render_report;
pub use resize::MAX_SIDE;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
