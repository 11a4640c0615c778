//! Scenes of any size, with a level of detail for every actor within a time budget.
//!
//! A [`Scene`] holds views, modules and actors; [`Scene::tick`] decides the level of detail of every
//! actor, once a frame. [`Scene::plan`] returns the last decision at any time: every actor's benefit,
//! share, LOD and cost, the reason, and on request the actors whose level changed.
//!
//! ```
//! use lodger_scheduler::{
//!     Actor, BenefitRule, BenefitTerms, BenefitValue, Budget, Module, Reason, Scene, UnitCost, View,
//!     Weights,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Two milliseconds each frame, seen from the origin.
//! let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
//! let camera = scene.add_view(View::from_position([0.0, 0.0, 0.0])?)?;
//!
//! // A cloth vertex takes 0.5 µs. A cape close to the viewer may cost 3 ms.
//! let rule = BenefitRule::new(BenefitTerms {
//!     max_distance: Some(50.0),
//!     weights: Weights::new(0.8, 0.2, 0.0)?,
//!     max_age: Some(10.0),
//!     ..BenefitTerms::default()
//! })?;
//! let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(3.0)?);
//! let cloth = scene.add_module(cloth.rule(rule))?;
//!
//! // Capes of 0, 400 or 2000 vertices.
//! let work = [0, 400, 2_000];
//! let near = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 1.0, &work))?;
//! let far = scene.spawn(cloth, Actor::at([0.0, 9.0, 0.0], 1.0, &work).key(9))?;
//!
//! let plan = scene.tick();
//! assert_eq!(plan.lod(near).map(|lod| lod.level()), Some(2));
//! let far_plan = plan.actor(far).ok_or("despawned")?;
//! assert_eq!((far_plan.lod.level(), far_plan.reason), (1, Reason::Share));
//! assert!(plan.assigned_ns() <= 2_000_000);
//!
//! // The next frame: actors move, and no memory is allocated.
//! scene.track_changes(true);
//! scene.set_view(camera, View::from_position([0.0, 8.0, 0.0])?)?;
//! scene.set_position(near, [3.0, 0.0, 0.0])?;
//! for change in scene.tick().changes().iter().filter(|change| change.actor == far) {
//!     assert_eq!((change.key, change.from, change.to), (9, Some(1), 2));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Ownership
//!
//! The scene owns all data; users hold handles ([`ModuleId`], [`ActorId`], [`ViewId`]) and may give
//! actors keys of their own. A module stores its actors' numbers in columns, which a tick processes
//! from front to back; a handle contains a slot, a generation and the scene, so that stale handles and
//! handles of other scenes are detected. This crate knows only benefits and ladders of an actor; the
//! meaning of its work, cloth or triangles, is up to the user. The formulas are in [`lodger_core`], which
//! is re-exported for types that have no name here.
//!
//! # Measured work
//!
//! A game that times its modules reports the times to [`Scene::observe_time`]: unit costs follow, and a part
//! of the budget is kept free so that ticks rarely take more ([`Scene::set_headroom_target`]).
//! [`Scene::tick_with`] reports when the budget does not even pay the minimums.
//!
//! A plan does not change until the next tick: setters, spawns and despawns affect the next tick,
//! [`Scene::plan`] describes the last one, and getters return the latest settings.
//!
//! # Build time
//!
//! The decision, and the ticks of a `Scene<f32>`, are compiled with this crate. The loops over benefits of
//! another number type are compiled in the crate that names it.
//!
//! # APEX's names
//!
//! The search of these pages finds the document's functions: `setLODResourceBudget`,
//! `forcePhysicalLod`, `getActivePhysicalLod`, `getPhysicalLodRange`, `setLODUnitCost`,
//! `setLODBenefitValue`, `setLODEnabled`, `allocViewMatrix`, `setProjMatrix` and others.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod actors;
mod benefits;
mod bits;
mod changes;
mod columns;
mod decision;
mod handle;
mod input;
mod ladders;
mod memory_pass;
mod module_data;
mod modules;
mod parallel;
mod plan;
#[cfg(feature = "record")]
pub mod record;
mod rows;
mod scene;
mod scene_data;
mod settings;
mod states;
#[cfg(feature = "tokio")]
pub mod task;
mod tick;

/// The formulas and types that this crate does not re-export by themselves.
///
/// The name `lodger_core` leaves the standard library's `core` to glob imports:
/// ```
/// use lodger_scheduler::*;
///
/// assert_eq!(core::mem::size_of::<u8>(), 1);
/// ```
pub use lodger_core;
pub use lodger_core::benefit::{ActorState, Benefit, BenefitRule, BenefitTerms, Weights};
pub use lodger_core::budget::{
    Hysteresis, Leftovers, Load, Lod, LodControl, OptimalityCertificate, Policy, Price, Quality,
    Scale,
};
pub use lodger_core::calibration::{Headroom, HeadroomTarget};
pub use lodger_core::importance::DistanceImportance;
pub use lodger_core::units::{BenefitValue, Budget, UnitCost};
pub use lodger_core::{Fixed, Real};

pub use actors::Spawned;
pub use columns::{ColumnMut, PlanColumns, PositionsMut, StatesMut};
pub use decision::{ActorPlan, LevelChange, LodSource, ModulePlan, Reason};
pub use handle::{ActorId, ModuleId, SceneError, ViewId};
pub use input::{Actor, Module, View};
#[doc(hidden)]
pub use parallel::SimdLevel;
pub use plan::Plan;
pub use scene::Scene;
pub use tick::tick_all;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
