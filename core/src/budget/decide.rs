//! The one door: who gets which level for a budget.

use core::ops::Range;

use super::bid::Bid;
use super::leftovers::Leftovers;
use super::pot::Bids;
use super::proportional::{Settlement, settle};
use super::scale::Scale;
use super::walk::Walk;
use crate::units::Budget;

/// What a frame may spend, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// What all actors together may cost.
    pub budget: Budget,
    /// What is paid first, in nanoseconds: forced actors and modules that the ledger does not manage,
    /// each at its [`Ladder::fixed`](super::Ladder::fixed) LOD.
    pub fixed: u64,
    /// Who may spend what shares leave over.
    pub leftovers: Leftovers,
}

/// What was decided for the scene as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Decision {
    /// What is left of the budget after the fixed charges, in nanoseconds.
    pub available: u64,
    /// By how many nanoseconds the fixed charges and minimums exceed the budget. The budget is
    /// infeasible if that is not 0.
    pub overcommit: u64,
    /// The factor on every target; 0 when infeasible.
    pub scale: Scale,
    /// What all automatic actors cost at the LODs that they were given, in nanoseconds.
    pub assigned: u64,
}

impl Default for Decision {
    /// That of a scene without actors and without a budget.
    fn default() -> Self {
        Self { available: 0, overcommit: 0, scale: Scale::ONE, assigned: 0 }
    }
}

/// Decides the LOD of every automatic actor.
///
/// `room` holds the bids of a pot: it must be as long as there are automatic actors, or may be empty if
/// the leftovers are kept. Who finds no room gets nothing from a pot.
///
/// # Examples
/// ```
/// use lodger_core::budget::{Account, Bid, Book, LadderSpan, Ladders, Leftovers, Request, decide};
/// use lodger_core::units::{BenefitValue, Budget};
/// use lodger_core::Benefit;
///
/// // Two capes at 0, 100 or 400 ns; the nearer one is worth three times as much.
/// let benefits = [Benefit::new(0.75_f32)?, Benefit::new(0.25_f32)?];
/// let account = Account {
///     benefit_value: BenefitValue::from_ns(1_000),
///     continuous: false,
///     ladders: Ladders { spans: &[LadderSpan::new(0, 3, 0)], costs: &[0, 100, 400] },
///     ladder: &[], // all have the first
///     benefits: &benefits,
/// };
/// let mut levels = [0; 2];
/// let mut capes = [Book { account, ids: &[0, 1], levels: &mut levels, fractions: &mut [] }];
///
/// // The targets are 750 and 250 ns; 500 ns leave 375 and 125, which pay 100 ns each.
/// let request = Request { budget: Budget::from_ns(500), fixed: 0, leftovers: Leftovers::Keep };
/// let decision = decide(&request, &mut capes[..], &mut []);
/// assert_eq!((decision.scale.to_f64(), decision.assigned), (0.5, 200));
///
/// // The pot of 300 ns goes to the nearer cape, which needs all of it.
/// let request = Request { leftovers: Leftovers::AcrossModules, ..request };
/// let decision = decide(&request, &mut capes[..], &mut [Bid::default(); 2]);
/// assert_eq!((decision.assigned, levels), (500, [2, 1]));
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[inline]
pub fn decide<W: Walk + ?Sized>(request: &Request, walk: &mut W, room: &mut [Bid]) -> Decision {
    let Settlement { available, overcommit, scale } = settle(request.budget, request.fixed, walk);
    let assigned = match request.leftovers {
        _ if overcommit > 0 => assign(walk, scale),
        Leftovers::Keep => assign(walk, scale),
        Leftovers::WithinModule => within_module(walk, scale, room),
        Leftovers::AcrossModules => across_modules(walk, scale, room),
        Leftovers::WholeBudget => whole_budget(walk, scale, available, room),
    };
    Decision { available, overcommit, scale, assigned }
}

/// Every actor at what its share pays.
#[inline]
fn assign<W: Walk + ?Sized>(walk: &mut W, scale: Scale) -> u64 {
    (0..walk.accounts()).fold(0, |sum, account| sum.saturating_add(walk.assign(account, scale)))
}

/// A pot for each module.
#[inline(never)]
fn within_module<W: Walk + ?Sized>(walk: &mut W, scale: Scale, room: &mut [Bid]) -> u64 {
    (0..walk.accounts()).fold(0, |sum, account| {
        let cost = walk.assign(account, scale);
        let pot = walk.shares(account, scale).saturating_sub(cost);
        let spent = spend(walk, account..account.wrapping_add(1), pot, room);
        sum.saturating_add(cost).saturating_add(spent)
    })
}

/// One pot of what all shares leave over.
#[inline(never)]
fn across_modules<W: Walk + ?Sized>(walk: &mut W, scale: Scale, room: &mut [Bid]) -> u64 {
    let cost = assign(walk, scale);
    let accounts = 0..walk.accounts();
    let share = |sum: u64, account| sum.saturating_add(walk.shares(account, scale));
    let pot = accounts.clone().fold(0, share).saturating_sub(cost);
    cost.saturating_add(spend(walk, accounts, pot, room))
}

/// One pot of all that is not spent.
#[inline(never)]
fn whole_budget<W: Walk + ?Sized>(
    walk: &mut W,
    scale: Scale,
    available: u64,
    room: &mut [Bid],
) -> u64 {
    let cost = assign(walk, scale);
    let accounts = 0..walk.accounts();
    cost.saturating_add(spend(walk, accounts, available.saturating_sub(cost), room))
}

/// Spends a pot on the actors of some accounts, and returns how much of it.
fn spend<W: Walk + ?Sized>(
    walk: &mut W,
    accounts: Range<usize>,
    pot: u64,
    room: &mut [Bid],
) -> u64 {
    if pot == 0 {
        return 0;
    }
    let mut bids = Bids::new(room);
    for account in accounts {
        walk.gather(account, &mut bids);
    }
    bids.serve(pot, |account, row, pot| walk.raise(account, row, pot))
}
