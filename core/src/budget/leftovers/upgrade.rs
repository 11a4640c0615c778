//! The assignment of levels, with upgrades from some benefits on.

use super::tally::ShareSum;
use crate::benefit::Benefit;
use crate::budget::kernels::block::{BlockRows, Blocks, Reached};
use crate::budget::kernels::group::ROWS_PER_BLOCK;
use crate::budget::kernels::rows::assign_rows;
use crate::budget::kernels::tables::{LadderTables, StepTable, TableKernel};
use crate::budget::kernels::terms::{Cutoffs, UpgradeKernel};
use crate::budget::module_view::{ModuleView, PartialResult, adds_up};
use crate::budget::rate::BenefitRate;

impl Cutoffs {
    /// Makes the cutoffs of a window; all actors that return below it are upgraded.
    pub(super) const fn new(high: u32, low: u32) -> Self {
        Self { high, low, mixed_low: low, returning_high: 1, returning_low: 1 }
    }

    /// Takes the window of returning actors.
    pub(super) fn with_returning(self, (high, low): (u32, u32)) -> Self {
        let below = |at: u32| at.min(self.mixed_low);
        Self { returning_high: below(high), returning_low: below(low), ..self }
    }

    /// Whether a returning actor below the window is upgraded with all others.
    #[inline(always)]
    const fn returns(self, key: u32) -> bool {
        key < self.mixed_low && key >= self.returning_high
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UpgradeResult {
    /// The cost of the levels that shares pay, and the shares.
    pub(super) base: u64,
    pub(super) shares: u64,
    /// The cost of all levels.
    pub(super) cost: u64,
    /// The part of it that returning actors below the window took.
    pub(super) returned: u64,
    /// The number of marked rows in blocks; rows that are processed one by one are all marked.
    pub(super) found: u64,
}

adds_up!(UpgradeResult: base, shares, cost, returned, found);

impl TableKernel for UpgradeKernel {
    type Partial = UpgradeResult;
    const ASSIGNS: bool = true;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> UpgradeResult {
        let rate = BenefitRate::new(part.input.benefit_value, self.terms.scale);
        let thresholds = StepTable::<L, K>::by_share(part.input.ladders, rate);
        let threshold = rate.threshold_of_cost();
        let (low, ladders) = (self.cutoffs.low, part.input.ladders);
        // The benefits below which rows are marked: the thresholds, or the end of the window; and to what depth.
        let near_at = StepTable::<L, K>::by_cost(ladders, |_, cost| threshold(cost).min(low));
        let near = StepTable::<L, K>::by_cost(ladders, |step, cost| {
            self.depth(step, threshold(cost).min(low))
        });
        let shares_of = self.has_shares.then(|| ShareSum::new(rate, tables));
        let (cutoffs, hysteresis) = (self.cutoffs, self.terms.hysteresis);
        let mut result = UpgradeResult::default();
        for mut rows in Blocks::<L>::of(part, 1) {
            if self.is_repeated
                && let Some([base, shares, cost, returned, found, ..]) = rows.known_totals()
            {
                result = result.plus(UpgradeResult { base, shares, cost, returned, found });
                continue;
            }
            let reached = Reached::of(&rows, tables, &thresholds, hysteresis);
            let mut indices = reached.indices();
            let base = rows.cost(tables, &indices);
            let shares = shares_of.as_ref().map_or(0, |shares| shares.of(&rows, tables));
            let (keys, most) = (reached.keys(&rows, hysteresis), reached.most(&rows, tables));
            let lowest = cutoffs.mixed_low.min(cutoffs.returning_low);
            let (mut found, mut back) = ([0_u8; ROWS_PER_BLOCK], [0_u8; ROWS_PER_BLOCK]);
            let flags = indices.iter_mut().zip(&mut found).zip(&mut back);
            let inputs = reached.returns().into_iter().zip(most).zip(keys).zip(rows.ladder_bytes);
            for (((index, found), back), (((returns, most), key), &kind)) in flags.zip(inputs) {
                let low = if returns != 0 { lowest } else { cutoffs.low };
                let is_above = key >= cutoffs.high;
                let is_near = near_at.is_just_below(Benefit::from_bits(key), kind, &near);
                let is_wanted = u8::from(*index < most) & u8::from(key > 0);
                *back = u8::from(cutoffs.returns(key)) & returns & is_wanted;
                let is_marked = u8::from(key >= low) | (u8::from(is_near) & (returns ^ 1));
                *found = is_marked & u8::from(!is_above) & is_wanted & (*back ^ 1);
                *index = if is_above { most } else { *index };
            }
            let (mut cost, mut returned) = (rows.cost(tables, &indices), 0);
            if back.iter().fold(0, |any, is| any | is) != 0 {
                for ((index, &back), most) in indices.iter_mut().zip(&back).zip(most) {
                    *index = if back != 0 { most } else { *index };
                }
                let without = cost;
                cost = rows.cost(tables, &indices);
                returned = cost.wrapping_sub(without);
            }
            rows.set(tables, &indices);
            let found = BlockRows::bits(&found);
            rows.mark(found);
            let found = found.count_ones().into();
            rows.store(|| [base, shares, cost, returned, found, 0, 0, 0]);
            result = result.plus(UpgradeResult { base, shares, cost, returned, found });
        }
        result
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> UpgradeResult {
        let Self { terms, cutoffs, has_shares, .. } = *self;
        let base = assign_rows(part, terms.scale, terms.hysteresis);
        let shares = if has_shares { part.input.shares(terms.scale) } else { 0 };
        let mut result = UpgradeResult { base, shares, cost: base, ..UpgradeResult::default() };
        for row in 0..part.input.benefits.len().min(part.levels.len()) {
            let upgrade = part.upgrade_of(row, terms.hysteresis);
            let is_wanted = upgrade.key > 0 && upgrade.rest > 0;
            let is_back = upgrade.returns && cutoffs.returns(upgrade.key);
            let is_upgraded = is_wanted && (is_back || upgrade.key >= cutoffs.high);
            if is_upgraded {
                part.raise_to(row, part.input.ladder_of(row), u64::MAX, upgrade.most);
                result.cost = result.cost.wrapping_add(upgrade.rest);
                result.returned =
                    result.returned.wrapping_add(if is_back { upgrade.rest } else { 0 });
            }
            // All others are marked, as there is no threshold to be near.
            let is_marked = is_wanted && !is_upgraded;
            part.wide.mark(row, is_marked);
        }
        result
    }
}

impl UpgradeKernel {
    /// Returns the depth below the threshold of a level to which rows are marked.
    pub(super) fn depth(&self, step: u32, threshold: u32) -> u32 {
        if step <= self.likely_step { self.reach.below(threshold) } else { 0 }
    }
}
