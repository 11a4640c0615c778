//! The assignment of a level of detail to every actor within a budget.
//!
//! All computations use integers over slices, so the same call decides for a heapless frame loop and
//! for a server with a million actors, in any order and on any number of threads: sums of whole
//! nanoseconds are exact.
//!
//! # Important terms
//!
//! - [`ModuleInput`]: the input of one module, columns of its *automatic* actors. A forced actor and an
//!   actor of a disabled module are not in it: their cost is reserved, and paid first.
//! - [`Ladder`]: an actor's cost at each valid level; equal ladders of a module are stored once.
//! - **target**: benefit value × benefits, the most that a module may spend if the budget suffices.
//! - [`Scale`]: the common factor that scales targets down if the budget does not suffice.
//! - **share**: the amount that an actor may spend: its scaled target, or its minimum cost if that is
//!   more (the actor is *pinned*).
//! - **leftover budget**: the amount that shares leave over, because levels come in steps; see
//!   [`Leftovers`].
//! - [`Quality`]: how good a level is; benefit times quality is the *value* of a level.
//! - [`Price`]: the Lagrange multiplier of the budget, a value for each unit of cost that is the same
//!   for every actor; the optimal policy's counterpart of the scale.
//! - [`Slope`]: the quality that a step of a ladder buys for a unit of cost, along its upper hull.
//! - [`OptimalityCertificate`]: the value of a plan, and an upper bound for every plan with the same budget.
//! - [`Hysteresis`]: hysteresis against the levels of the [`PreviousLevel`] frame.
//!
//! # A frame
//!
//! [`decide`] is the only entry point. It first subtracts headroom, reserved costs and minimums from
//! the budget. Then the proportional policy finds the common scale, assigns every actor the highest
//! level that its share pays, and spends the leftover budget. The optimal policy finds the least price
//! at which all steps of at least that value fit, spends the rest by value, and searches for a better
//! plan if the certificate leaves too large a gap. Last, upgrades are limited if the request says so.
//! This module defines the order of the phases and the meaning of every policy; the caller owns the
//! memory and lends it as [`ModuleView`]s or implements [`Modules`].
//!
//! Source: APEX LOD document, budget and cost. "Scaled down so that the total fits" is made exact:
//! minimums are paid first, shares round down and targets up, so that shares never exceed the available
//! budget.

mod assign;
mod climb;
mod cutoff;
mod decide;
mod decision;
mod demand;
mod frame_budget;
mod hysteresis;
mod ladder;
mod last;
mod load;
mod lod;
mod module_view;
mod optimal;
mod options;
mod policy;
mod price;
mod proportional;
mod rate;
mod scale;
mod scratch;
mod slope;
mod spend;
mod upgrade_limit;
mod upgrade_queue;
mod wide;
mod work;

pub use cutoff::WarmStart;
pub use decide::decide;
pub use decision::{Decision, OptimalityCertificate};
pub use demand::{Demand, ModuleInput};
pub use ladder::{Ladder, LadderSpan, Ladders};
pub use last::{Carryover, PreviousLevel};
pub use load::{Load, LoadTracker};
pub use lod::{Lod, LodControl};
pub use module_view::{Kernel, ModuleView, Modules, PartialResult};
pub use optimal::certify;
pub use policy::{Hysteresis, Leftovers, Policy, Request};
pub use price::Price;
pub use rate::BenefitRate;
pub use scale::Scale;
pub use scratch::{Move, Scratch};
pub use slope::{Slope, SlopeRange, Slopes};
pub use upgrade_queue::Upgrade;
pub use wide::{BenefitSource, CachedAssignment, ROWS_PER_BLOCK, RowBlock, WideState};
pub use work::{LevelRange, Quality, WorkLevels};

/// The greatest number of actors in a scene, so that every sum fits its type.
pub const MAX_ACTORS: u32 = (1 << 24) - 1;

/// The greatest number of modules in a scene, so that a module's number fits an upgrade.
pub const MAX_MODULES: u32 = (1 << 16) - 1;
