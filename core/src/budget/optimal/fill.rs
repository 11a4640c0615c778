//! The distribution of the budget that the price leaves over.

use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::options::ActorOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::slope::Slope;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};

/// Spends the rest on steps by falling break-even price, ties by lower id; returns the amount spent.
///
/// First every actor may take its next hull step, entirely or not at all, so that the first of equals does not take the
/// budget of two others; then any better level that fits.
pub(super) fn fill<W: Modules + ?Sized>(
    modules: &mut W,
    available: u64,
    spent: u64,
    hysteresis: Hysteresis,
    scratch: &mut [Upgrade],
) -> u64 {
    let steps = StepFilter { hysteresis, price: Price::MIN, whole: true };
    let spent = fill_steps(modules, available, spent, steps, scratch);
    fill_steps(modules, available, spent, StepFilter { whole: false, ..steps }, scratch)
}

#[derive(Clone, Copy)]
pub(super) struct StepFilter {
    pub(super) hysteresis: Hysteresis,
    pub(super) price: Price,
    pub(super) whole: bool,
}

pub(super) fn fill_steps<W: Modules + ?Sized>(
    modules: &mut W,
    available: u64,
    spent: u64,
    steps: StepFilter,
    scratch: &mut [Upgrade],
) -> u64 {
    let StepFilter { hysteresis, price, whole } = steps;
    let reserved = hysteresis.reserved(available);
    let leftover = available.saturating_sub(spent);
    if !pays_a_step(modules, leftover, reserved) {
        return spent;
    }
    let mut upgrades = UpgradeQueue::new(scratch);
    for index in 0..modules.count() {
        modules.visit(index, |module| module.queue_steps(index, &mut upgrades, hysteresis, price));
    }
    spent.saturating_add(upgrades.spend(leftover, reserved, |index, row, leftover| {
        let step = |module: &mut ModuleView<'_>| {
            if whole {
                module.step(row, leftover, hysteresis, reserved)
            } else {
                module.climb(row, leftover, hysteresis, reserved)
            }
        };
        modules.visit(index, step).unwrap_or(0)
    }))
}

fn pays_a_step<W: Modules + ?Sized>(modules: &mut W, leftover: u64, reserved: u64) -> bool {
    (0..modules.count()).any(|index| {
        let pays = modules.visit(index, |module| {
            let least = u64::from(module.input.least_step());
            let free = leftover.saturating_sub(reserved);
            free >= least || leftover >= least && module.comes_back()
        });
        pays == Some(true)
    })
}

pub(super) fn fill_fractions<W: Modules + ?Sized>(
    modules: &mut W,
    available: u64,
    spent: u64,
    hysteresis: Hysteresis,
    scratch: &mut [Upgrade],
) {
    let reserved = hysteresis.reserved(available);
    let mut upgrades = UpgradeQueue::new(scratch);
    for index in 0..modules.count() {
        modules.visit(index, |module| module.queue_fractions(index, &mut upgrades, hysteresis));
    }
    upgrades.spend(available.saturating_sub(spent), reserved, |index, row, leftover| {
        let raise = |module: &mut ModuleView<'_>| {
            module.upgrade_with_hysteresis(row, leftover, hysteresis, reserved)
        };
        modules.visit(index, raise).unwrap_or(0)
    });
}

impl ModuleView<'_> {
    fn comes_back(&self) -> bool {
        let previous = self.previous_levels();
        let mut levels = self.levels.iter().take(self.input.benefits.len()).enumerate();
        levels.any(|(row, &level)| previous.level(row).is_none_or(|last| level < last))
    }

    fn queue_steps(
        &self,
        number: usize,
        upgrades: &mut UpgradeQueue<'_>,
        hysteresis: Hysteresis,
        price: Price,
    ) {
        self.upgrade(number, upgrades, hysteresis, price, |actor, level_index| {
            (actor.slope_above(level_index), actor.cost(actor.highest()))
        });
    }

    fn queue_fractions(
        &self,
        number: usize,
        upgrades: &mut UpgradeQueue<'_>,
        hysteresis: Hysteresis,
    ) {
        if self.input.continuous {
            self.upgrade(number, upgrades, hysteresis, Price::MIN, |actor, level_index| {
                let next = level_index.wrapping_add(1);
                (Slope::between(actor.costs, actor.qualities, level_index, next), actor.cost(next))
            });
        }
    }

    fn upgrade(
        &self,
        number: usize,
        upgrades: &mut UpgradeQueue<'_>,
        hysteresis: Hysteresis,
        price: Price,
        step: impl Fn(&ActorOptions<'_>, usize) -> (Slope, u64),
    ) {
        upgrades.step(self.input.least_step());
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let rows = self.all_options(hysteresis).zip(self.ids).zip(0_u32..);
        for (((actor, level_index), &id), row) in rows {
            let (step, most) = step(&actor, level_index);
            let worth = actor.worth_of(step, level_index);
            if worth >= price {
                let rest = most.saturating_sub(actor.cost(level_index));
                let rest = u32::try_from(rest).unwrap_or(u32::MAX);
                upgrades.push(Upgrade::ranked(worth.bits(), id, number, row, rest));
            }
        }
    }

    pub(in crate::budget) fn step(
        &mut self,
        row: usize,
        leftover: u64,
        hysteresis: Hysteresis,
        reserved: u64,
    ) -> u64 {
        let Some((actor, level_index)) = self.options_of(row, hysteresis) else { return 0 };
        if actor.is_below_previous(level_index) {
            return self.climb(row, leftover, hysteresis, reserved);
        }
        let to = actor.step_above(level_index);
        let price = actor.cost(to).saturating_sub(actor.cost(level_index));
        let (_, money) = actor.reach(level_index, leftover, reserved);
        if price > money {
            return 0;
        }
        self.set_level_index(row, to);
        price
    }

    pub(in crate::budget) fn climb(
        &mut self,
        row: usize,
        leftover: u64,
        hysteresis: Hysteresis,
        reserved: u64,
    ) -> u64 {
        let Some((actor, level_index)) = self.options_of(row, hysteresis) else { return 0 };
        let (most, money) = actor.reach(level_index, leftover, reserved);
        let to = actor.best_above(level_index, most, money);
        let price = actor.cost(to).saturating_sub(actor.cost(level_index));
        self.set_level_index(row, to);
        price
    }
}
