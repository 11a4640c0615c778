//! The leftover budget over few actors, row by row.

use core::ops::Range;

use crate::budget::kernels::assign;
use crate::budget::kernels::terms::LeftoverBudget;
use crate::budget::module_view::{ModuleView, Modules, SceneSize};
use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeQueue};

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
        cost = cost.saturating_add(assign(modules, index, scale, hysteresis));
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
    let mut upgrades = UpgradeQueue::new(scratch);
    for index in indices {
        modules.visit(index, |module| module.queue_payable(index, hysteresis, budget, &mut upgrades));
    }
    let whole = budget.left;
    upgrades.visit(|upgrade| {
        let raise = |module: &mut ModuleView<'_>| module.upgrade_row(upgrade.row(), hysteresis, budget);
        let price = modules.visit(upgrade.module(), raise).unwrap_or(0);
        budget.left = budget.left.saturating_sub(price);
        budget.left >= least_step
    });
    cost.saturating_add(whole.wrapping_sub(budget.left))
}

impl ModuleView<'_> {
    /// Adds all rows of which the budget pays an upgrade.
    #[inline(never)]
    fn queue_payable(
        &self,
        number: usize,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
        upgrades: &mut UpgradeQueue<'_, impl CandidateUpgrade>,
    ) {
        for row in 0..self.input.benefits.len() {
            if let Some(key) = self.payable_step(row, hysteresis, budget) {
                self.queue(upgrades, (number, row), key.bits(), 0);
            }
        }
    }
}
