//! The leftover budget over few actors, row by row.

use core::ops::Range;

use crate::benefit::Benefit;
use crate::budget::demand::ModuleInput;
use crate::budget::kernels::assign;
use crate::budget::kernels::terms::{LeftoverBudget, ShareTerms};
use crate::budget::module_view::{ModuleView, Modules, SceneSize, visit_upgrade};
use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeHeap};

/// Assigns the levels that shares pay, and spends the leftover budget; returns the cost in nanoseconds.
pub(super) fn spend_by_row<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    scale: Scale,
    hysteresis: Hysteresis,
    whole: Option<u64>,
    scratch: &mut [impl CandidateUpgrade],
) -> u64 {
    let (mut cost, mut shares) = (0_u64, 0_u64);
    for index in indices.clone() {
        cost = cost.saturating_add(assign(modules, index, ShareTerms { scale, hysteresis }));
        if whole.is_none() {
            let sum = modules.visit(index, |module| module.input.shares(scale));
            shares = shares.saturating_add(sum.unwrap_or(0));
        }
    }
    let mut budget = LeftoverBudget::new(whole.unwrap_or(shares), cost, hysteresis);
    let SceneSize { least_step, .. } = SceneSize::of(modules, indices.clone(), false);
    let least_step = u64::from(least_step);
    if budget.left < least_step {
        return cost;
    }
    // Rising actors come from the start of the scratch memory, actors that return to their previous level from its end.
    let (mut rising, mut end) = (0_usize, scratch.len());
    for index in indices {
        let Some(free) = scratch.get_mut(rising..end) else { break };
        let queue =
            |module: &mut ModuleView<'_>| module.queue_payable(index, hysteresis, budget, free);
        let (rises, returns) = modules.visit(index, queue).unwrap_or_default();
        (rising, end) = (rising.wrapping_add(rises), end.wrapping_sub(returns));
    }
    let whole = budget.left;
    let (others, returning) = scratch.split_at_mut_checked(end).unwrap_or_default();
    let rising = others.get_mut(..rising).unwrap_or_default();
    let (mut rising, mut returning) = (UpgradeHeap::new(rising), UpgradeHeap::new(returning));
    loop {
        // The dead band is left to returning actors.
        let next = rising.first().filter(|_| budget.free() >= least_step);
        let back = returning.first().filter(|_| budget.left >= least_step);
        let returns = match (next, back) {
            (Some(next), Some(back)) => back.key() < next.key(),
            (_, back) => back.is_some(),
        };
        let Some(upgrade) = (if returns { back } else { next }) else { break };
        let heap = if returns { &mut returning } else { &mut rising };
        heap.remove_first();
        let raise =
            |module: &mut ModuleView<'_>, row: usize| module.raise_row(row, returns, budget);
        let price = visit_upgrade(modules, &upgrade, raise).unwrap_or(0);
        budget.left = budget.left.saturating_sub(price);
    }
    cost.saturating_add(whole.wrapping_sub(budget.left))
}

impl ModuleView<'_> {
    /// Adds all rows of which the budget pays an upgrade: rising ones from the start, returning ones from the end. Returns
    /// their numbers.
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation)] // at most `MAX_ACTORS` rows and 65 536 modules
    fn queue_payable<U: CandidateUpgrade>(
        &self,
        number: usize,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
        mut free: &mut [U],
    ) -> (usize, usize) {
        let (places, mut returning) = (free.len(), 0_usize);
        let ModuleInput { ladders, ladder: kinds, benefits, continuous, .. } = self.input;
        let [all, unreserved] =
            [budget.left, budget.free()].map(|money| u32::try_from(money).unwrap_or(u32::MAX));
        // Continuous modules can be upgraded by any amount, so no margin applies, and most budgets pay a part.
        let margin = if continuous { 0 } else { hysteresis.margin };
        let discount = Hysteresis { margin, ..hysteresis };
        let (mut kind, mut ladder) = (0, ladders.ladder(0));
        for (row, (&benefit, &level)) in benefits.iter().zip(&*self.levels).enumerate() {
            // Neighbours mostly share a ladder.
            let other = kinds.at(row);
            if other != kind {
                (kind, ladder) = (other, ladders.ladder(other));
            }
            let previous = self.previous.get(row).copied().unwrap_or_default().level();
            let returns = hysteresis.returns(level, previous);
            let (key, money) =
                if returns { (benefit, all) } else { (discount.discounted(benefit), unreserved) };
            if key > Benefit::ZERO
                && (continuous || ladder.step_above(level).is_some_and(|step| step <= money))
            {
                let Some(id) = self.ids.get(row) else { break };
                let upgrade = U::of_actor(key.bits(), id, number as u16, row as u32, 0);
                let rest = core::mem::take(&mut free);
                let parts = if returns { rest.split_last_mut() } else { rest.split_first_mut() };
                let Some((place, rest)) = parts else { break };
                *place = upgrade;
                free = rest;
                returning = returning.wrapping_add(returns.into());
            }
        }
        (places.wrapping_sub(free.len()).wrapping_sub(returning), returning)
    }
}
