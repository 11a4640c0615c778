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
//!
//! # A frame
//!
//! 1. [`settle`] the budget among the accounts: charges, targets, scale.
//! 2. [`Account::assign`] levels, for each account.
//! 3. Unless the leftovers are kept, gather the [`Account::bids`] and [`spend`] the pot.
//!
//! Source: APEX LOD document, budget and cost. "Scaled down so that the total fits" is made exact
//! here: minimums are paid first, shares round down and targets up, so that shares never exceed what
//! is available.
//!
//! # Examples
//! ```
//! use lodger_core::budget::{settle, spend, Account, LadderSpan, Ladders, Lod};
//! use lodger_core::units::{BenefitValue, Budget};
//! use lodger_core::Benefit;
//!
//! // Two capes at 0, 100 or 400 ns; the nearer one is worth three times as much.
//! let benefits = [Benefit::new(0.75_f32)?, Benefit::new(0.25_f32)?];
//! let capes = Account {
//!     benefit_value: BenefitValue::from_ns(1_000),
//!     continuous: false,
//!     ladders: Ladders { spans: &[LadderSpan::new(0, 3, 0)], costs: &[0, 100, 400] },
//!     ladder: &[], // all have the first
//!     benefits: &benefits,
//! };
//! // The targets are 750 and 250 ns; 500 ns leave 375 and 125, which pay 100 ns each.
//! let settlement = settle(Budget::from_ns(500), 0, [capes].into_iter());
//! assert_eq!(settlement.scale.to_f64(), 0.5);
//! let mut levels = [0; 2];
//! let cost = capes.assign(settlement.scale, &mut levels, &mut []);
//! assert_eq!((levels, cost), ([1, 1], 200));
//!
//! // The pot of 300 ns goes to the nearer cape, which needs all of it.
//! let before = levels;
//! let mut bids: Vec<_> = capes.bids(0, &[0, 1], &before, &[]).collect();
//! let pot = capes.shares(settlement.scale) - cost;
//! let left = spend(pot, capes.least_step(), &mut bids, |bid, pot| {
//!     let row = bid.row();
//!     let (lod, price) = capes.ladder_of(row).raise(Lod::new(levels[row], 0), pot, false);
//!     levels[row] = lod.level();
//!     price
//! });
//! assert_eq!((levels, left), ([2, 1], 0));
//! # Ok::<(), lodger_core::Error>(())
//! ```

mod assign;
mod climb;
mod demand;
mod ladder;
mod leftovers;
mod lod;
mod order;
mod proportional;
mod rate;
mod scale;
mod text;

pub use demand::{Account, Claims};
pub use ladder::{Ladder, LadderSpan, Ladders};
pub use leftovers::{Bid, Leftovers, spend};
pub use lod::{Lod, LodControl};
pub use proportional::{ScaleSearch, Settlement, settle};
pub use rate::Rate;
pub use scale::Scale;

/// How many actors one scene may have, so that every sum fits its width.
pub const MAX_ACTORS: u32 = (1 << 24) - 1;

/// How many accounts one scene may have, as a [`Bid`] numbers them.
pub const MAX_MODULES: u32 = (1 << 16) - 1;
