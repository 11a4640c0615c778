//! The document's policy: targets scaled down by one factor, and levels that the shares pay.

use super::decision::Decision;
use super::demand::Demand;
use super::frame_budget::FrameBudget;
use super::kernels::terms::ShareTerms;
use super::kernels::{BenefitSumKernel, DemandKernel, MinimumKernel, SwitchKernel, assign};
use super::last::Carryover;
use super::leftovers::spend_leftovers;
use super::module_view::{ModuleView, Modules, ask};
use super::policy::{Hysteresis, Leftovers, Request};
use super::scale::Scale;
use super::upgrade_limit::limit_upgrades;
use super::upgrade_queue::CandidateUpgrade;

#[inline]
pub(super) fn proportional<W: Modules + ?Sized>(
    request: &Request,
    leftovers: Leftovers,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: &mut [impl CandidateUpgrade],
) -> Decision {
    let minimum = ask(modules, &MinimumKernel);
    let frame = FrameBudget::of(request, minimum);
    let FrameBudget { available, overcommit, .. } = frame;
    let scale = scale(frame, request.hysteresis, carryover.scale, modules);
    carryover.scale = Some(scale);
    let hysteresis = request.hysteresis;
    let indices = 0..modules.count();
    let assigned = match if overcommit > 0 { Leftovers::Keep } else { leftovers } {
        Leftovers::Keep => {
            all(modules, |modules, index| assign(modules, index, ShareTerms { scale, hysteresis }))
        }
        Leftovers::WithinModule => all(modules, |modules, index| {
            spend_leftovers(modules, index..index.wrapping_add(1), scale, hysteresis, None, scratch)
        }),
        Leftovers::AcrossModules => {
            spend_leftovers(modules, indices, scale, hysteresis, None, scratch)
        }
        Leftovers::WholeBudget => {
            spend_leftovers(modules, indices, scale, hysteresis, Some(available), scratch)
        }
    };
    let saved = limit_upgrades(request, modules, scratch).cost;
    let assigned = assigned.saturating_sub(saved);
    let switches = u32::try_from(ask(modules, &SwitchKernel)).unwrap_or(u32::MAX);
    Decision { available, overcommit, minimum, scale, assigned, switches, ..Decision::default() }
}

fn all<W: Modules + ?Sized>(modules: &mut W, mut of: impl FnMut(&mut W, usize) -> u64) -> u64 {
    (0..modules.count()).fold(0, |sum: u64, index| sum.saturating_add(of(modules, index)))
}

/// Returns the factor on every target; 0 if infeasible. The previous scale stays as far as the dead band allows.
#[inline]
fn scale<W: Modules + ?Sized>(
    frame: FrameBudget,
    hysteresis: Hysteresis,
    last: Option<Scale>,
    modules: &mut W,
) -> Scale {
    let FrameBudget { available, overcommit, minimum } = frame;
    if overcommit > 0 {
        return Scale::ZERO;
    }
    // Without minimums no actor can be pinned, so the targets are enough.
    let mut targets = None;
    let mut fitting = |available| {
        if minimum > 0 {
            return greatest_scale(available, modules);
        }
        Scale::fitting(available, *targets.get_or_insert_with(|| all(modules, target)))
    };
    let scale = fitting(available);
    match last {
        Some(last) if hysteresis.dead_band > 0 && last < scale => {
            let low = available.saturating_sub(hysteresis.reserved(available));
            last.max(fitting(low)).min(scale)
        }
        _ => scale,
    }
}

fn target<W: Modules + ?Sized>(modules: &mut W, index: usize) -> u64 {
    let see = |module: &mut ModuleView<'_>| (module.input.benefit_value, module.wide.total);
    let (value, total) = modules.visit(index, see).unwrap_or_default();
    value.target(total.unwrap_or_else(|| modules.map_reduce(index, &BenefitSumKernel)))
}

/// Returns the greatest scale at which all shares or minimums fit the available budget.
///
/// Each pass computes the demand at the current scale; the targets of actors that are not pinned divide the rest. This
/// is Newton's method on a piecewise linear function: nearly always a few passes, at most about 70.
#[inline(never)]
fn greatest_scale<W: Modules + ?Sized>(available: u64, modules: &mut W) -> Scale {
    let (mut scale, mut pinned) = (Scale::ONE, None);
    loop {
        let (mut demand, mut targets) = (Demand::default(), 0_u64);
        for index in 0..modules.count() {
            let found = modules.map_reduce(index, &DemandKernel(scale));
            let value = modules.visit(index, |module| module.input.benefit_value);
            targets = targets.saturating_add(value.unwrap_or_default().target(found.benefit));
            demand = demand.plus(found);
        }
        let left = available.saturating_sub(demand.minimum);
        scale = scale.min(Scale::fitting(left, targets));
        if pinned.replace(demand.pinned) == Some(demand.pinned) {
            return scale;
        }
    }
}
