use super::general::keep_all;
use super::steps::{FLUSH_ROWS, StepTables, TableKernel, TableShape};
use crate::benefit::Benefit;
use crate::budget::cutoff::{CutoffCount, PIVOTS};
use crate::budget::lod::Lod;
use crate::budget::module_view::{Kernel, ModuleView, PartialResult};
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;

pub(super) struct TallyKernel {
    pub(super) scale: Scale,
    pub(super) has_shares: bool,
    pub(super) pivots: [u32; PIVOTS],
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TallyResult {
    pub(super) cost: u64,
    pub(super) shares: u64,
    pub(super) wanted: [CutoffCount; PIVOTS],
}

impl PartialResult for TallyResult {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            cost: self.cost.wrapping_add(other.cost),
            shares: self.shares.wrapping_add(other.shares),
            wanted: plus(self.wanted, other.wanted),
        }
    }
}

#[inline(always)]
fn plus(mut sums: [CutoffCount; PIVOTS], more: [CutoffCount; PIVOTS]) -> [CutoffCount; PIVOTS] {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum = sum.plus(more);
    }
    sums
}

impl Kernel for TallyKernel {
    type Partial = TallyResult;

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> TallyResult {
        let rate = BenefitRate::new(part.input.benefit_value, self.scale);
        let Some(shape) = TableShape::of(part) else { return self.row_by_row(part) };
        let threshold = rate.threshold_of_cost();
        shape.run(|_, cost| threshold(cost), Count { part, kernel: self, rate })
    }
}

impl TallyKernel {
    fn row_by_row(&self, part: &mut ModuleView<'_>) -> TallyResult {
        keep_all(part);
        let cost = part.assign(self.scale);
        let shares = if self.has_shares { part.input.shares(self.scale) } else { 0 };
        let fractions = part.fractions.iter().copied().chain(core::iter::repeat(0));
        let lods = part.levels.iter().zip(fractions);
        let mut wanted = [CutoffCount::default(); PIVOTS];
        for ((ladder, benefit), (&level, fraction)) in part.input.rows().zip(lods) {
            let rest = ladder.maximum().saturating_sub(ladder.cost(Lod::new(level, fraction)));
            for (sum, pivot) in wanted.iter_mut().zip(self.pivots) {
                if benefit.bits() >= pivot {
                    *sum = sum.plus(CutoffCount { cost: rest.into(), rows: 1 });
                }
            }
        }
        TallyResult { cost, shares, wanted }
    }
}

struct Count<'a, 'b> {
    part: &'a ModuleView<'b>,
    kernel: &'a TallyKernel,
    rate: BenefitRate,
}

impl TableKernel for Count<'_, '_> {
    type Output = TallyResult;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> TallyResult {
        let Self { part, kernel, rate } = self;
        let benefits = part.input.benefits;
        let shares = if kernel.has_shares { shares(part, rate, steps) } else { 0 };
        let tallied = if StepTables::<L, K>::HAS_ONE {
            by_counts(benefits, kernel.pivots, steps)
        } else {
            by_costs(benefits, part.wide.ladder_bytes, kernel.pivots, steps)
        };
        TallyResult { shares, ..tallied }
    }
}

