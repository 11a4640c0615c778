//! The conformance protocol: a device evaluates test vectors, and its results must be bit-identical to the host's.
//!
//! A [`WireRequest`] carries a test vector, a [`Response`] the computed numbers. The device runs [`serve`]; the host
//! runs [`compare`] on [`TestVectors`] and computes its own results by [`evaluate()`]. All formulas are
//! lodger-core's. Whole scenes run in a [`SceneBackend`] of each end.
//!
//! # Important terms
//!
//! - **backend**: the number type that a vector is evaluated in
//! - **words**: numbers as 32 bits each, so that every NaN and the sign of zero count

mod conversation;
mod cost;
mod decision;
mod evaluate;
#[cfg(feature = "heapless")]
mod heapless;
mod importance;
mod number;
mod scene;
#[cfg(feature = "scheduler")]
mod scheduler;
mod vectors;
mod view;

#[cfg(feature = "heapless")]
pub use self::heapless::HeaplessBackend;
pub use conversation::{Mismatch, SEED, VECTORS, ask, compare, end, serve};
pub use cost::{
    AssetVector, BodyVector, HULLS, LinksetVector, PARTS, PRIMS, PartVector, PhysicsVector,
    PrimVector, SimulatorVector, StreamingVector,
};
pub use decision::{
    ACTORS, AssignmentVector, COSTS, POLICY_ACTORS, POLICY_MODULES, PolicyModuleVector,
    PolicyVector,
};
pub use evaluate::{OBSERVATIONS, Response, TestVector, WireRequest, evaluate};
pub use importance::{BenefitVector, ImportanceFunction, RowVector};
pub use number::{MODULES, Number, NumberType, ROWS, WORDS, Words};
pub use scene::{
    ActorVector, LEVELS, ModuleResult, ModuleVector, ResponseWriter, SceneBackend, SceneFailure,
    SceneResult, SceneVector, TICKS,
};
#[cfg(feature = "scheduler")]
pub use scheduler::SchedulerBackend;
pub use vectors::TestVectors;
pub use view::{CameraVector, VIEWS, ViewVector};
