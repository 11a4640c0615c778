//! The count of upgrades from some benefits on.

use crate::benefit::Benefit;
use crate::budget::kernels::block::{BlockRows, Blocks, Indices, Reached};
use crate::budget::kernels::group::ROWS_PER_BLOCK;
use crate::budget::kernels::rows::assign_rows;
use crate::budget::kernels::tables::{LadderTables, StepTable, TableKernel};
use crate::budget::kernels::terms::ShareTerms;
use crate::budget::module_view::{ModuleView, PartialResult, adds_up};
use crate::budget::policy::Hysteresis;
use crate::budget::rate::BenefitRate;
use crate::budget::search::{PIVOTS, PivotCount};

pub(super) struct TallyKernel {
    pub(super) terms: ShareTerms,
    pub(super) has_shares: bool,
    pub(super) pivots: [u32; PIVOTS],
    /// One block in this many stands for all of them, if ladders fit tables.
    pub(super) stride: u32,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TallyResult {
    /// The cost of the levels that shares pay.
    pub(super) cost: u64,
    pub(super) shares: u64,
    /// The upgrades of all actors from each pivot on, and those back to previous levels.
    pub(super) all: [PivotCount; PIVOTS],
    pub(super) returning: [PivotCount; PIVOTS],
}

adds_up!(TallyResult: cost, shares, all, returning);

impl TableKernel for TallyKernel {
    type Partial = TallyResult;
    const ASSIGNS: bool = true;

    #[inline(always)]
    fn run_tables<const L: usize, const K: usize>(
        &self,
        part: &mut ModuleView<'_>,
        tables: &LadderTables<L, K>,
    ) -> TallyResult {
        let rate = BenefitRate::new(part.input.benefit_value, self.terms.scale);
        let (hysteresis, pivots) = (self.terms.hysteresis, self.pivots);
        let thresholds = StepTable::<L, K>::by_share(part.input.ladders, rate);
        let shares_of = self.has_shares.then(|| ShareSum::new(rate, tables));
        let mut result = TallyResult::default();
        for rows in Blocks::<L>::of(part, self.stride) {
            let reached = Reached::of(&rows, tables, &thresholds, hysteresis);
            let (indices, keys) = (reached.indices(), reached.keys(&rows, hysteresis));
            let (to, returns) = (reached.most(&rows, tables), reached.returns());
            result.cost = result.cost.wrapping_add(rows.cost(tables, &indices));
            let shares = shares_of.as_ref().map_or(0, |shares| shares.of(&rows, tables));
            result.shares = result.shares.wrapping_add(shares);
            let mut rests = [0_u32; ROWS_PER_BLOCK];
            if LadderTables::<L, K>::HAS_ONE {
                for (step, rise) in (1_u8..).zip(tables.rises()) {
                    for ((rest, &index), &to) in rests.iter_mut().zip(&indices).zip(&to) {
                        let is_missing = index < step && to >= step;
                        *rest = rest.wrapping_add(if is_missing { rise } else { 0 });
                    }
                }
            } else {
                for (((rest, &index), &to), &kind) in
                    rests.iter_mut().zip(&indices).zip(&to).zip(rows.ladder_bytes)
                {
                    *rest = tables.above(to, kind).wrapping_sub(tables.above(index, kind));
                }
            }
            for (all, pivot) in result.all.iter_mut().zip(pivots) {
                *all = all.plus(count(pivot, &keys, &rests));
            }
            if returns.iter().fold(0, |any, is| any | is) != 0 {
                // The others count below all pivots.
                let mut keys = keys;
                for (key, &returns) in keys.iter_mut().zip(&returns) {
                    *key = if returns != 0 { *key } else { 0 };
                }
                for (returning, pivot) in result.returning.iter_mut().zip(pivots) {
                    *returning = returning.plus(count(pivot, &keys, &rests));
                }
            }
        }
        for count in result.all.iter_mut().chain(&mut result.returning) {
            *count = count.times(self.stride.into());
        }
        result
    }

