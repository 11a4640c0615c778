//! Picks a level of detail for every actor within a time budget, without a heap.
//!
//! The type of a [`Scene`] sets its sizes; a call that exceeds them returns an error. Nothing is allocated
//! and nothing panics. Plans equal the plans of `lodger-scheduler` bit for bit, also on a Cortex-M0.
//!
//! ```
//! use lodger_heapless::{Actor, Benefit, BenefitValue, Budget, Module, Scene, UnitCost};
//!
//! # fn main() -> Result<(), lodger_heapless::SceneError> {
//! // Up to 2 modules and 18 actors, whose ladders have 6 levels in all.
//! let mut scene = Scene::<f32, 2, 18, 6>::new();
//!
//! // A voice of a synthesizer takes 10 µs for each partial; a loud one may cost half a millisecond.
//! let voices = Module::new(UnitCost::from_ns(10_000.0)?).benefit_value(BenefitValue::from_ms(0.5)?);
//! let voices = scene.add_module(voices.overhead(2))?;
//! let work = [1, 8, 32];
//! let lead = scene.spawn(voices, Actor::from_benefit(Benefit::new(0.9)?, &work))?;
//! let choir = scene.spawn(voices, Actor::from_benefit(Benefit::new(0.2)?, &work))?;
//!
//! // Once a frame: half a millisecond, of which the overhead takes 20 µs.
//! let plan = scene.tick(Budget::from_ms(0.5)?);
//! assert_eq!((plan.level(lead), plan.level(choir)), (Some(2), Some(1)));
//! assert_eq!(plan.assigned_ns(), 20_000 + 320_000 + 80_000);
//!
//! // Then the program works at these levels and reports the time. It is 10 % more than planned, and
//! // the unit cost follows from the fifth frame on.
//! for _ in 0..5 {
//!     scene.tick(Budget::from_ms(0.5)?);
//!     scene.observe_time(voices, 462_000)?;
//! }
//! assert!(scene.unit_cost(voices) > Some(UnitCost::from_ns(10_000.0)?));
//! # Ok(())
//! # }
//! ```
//!
//! # A frame
//!
//! 1. Move eyes and actors: [`Scene::set_eyes`], [`Scene::set_position`], [`Scene::advance_ages`].
//! 2. Decide: [`Scene::tick`].
//! 3. Work at the levels of the plan: [`Plan::level`], [`Plan::levels_by_slot`], [`Plan::levels`] or [`Plan::changes`]; in an
//!    interrupt, at those of a [`SlotLevels`].
//! 4. Report the time of each module: [`Scene::observe_time`].
//! 5. End the frame with [`Scene::frame_done`], if the scene does not tick in each frame.
//!
//! Examples of methods have a module `cloth` at 0.5 µs a vertex, with a `cape` of 0, 400 or 1600 vertices.
//!
//! # Terms
//!
//! Beside the terms of [`lodger_core`]:
//! - **slot**: the number of an actor below `ACTORS`, an index for arrays of the program ([`ActorId::slot`]).
//! - **ladder**: the units of work of an actor at its levels, and the valid levels. Actors of a module
//!   share equal ladders; `COSTS` limits the levels of all different ladders.
//!
//! # Differences to `lodger-scheduler`
//!
//! - no continuous modules, names, keys, reasons, or certificates on request
//! - eyes in place of views, except in [`Viewed`] scenes; priorities only in [`Prioritised`] scenes; every actor is
//!   visible; scenes without positions, ages or speeds; more than 255 actors or 256 levels only in [`Large`] scenes
//! - the work of an actor and the rule of a module do not change; qualities of levels are even, except in [`Graded`] scenes,
//!   where they belong to modules
//! - the optimal policy has no local search
//! - numbers of modules in a plan follow later spawns and setters
//!
//! # Memory
//!
//! The last parameter of a scene's type selects its [columns](Columns). The test `columns` holds the bytes of 64 actors in 4
//! modules with 5 levels, in `Fixed`; pointers are smaller on a board:
//!
//! | columns | bytes | an actor | a level | a module |
//! |---|---|---|---|---|
//! | [`Everything`] | 4 200 | 46 | 28 | 128 |
//! | [`Positions`] | 3 688 | 38 | 28 | 128 |
//! | [`Proportional<Positions>`](Proportional) | 3 432 | 38 | 18 | 120 |
//! | [`GivenBenefits`] | 2 256 | 17 | 28 | 120 |
//! | [`Proportional<GivenBenefits>`](Proportional) | 2 000 | 17 | 18 | 112 |
//! | [`Viewed<Positions>`](Viewed) | 4 792 | 47 | 28 | 136 |
//! | [`Prioritised<GivenBenefits>`](Prioritised) | 2 672 | 23 | 28 | 128 |
//! | [`Graded<GivenBenefits>`](Graded) | 2 320 | 17 | 28 | 136 |
//! | [`Large`] | 4 936 | 57 | 28 | 136 |
//! | [`RuntimeRules`] | 4 456 | 46 | 28 | 192 |
//! | [`SelfTimed`] | 4 248 | 46 | 28 | 128 |
//!
//! With [`FewLadders<4, …>`](FewLadders), a ladder for each module, the first five take 4 040, 3 528, 3 272, 2 096 and 1 840 bytes.
//!
//! By column, in bytes:
//!
//! - an actor with [`Everything`]: position 12, importance curve 9, age and speed 8, candidate upgrade 4, benefit 4, handle 3,
//!   level and previous level 3, slot 1, ladder 1, forced level 1
//! - a level: units 4, cost 4, ladder and span 10; for the optimal policy slope 8, quality 2
//! - a module: reference to a rule 8, calibration 52, costs, sums and counts 60; for the optimal policy range of budgets 8
//! - a scene: eyes 52, last plan 40, cost of the tick 8, carried scale 8, settings, lengths and padding 52; for the optimal
//!   policy certificate and price 24; with [`SelfTimed`] measured ticks 48
//!
//! A tick needs about 230 bytes of stack for each of `MODULES`.
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
mod columns;
mod few_ladders;
mod graded;
mod handle;
mod index;
mod input;
mod ladder_shapes;
mod ladders;
mod large;
mod module_data;
mod modules;
mod own_cost;
mod plan;
mod prioritised;
mod qualities;
mod rows;
mod scene;
mod scene_modules;
mod self_timed;
mod settings;
mod shared;
mod slot_levels;
mod tick;
mod viewed;

