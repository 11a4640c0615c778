//! The leftover budget over very many actors: those above a cutoff get their highest level in one pass, those near it
//! are upgraded in order, and below it the first of each level index.

use core::ops::Range;

use super::group::ROWS_PER_BLOCK;
use super::raise::UpgradeKernel;
use super::steps::TableShape;
use super::tally::{TallyKernel, TallyResult};
use crate::benefit::Benefit;
use crate::budget::cutoff::{CutoffSearch, MarkDepth, WarmStart};
use crate::budget::ladder::Ladders;
use crate::budget::lod::Lod;
use crate::budget::module_view::{ModuleView, Modules, PartialResult};
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};

pub(super) fn share_out<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    scale: Scale,
    whole: Option<u64>,
    scratch: &mut [Upgrade],
) -> u64 {
    let (mut rows, mut least_step, mut warm_start) = (0_u64, u32::MAX, None);
    for index in indices.clone() {
        modules.visit(index, |module| {
            rows = rows.wrapping_add(module.input.benefits.len() as u64);
            least_step = least_step.min(module.input.least_step());
            warm_start = warm_start.or(Some(module.wide.warm_start));
        });
    }
    let warm_start = warm_start.unwrap_or_default();
    let tally = |modules: &mut W, kernel: &TallyKernel| {
        let results = indices.clone().map(|index| modules.map_reduce(index, kernel));
        results.fold(TallyResult::default(), PartialResult::plus)
    };
    let kernel = TallyKernel { scale, has_shares: whole.is_none(), pivots: warm_start.pivots() };
    let TallyResult { cost, shares, mut wanted } = tally(modules, &kernel);
    let leftover = whole.unwrap_or(shares).saturating_sub(cost);
    if leftover < u64::from(least_step) {
        return raise(modules, indices, UpgradeKernel::none(scale));
    }
    let mut search = CutoffSearch::new(leftover, rows, warm_start);
    while !search.pass(wanted) {
        let kernel = TallyKernel { scale, has_shares: false, pivots: search.pivots() };
        wanted = tally(modules, &kernel).wanted;
    }
    let ((high, paid), reach) = (search.high(), warm_start.reach());
    // The first actor below the cutoff also takes a part of the budget.
    let low = search.low().saturating_sub(reach.below(search.low()));
    let cost = raise(modules, indices.clone(), UpgradeKernel { scale, high, low, reach });
    let window = LeftoverWindow { indices: indices.clone(), scale, low, reach, least_step };
    let served = window.serve(modules, leftover.wrapping_sub(paid), scratch);
    let next = served.warm_start(warm_start, high);
    modules.visit(indices.start, |module| module.wide.warm_start = next);
    cost.wrapping_add(served.spent)
}

fn raise<W: Modules + ?Sized>(
    modules: &mut W,
    indices: Range<usize>,
    kernel: UpgradeKernel,
) -> u64 {
    indices.fold(0, |sum: u64, index| {
        let cost = modules.map_reduce(index, &kernel);
        modules.visit(index, |module| {
            module.assigned = cost;
            // The levels are not those by share alone.
            module.wide.cached = super::CachedAssignment::default();
        });
        sum.wrapping_add(cost)
    })
}

struct LeftoverWindow {
    indices: Range<usize>,
    scale: Scale,
    low: u32,
    reach: MarkDepth,
    least_step: u32,
}

struct SpendResult {
    spent: u64,
    at: Option<u32>,
    found: usize,
    raised: usize,
    has_missed: bool,
}

impl SpendResult {
    fn warm_start(&self, last: WarmStart, high: u32) -> WarmStart {
        let too_many = self.found > self.raised.wrapping_mul(4).saturating_add(64);
        last.after(self.at.unwrap_or(high), self.has_missed, too_many)
    }
}

