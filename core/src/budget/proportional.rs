//! The document's policy: targets scaled down by one factor, so that all of them fit the budget, and
//! levels that the shares pay.

use core::ops::Range;

use super::decision::Decision;
use super::demand::Claims;
use super::last::Standing;
use super::module_view::{Book, Walk};
use super::policy::{Leftovers, Request, Stability};
use super::raises::{cap_raises, flips};
use super::room::Room;
use super::scale::Scale;
use super::settlement::{Settlement, settle};
use super::spend::spend;
use super::upgrade_queue::{Bid, Bids};

/// Divides a budget by the document's policy. Hysteresis applies only with `PAST`, so that firmware without
/// it does not link that code.
#[inline]
pub(super) fn proportional<W: Walk + ?Sized, const PAST: bool>(
    request: &Request,
    leftovers: Leftovers,
    standing: &mut Standing,
    walk: &mut W,
    room: Room<'_>,
) -> Decision {
    let settlement = settle(request, walk);
    let Settlement { available, overcommit, minimum } = settlement;
    let stability = if PAST { request.stability } else { Stability::OFF };
    let scale = scale(settlement, stability, standing.scale, walk);
    standing.scale = Some(scale);
    let room = room.bids;
    let terms = Terms::<PAST> { scale, stability };
    let assigned = match leftovers {
        _ if overcommit > 0 => assign(walk, terms),
        Leftovers::Keep => assign(walk, terms),
        Leftovers::WithinModule => within_module(walk, terms, room),
        Leftovers::AcrossModules => across_modules(walk, terms, room),
        Leftovers::WholeBudget => whole_budget(walk, terms, available, room),
    };
    let put_back = if PAST { cap_raises(request, walk, room) } else { 0 };
    let assigned = assigned.saturating_sub(put_back);
    let flips = flips(walk);
    Decision { available, overcommit, minimum, scale, assigned, flips, ..Decision::default() }
}

/// The settings of shares, and the hysteresis.
#[derive(Clone, Copy)]
struct Terms<const PAST: bool> {
    scale: Scale,
    stability: Stability,
}

/// Every actor at what its share pays.
#[inline]
fn assign<W: Walk + ?Sized, const PAST: bool>(walk: &mut W, terms: Terms<PAST>) -> u64 {
    (0..walk.accounts())
        .fold(0, |sum, account| sum.saturating_add(assign_one(walk, account, terms)))
}

fn assign_one<W: Walk + ?Sized, const PAST: bool>(
    walk: &mut W,
    account: usize,
    terms: Terms<PAST>,
) -> u64 {
    let Terms { scale, stability } = terms;
    let assign = |book: &mut Book<'_>| {
        if PAST { book.assign_steadily(scale, stability) } else { book.assign(scale) }
    };
    walk.visit(account, assign).unwrap_or(0)
}

fn shares<W: Walk + ?Sized>(walk: &mut W, account: usize, scale: Scale) -> u64 {
    walk.visit(account, |book| book.account.shares(scale)).unwrap_or(0)
}

/// A pot for each module.
#[inline(never)]
fn within_module<W: Walk + ?Sized, const PAST: bool>(
    walk: &mut W,
    terms: Terms<PAST>,
    room: &mut [Bid],
) -> u64 {
    (0..walk.accounts()).fold(0, |sum, account| {
        let cost = assign_one(walk, account, terms);
        let pot = Pot { whole: shares(walk, account, terms.scale), spent: cost };
        let spent = spend_pot(walk, account..account.wrapping_add(1), pot, terms, room);
        sum.saturating_add(cost).saturating_add(spent)
    })
}

/// One pot of what all shares leave over.
#[inline(never)]
fn across_modules<W: Walk + ?Sized, const PAST: bool>(
    walk: &mut W,
    terms: Terms<PAST>,
    room: &mut [Bid],
) -> u64 {
    let cost = assign(walk, terms);
    let accounts = 0..walk.accounts();
    let share = |sum: u64, account| sum.saturating_add(shares(walk, account, terms.scale));
    let pot = Pot { whole: accounts.clone().fold(0, share), spent: cost };
    cost.saturating_add(spend_pot(walk, accounts, pot, terms, room))
}

