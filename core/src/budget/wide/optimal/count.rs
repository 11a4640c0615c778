//! What everybody takes at some prices.

use super::tables::Table;
use crate::benefit::Benefit;
use crate::budget::book::Book;
use crate::budget::ladder::Ladders;
use crate::budget::price::Price;
use crate::budget::slope::Slope;
use crate::budget::wide::question::{Answer, Question};
use crate::budget::wide::steps::{BLOCK, Kernel, Shape, Steps};
use crate::budget::wide::tally::count;

/// So many prices are asked about at once.
pub(super) const PRICES: usize = 4;

/// Asks what all actors cost that take every step that is worth a price, for some prices.
pub(super) struct CostAt(pub(super) [Price; PRICES]);

/// What actors take at a price.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    /// In nanoseconds.
    pub(super) cost: u64,
    /// How many steps; 0 where nobody counted them.
    pub(super) steps: u64,
}

impl Answer for [Asked; PRICES] {
    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        for (sum, more) in self.iter_mut().zip(other) {
            sum.cost = sum.cost.wrapping_add(more.cost);
            sum.steps = sum.steps.wrapping_add(more.steps);
        }
        self
    }
}

impl Question for CostAt {
    type Answer = [Asked; PRICES];

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> Self::Answer {
        let Some(shape) = Shape::of(part) else {
            let rows = part.account.benefits.len().min(part.levels.len());
            let offers = part.shared_offers();
            let cost = |price| offers.totals_at::<false>(price, rows, &mut []).cost;
            return self.0.map(|price| Asked { cost: cost(price), steps: 0 });
        };
        let (ladders, slopes) = (shape.ladders(), part.shared_slopes());
        shape.run(|_, _| 0, Count { part, ladders, slopes, prices: self.0 })
    }
}

struct Count<'a, 'b> {
    part: &'a Book<'b>,
    ladders: Ladders<'a>,
    slopes: &'a [Slope],
    prices: [Price; PRICES],
}

impl Kernel for Count<'_, '_> {
    type Output = [Asked; PRICES];

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &Steps<L, K>) -> Self::Output {
        let Self { part, ladders, slopes, prices } = self;
        let at = prices.map(|price| Table::<L, K>::thresholds(ladders, slopes, price));
        let benefits = part.account.benefits;
        if Steps::<L, K>::HAS_ONE {
            let taken = by_counts(benefits, at.map(|table| table.of(0)));
            return taken.map(|taken| Asked {
                cost: steps.cost_of(benefits.len(), taken),
                steps: taken.into_iter().fold(0, u64::wrapping_add),
            });
        }
        let kinds = part.crowd.kinds.iter().take(benefits.len());
        let is_free = ladders.iter().all(|ladder| ladder.minimum() == 0);
        let add = |sum: u64, &kind: &u8| sum.wrapping_add(steps.minimum(kind).into());
        let least = if is_free { 0 } else { kinds.fold(0, add) };
        let costs = Table::costs(ladders);
        let taken = by_costs(benefits, part.crowd.kinds, &at, &costs);
        taken.map(|taken| Asked { cost: taken.cost.wrapping_add(least), ..taken })
    }
}

/// Where all have one ladder it is enough to count.
#[inline(always)]
#[allow(clippy::inline_always)] // compiled for the vectors of its caller
fn by_counts<const K: usize>(benefits: &[Benefit], at: [[u32; K]; PRICES]) -> [[u64; K]; PRICES] {
    let mut taken = [[0_u64; K]; PRICES];
    for block in benefits.chunks(BLOCK) {
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

/// Where ladders differ, what all steps cost beyond the feet is added up.
#[inline(always)]
#[allow(clippy::inline_always)] // compiled for the vectors of its caller
fn by_costs<const L: usize, const K: usize>(
    benefits: &[Benefit],
    kinds: &[u8],
    at: &[Table<L, K>; PRICES],
    costs: &Table<L, K>,
) -> [Asked; PRICES] {
    // So many add up in 32 bits.
    let most = costs.0.as_flattened().iter().fold(1, |most, &cost| most.max(cost));
    let block = usize::try_from(u32::MAX / most).unwrap_or(1).clamp(1, BLOCK);
    let mut asked = [Asked::default(); PRICES];
    for (benefits, kinds) in benefits.chunks(block).zip(kinds.chunks(block)) {
        for (asked, at) in asked.iter_mut().zip(at) {
            let (mut cost, mut steps) = ([0_u32; K], [0_u32; K]);
            for (&benefit, &kind) in benefits.iter().zip(kinds) {
                let its = at.of(kind).into_iter().zip(costs.of(kind));
                let sums = cost.iter_mut().zip(&mut steps);
                for ((cost, steps), (threshold, step)) in sums.zip(its) {
                    let is_taken = benefit.bits() >= threshold;
                    *cost = cost.wrapping_add(if is_taken { step } else { 0 });
                    *steps = steps.wrapping_add(u32::from(is_taken));
                }
            }
            let sum = |sum: u64, few: u32| sum.wrapping_add(few.into());
            asked.cost = cost.into_iter().fold(asked.cost, sum);
            asked.steps = steps.into_iter().fold(asked.steps, sum);
        }
    }
    asked
}
