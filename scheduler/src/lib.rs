//! Picks a level of detail (LOD) for every actor of a scene, so that each frame stays within its time
//! budget, and says why.
//!
//! ```
//! use std::time::Duration;
//! use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Reason, Scene, UnitCost, View};
//!
//! // Two milliseconds a frame, for a viewer at the origin.
//! let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
//! let camera = scene.add_view(View::from_position([0.0, 0.0, 0.0])?)?;
//!
//! // A cloth vertex takes 0.5 µs. An actor with benefit 1 may cost 3 ms.
//! let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(3.0)?);
//! let cloth = scene.add_module(cloth)?;
//!
//! // Capes of 0, 400 or 2400 vertices, so levels 0 to 2 cost 0, 0.2 and 1.2 ms.
//! let vertices = [0, 400, 2_400];
//! let near = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 1.0, &vertices).key(1))?;
//! let far = scene.spawn(cloth, Actor::at([0.0, 5.0, 0.0], 1.0, &vertices).key(2))?;
//!
//! let plan = scene.tick();
//! assert_eq!(plan.lod(near).map(|lod| lod.level()), Some(2));
//! assert_eq!(plan.actor(far).map(|far| (far.lod.level(), far.reason)), Some((1, Reason::Share)));
//! assert_eq!(plan.assigned_ns(), 1_400_000);
//!
//! // The next frame: cloth took longer than planned, and the camera moves.
//! scene.observe_time(cloth, 2_800, Duration::from_micros(1_500))?;
//! scene.set_view(camera, View::from_position([0.0, 4.0, 0.0])?)?;
//! assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
//! # Ok::<(), lodger_scheduler::SceneError>(())
//! ```
//!
//! The examples of these pages begin with this scene, before its first tick.
//!
//! | step | functions |
//! |---|---|
//! | Set up | [`Scene::new`], [`add_view`](Scene::add_view), [`add_module`](Scene::add_module), [`spawn`](Scene::spawn) |
//! | Choose a policy | [`set_policy`](Scene::set_policy), [`set_hysteresis`](Scene::set_hysteresis), [`set_max_upgrades`](Scene::set_max_upgrades) |
//! | Move actors | [`set_position`](Scene::set_position), [`positions_mut`](Scene::positions_mut), [`advance_ages`](Scene::advance_ages) |
//! | Decide a frame | [`tick`](Scene::tick), [`tick_with`](Scene::tick_with), [`tick_all`] |
//! | Read the plan | [`Plan::lod`], [`Plan::actor`], [`Plan::module`], [`Plan::changes`], [`Plan::rows`] |
//! | Report measured times | [`observe_time`](Scene::observe_time), [`frame_done`](Scene::frame_done), [`set_headroom_target`](Scene::set_headroom_target) |
//! | Restrict levels | [`force_lod`](Scene::force_lod), [`set_lod_range`](Scene::set_lod_range), [`set_lod_cap`](Scene::set_lod_cap), [`set_visible`](Scene::set_visible) |
//!
//! A setter affects the next tick. [`Scene::plan`] returns the last plan, which does not change until
//! then. [`lodger_core`] has the formulas, and the types without a name here.
//!
//! # Build time
//!
//! Ticks of a `Scene<f32>` are compiled in this crate, benefits of another number type in the crate
//! that names it.
//!
//! # APEX's names
//!
//! The search of these pages finds the functions of the APEX LOD document, for example
//! `setLODResourceBudget`, `forcePhysicalLod` and `setLODUnitCost`.
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
mod module_views;
mod modules;
mod parallel;
mod plan;
#[cfg(feature = "record")]
pub mod record;
mod rows;
mod scene;
mod scene_data;
mod scene_views;
mod settings;
mod states;
#[cfg(feature = "tokio")]
pub mod task;
mod tick;

/// The crate of formulas and number types.
pub use lodger_core;
pub use lodger_core::benefit::{
    ActorState, Benefit, BenefitRule, BenefitTerms, OutsideFactor, Priority, Weights,
};
pub use lodger_core::budget::{
    Hysteresis, Leftovers, Load, Lod, LodControl, OptimalityCertificate, Policy, Price, Quality,
    QualityCurve, Scale,
};
pub use lodger_core::calibration::{Headroom, HeadroomTarget};
pub use lodger_core::importance::DistanceImportance;
pub use lodger_core::units::{BenefitValue, Budget, UnitCost};
pub use lodger_core::view::View;
pub use lodger_core::{Fixed, Real};

pub use actors::Spawned;
pub use columns::{ColumnMut, PlanColumns, PositionsMut, StatesMut};
pub use decision::{ActorPlan, LevelChange, LodSource, ModulePlan, Reason};
pub use handle::{ActorId, ModuleId, SceneError, ViewId};
pub use input::{Actor, Module};
#[doc(hidden)]
pub use parallel::SimdLevel;
pub use plan::Plan;
pub use scene::Scene;
pub use tick::tick_all;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
