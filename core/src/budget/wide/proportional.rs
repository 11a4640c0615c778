//! The document's policy over very many actors.

use super::assign::assign;
use super::claims::{BenefitSumKernel, DemandKernel, MinimumKernel, SwitchKernel};
use super::leftovers::share_out;
use crate::budget::decision::Decision;
use crate::budget::demand::Demand;
use crate::budget::frame_budget::FrameBudget;
use crate::budget::last::Standing;
use crate::budget::module_view::{Book, Walk};
use crate::budget::policy::{Leftovers, Request};
use crate::budget::scale::Scale;
use crate::budget::upgrade_queue::Bid;

/// Divides a budget as [`proportional`](crate::budget::proportional) does where no past counts.
pub(in crate::budget) fn proportional<W: Walk + ?Sized>(
    request: &Request,
    leftovers: Leftovers,
    standing: &mut Standing,
    modules: &mut W,
    room: &mut [Bid],
) -> Decision {
    let indices = 0..modules.accounts();
    let minimum = all(modules, |modules, index| modules.ask(index, &MinimumKernel));
    let frame = FrameBudget::of(request, minimum);
    let FrameBudget { available, overcommit, .. } = frame;
    let scale = if overcommit > 0 {
        Scale::ZERO
    } else if minimum > 0 {
        search(available, modules)
    } else {
        Scale::fitting(available, all(modules, target))
    };
    standing.scale = Some(scale);
    let assigned = match leftovers {
        _ if overcommit > 0 => all(modules, |modules, index| assign(modules, index, scale)),
        Leftovers::Keep => all(modules, |modules, index| assign(modules, index, scale)),
        Leftovers::WithinModule => all(modules, |modules, index| {
            share_out(modules, index..index.wrapping_add(1), scale, None, room)
        }),
        Leftovers::AcrossModules => share_out(modules, indices, scale, None, room),
        Leftovers::WholeBudget => share_out(modules, indices, scale, Some(available), room),
    };
    let flips = all(modules, |modules, index| modules.ask(index, &SwitchKernel));
    let flips = u32::try_from(flips).unwrap_or(u32::MAX);
    Decision { available, overcommit, minimum, scale, assigned, flips, ..Decision::default() }
}

/// The sum over all accounts.
fn all<W: Walk + ?Sized>(modules: &mut W, mut of: impl FnMut(&mut W, usize) -> u64) -> u64 {
    (0..modules.accounts()).fold(0, |sum: u64, index| sum.saturating_add(of(modules, index)))
}

/// Returns the target of all actors of a module together, in nanoseconds.
fn target<W: Walk + ?Sized>(modules: &mut W, index: usize) -> u64 {
    let see = |module: &mut Book<'_>| (module.account.benefit_value, module.crowd.total);
    let (value, total) = modules.visit(index, see).unwrap_or_default();
    value.target(total.unwrap_or_else(|| modules.ask(index, &BenefitSumKernel)))
}

/// Returns the greatest scale at which all shares, or minimums if those are more, fit the available budget.
fn search<W: Walk + ?Sized>(available: u64, modules: &mut W) -> Scale {
    crate::budget::proportional::greatest_scale(available, |scale| {
        let (mut demand, mut targets) = (Demand::default(), 0_u64);
        for index in 0..modules.accounts() {
            let found = modules.ask(index, &DemandKernel(scale));
            let value = modules.visit(index, |module| module.account.benefit_value);
            targets = targets.saturating_add(value.unwrap_or_default().target(found.benefit));
            demand = demand.plus(found);
        }
        (demand, targets)
    })
}
