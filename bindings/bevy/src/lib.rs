//! Levels of detail within a millisecond budget, as a Bevy plugin.
//!
//! A module is a type: cloth, animation, particles. An entity with [`LodActor<M>`] is an actor of module `M`. Once a
//! frame the scheduler divides one budget among all actors of all modules, by their benefit for the cameras with
//! [`LodView`], and writes each actor's level to [`Lod<M>`].
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
//! let cloth = Module::new("cloth", UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(3.0)?);
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
//! assert_eq!(app.world().resource::<LodPlan>().plan().assigned_ns(), 800_000 + 200_000);
//! # Ok(())
//! # }
//! ```
//!
//! # A frame
//!
//! Systems of `Update` work at the levels of the previous frame and are timed by a [`LodClock<M>`]. Then three sets run in
//! [`PostUpdate`](bevy_app::PostUpdate) after transforms are propagated, or in [`LodgerPlugin::in_schedule`]:
//!
//! | set | what it does |
//! |---|---|
//! | [`LodSystems::Sync`] | applies entities, positions, cameras and measured times to the scene |
//! | [`LodSystems::Decide`] | ticks the scene |
//! | [`LodSystems::Apply`] | writes changed levels: [`Lod`], [`LodChanged`], [`LodSwap`] |
//!
//! Problems are reported as [`LodError`] messages. Examples of methods have an `app` with a budget of 1 ms, 0.5 µs a
//! vertex, and a `cape` of 0, 400 or 1600 vertices.
//!
//! # Lifetimes
//!
//! [`LodPlan`] owns the scene, and [`LodHandle<M>`] refers to an entity's actor in it. Components of an actor are
//! immutable; their hooks queue the entity, and the next sync reads its current components. So no order of despawns,
//! removals and reloads leaves stale actors. An entity without its [`LodActor<M>`] loses [`Lod<M>`] and [`LodHandle<M>`].
//!
//! A disabled entity keeps its share of the budget and counts in the units of its module; [`LodHidden<M>`] removes the
//! share. With a disabling component of the game
//! ([`World::register_disabling_component`](bevy_ecs::world::World::register_disabling_component)), its changes and its
//! new level are applied at the first sync after the component is removed, with a [`LodChanged`] if the level differs; a
//! changed position is applied with the next change of the transform or of a component.
//!
//! # Features
//!
//! `overlay`: spheres coloured by level, with reasons, for the app's gizmos to draw.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![allow(clippy::needless_pass_by_value, clippy::type_complexity)] // parameters of Bevy systems

mod apply;
mod clock;
mod components;
mod handle;
mod module;
#[cfg(feature = "overlay")]
mod overlay;
mod plan;
mod plugin;
mod settings;
mod swap;
mod sync;
mod transforms;

pub use lodger_scheduler as scheduler;

pub use clock::{LodClock, LodTimer};
pub use components::{
    ForcedLod, Lod, LodActor, LodChanged, LodHidden, LodPriority, LodRange, SpawnLods,
    SpawnLodsLater,
};
pub use handle::LodHandle;
pub use module::{LodError, LodModule, LodProblem};
#[cfg(feature = "overlay")]
pub use overlay::{LodMark, LodOverlay, LodOverlayPlugin};
pub use plan::{LodModuleMut, LodPlan, LodReport};
pub use plugin::{LodModulePlugin, LodgerPlugin};
pub use settings::{LodBudget, LodSettings, LodSystems};
pub use swap::{LodSwap, LodSwapPlugin};
pub use transforms::{LodProjection, LodView};

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
