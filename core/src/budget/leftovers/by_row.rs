//! The leftover budget over few actors, row by row.
//!
//! Most often it pays few upgrades: each next actor is then found by a pass, without sorting.

use core::ops::Range;

use crate::benefit::Benefit;
use crate::budget::kernels::assign;
use crate::budget::kernels::terms::LeftoverBudget;
use crate::budget::module_view::{ModuleView, Modules, SceneSize};
use crate::budget::policy::Hysteresis;
use crate::budget::scale::Scale;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeQueue, UpgradeSink};

/// A leftover budget of at most so many times the greatest cost of an actor, as a shift, pays few upgrades.
const LITTLE: u32 = 3;
/// The number of passes after which all other actors are sorted.
const PASSES: usize = 16;
/// The number of actors that a pass with hysteresis finds. Without it, one actor is cheaper.
const FEW: usize = 3;

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
    let budget = LeftoverBudget::new(whole.unwrap_or(shares), cost, hysteresis);
    let SceneSize { least_step, greatest_cost, .. } = SceneSize::of(modules, indices.clone(), true);
    let mut spending =
        Spending { scale, budget, greatest: Benefit::MAX.bits(), least_step: least_step.into() };
    let is_little = budget.left >> LITTLE <= u64::from(greatest_cost);
    let mut passes = if is_little { 0..PASSES } else { 0..0 };
    let has_ended = passes.any(|_| {
        let indices = indices.clone();
        !if hysteresis.is_on() {
            spending.upgrade_next::<W, FEW>(modules, indices, hysteresis)
        } else {
            spending.upgrade_next::<W, 1>(modules, indices, Hysteresis::OFF)
        }
    });
    if !has_ended {
        spending.upgrade_in_order(modules, indices, hysteresis, scratch);
    }
    cost.saturating_add(budget.left.wrapping_sub(spending.budget.left))
}

/// The state after some upgrades.
struct Spending {
    scale: Scale,
    budget: LeftoverBudget,
    /// The benefit that counted for the last upgrade; that of the next is at most as great.
    greatest: u32,
    least_step: u64,
}

// Hysteresis is an argument of its own, so that firmware without it does not link that code.
impl Spending {
    /// Finds and upgrades the next few actors; returns whether there may be others.
    fn upgrade_next<W: Modules + ?Sized, const N: usize>(
        &mut self,
        modules: &mut W,
        indices: Range<usize>,
        hysteresis: Hysteresis,
    ) -> bool {
        if self.budget.left < self.least_step {
            return false;
        }
        let mut next = [NextUpgrade::default(); N];
        for index in indices {
            modules.visit(index, |module| module.seek(index, self, hysteresis, &mut next));
        }
        for &NextUpgrade { key, index, row, .. } in next.iter().filter(|next| next.key > 0) {
            self.greatest = key;
            self.upgrade(modules, index, row, hysteresis);
        }
        next.iter().all(|next| next.key > 0)
    }

    fn upgrade<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        index: usize,
        row: usize,
        hysteresis: Hysteresis,
    ) {
        let budget = self.budget;
        let raise = |module: &mut ModuleView<'_>| module.upgrade_row(row, hysteresis, budget);
        let price = modules.visit(index, raise).unwrap_or(0);
        self.budget.left = self.budget.left.saturating_sub(price);
    }

    /// Sorts all other actors that the budget may pay, and upgrades them.
    fn upgrade_in_order<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        indices: Range<usize>,
        hysteresis: Hysteresis,
        scratch: &mut [impl CandidateUpgrade],
    ) {
        let mut upgrades = UpgradeQueue::new(scratch);
        for index in indices {
            let queue = |module: &mut ModuleView<'_>| {
                module.queue_payable(index, self, hysteresis, &mut upgrades);
            };
            modules.visit(index, queue);
        }
        upgrades.visit(|upgrade| {
            self.upgrade(modules, upgrade.module(), upgrade.row(), hysteresis);
            self.budget.left >= self.least_step
        });
    }
}

#[derive(Clone, Copy, Default)]
struct NextUpgrade {
    key: u32,
    id: u32,
    index: usize,
    row: usize,
}

impl ModuleView<'_> {
    /// Finds the actors that come before those in `next`, and not before the last upgrade.
    #[inline(never)]
    fn seek<const N: usize>(
        &self,
        number: usize,
        spending: &Spending,
        hysteresis: Hysteresis,
        next: &mut [NextUpgrade; N],
    ) {
        let &Spending { scale, budget, greatest, .. } = spending;
        let ladders = self.input.ladders;
        let least = |next: &[NextUpgrade; N]| next.last().map_or(1, |last| last.key.max(1));
        let (first, mut most) = (ladders.ladder(0), least(next));
        for (benefit, row) in self.input.benefits.iter().zip(0_usize..) {
            // Nearly all actors are skipped here: at most their whole benefit counts, and at least the discounted one.
            if benefit.bits() < most {
                continue;
            }
            let mut key = benefit.bits();
            if N > 1 {
                key = hysteresis.discounted(*benefit).bits();
            }
            if key > greatest {
                continue;
            }
            let ladder = self.input.ladder.get(row).map_or(first, |&id| ladders.ladder(id));
            if !self.pays_step(ladder, row, budget.left) {
                continue;
            }
            if N > 1 {
                let counted = self.payable_with_hysteresis(ladder, row, scale, hysteresis, budget);
                let Some(counted) = counted else { continue };
                key = counted.bits();
            }
            let Some(&id) = self.ids.get(row) else { return };
            let mut moved = NextUpgrade { key, id, index: number, row };
            for place in &mut *next {
                if (moved.key, place.id) > (place.key, moved.id) {
                    core::mem::swap(place, &mut moved);
                }
            }
            most = least(next);
        }
    }

    /// Adds all rows that the budget pays.
    fn queue_payable(
        &self,
        number: usize,
        spending: &Spending,
        hysteresis: Hysteresis,
        upgrades: &mut dyn UpgradeSink,
    ) {
        let &Spending { scale, budget, .. } = spending;
        for row in 0..self.input.benefits.len() {
            if let Some(key) = self.payable(row, scale, hysteresis, budget) {
                self.queue(upgrades, (number, row), key.bits(), 0);
            }
        }
    }
}
