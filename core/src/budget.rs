//! The ledger: which level of detail every actor gets for a budget.
//!
//! Everything here is integers over slices, so the same call decides for a heapless frame loop and
//! for a server with a million actors, in any order and on any number of threads: sums of whole
//! nanoseconds are exact.
//!
//! # Important terms
//!
//! - [`Account`]: one module as the ledger sees it, columns of its *automatic* actors. Who is forced
//!   or belongs to a disabled module is not in an account: it is a fixed charge, paid first.
//! - [`Ladder`]: what an actor costs at each valid level; equal ladders of a module are one.
//! - **target**: benefit value × benefits, what a module may spend when there is enough.
//! - [`Scale`]: the common factor that targets are scaled down by when there is not.
//! - **share**: what an actor may spend: its scaled target, or its minimum cost if that is more (the
//!   actor is *pinned*).
//! - **pot**: what shares leave over, because levels come in steps; see [`Leftovers`].
//! - [`Quality`]: how good a level is; benefit times quality is what a level is *worth*.
//! - [`Price`]: what a unit of money is worth, the same for everybody; the optimal policy's counterpart
//!   of the scale.
//! - [`Slope`]: the quality that a step of a ladder buys for a unit of money, along its upper hull.
//! - [`Certificate`]: what a plan is worth, and what no plan for the same money exceeds.
//! - [`Stability`]: what a change must earn against the [`Last`] frame.
//!
//! # A frame
//!
//! [`decide`] is the one door. It settles the budget (headroom, fixed charges, minimums). Then the
//! proportional policy finds the common scale, assigns every actor the highest level that its share pays,
//! and spends what shares leave over. The optimal one finds the least price at which all steps fit that
//! are worth it, spends the rest by worth, and, where that is not proven to be good enough, looks for
//! something better. At last raises are counted, if they are limited. The order of these phases and the
//! meaning of every policy are here; memory is the caller's, who lends it as [`Book`]s or implements
//! [`Walk`] over what it has.
//!
//! Source: APEX LOD document, budget and cost. "Scaled down so that the total fits" is made exact
//! here: minimums are paid first, shares round down and targets up, so that shares never exceed what
//! is available.

mod assign;
mod bid;
mod book;
mod certificate;
mod climb;
mod columns;
mod decide;
mod decision;
mod demand;
mod frontier;
mod ladder;
mod last;
mod leftovers;
mod load;
mod lod;
mod offer;
mod optimal;
mod order;
mod policy;
mod pot;
mod price;
mod proportional;
mod quality;
mod raises;
mod rate;
mod request;
mod room;
mod scale;
mod settlement;
mod slope;
mod spend;
mod steady;
mod text;
mod walk;
mod wide;
mod work;

pub use bid::Bid;
pub use book::Book;
pub use certificate::Certificate;
pub use decide::decide;
pub use decision::Decision;
pub use demand::{Account, Claims};
pub use frontier::Guess;
pub use ladder::{Ladder, LadderSpan, Ladders};
pub use last::{Last, Standing};
pub use leftovers::Leftovers;
pub use load::{Load, Overload};
pub use lod::{Lod, LodControl};
pub use optimal::certify;
pub use policy::{Policy, Stability};
pub use price::Price;
pub use quality::Quality;
pub use rate::Rate;
pub use request::Request;
pub use room::{Room, Trial};
pub use scale::Scale;
pub use slope::{MadeFor, Slope, Slopes};
pub use walk::Walk;
pub use wide::{Answer, Crowd, Draft, GROUP, Group, Question, Source};
pub use work::{LevelRange, WorkLevels};

/// How many actors one scene may have, so that every sum fits its width.
pub const MAX_ACTORS: u32 = (1 << 24) - 1;

/// How many accounts one scene may have, as a bid numbers them.
pub const MAX_MODULES: u32 = (1 << 16) - 1;
