//! What everybody takes at some prices.

use super::thresholds::thresholds;
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
        let at = prices.map(|price| thresholds::<L, K>(ladders, slopes, price));
        let benefits = part.account.benefits;
        if Steps::<L, K>::HAS_ONE {
            let at = at.map(|columns| columns.map(|column| Steps::<L, K>::of(&column, 0)));
            let mut taken = [[0_u64; K]; PRICES];
            for block in benefits.chunks(BLOCK) {
                for (taken, at) in taken.iter_mut().zip(at) {
                    let mut few = [0_u32; K];
                    for &benefit in block {
                        count(&mut few, benefit, at);
                    }
                    taken.iter_mut().zip(few).for_each(|(sum, few)| {
                        *sum = sum.wrapping_add(few.into());
                    });
                }
            }
            return taken.map(|taken| Asked {
                cost: steps.cost_of(benefits.len(), taken),
                steps: taken.into_iter().fold(0, u64::wrapping_add),
            });
        }
        let mut asked = [Asked::default(); PRICES];
        for (benefits, kinds) in benefits.chunks(BLOCK).zip(part.crowd.kinds.chunks(BLOCK)) {
            for (asked, at) in asked.iter_mut().zip(&at) {
                let (mut costs, mut taken) = ([0_u32; BLOCK], 0_u32);
                let places = costs.iter_mut().zip(benefits).zip(kinds);
                for ((cost, &benefit), &kind) in places {
                    let rung = Steps::<L, K>::rung_at(at, benefit, kind);
                    *cost = steps.cost(rung, kind);
                    taken = taken.wrapping_add(rung);
                }
                let sum = |sum: u64, &cost: &u32| sum.wrapping_add(cost.into());
                asked.cost = costs.iter().fold(asked.cost, sum);
                asked.steps = asked.steps.wrapping_add(taken.into());
            }
        }
        asked
    }
}
