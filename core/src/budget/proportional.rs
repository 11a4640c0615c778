//! The document's policy: targets scaled down by one factor, and levels that the shares pay.

use core::ops::Range;

use super::decision::Decision;
use super::demand::Demand;
use super::frame_budget::{FrameBudget, frame_budget};
use super::last::Carryover;
use super::module_view::{ModuleView, Modules};
use super::policy::{Hysteresis, Leftovers, Request};
use super::scale::Scale;
use super::scratch::Scratch;
use super::spend::spend;
use super::upgrade_limit::{limit_upgrades, switches};
use super::upgrade_queue::{Upgrade, UpgradeQueue};

/// Divides a budget. Hysteresis applies only with `HYSTERESIS`, so that firmware without it does not link that code.
#[inline]
pub(super) fn proportional<W: Modules + ?Sized, const HYSTERESIS: bool>(
    request: &Request,
    leftovers: Leftovers,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: Scratch<'_>,
) -> Decision {
    let frame = frame_budget(request, modules);
    let FrameBudget { available, overcommit, minimum } = frame;
    let hysteresis = if HYSTERESIS { request.hysteresis } else { Hysteresis::OFF };
    let scale =
        scale(frame, hysteresis, carryover.scale, |available| fitting(available, minimum, modules));
    carryover.scale = Some(scale);
    let scratch = scratch.upgrades;
    let terms = Terms::<HYSTERESIS> { scale, hysteresis };
    let assigned = match leftovers {
        _ if overcommit > 0 => assign(modules, terms),
        Leftovers::Keep => assign(modules, terms),
        Leftovers::WithinModule => within_module(modules, terms, scratch),
        Leftovers::AcrossModules => across_modules(modules, terms, scratch),
        Leftovers::WholeBudget => whole_budget(modules, terms, available, scratch),
    };
    let revert = if HYSTERESIS { limit_upgrades(request, modules, scratch).cost } else { 0 };
    let assigned = assigned.saturating_sub(revert);
    let switches = switches(modules);
    Decision { available, overcommit, minimum, scale, assigned, switches, ..Decision::default() }
}

#[derive(Clone, Copy)]
struct Terms<const HYSTERESIS: bool> {
    scale: Scale,
    hysteresis: Hysteresis,
}

#[inline]
fn assign<W: Modules + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
) -> u64 {
    (0..modules.count()).fold(0, |sum, index| sum.saturating_add(assign_one(modules, index, terms)))
}

fn assign_one<W: Modules + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    index: usize,
    terms: Terms<HYSTERESIS>,
) -> u64 {
    let Terms { scale, hysteresis } = terms;
    let assign = |module: &mut ModuleView<'_>| {
        if HYSTERESIS {
            module.assign_with_hysteresis(scale, hysteresis)
        } else {
            module.assign(scale)
        }
    };
    modules.visit(index, assign).unwrap_or(0)
}

fn shares<W: Modules + ?Sized>(modules: &mut W, index: usize, scale: Scale) -> u64 {
    modules.visit(index, |module| module.input.shares(scale)).unwrap_or(0)
}

#[inline(never)]
fn within_module<W: Modules + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
    scratch: &mut [Upgrade],
) -> u64 {
    (0..modules.count()).fold(0, |sum, index| {
        let cost = assign_one(modules, index, terms);
        let leftover = LeftoverBudget { whole: shares(modules, index, terms.scale), spent: cost };
        let spent = spend_leftover(modules, index..index.wrapping_add(1), leftover, terms, scratch);
        sum.saturating_add(cost).saturating_add(spent)
    })
}

#[inline(never)]
fn across_modules<W: Modules + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
    scratch: &mut [Upgrade],
) -> u64 {
    let cost = assign(modules, terms);
    let indices = 0..modules.count();
    let share = |sum: u64, index| sum.saturating_add(shares(modules, index, terms.scale));
    let leftover = LeftoverBudget { whole: indices.clone().fold(0, share), spent: cost };
    cost.saturating_add(spend_leftover(modules, indices, leftover, terms, scratch))
}

