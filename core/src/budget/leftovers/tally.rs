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
        // Steps from each pivot on, if there is one ladder.
        let (mut taken, mut taken_back) = ([[0; K]; PIVOTS], [[0; K]; PIVOTS]);
        for rows in Blocks::<L>::of(part, self.stride) {
            let reached = Reached::of(&rows, tables, &thresholds, hysteresis);
            let (indices, keys) = (reached.indices(), reached.keys(&rows, hysteresis));
            let (to, returns) = (reached.most(&rows, tables), reached.returns());
            result.cost = result.cost.wrapping_add(rows.cost(tables, &indices));
            let shares = shares_of.as_ref().map_or(0, |shares| shares.of(&rows, tables));
            result.shares = result.shares.wrapping_add(shares);
            let has_returns = returns.iter().fold(0, |any, is| any | is) != 0;
            if LadderTables::<L, K>::HAS_ONE {
                let mut missing = [[0_u8; ROWS_PER_BLOCK]; K];
                for (missing, step) in missing.iter_mut().zip(1_u8..) {
                    for ((missing, &index), &to) in missing.iter_mut().zip(&indices).zip(&to) {
                        *missing = u8::from(index < step) & u8::from(to >= step);
                    }
                }
                let counts = result.all.iter_mut().zip(&mut taken);
                let back = result.returning.iter_mut().zip(&mut taken_back);
                for ((&pivot, (all, taken)), (returning, back)) in
                    pivots.iter().zip(counts).zip(back)
                {
                    let mut above = [0_u8; ROWS_PER_BLOCK];
                    for (above, &key) in above.iter_mut().zip(&keys) {
                        *above = u8::from(key >= pivot);
                    }
                    all.steps = all.steps.wrapping_add(count(&above, &missing, taken));
                    if has_returns {
                        for (above, &returns) in above.iter_mut().zip(&returns) {
                            *above &= returns;
                        }
                        returning.steps =
                            returning.steps.wrapping_add(count(&above, &missing, back));
                    }
                }
            } else {
                let mut rests = [0_u32; ROWS_PER_BLOCK];
                for (((rest, &index), &to), &kind) in
                    rests.iter_mut().zip(&indices).zip(&to).zip(rows.ladder_bytes)
                {
                    *rest = tables.above(to, kind).wrapping_sub(tables.above(index, kind));
                }
                let counts = result.all.iter_mut().zip(&mut result.returning);
                for (&pivot, (all, returning)) in pivots.iter().zip(counts) {
                    for ((&key, &rest), &returns) in keys.iter().zip(&rests).zip(&returns) {
                        let is_above = key >= pivot;
                        let one = PivotCount {
                            cost: if is_above { rest.into() } else { 0 },
                            steps: is_above.into(),
                        };
                        *all = all.plus(one);
                        if has_returns && returns != 0 {
                            *returning = returning.plus(one);
                        }
                    }
                }
            }
        }
        if LadderTables::<L, K>::HAS_ONE {
            for (count, taken) in result.all.iter_mut().zip(taken) {
                count.cost = tables.cost_of_steps(taken);
            }
            for (count, taken) in result.returning.iter_mut().zip(taken_back) {
                count.cost = tables.cost_of_steps(taken);
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

/// Adds the steps that the flagged rows miss; returns the number of flagged rows.
#[inline(always)]
fn count<const K: usize>(flags: &Indices, missing: &[Indices; K], taken: &mut [u64; K]) -> u64 {
    let rows = flags.iter().fold(0_u8, |sum, &is| sum.wrapping_add(is));
    if rows > 0 {
        for (taken, missing) in taken.iter_mut().zip(missing) {
            let pairs = flags.iter().zip(missing);
            let few = pairs.fold(0_u8, |sum, (is, missing)| sum.wrapping_add(is & missing));
            *taken = taken.wrapping_add(few.into());
        }
    }
    rows.into()
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
