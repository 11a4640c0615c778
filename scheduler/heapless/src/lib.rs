//! Scenes of a fixed size for firmware, with a level of detail for every actor within a budget.
//!
//! This is the scene of `lodger-scheduler` without a heap: its numbers, the order of upgrades and its
//! plans are the same, bit for bit, on a Cortex-M0 and on a server. The type sets all sizes, and a call
//! that exceeds them returns an error.
//!
//! ```
//! use lodger_heapless::{Actor, Benefit, BenefitValue, Budget, Module, Scene, UnitCost};
//!
//! # fn main() -> Result<(), lodger_heapless::SceneError> {
//! // Up to 2 modules and 18 actors, whose ladders have 6 levels in all.
//! let mut scene = Scene::<f32, 2, 18, 6>::new();
//!
//! // A voice of a synthesizer takes 10 µs for each partial; a loud one may cost half a millisecond.
//! let voices = Module::new(UnitCost::from_ns(10_000.0)?, BenefitValue::from_ms(0.5)?);
//! let voices = scene.add_module(voices.overhead(2))?;
//! let work = [1, 8, 32];
//! let lead = scene.spawn(voices, Actor::from_benefit(Benefit::new(0.9)?, &work))?;
//! let choir = scene.spawn(voices, Actor::from_benefit(Benefit::new(0.2)?, &work))?;
//!
//! // Half a millisecond, of which the overhead takes 20 µs.
//! let plan = scene.tick(Budget::from_ms(0.5)?);
//! assert_eq!((plan.level(lead), plan.level(choir)), (Some(2), Some(1)));
//! assert_eq!(plan.assigned_ns(), 20_000 + 320_000 + 80_000);
//!
//! // The work took 10 % longer than planned; the unit cost follows.
//! scene.observe_time(voices, 462_000)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Important terms
//!
//! The terms of [`lodger_core`], which is re-exported, and:
//! - **slot**: the number of an actor below `ACTORS`. A program stores its own data of an actor in an
//!   array at [`ActorId::slot`].
//! - **ladder**: the units of work of an actor at its levels, and the valid levels. Actors of a
//!   module share equal ladders; `COSTS` limits the total number of levels of all different ladders.
//!
//! # Ownership
//!
//! The scene owns its data; nothing is allocated, nothing panics, and nothing is shared: a static needs a
//! cell. A handle contains a slot and a generation, so that a stale handle is detected.
//!
//! # Differences to the host's scene
//!
//! There are no continuous modules, names, keys or views but eyes; every actor is visible; the work of an
//! actor and the rule of a module do not change; qualities of levels are even; the optimal policy has no
//! local search; plans contain no reasons and no certificate on request, and between two ticks they
//! follow spawns and setters.
//!
//! # Memory
//!
//! An actor takes 71 bytes in `Fixed` and `f32`, a level 34, a module 232 and the rest about 300: 64 actors
//! in 4 modules with 5 levels take 6.4 kB. A tick needs about 210 more bytes of stack for each of `MODULES`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss
    )
)]

#[cfg(test)]
extern crate std;

mod actors;
mod column;
mod handle;
mod input;
mod ladders;
mod module_data;
mod modules;
mod plan;
mod rows;
mod scene;
mod settings;
mod shared;
mod tick;

/// The formulas and types that this crate does not re-export by themselves.
///
/// The name `lodger_core` leaves the standard library's `core` to glob imports:
/// ```
/// use lodger_heapless::*;
///
/// assert_eq!(core::mem::size_of::<u8>(), 1);
/// ```
pub use lodger_core;
pub use lodger_core::benefit::{ActorState, Benefit, BenefitRule, BenefitTerms, Weights};
pub use lodger_core::budget::{
    Decision, Hysteresis, Leftovers, Load, Lod, OptimalityCertificate, Policy, Price, Scale,
};
pub use lodger_core::calibration::{Headroom, HeadroomTarget};
pub use lodger_core::importance::DistanceImportance;
pub use lodger_core::units::{BenefitValue, Budget, UnitCost};
pub use lodger_core::{Fixed, Real};

pub use handle::{ActorId, Capacity, ModuleId, SceneError, SpawnError};
pub use input::{Actor, Module};
pub use plan::{LevelChange, ModulePlan, Plan};
pub use scene::{MAX_EYES, Scene};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
