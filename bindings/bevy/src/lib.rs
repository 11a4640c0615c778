//! Levels of detail within a millisecond budget, as a Bevy plugin.
//!
//! A module is a type: cloth, animation, particles. An entity with [`LodActor<M>`] is an actor of module `M`:
//! it has a place, a radius, and units of work at each level. Once a frame all actors of all modules share one
//! budget, by what they matter to the cameras with [`LodView`], and [`Lod<M>`] tells what each of them got.
//!
//! ```
//! use bevy_app::App;
//! use bevy_lodger::scheduler::{BenefitValue, Budget, Module, UnitCost};
//! use bevy_lodger::{Lod, LodActor, LodModulePlugin, LodPlan, LodView, LodgerPlugin};
//! use bevy_reflect::TypePath;
//! use bevy_transform::{TransformPlugin, components::Transform};
//!
//! #[derive(TypePath)]
//! struct Cloth;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // 1.2 milliseconds a frame; a vertex takes 0.5 µs, and a cape in the viewer's face may cost 3 ms.
//! let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?, BenefitValue::from_ms(3.0)?);
//! let mut app = App::new();
//! app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::from_ms(1.2)?)));
//! app.add_plugins(LodModulePlugin::<Cloth>::new(cloth));
//!
//! let world = app.world_mut();
//! world.spawn((Transform::default(), LodView));
//! let cape = |metres| (Transform::from_xyz(metres, 0.0, 0.0), LodActor::<Cloth>::new(1.0, &[0, 400, 1_600]));
//! let near = world.spawn(cape(2.0)).id();
//! let far = world.spawn(cape(30.0)).id();
//! app.update();
//!
//! let level = |entity| app.world().get::<Lod<Cloth>>(entity).map(Lod::level);
//! assert_eq!((level(near), level(far)), (Some(2), Some(1)));
//! let plan = app.world().resource::<LodPlan>().plan();
//! assert!(plan.is_feasible() && plan.assigned_ns() <= 1_200_000);
//! # Ok(())
//! # }
//! ```
//!
//! # When what happens
//!
//! In [`LodSystems::Sync`] the scene hears what the world says, in [`LodSystems::Decide`] it decides, in
//! [`LodSystems::Apply`] the world hears what changed: one after the other in
//! [`PostUpdate`](bevy_app::PostUpdate), after transforms are propagated, or in the schedule that
//! [`LodgerPlugin::in_schedule`] names. Systems of `Update` so have the levels of the frame before.
//!
//! # Who owns what
//!
//! The [`LodPlan`] owns the scene, and an entity's [`LodHandle<M>`] names its actor there. Components that
//! say something to the scene cannot be changed in place, and their hooks note who was given one or lost
//! one; the sync then asks the world what these entities are now. So nothing is stale after a despawn, a
//! removal or a reload, in whatever order they come: an actor leaves the scene at the next sync, and so do
//! [`Lod<M>`] and [`LodHandle<M>`] of an entity whose [`LodActor<M>`] was removed. An entity that is disabled
//! keeps its part of the budget, and counts in the units of its module; [`LodHidden<M>`] takes that away.
//!
//! With a disabling component of the game's own, as of
//! [`World::register_disabling_component`](bevy_ecs::world::World::register_disabling_component), an actor
//! keeps its part too, but nobody looks at it: what is said of it and what is decided for it come at the first
//! sync after that component was removed, with a [`LodChanged`] if its level is another one. Where it was
//! moved meanwhile, it is at its new place when it is moved again or something is said of it.
//!
//! What cannot be done is said in a [`LodError`] with its entity.
//!
//! # Features
//!
//! `overlay`: what any program's own gizmos can draw, spheres coloured by level and the reasons.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![allow(clippy::needless_pass_by_value, clippy::type_complexity)] // systems are so

mod actor;
mod ages;
mod apply;
mod batch;
mod changed;
mod clock;
mod error;
mod exceptions;
mod follow;
mod handle;
mod kind;
mod living;
mod lod;
#[cfg(feature = "overlay")]
mod overlay;
mod plan;
mod plugin;
mod report;
mod rows;
mod say;
mod sets;
mod settings;
mod swap;
mod sync;
mod view;

pub use lodger_scheduler as scheduler;

pub use actor::LodActor;
pub use batch::{SpawnLods, SpawnLodsLater};
pub use changed::LodChanged;
pub use clock::{LodClock, LodTimer};
pub use error::{LodError, LodProblem};
pub use exceptions::{ForcedLod, LodHidden, LodRange};
pub use handle::LodHandle;
pub use kind::LodModule;
pub use lod::Lod;
#[cfg(feature = "overlay")]
pub use overlay::{LodMark, LodOverlay, LodOverlayPlugin};
pub use plan::{LodModuleMut, LodPlan};
pub use plugin::{LodModulePlugin, LodgerPlugin};
pub use report::LodReport;
pub use sets::LodSystems;
pub use settings::{LodBudget, LodSettings};
pub use swap::{LodSwap, LodSwapPlugin};
pub use view::LodView;

/// The README's program is run too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
