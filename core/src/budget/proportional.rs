//! The document's policy: targets scaled down by one factor, so that all of them fit the budget, and
//! levels that the shares pay.

use core::ops::Range;

use super::decision::Decision;
use super::demand::Demand;
use super::frame_budget::{FrameBudget, frame_budget};
use super::last::Standing;
use super::module_view::{Book, Walk};
use super::policy::{Leftovers, Request, Stability};
use super::scale::Scale;
use super::scratch::Room;
use super::spend::spend;
use super::upgrade_limit::{flips, limit_upgrades};
use super::upgrade_queue::{Bid, UpgradeQueue};

/// Divides a budget by the document's policy. Hysteresis applies only with `HYSTERESIS`, so that firmware without
/// it does not link that code.
#[inline]
pub(super) fn proportional<W: Walk + ?Sized, const HYSTERESIS: bool>(
    request: &Request,
    leftovers: Leftovers,
    standing: &mut Standing,
    modules: &mut W,
    room: Room<'_>,
) -> Decision {
    let frame = frame_budget(request, modules);
    let FrameBudget { available, overcommit, minimum } = frame;
    let stability = if HYSTERESIS { request.stability } else { Stability::OFF };
    let scale = scale(frame, stability, standing.scale, modules);
    standing.scale = Some(scale);
    let room = room.bids;
    let terms = Terms::<HYSTERESIS> { scale, stability };
    let assigned = match leftovers {
        _ if overcommit > 0 => assign(modules, terms),
        Leftovers::Keep => assign(modules, terms),
        Leftovers::WithinModule => within_module(modules, terms, room),
        Leftovers::AcrossModules => across_modules(modules, terms, room),
        Leftovers::WholeBudget => whole_budget(modules, terms, available, room),
    };
    let revert = if HYSTERESIS { limit_upgrades(request, modules, room) } else { 0 };
    let assigned = assigned.saturating_sub(revert);
    let flips = flips(modules);
    Decision { available, overcommit, minimum, scale, assigned, flips, ..Decision::default() }
}

/// The settings of shares, and the hysteresis.
#[derive(Clone, Copy)]
struct Terms<const HYSTERESIS: bool> {
    scale: Scale,
    stability: Stability,
}

/// Every actor at what its share pays.
#[inline]
fn assign<W: Walk + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
) -> u64 {
    (0..modules.accounts())
        .fold(0, |sum, index| sum.saturating_add(assign_one(modules, index, terms)))
}

fn assign_one<W: Walk + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    index: usize,
    terms: Terms<HYSTERESIS>,
) -> u64 {
    let Terms { scale, stability } = terms;
    let assign = |module: &mut Book<'_>| {
        if HYSTERESIS {
            module.assign_with_hysteresis(scale, stability)
        } else {
            module.assign(scale)
        }
    };
    modules.visit(index, assign).unwrap_or(0)
}

fn shares<W: Walk + ?Sized>(modules: &mut W, index: usize, scale: Scale) -> u64 {
    modules.visit(index, |module| module.account.shares(scale)).unwrap_or(0)
}

/// A leftover budget for each module.
#[inline(never)]
fn within_module<W: Walk + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
    room: &mut [Bid],
) -> u64 {
    (0..modules.accounts()).fold(0, |sum, index| {
        let cost = assign_one(modules, index, terms);
        let leftover = LeftoverBudget { whole: shares(modules, index, terms.scale), spent: cost };
        let spent = spend_leftover(modules, index..index.wrapping_add(1), leftover, terms, room);
        sum.saturating_add(cost).saturating_add(spent)
    })
}

/// One leftover budget of what all shares leave over.
#[inline(never)]
fn across_modules<W: Walk + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
    room: &mut [Bid],
) -> u64 {
    let cost = assign(modules, terms);
    let indices = 0..modules.accounts();
    let share = |sum: u64, index| sum.saturating_add(shares(modules, index, terms.scale));
    let leftover = LeftoverBudget { whole: indices.clone().fold(0, share), spent: cost };
    cost.saturating_add(spend_leftover(modules, indices, leftover, terms, room))
}

