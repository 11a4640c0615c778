//! Scenes of any size, and a millisecond budget that holds.
//!
//! A [`Scene`] holds views, modules and actors; [`Scene::tick`] decides the level of detail of every
//! actor, once a frame, and returns a [`Plan`] that can be asked for every actor's benefit, share,
//! LOD and cost, and for the reason.
//!
//! ```
//! use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
//! use lodger_core::units::{BenefitValue, Budget, UnitCost};
//! use lodger_scheduler::{Actor, Module, Reason, Scene, View};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Two milliseconds a frame, seen from the origin.
//! let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
//! let camera = scene.add_view(View::eye([0.0, 0.0, 0.0])?);
//!
//! // A cloth vertex takes 0.5 µs. A cape in front of the viewer may cost 3 ms.
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
//! let near = scene.spawn(cloth, Actor::seen([2.0, 0.0, 0.0], 1.0).work(&work))?;
//! let far = scene.spawn(cloth, Actor::seen([0.0, 9.0, 0.0], 1.0).work(&work))?;
//!
//! let plan = scene.tick();
//! assert_eq!(plan.lod(near).map(|lod| lod.level()), Some(2));
//! let far_plan = plan.actor(far).ok_or("despawned")?;
//! assert_eq!((far_plan.lod.level(), far_plan.reason), (1, Reason::Share));
//! assert!(plan.assigned_ns() <= 2_000_000);
//!
//! // The next frame: things move, and the same memory is used again.
//! scene.set_view(camera, View::eye([0.0, 8.0, 0.0])?)?;
//! scene.set_position(near, [3.0, 0.0, 0.0])?;
//! assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
//! # Ok(())
//! # }
//! ```
//!
//! # Who owns what
//!
//! The scene owns everything; users hold handles ([`ModuleId`], [`ActorId`], [`ViewId`]). An actor's
//! numbers stand in columns of its module, which a tick walks from front to back; its handle names a
//! slot and a generation, so that a handle that outlives its actor is noticed. Benefits and ladders
//! are all that this crate knows of an actor: what its work is, cloth or triangles, is the user's
//! business, and the arithmetic is [`lodger_core`]'s.
//!
//! # APEX's names
//!
//! The search of these pages finds the document's functions: `setLODResourceBudget`,
//! `forcePhysicalLod`, `getActivePhysicalLod`, `getPhysicalLodRange`, `setLODUnitCost`,
//! `setLODBenefitValue`, `setLODEnabled`, `allocViewMatrix`, `setProjMatrix` and the rest.
#![forbid(unsafe_code)]

mod actor;
mod columns;
mod error;
mod ladders;
mod module;
mod plan;
mod population;
mod scene;
mod text;
mod tick;
mod view;

pub use actor::{Actor, ActorId};
pub use error::SceneError;
pub use module::{Module, ModuleId};
pub use plan::{ActorPlan, Control, ModulePlan, Plan, Reason};
pub use scene::{Scene, ViewId};
pub use view::View;