#[inline(always)]
fn by_counts<const L: usize, const K: usize>(
    benefits: &[Benefit],
    pivots: [u32; PIVOTS],
    steps: &StepTables<L, K>,
) -> TallyResult {
    let mut thresholds = [0_u32; K];
    thresholds.iter_mut().zip(steps.steps(0)).for_each(|(place, (at, _))| *place = at);
    let (mut taken, mut above) = ([0_u64; K], [0_u64; PIVOTS]);
    for block in benefits.chunks(FLUSH_ROWS) {
        let (mut few_taken, mut few_above) = ([0_u32; K], [0_u32; PIVOTS]);
        for &benefit in block {
            count(&mut few_taken, benefit, thresholds);
            count(&mut few_above, benefit, pivots);
        }
        taken.iter_mut().zip(few_taken).for_each(|(sum, few)| *sum = sum.wrapping_add(few.into()));
        above.iter_mut().zip(few_above).for_each(|(sum, few)| *sum = sum.wrapping_add(few.into()));
    }
    let mut wanted = [CutoffCount::default(); PIVOTS];
    for ((wanted, pivot), rows) in wanted.iter_mut().zip(pivots).zip(above) {
        // An actor above the pivot takes the steps beyond it, except for those taken already.
        let cost = taken.into_iter().zip(steps.steps(0)).fold(0_u64, |sum, (taken, (at, step))| {
            let missing = if at > pivot { rows.wrapping_sub(taken) } else { 0 };
            sum.wrapping_add(missing.wrapping_mul(step.into()))
        });
        *wanted = CutoffCount { cost, rows };
    }
    TallyResult { cost: steps.cost_of(benefits.len(), taken), shares: 0, wanted }
}

#[inline(always)]
pub(super) fn count<const K: usize>(counts: &mut [u32; K], benefit: Benefit, from: [u32; K]) {
    for (count, from) in counts.iter_mut().zip(from) {
        *count = count.wrapping_add(u32::from(benefit.bits() >= from));
    }
}

#[inline(always)]
fn by_costs<const L: usize, const K: usize>(
    benefits: &[Benefit],
    ladder_bytes: &[u8],
    pivots: [u32; PIVOTS],
    steps: &StepTables<L, K>,
) -> TallyResult {
    let mut tallied = TallyResult::default();
    for (benefits, ladder_bytes) in benefits.chunks(FLUSH_ROWS).zip(ladder_bytes.chunks(FLUSH_ROWS))
    {
        let (mut costs, mut rests) = ([0_u32; FLUSH_ROWS], [0_u32; FLUSH_ROWS]);
        let places = costs.iter_mut().zip(&mut rests);
        for ((&benefit, &kind), (cost, rest)) in benefits.iter().zip(ladder_bytes).zip(places) {
            let level_index = steps.level_index(benefit, kind);
            *cost = steps.cost(level_index, kind);
            *rest = steps.rest(level_index, kind);
        }
        let sum = |sum: u64, &cost: &u32| sum.wrapping_add(cost.into());
        tallied.cost = costs.iter().fold(tallied.cost, sum);
        for (wanted, pivot) in tallied.wanted.iter_mut().zip(pivots) {
            let mut rows = 0_u32;
            let mut cost = 0_u64;
            for (benefit, &rest) in benefits.iter().zip(&rests) {
                let is_above = benefit.bits() >= pivot;
                rows = rows.wrapping_add(u32::from(is_above));
                cost = cost.wrapping_add(if is_above { rest.into() } else { 0 });
            }
            *wanted = wanted.plus(CutoffCount { cost, rows: rows.into() });
        }
    }
    tallied
}

#[inline(always)]
fn shares<const L: usize, const K: usize>(
    part: &ModuleView<'_>,
    rate: BenefitRate,
    steps: &StepTables<L, K>,
) -> u64 {
    let benefits = part.input.benefits;
    let mut sum = 0_u64;
    if StepTables::<L, K>::HAS_ONE {
        let minimum = steps.minimum(0);
        // Pinned actors have shares below it.
        let free = rate.threshold_of_cost()(minimum);
        for block in benefits.chunks(FLUSH_ROWS) {
            let (mut few, mut rows) = (0_u64, 0_u32);
            for &benefit in block {
                let is_free = benefit.bits() >= free;
                let counted = if is_free { benefit } else { Benefit::ZERO };
                few = few.wrapping_add(rate.share(counted));
                rows = rows.wrapping_add(u32::from(!is_free));
            }
            let pinned = u64::from(rows).wrapping_mul(minimum.into());
            sum = sum.wrapping_add(few).wrapping_add(pinned);
        }
    } else {
        for (&benefit, &kind) in benefits.iter().zip(part.wide.ladder_bytes) {
            sum = sum.wrapping_add(rate.share(benefit).max(steps.minimum(kind).into()));
        }
    }
    sum
}