/// One leftover budget of all that is not spent.
#[inline(never)]
fn whole_budget<W: Walk + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
    available: u64,
    room: &mut [Bid],
) -> u64 {
    let cost = assign(modules, terms);
    let (indices, leftover) =
        (0..modules.accounts(), LeftoverBudget { whole: available, spent: cost });
    cost.saturating_add(spend_leftover(modules, indices, leftover, terms, room))
}

/// The total leftover budget of some modules, and the amount spent.
#[derive(Clone, Copy)]
struct LeftoverBudget {
    whole: u64,
    spent: u64,
}

/// Spends a leftover budget on the actors of some modules, and returns how much of it.
fn spend_leftover<W: Walk + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    indices: Range<usize>,
    leftover: LeftoverBudget,
    terms: Terms<HYSTERESIS>,
    room: &mut [Bid],
) -> u64 {
    let left = leftover.whole.saturating_sub(leftover.spent);
    if HYSTERESIS && terms.stability.is_on() {
        let reserved = terms.stability.reserved(leftover.whole);
        spend_with_hysteresis(modules, indices, left, reserved, terms.stability, room)
    } else {
        spend(modules, indices, left, room)
    }
}

/// Spends a leftover budget where the last levels count.
fn spend_with_hysteresis<W: Walk + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    leftover: u64,
    reserved: u64,
    stability: Stability,
    room: &mut [Bid],
) -> u64 {
    if leftover == 0 {
        return 0;
    }
    let mut bids = UpgradeQueue::new(room);
    for index in indices {
        modules.visit(index, |module| module.gather(index, &mut bids, stability));
    }
    bids.spend(leftover, reserved, |index, row, leftover| {
        let raise = |module: &mut Book<'_>| {
            module.upgrade_with_hysteresis(row, leftover, stability, reserved)
        };
        modules.visit(index, raise).unwrap_or(0)
    })
}

/// Returns the factor on every target; 0 if infeasible. The previous scale stays as far as the dead band
/// allows.
#[inline]
fn scale<W: Walk + ?Sized>(
    frame: FrameBudget,
    stability: Stability,
    last: Option<Scale>,
    modules: &mut W,
) -> Scale {
    if frame.overcommit > 0 {
        return Scale::ZERO;
    }
    let FrameBudget { available, minimum, .. } = frame;
    let scale = fitting(available, minimum, modules);
    match last {
        Some(last) if stability.reserve > 0 => {
            let low = available.saturating_sub(stability.reserved(available));
            last.max(fitting(low, minimum, modules)).min(scale)
        }
        _ => scale,
    }
}

/// Returns the greatest scale at which all shares fit the available budget.
#[inline]
fn fitting<W: Walk + ?Sized>(available: u64, minimum: u64, modules: &mut W) -> Scale {
    if minimum > 0 {
        return search(available, modules);
    }
    // No actor can be pinned, so one pass is enough.
    let targets = (0..modules.accounts()).fold(0_u64, |sum, index| {
        let target = modules.visit(index, |module| module.account.target()).unwrap_or(0);
        sum.saturating_add(target)
    });
    Scale::fitting(available, targets)
}

#[inline(never)]
fn search<W: Walk + ?Sized>(available: u64, modules: &mut W) -> Scale {
    greatest_scale(available, |scale| {
        let (mut demand, mut targets) = (Demand::default(), 0_u64);
        for index in 0..modules.accounts() {
            let (value, found) = modules
                .visit(index, |module| (module.account.benefit_value, module.account.demand(scale)))
                .unwrap_or_default();
            targets = targets.saturating_add(value.target(found.benefit));
            demand = demand.plus(found);
        }
        (demand, targets)
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
    mut pass: impl FnMut(Scale) -> (Demand, u64),
) -> Scale {
    let (mut scale, mut pinned) = (Scale::ONE, None);
    loop {
        let (demand, targets) = pass(scale);
        let left = available.saturating_sub(demand.minimum);
        scale = scale.min(Scale::fitting(left, targets));
        if pinned.replace(demand.pinned) == Some(demand.pinned) {
            return scale;
        }
    }
}
