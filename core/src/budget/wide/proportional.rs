//! The document's policy over very many actors.

use super::assign::assign;
use super::claims::{BenefitSumKernel, DemandKernel, MinimumKernel, SwitchKernel};
use super::leftovers::spend_leftovers;
use super::terms::ShareTerms;
use crate::budget::decision::Decision;
use crate::budget::demand::Demand;
use crate::budget::frame_budget::FrameBudget;
use crate::budget::last::Carryover;
use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::policy::{Leftovers, Request};
use crate::budget::proportional::{greatest_scale, scale};
use crate::budget::scale::Scale;
use crate::budget::upgrade_limit::limit_upgrades;
use crate::budget::upgrade_queue::Upgrade;

pub(in crate::budget) fn proportional<W: Modules + ?Sized>(
    request: &Request,
    leftovers: Leftovers,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: &mut [Upgrade],
) -> Decision {
    let indices = 0..modules.count();
    let minimum = all(modules, |modules, index| modules.map_reduce(index, &MinimumKernel));
    let frame = FrameBudget::of(request, minimum);
    let FrameBudget { available, overcommit, .. } = frame;
    // Without minimums no actor can be pinned, so the targets are enough.
    let mut targets = None;
    let scale = scale(frame, request.hysteresis, carryover.scale, |available| {
        if minimum > 0 {
            return search(available, modules);
        }
        Scale::fitting(available, *targets.get_or_insert_with(|| all(modules, target)))
    });
    carryover.scale = Some(scale);
    let terms = ShareTerms { scale, hysteresis: request.hysteresis };
    let assigned = match leftovers {
        _ if overcommit > 0 => all(modules, |modules, index| assign(modules, index, terms)),
        Leftovers::Keep => all(modules, |modules, index| assign(modules, index, terms)),
        Leftovers::WithinModule => all(modules, |modules, index| {
            spend_leftovers(modules, index..index.wrapping_add(1), terms, None, scratch)
        }),
        Leftovers::AcrossModules => spend_leftovers(modules, indices, terms, None, scratch),
        Leftovers::WholeBudget => {
            spend_leftovers(modules, indices, terms, Some(available), scratch)
        }
    };
    let saved = limit_upgrades(request, modules, scratch).cost;
    let assigned = assigned.saturating_sub(saved);
    let switches = all(modules, |modules, index| modules.map_reduce(index, &SwitchKernel));
    let switches = u32::try_from(switches).unwrap_or(u32::MAX);
    Decision { available, overcommit, minimum, scale, assigned, switches, ..Decision::default() }
}

fn all<W: Modules + ?Sized>(modules: &mut W, mut of: impl FnMut(&mut W, usize) -> u64) -> u64 {
    (0..modules.count()).fold(0, |sum: u64, index| sum.saturating_add(of(modules, index)))
}

fn target<W: Modules + ?Sized>(modules: &mut W, index: usize) -> u64 {
    let see = |module: &mut ModuleView<'_>| (module.input.benefit_value, module.wide.total);
    let (value, total) = modules.visit(index, see).unwrap_or_default();
    value.target(total.unwrap_or_else(|| modules.map_reduce(index, &BenefitSumKernel)))
}

fn search<W: Modules + ?Sized>(available: u64, modules: &mut W) -> Scale {
    greatest_scale(available, |scale| {
        let (mut demand, mut targets) = (Demand::default(), 0_u64);
        for index in 0..modules.count() {
            let found = modules.map_reduce(index, &DemandKernel(scale));
            let value = modules.visit(index, |module| module.input.benefit_value);
            targets = targets.saturating_add(value.unwrap_or_default().target(found.benefit));
            demand = demand.plus(found);
        }
        (demand, targets)
    })
}