    fn run_rows(&self, part: &mut ModuleView<'_>) -> TallyResult {
        let cost = assign_rows(part, self.terms.scale, self.terms.hysteresis);
        let shares = if self.has_shares { part.input.shares(self.terms.scale) } else { 0 };
        let mut result = TallyResult { cost, shares, ..TallyResult::default() };
        for row in 0..part.input.benefits.len().min(part.levels.len()) {
            let upgrade = part.upgrade_of(row, self.terms.hysteresis);
            let one = PivotCount { cost: upgrade.rest, steps: 1 };
            let sums = result.all.iter_mut().zip(&mut result.returning).zip(self.pivots);
            for ((all, returning), _) in sums.filter(|(_, pivot)| upgrade.key >= *pivot) {
                *all = all.plus(one);
                if upgrade.returns {
                    *returning = returning.plus(one);
                }
            }
        }
        result
    }
}

/// Counts the upgrades of rows whose key is at least a pivot above 0.
#[inline(always)]
fn count(pivot: u32, keys: &[u32; ROWS_PER_BLOCK], rests: &[u32; ROWS_PER_BLOCK]) -> PivotCount {
    let (mut steps, mut cost) = (0_u32, 0_u64);
    for (&key, &rest) in keys.iter().zip(rests) {
        let is_above = key >= pivot;
        steps = steps.wrapping_add(is_above.into());
        cost = cost.wrapping_add(if is_above { rest.into() } else { 0 });
    }
    PivotCount { cost, steps: steps.into() }
}

impl Reached {
    /// Returns the benefits that count for an upgrade: the full one of rows that return.
    #[inline(always)]
    pub(super) fn keys(
        &self,
        rows: &BlockRows<'_>,
        hysteresis: Hysteresis,
    ) -> [u32; ROWS_PER_BLOCK] {
        let mut keys = [0_u32; ROWS_PER_BLOCK];
        let reached = self.full.iter().zip(&self.previous);
        for ((key, &benefit), (&full, &previous)) in keys.iter_mut().zip(rows.benefits).zip(reached)
        {
            let discounted = hysteresis.discounted(benefit).bits();
            *key = if full < previous { benefit.bits() } else { discounted };
        }
        keys
    }

    /// Returns the highest indices that rows may get.
    #[inline(always)]
    pub(super) fn most<const L: usize, const K: usize>(
        &self,
        rows: &BlockRows<'_>,
        tables: &LadderTables<L, K>,
    ) -> Indices {
        let mut most = [0_u8; ROWS_PER_BLOCK];
        let reached = self.full.iter().zip(&self.previous).zip(rows.ladder_bytes);
        for (most, ((&full, &previous), &kind)) in most.iter_mut().zip(reached) {
            *most = if full < previous { previous } else { tables.top(kind) };
        }
        most
    }
}

/// The sum of shares.
pub(super) struct ShareSum {
    rate: BenefitRate,
    /// The least benefit that is not pinned, if there is one ladder.
    free: u32,
}

impl ShareSum {
    pub(super) fn new<const L: usize, const K: usize>(
        rate: BenefitRate,
        tables: &LadderTables<L, K>,
    ) -> Self {
        Self { rate, free: rate.threshold_of_cost()(tables.minimum(0)) }
    }

    /// Returns the shares of a block, in nanoseconds.
    #[inline(always)]
    pub(super) fn of<const L: usize, const K: usize>(
        &self,
        rows: &BlockRows<'_>,
        tables: &LadderTables<L, K>,
    ) -> u64 {
        let Self { rate, free } = *self;
        let mut sum = 0_u64;
        if LadderTables::<L, K>::HAS_ONE {
            // Pinned actors have shares below the minimum.
            let mut pinned = 0_u32;
            for &benefit in rows.benefits {
                let is_free = benefit.bits() >= free;
                let counted = if is_free { benefit } else { Benefit::ZERO };
                sum = sum.wrapping_add(rate.share(counted));
                pinned = pinned.wrapping_add(u32::from(!is_free));
            }
            sum.wrapping_add(u64::from(pinned).wrapping_mul(tables.minimum(0).into()))
        } else {
            for (&benefit, &kind) in rows.benefits.iter().zip(rows.ladder_bytes) {
                sum = sum.wrapping_add(rate.share(benefit).max(tables.minimum(kind).into()));
            }
            sum
        }
    }
}
