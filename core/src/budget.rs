//! The assignment of a level of detail to every actor within a budget.
//!
//! All computations use integers over slices, on a microcontroller as for a million actors on many threads.
//!
//! # Important terms
//!
//! - **target**: benefit value × benefits, the most that a module may spend; [`Scale`] is the common factor that scales
//!   targets down to the budget
//! - **share**: an actor's scaled target, or its minimum cost if that is more (the actor is *pinned*)
//! - **leftover budget**: the rest that shares leave, as levels come in steps; see [`Leftovers`]
//! - **reserved cost**: of forced actors and disabled modules, which are not in a [`ModuleInput`]; paid first
//! - **value** of a level: benefit times [`Quality`]; [`Price`] is the optimal policy's counterpart of the scale
//!
//! # A frame
//!
//! [`decide`] is the only entry point:
//!
//! 1. It subtracts headroom, reserved costs and minimums from the budget.
//! 2. The proportional policy finds the scale, assigns every actor the highest level that its share pays, and spends the
//!    leftover budget. The optimal policy finds the least price at which all steps of at least that value fit, spends the
//!    rest by value, and runs a local search if the [`OptimalityCertificate`] leaves too large a gap.
//! 3. It limits upgrades if requested.
//!
//! The caller lends memory as [`ModuleView`]s or implements [`Modules`].
//!
//! Source: APEX LOD document, budget and cost. "Scaled down so that the total fits" is made exact: minimums are paid first,
//! shares round down and targets up.

mod assign;
mod climb;
mod cutoff;
mod decide;
mod decision;
mod demand;
mod frame_budget;
mod index_column;
mod kernels;
mod ladder;
mod last;
mod leftovers;
mod load;
mod lod;
mod marks;
mod module_view;
mod optimal;
mod options;
mod policy;
mod price;
mod proportional;
mod rate;
mod scale;
mod scratch;
mod search;
mod slope;
mod standing;
mod upgrade_limit;
mod upgrade_queue;
mod work;

pub use cutoff::WarmStart;
pub use decide::decide;
pub use decision::{Decision, OptimalityCertificate};
pub use demand::{Demand, ModuleInput};
pub use index_column::IndexColumn;
pub use kernels::{
    BenefitSource, BlockTotals, CachedAssignment, LastKernel, ROWS_PER_BLOCK, RowBlock, WideState,
};
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
pub use upgrade_queue::{CandidateUpgrade, CompactUpgrade, SmallUpgrade, Upgrade};
pub use work::{LevelRange, Quality, QualityCurve, WorkLevels};

/// The greatest number of actors in a scene: every sum fits its type.
pub const MAX_ACTORS: u32 = (1 << 24) - 1;

/// The greatest number of modules in a scene: a module's number fits an upgrade.
pub const MAX_MODULES: u32 = (1 << 16) - 1;