#[inline(never)]
fn whole_budget<W: Modules + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    terms: Terms<HYSTERESIS>,
    available: u64,
    scratch: &mut [Upgrade],
) -> u64 {
    let cost = assign(modules, terms);
    let (indices, leftover) =
        (0..modules.count(), LeftoverBudget { whole: available, spent: cost });
    cost.saturating_add(spend_leftover(modules, indices, leftover, terms, scratch))
}

#[derive(Clone, Copy)]
struct LeftoverBudget {
    whole: u64,
    spent: u64,
}

fn spend_leftover<W: Modules + ?Sized, const HYSTERESIS: bool>(
    modules: &mut W,
    indices: Range<usize>,
    leftover: LeftoverBudget,
    terms: Terms<HYSTERESIS>,
    scratch: &mut [Upgrade],
) -> u64 {
    let left = leftover.whole.saturating_sub(leftover.spent);
    if HYSTERESIS && terms.hysteresis.is_on() {
        let reserved = terms.hysteresis.reserved(leftover.whole);
        spend_with_hysteresis(modules, indices, left, reserved, terms.hysteresis, scratch)
    } else {
        spend(modules, indices, left, scratch)
    }
}

fn spend_with_hysteresis<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    leftover: u64,
    reserved: u64,
    hysteresis: Hysteresis,
    scratch: &mut [Upgrade],
) -> u64 {
    if leftover == 0 {
        return 0;
    }
    let mut upgrades = UpgradeQueue::new(scratch);
    for index in indices {
        modules.visit(index, |module| module.gather(index, &mut upgrades, hysteresis));
    }
    upgrades.spend(leftover, reserved, |index, row, leftover| {
        let raise = |module: &mut ModuleView<'_>| {
            module.upgrade_with_hysteresis(row, leftover, hysteresis, reserved)
        };
        modules.visit(index, raise).unwrap_or(0)
    })
}

/// Returns the factor on every target; 0 if infeasible. The previous scale stays as far as the dead band allows.
/// `fitting` returns the greatest scale at which all shares fit a budget.
#[inline]
pub(super) fn scale(
    frame: FrameBudget,
    hysteresis: Hysteresis,
    last: Option<Scale>,
    mut fitting: impl FnMut(u64) -> Scale,
) -> Scale {
    let FrameBudget { available, overcommit, .. } = frame;
    if overcommit > 0 {
        return Scale::ZERO;
    }
    let scale = fitting(available);
    match last {
        Some(last) if hysteresis.dead_band > 0 && last < scale => {
            let low = available.saturating_sub(hysteresis.reserved(available));
            last.max(fitting(low)).min(scale)
        }
        _ => scale,
    }
}

#[inline]
fn fitting<W: Modules + ?Sized>(available: u64, minimum: u64, modules: &mut W) -> Scale {
    if minimum > 0 {
        return search(available, modules);
    }
    // No actor can be pinned, so one pass is enough.
    let targets = (0..modules.count()).fold(0_u64, |sum, index| {
        let target = modules.visit(index, |module| module.input.target()).unwrap_or(0);
        sum.saturating_add(target)
    });
    Scale::fitting(available, targets)
}

#[inline(never)]
fn search<W: Modules + ?Sized>(available: u64, modules: &mut W) -> Scale {
    greatest_scale(available, |scale| {
        let (mut demand, mut targets) = (Demand::default(), 0_u64);
        for index in 0..modules.count() {
            let (value, found) = modules
                .visit(index, |module| (module.input.benefit_value, module.input.demand(scale)))
                .unwrap_or_default();
            targets = targets.saturating_add(value.target(found.benefit));
            demand = demand.plus(found);
        }
        (demand, targets)
    })
}

/// Returns the greatest scale at which all shares or minimums fit the available budget.
///
/// Each pass computes the demand at the current scale; the targets of actors that are not pinned divide the rest. This
/// is Newton's method on a piecewise linear function: nearly always a few passes, at most about 70.
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
