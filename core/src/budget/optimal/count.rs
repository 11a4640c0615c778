//! What everybody takes at a price.

use crate::benefit::Benefit;
use crate::budget::book::Book;
use crate::budget::ladder::Ladders;
use crate::budget::policy::Stability;
use crate::budget::price::Price;
use crate::budget::slope::{Slope, UNREACHABLE};

/// With more costs than that in a module, steps are compared by worth.
const MAX_THRESHOLDS: usize = 64;
/// With no more costs than that, less memory has to be cleared.
const FEW_THRESHOLDS: usize = 8;
/// So many actors make up for the making of one threshold.
const ACTORS_PER_THRESHOLD: usize = 4;

impl Book<'_> {
    /// What all actors cost that take every step that is worth the price, in nanoseconds.
    pub(in crate::budget) fn cost_at(&self, price: Price, stability: Stability) -> u64 {
        let costs = self.account.ladders.costs.len();
        let few = self.account.benefits.len() < costs.wrapping_mul(ACTORS_PER_THRESHOLD);
        if few || costs > MAX_THRESHOLDS {
            self.cost_by_worth(price, stability)
        } else if costs > FEW_THRESHOLDS {
            self.cost_by_threshold(price, stability, &mut [UNREACHABLE; MAX_THRESHOLDS])
        } else {
            self.cost_by_threshold(price, stability, &mut [UNREACHABLE; FEW_THRESHOLDS])
        }
    }

    fn cost_by_worth(&self, price: Price, stability: Stability) -> u64 {
        self.all_offers(stability)
            .fold(0, |sum, (offer, _)| sum.wrapping_add(offer.cost(offer.rung_at(price))))
    }

    /// There is room for as many thresholds as there are costs.
    #[inline(never)]
    fn cost_by_threshold(&self, price: Price, stability: Stability, thresholds: &mut [u32]) -> u64 {
        let offers = self.offers(stability);
        let margin = offers.has_margin();
        let mut known = (Slope::NEVER, UNREACHABLE);
        for (place, &slope) in thresholds.iter_mut().zip(offers.slopes()) {
            if slope != known.0 {
                known = (slope, slope.threshold(price));
            }
            *place = known.1;
        }
        let thresholds = &*thresholds;
        let (mut id, mut sum) = (None, 0_u64);
        let mut climb = Climb { costs: &[], thresholds: &[], foot: 0 };
        let rows = self.account.benefits.iter().zip(&*self.levels).enumerate();
        for (row, (&benefit, _)) in rows {
            let ladder = self.account.ladder.get(row).copied().unwrap_or(0);
            if id != Some(ladder) {
                id = Some(ladder);
                climb = Climb::new(&self.account.ladders, ladder, thresholds);
            }
            let mut rung = climb.rung(benefit);
            if margin
                && let Some(last) = offers.of(row).last_rung()
                && rung > last
            {
                rung = climb.rung(stability.discounted(benefit)).max(last);
            }
            sum = sum.wrapping_add(climb.costs.get(rung).copied().unwrap_or(0).into());
        }
        sum
    }
}

/// A ladder and the least benefits that take its steps at a price.
struct Climb<'a> {
    costs: &'a [u32],
    /// Those of the steps above the foot.
    thresholds: &'a [u32],
    foot: usize,
}

impl<'a> Climb<'a> {
    fn new(ladders: &Ladders<'a>, id: u32, thresholds: &'a [u32]) -> Self {
        let (span, costs) = (ladders.span(id), ladders.ladder(id).costs());
        let foot = crate::budget::slope::foot(costs);
        let thresholds = Ladders::beside(span, costs.len(), thresholds);
        Self { costs, thresholds: thresholds.get(foot.wrapping_add(1)..).unwrap_or(&[]), foot }
    }

    #[inline]
    fn rung(&self, benefit: Benefit) -> usize {
        let mut rung = self.foot;
        for &threshold in self.thresholds {
            if benefit.bits() < threshold {
                break;
            }
            rung = rung.wrapping_add(1);
        }
        rung
    }
}