/// One pot of all that is not spent.
#[inline(never)]
fn whole_budget<W: Walk + ?Sized, const PAST: bool>(
    walk: &mut W,
    terms: Terms<PAST>,
    available: u64,
    room: &mut [Bid],
) -> u64 {
    let cost = assign(walk, terms);
    let (accounts, pot) = (0..walk.accounts(), Pot { whole: available, spent: cost });
    cost.saturating_add(spend_pot(walk, accounts, pot, terms, room))
}

/// The total leftover budget of some modules, and the amount spent.
#[derive(Clone, Copy)]
struct Pot {
    whole: u64,
    spent: u64,
}

/// Spends a pot on the actors of some accounts, and returns how much of it.
fn spend_pot<W: Walk + ?Sized, const PAST: bool>(
    walk: &mut W,
    accounts: Range<usize>,
    pot: Pot,
    terms: Terms<PAST>,
    room: &mut [Bid],
) -> u64 {
    let left = pot.whole.saturating_sub(pot.spent);
    if PAST && terms.stability.is_on() {
        let reserved = terms.stability.reserved(pot.whole);
        spend_steadily(walk, accounts, left, reserved, terms.stability, room)
    } else {
        spend(walk, accounts, left, room)
    }
}

/// Spends a pot where the last levels count.
fn spend_steadily<W: Walk + ?Sized>(
    walk: &mut W,
    accounts: Range<usize>,
    pot: u64,
    reserved: u64,
    stability: Stability,
    room: &mut [Bid],
) -> u64 {
    if pot == 0 {
        return 0;
    }
    let mut bids = Bids::new(room);
    for account in accounts {
        walk.visit(account, |book| book.gather(account, &mut bids, stability));
    }
    bids.serve(pot, reserved, |account, row, pot| {
        let raise = |book: &mut Book<'_>| book.raise_steadily(row, pot, stability, reserved);
        walk.visit(account, raise).unwrap_or(0)
    })
}

/// Returns the factor on every target; 0 if infeasible. The previous scale stays as far as the dead band
/// allows.
#[inline]
fn scale<W: Walk + ?Sized>(
    settlement: Settlement,
    stability: Stability,
    last: Option<Scale>,
    walk: &mut W,
) -> Scale {
    if settlement.overcommit > 0 {
        return Scale::ZERO;
    }
    let Settlement { available, minimum, .. } = settlement;
    let scale = fitting(available, minimum, walk);
    match last {
        Some(last) if stability.reserve > 0 => {
            let low = available.saturating_sub(stability.reserved(available));
            last.max(fitting(low, minimum, walk)).min(scale)
        }
        _ => scale,
    }
}

/// Returns the greatest scale at which all shares fit the available budget.
#[inline]
fn fitting<W: Walk + ?Sized>(available: u64, minimum: u64, walk: &mut W) -> Scale {
    if minimum > 0 {
        return search(available, walk);
    }
    // No actor can be pinned, so one pass is enough.
    let targets = (0..walk.accounts()).fold(0_u64, |sum, account| {
        let target = walk.visit(account, |book| book.account.target()).unwrap_or(0);
        sum.saturating_add(target)
    });
    Scale::fitting(available, targets)
}

#[inline(never)]
fn search<W: Walk + ?Sized>(available: u64, walk: &mut W) -> Scale {
    greatest_scale(available, |scale| {
        let (mut claims, mut targets) = (Claims::default(), 0_u64);
        for account in 0..walk.accounts() {
            let (value, found) = walk
                .visit(account, |book| (book.account.benefit_value, book.account.claims(scale)))
                .unwrap_or_default();
            targets = targets.saturating_add(value.target(found.benefit));
            claims = claims.plus(found);
        }
        (claims, targets)
    })
}

/// Returns the greatest scale at which all shares, or minimums if those are more, fit the available budget.
///
/// A pass computes the demand at the current scale and the targets of the actors that are not pinned; they
/// divide the budget that the pinned actors leave. It is Newton's method on a piecewise linear function:
/// nearly always a few passes, at most about 70.
#[inline]
pub(super) fn greatest_scale(
    available: u64,
    mut pass: impl FnMut(Scale) -> (Claims, u64),
) -> Scale {
    let (mut scale, mut pinned) = (Scale::ONE, None);
    loop {
        let (claims, targets) = pass(scale);
        let left = available.saturating_sub(claims.minimum);
        scale = scale.min(Scale::fitting(left, targets));
        if pinned.replace(claims.pinned) == Some(claims.pinned) {
            return scale;
        }
    }
}
