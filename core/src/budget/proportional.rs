//! The document's policy: targets scaled down by one factor, so that all of them fit the budget, and
//! levels that the shares pay.

use core::ops::Range;

use super::bid::Bid;
use super::decide::{Decision, Request};
use super::demand::Claims;
use super::last::Standing;
use super::leftovers::Leftovers;
use super::pot::Bids;
use super::room::Room;
use super::scale::Scale;
use super::settlement::{Settlement, settle};
use super::walk::Walk;

/// Divides a budget as the document says.
#[inline(never)]
pub(super) fn proportional<W: Walk + ?Sized>(
    request: &Request,
    leftovers: Leftovers,
    standing: &mut Standing,
    walk: &mut W,
    room: Room<'_>,
) -> Decision {
    let settlement = settle(request, walk);
    let Settlement { available, overcommit, minimum } = settlement;
    let scale = scale(settlement, walk);
    standing.scale = Some(scale);
    let room = room.bids;
    let assigned = match leftovers {
        _ if overcommit > 0 => assign(walk, scale),
        Leftovers::Keep => assign(walk, scale),
        Leftovers::WithinModule => within_module(walk, scale, room),
        Leftovers::AcrossModules => across_modules(walk, scale, room),
        Leftovers::WholeBudget => whole_budget(walk, scale, available, room),
    };
    Decision { available, overcommit, minimum, scale, assigned, ..Decision::default() }
}

/// Every actor at what its share pays.
#[inline]
fn assign<W: Walk + ?Sized>(walk: &mut W, scale: Scale) -> u64 {
    (0..walk.accounts())
        .fold(0, |sum, account| sum.saturating_add(assign_one(walk, account, scale)))
}

fn assign_one<W: Walk + ?Sized>(walk: &mut W, account: usize, scale: Scale) -> u64 {
    walk.visit(account, |book| book.assign(scale)).unwrap_or(0)
}

/// A pot for each module.
#[inline(never)]
fn within_module<W: Walk + ?Sized>(walk: &mut W, scale: Scale, room: &mut [Bid]) -> u64 {
    (0..walk.accounts()).fold(0, |sum, account| {
        let cost = assign_one(walk, account, scale);
        let pot = walk
            .visit(account, |book| book.account.shares(scale))
            .unwrap_or(0)
            .saturating_sub(cost);
        let spent = spend(walk, account..account.wrapping_add(1), pot, room);
        sum.saturating_add(cost).saturating_add(spent)
    })
}

/// One pot of what all shares leave over.
#[inline(never)]
fn across_modules<W: Walk + ?Sized>(walk: &mut W, scale: Scale, room: &mut [Bid]) -> u64 {
    let cost = assign(walk, scale);
    let accounts = 0..walk.accounts();
    let share = |sum: u64, account| {
        sum.saturating_add(walk.visit(account, |book| book.account.shares(scale)).unwrap_or(0))
    };
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
        walk.visit(account, |book| book.gather(account, &mut bids));
    }
    bids.serve(pot, 0, |account, row, pot| {
        walk.visit(account, |book| book.raise(row, pot)).unwrap_or(0)
    })
}

/// The factor on every target; 0 when infeasible.
#[inline]
fn scale<W: Walk + ?Sized>(settlement: Settlement, walk: &mut W) -> Scale {
    let Settlement { available, overcommit, minimum } = settlement;
    if overcommit > 0 {
        Scale::ZERO
    } else if minimum > 0 {
        search(available, walk)
    } else {
        // Nobody can be pinned, so nobody is looked at twice.
        let targets = (0..walk.accounts()).fold(0_u64, |sum, account| {
            let target = walk.visit(account, |book| book.account.target()).unwrap_or(0);
            sum.saturating_add(target)
        });
        Scale::fitting(available, targets)
    }
}

/// The greatest scale at which everybody's share, or minimum if that is more, fits what is available.
///
/// A pass finds who is pinned at the scale so far, and the rest share what the pinned leave. It is
/// Newton's method on a piecewise linear function: nearly always a few passes, some 70 at the very
/// worst.
#[inline(never)]
fn search<W: Walk + ?Sized>(available: u64, walk: &mut W) -> Scale {
    let (mut scale, mut pinned) = (Scale::ONE, None);
    loop {
        let (mut claims, mut targets) = (Claims::default(), 0_u64);
        for account in 0..walk.accounts() {
            let (value, found) = walk
                .visit(account, |book| (book.account.benefit_value, book.account.claims(scale)))
                .unwrap_or_default();
            targets = targets.saturating_add(value.target(found.benefit));
            claims = claims.plus(found);
        }
        let left = available.saturating_sub(claims.minimum);
        scale = scale.min(Scale::fitting(left, targets));
        if pinned.replace(claims.pinned) == Some(claims.pinned) {
            return scale;
        }
    }
}