impl LeftoverWindow {
    fn serve<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        leftover: u64,
        scratch: &mut [Upgrade],
    ) -> SpendResult {
        let mut upgrades = UpgradeQueue::new(scratch);
        for index in self.indices.clone() {
            modules.visit(index, |module| module.queue_marked(index, &mut upgrades));
        }
        let (mut left, mut blind_below) = (leftover, u32::MAX);
        let mut served =
            SpendResult { spent: 0, at: None, found: upgrades.len(), raised: 0, has_missed: false };
        upgrades.visit(|upgrade| {
            if upgrade.benefit() < blind_below {
                blind_below = self.blind_below(modules, left);
                if upgrade.benefit() < blind_below {
                    served.has_missed = true;
                    return false;
                }
            }
            if upgrade.rest() > left {
                served.at = served.at.or(Some(upgrade.benefit()));
                return true;
            }
            let raise = |module: &mut ModuleView<'_>| {
                let price = module.raise(upgrade.row(), left);
                let level = module.levels.get(upgrade.row()).copied();
                (price, level == Some(module.input.ladder_of(upgrade.row()).highest()))
            };
            let (price, is_highest) = modules.visit(upgrade.module(), raise).unwrap_or((0, true));
            left = left.saturating_sub(price);
            served.raised = served.raised.wrapping_add(1);
            if !is_highest {
                served.at = served.at.or(Some(upgrade.benefit()));
            }
            left >= u64::from(self.least_step)
        });
        if left >= u64::from(self.least_step) && self.blind_below(modules, left) > 0 {
            served.has_missed = true;
            left = left.saturating_sub(self.serve_all(modules, left, scratch));
        }
        served.spent = leftover.wrapping_sub(left);
        served
    }

    fn blind_below<W: Modules + ?Sized>(&self, modules: &mut W, leftover: u64) -> u32 {
        self.indices.clone().fold(0, |most, index| {
            let see = |module: &mut ModuleView<'_>| {
                module.blind_below(self.scale, self.low, self.reach, leftover)
            };
            most.max(modules.visit(index, see).unwrap_or(0))
        })
    }

    fn serve_all<W: Modules + ?Sized>(
        &self,
        modules: &mut W,
        leftover: u64,
        scratch: &mut [Upgrade],
    ) -> u64 {
        let mut upgrades = UpgradeQueue::new(scratch);
        for index in self.indices.clone() {
            modules.visit(index, |module| {
                super::general::keep_all(module);
                module.queue_payable(index, leftover, &mut upgrades);
            });
        }
        upgrades.spend(leftover, 0, |index, row, leftover| {
            modules.visit(index, |module| module.raise(row, leftover)).unwrap_or(0)
        })
    }
}

impl ModuleView<'_> {
    pub(super) fn queue_marked(&self, number: usize, upgrades: &mut UpgradeQueue<'_>) {
        upgrades.step(self.input.least_step());
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for (group, first) in self.wide.groups.iter().zip((0_usize..).step_by(ROWS_PER_BLOCK)) {
            let mut found = group.found;
            while found != 0 {
                let row = first.wrapping_add(found.trailing_zeros() as usize);
                found &= found.wrapping_sub(1);
                let benefit = self.input.benefits.get(row).copied().unwrap_or_default();
                let id = self.ids.get(row).copied().unwrap_or(0);
                let step = self.next_step(row);
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                upgrades.push(Upgrade::new(benefit, id, number, row, step));
            }
        }
    }

    fn next_step(&self, row: usize) -> u32 {
        let ladder = self.input.ladder_of(row);
        let level = self.levels.get(row).copied().unwrap_or(0);
        if self.input.continuous {
            return 0;
        }
        let now = ladder.cost(Lod::new(level, 0));
        let next = ladder.costs().iter().find(|&&cost| cost > now);
        next.map_or(u32::MAX, |next| next.wrapping_sub(now))
    }

    pub(super) fn blind_below(
        &self,
        scale: Scale,
        low: u32,
        reach: MarkDepth,
        leftover: u64,
    ) -> u32 {
        if self.wide.groups.len() < self.input.benefits.len().div_ceil(ROWS_PER_BLOCK) {
            return u32::MAX;
        }
        // If ladders fit no table, all actors are marked.
        let Some(shape) = TableShape::of(self) else { return 0 };
        let threshold = BenefitRate::new(self.input.benefit_value, scale).threshold_of_cost();
        let ladders = shape.ladders();
        let mut blind = 0;
        for &span in ladders.spans {
            let costs = Ladders::part(span, ladders.costs);
            let minimum = costs.first().copied().unwrap_or(0);
            // Actors from one threshold to below the next have the level index between them.
            for pair in costs.windows(2) {
                let &[here, next] = pair else { continue };
                let from = if here == minimum { 1 } else { threshold(here).max(1) };
                let next_at = threshold(next);
                let visible_from = next_at.saturating_sub(reach.below(next_at)).min(low);
                let step = u64::from(next.wrapping_sub(here));
                if step > 0 && step <= leftover && from < visible_from {
                    blind = blind.max(visible_from);
                }
            }
        }
        blind
    }

    pub(super) fn queue_payable(
        &self,
        number: usize,
        leftover: u64,
        upgrades: &mut UpgradeQueue<'_>,
    ) {
        upgrades.step(self.input.least_step());
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let fractions = self.fractions.iter().copied().chain(core::iter::repeat(0));
        let lods = self.levels.iter().zip(fractions);
        let lods = lods.map(|(&level, fraction)| Lod::new(level, fraction));
        let rows = self.input.rows().zip(lods).zip(self.ids).zip(0_u32..);
        for ((((ladder, benefit), lod), &id), row) in rows {
            if benefit > Benefit::ZERO && ladder.raise(lod, leftover, self.input.continuous).1 > 0 {
                let rest = ladder.maximum().saturating_sub(ladder.cost(lod));
                upgrades.push(Upgrade::new(benefit, id, number, row, rest));
            }
        }
    }
}
