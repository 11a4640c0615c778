use super::ask;
use super::find::{BestUnmarkedKernel, MarkKernel, Paid, UpgradeFilter};
use super::tables::Most;
use super::take::{AssignTotals, PriceWindow};
use crate::budget::MAX_ACTORS;
use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::optimal::Totals;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};

pub(super) const MANY: u64 = if cfg!(test) { 1 << 6 } else { 1 << 12 };

const STRIDE: u32 = 3;

pub(super) struct FillResult {
    pub(super) totals: Totals,
    served: u64,
    pub(super) has_missed: bool,
}

impl FillResult {
    pub(super) fn has_too_many(&self, found: u64) -> bool {
        !self.has_missed && found > self.served.saturating_mul(8).saturating_add(MANY / 2)
    }
}

/// Gives marked actors the levels at the price, and spends the rest by falling value, ties by lower id: first whole
/// next hull steps, then any better level. Returns the totals at the price and after spending.
pub(super) fn fill<W: Modules + ?Sized>(
    modules: &mut W,
    window: PriceWindow,
    taken: AssignTotals,
    available: u64,
    scratch: &mut [Upgrade],
) -> (Totals, FillResult) {
    let PriceWindow { low, high: price } = window;
    let (mut at_price, mut least_step, mut rows) = (taken.totals, u32::MAX, 0_u64);
    let is_few = taken.found <= MANY;
    for index in 0..modules.count() {
        modules.visit(index, |module| {
            if is_few {
                at_price = at_price.plus(module.take_if_found(price));
            }
            least_step = least_step.min(module.input.least_step());
            rows = rows.wrapping_add(module.input.benefits.len() as u64);
        });
    }
    let filled = FillResult { totals: at_price, served: 0, has_missed: false };
    let mut rest = Rest { available, least_step, rows, filled };
    let whole = Paid::Whole { price };
    if is_few {
        rest.serve(modules, low, whole, scratch);
    }
    let width = price.bits().saturating_sub(low.bits());
    rest.serve_below(modules, if is_few { low } else { price }, width, whole, scratch);
    rest.serve_below(modules, price, width, Paid::Any, scratch);
    (at_price, rest.filled)
}

struct Rest {
    available: u64,
    least_step: u32,
    rows: u64,
    filled: FillResult,
}

impl Rest {
    fn left(&self) -> u64 {
        self.available.saturating_sub(self.filled.totals.cost)
    }

    fn pays(&self) -> bool {
        self.left() >= u64::from(self.least_step)
    }

    fn serve_below<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        mut below: Price,
        mut width: u32,
        paid: Paid,
        scratch: &mut [Upgrade],
    ) {
        // If much budget remains, more actors are marked at once.
        let mut many = MANY;
        while self.pays() && !scratch.is_empty() {
            let Most(best) = ask(
                modules,
                &BestUnmarkedKernel(UpgradeFilter { below, paid, money: self.left() }),
            );
            if best < Price::MIN.bits() {
                return;
            }
            self.filled.has_missed = true;
            below = Price::from_bits(best.saturating_add(1));
            let wanted = UpgradeFilter { below, paid, money: self.left() };
            let (find, found) = loop {
                let low = best.saturating_sub(width).max(Price::MIN.bits());
                let find = MarkKernel { wanted, low: Price::from_bits(low), ids: 0..u32::MAX };
                let found = ask(modules, &find);
                if found <= many || width == 0 {
                    break (find, found);
                }
                width >>= STRIDE;
            };
            if found <= many {
                self.serve(modules, find.low, paid, scratch);
            } else {
                self.serve_by_ids(modules, &find, found, scratch);
            }
            below = find.low;
            if found <= many >> STRIDE {
                width = width.max(1).saturating_mul(1 << STRIDE);
            }
            many = many.saturating_mul(2).min(scratch.len() as u64).max(MANY);
        }
    }

    fn serve_by_ids<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        find: &MarkKernel,
        all: u64,
        scratch: &mut [Upgrade],
    ) {
        let &MarkKernel { wanted, low, .. } = find;
        let (mut from, mut stride) = (0_u32, 0_u32);
        while self.pays() && from <= MAX_ACTORS {
            // As many as the rest may pay, as if they were even among the ids.
            let payable = self.left() / u64::from(self.least_step).max(1);
            let part = self.rows.wrapping_mul(payable.clamp(MANY / 16, MANY * 4)) / all.max(1);
            let part = u32::try_from(part).unwrap_or(MAX_ACTORS).max(1);
            let to = from.saturating_add(part.saturating_mul(1 << stride));
            let wanted = UpgradeFilter { money: self.left(), ..wanted };
            if ask(modules, &MarkKernel { wanted, low, ids: from..to }) < MANY / 64 {
                stride = stride.saturating_add(2).min(8);
            }
            self.serve(modules, low, wanted.paid, scratch);
            from = to;
        }
    }

    fn serve<W: Modules + ?Sized>(
        &mut self,
        modules: &mut W,
        low: Price,
        paid: Paid,
        scratch: &mut [Upgrade],
    ) {
        if !self.pays() {
            return;
        }
        let mut upgrades = UpgradeQueue::new(scratch);
        for index in 0..modules.count() {
            modules.visit(index, |module| module.queue_marked_steps(index, low, &mut upgrades));
        }
        upgrades.visit(|upgrade| {
            let left = self.left();
            let more =
                modules.visit(upgrade.module(), |module| module.spend(upgrade.row(), left, paid));
            self.filled.totals = self.filled.totals.plus(more.unwrap_or_default());
            self.filled.served = self.filled.served.wrapping_add(1);
            self.pays()
        });
    }
}

impl ModuleView<'_> {
    fn spend(&mut self, row: usize, money: u64, paid: Paid) -> Totals {
        let value = |module: &Self| {
            module
                .options_of(row, Hysteresis::OFF)
                .map_or(0, |(actor, level_index)| actor.value(level_index))
        };
        let before = value(self);
        let cost = match paid {
            Paid::Whole { .. } => self.step(row, money, Hysteresis::OFF, 0),
            Paid::Any => self.climb(row, money, Hysteresis::OFF, 0),
        };
        self.assigned = self.assigned.wrapping_add(cost);
        Totals { cost, value: value(self).wrapping_sub(before) }
    }
}
