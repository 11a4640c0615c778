use super::tables::StepTable;
use crate::benefit::Benefit;
use crate::budget::ladder::Ladders;
use crate::budget::module_view::{Kernel, ModuleView, PartialResult};
use crate::budget::price::Price;
use crate::budget::slope::Slope;
use crate::budget::wide::steps::{FLUSH_ROWS, StepTables, TableKernel, TableShape};
use crate::budget::wide::tally::count;

pub(super) const PRICES: usize = 4;

pub(super) struct CostAt(pub(super) [Price; PRICES]);

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CostAtPrice {
    pub(super) cost: u64,
    pub(super) steps: u64,
}

impl PartialResult for [CostAtPrice; PRICES] {
    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        for (sum, more) in self.iter_mut().zip(other) {
            sum.cost = sum.cost.wrapping_add(more.cost);
            sum.steps = sum.steps.wrapping_add(more.steps);
        }
        self
    }
}

impl Kernel for CostAt {
    type Partial = [CostAtPrice; PRICES];

    #[inline(always)]
    fn run(&self, part: &mut ModuleView<'_>) -> Self::Partial {
        let Some(shape) = TableShape::of(part) else {
            let rows = part.input.benefits.len().min(part.levels.len());
            let options = part.shared_options();
            let cost = |price| options.totals_at::<false>(price, rows, &mut []).cost;
            return self.0.map(|price| CostAtPrice { cost: cost(price), steps: 0 });
        };
        let (ladders, slopes) = (shape.ladders(), part.shared_slopes());
        shape.run(|_, _| 0, Count { part, ladders, slopes, prices: self.0 })
    }
}

struct Count<'a, 'b> {
    part: &'a ModuleView<'b>,
    ladders: Ladders<'a>,
    slopes: &'a [Slope],
    prices: [Price; PRICES],
}

impl TableKernel for Count<'_, '_> {
    type Output = [CostAtPrice; PRICES];

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &StepTables<L, K>) -> Self::Output {
        let Self { part, ladders, slopes, prices } = self;
        let at = prices.map(|price| StepTable::<L, K>::thresholds(ladders, slopes, price));
        let benefits = part.input.benefits;
        if StepTables::<L, K>::HAS_ONE {
            let taken = by_counts(benefits, at.map(|table| table.of(0)));
            return taken.map(|taken| CostAtPrice {
                cost: steps.cost_of(benefits.len(), taken),
                steps: taken.into_iter().fold(0, u64::wrapping_add),
            });
        }
        let ladder_bytes = part.wide.ladder_bytes.get(..benefits.len()).unwrap_or_default();
        let is_free = ladders.iter().all(|ladder| ladder.minimum() == 0);
        let add = |sum: u64, &kind: &u8| sum.wrapping_add(steps.minimum(kind).into());
        let least = if is_free { 0 } else { ladder_bytes.iter().fold(0, add) };
        let mut results = [CostAtPrice { cost: least, steps: 0 }; PRICES];
        let all = by_ladders(benefits, ladder_bytes, &at);
        for (all, costs) in all.iter().zip(&StepTable::<L, K>::costs(ladders).0) {
            for (results, all) in results.iter_mut().zip(all) {
                for (taken, &cost) in all.iter().zip(costs) {
                    let more = taken.wrapping_mul(cost.into());
                    results.cost = results.cost.wrapping_add(more);
                    results.steps = results.steps.wrapping_add(*taken);
                }
            }
        }
        results
    }
}

#[inline(always)]
fn by_counts<const K: usize>(benefits: &[Benefit], at: [[u32; K]; PRICES]) -> [[u64; K]; PRICES] {
    let mut taken = [[0_u64; K]; PRICES];
    for block in benefits.chunks(FLUSH_ROWS) {
        for (taken, at) in taken.iter_mut().zip(at) {
            let mut few = [0_u32; K];
            for &benefit in block {
                count(&mut few, benefit, at);
            }
            taken.iter_mut().zip(few).for_each(|(sum, few)| *sum = sum.wrapping_add(few.into()));
        }
    }
    taken
}

const SORTED: usize = 2_048;

#[inline(always)]
fn by_ladders<const L: usize, const K: usize>(
    benefits: &[Benefit],
    ladder_bytes: &[u8],
    at: &[StepTable<L, K>; PRICES],
) -> [[[u64; K]; PRICES]; L] {
    let mut taken = [[[0_u64; K]; PRICES]; L];
    let mut sorted = [Benefit::ZERO; SORTED];
    for (benefits, ladder_bytes) in benefits.chunks(SORTED).zip(ladder_bytes.chunks(SORTED)) {
        let ends: [u16; L] = sort(benefits, ladder_bytes, &mut sorted);
        let mut start = 0;
        for ((taken, end), kind) in taken.iter_mut().zip(ends).zip(0_u8..) {
            let end = usize::from(end);
            let Some(rows @ [_, ..]) = sorted.get(start..end) else { continue };
            let more = by_counts(rows, at.each_ref().map(|table| table.of(kind)));
            let sums = taken.as_flattened_mut().iter_mut().zip(more.as_flattened());
            sums.for_each(|(sum, more)| *sum = sum.wrapping_add(*more));
            start = end;
        }
    }
    taken
}

fn sort<const L: usize>(
    benefits: &[Benefit],
    ladder_bytes: &[u8],
    sorted: &mut [Benefit; SORTED],
) -> [u16; L] {
    let of = |kind: u8| usize::from(kind) & L.wrapping_sub(1);
    let mut ends = [0_u16; L];
    for &kind in ladder_bytes {
        if let Some(count) = ends.get_mut(of(kind)) {
            *count = count.wrapping_add(1);
        }
    }
    let mut sum = 0_u16;
    for end in &mut ends {
        // The start of each ladder, until all rows have their places.
        (*end, sum) = (sum, sum.wrapping_add(*end));
    }
    for (&benefit, &kind) in benefits.iter().zip(ladder_bytes) {
        let Some(end) = ends.get_mut(of(kind)) else { continue };
        if let Some(place) = sorted.get_mut(usize::from(*end) & SORTED.wrapping_sub(1)) {
            *place = benefit;
        }
        *end = end.wrapping_add(1);
    }
    ends
}