/// All of core, including items that this crate does not re-export by themselves.
///
/// The name leaves the standard library's `core` to glob imports:
/// ```
/// use lodger_heapless::*;
///
/// assert_eq!(core::mem::size_of::<u8>(), 1);
/// ```
pub use lodger_core;
pub use lodger_core::benefit::{
    ActorState, Benefit, BenefitRule, BenefitTerms, OutsideFactor, Priority, Weights,
};
pub use lodger_core::budget::{
    Decision, Hysteresis, Leftovers, Load, Lod, OptimalityCertificate, Policy, Price, Quality,
    QualityCurve, Scale,
};
pub use lodger_core::calibration::{Headroom, HeadroomTarget};
pub use lodger_core::importance::DistanceImportance;
pub use lodger_core::units::{BenefitValue, Budget, UnitCost};
pub use lodger_core::view::View;
pub use lodger_core::{Fixed, Real};

pub use columns::{
    Columns, Everything, GivenBenefits, MAX_EYES, Positions, Proportional, RuntimeRules,
    WithMotion, WithOptimal, WithPositions, WithPriorities, WithQualities, WithRules,
    WithTickTimes, WithViews,
};
pub use few_ladders::FewLadders;
pub use graded::Graded;
pub use handle::{ActorId, Capacity, ModuleId, SceneError, SpawnError};
pub use input::{Actor, Module};
pub use large::Large;
pub use plan::{LevelChange, ModulePlan, Plan};
pub use prioritised::Prioritised;
pub use scene::Scene;
pub use self_timed::SelfTimed;
pub use slot_levels::SlotLevels;
pub use viewed::Viewed;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
