//! The highest LOD that each actor's share pays.
//!
//! There are two ways to choose a level, and they agree to the last bit. By *share*: the product of
//! benefit and rate, compared with the costs. By *threshold*: the benefit, compared with the smallest
//! benefit that pays each cost, which leaves a few 32-bit comparisons for an actor.

use super::demand::Account;
use super::ladder::{LadderSpan, Ladders};
use super::proportional::{Rate, Scale};
use crate::benefit::Benefit;

/// With more costs than that in a module, levels are chosen by share.
const MAX_THRESHOLDS: usize = 64;
/// So many actors make up for the making of one threshold.
const ACTORS_PER_THRESHOLD: usize = 4;
/// Above every benefit: the threshold of a cost that no share reaches.
const UNREACHABLE: u32 = u32::MAX;

/// The thresholds of a module, parallel to its costs.
type Thresholds = [u32; MAX_THRESHOLDS];

impl Account<'_> {
    /// Gives every actor the highest LOD that its share pays, and returns what all of them cost, in
    /// nanoseconds.
    ///
    /// `fractions` is only written for a continuous module, and may be empty for others.
    pub fn assign(&self, scale: Scale, levels: &mut [u8], fractions: &mut [u16]) -> u64 {
        let rate = Rate::new(self.benefit_value, scale);
        if self.continuous {
            self.assign_fractions(rate, levels, fractions)
        } else if let Some(thresholds) = self.thresholds(rate) {
            self.assign_by_threshold(&thresholds, levels)
        } else {
            self.assign_by_share(rate, levels)
        }
    }

    fn assign_fractions(&self, rate: Rate, levels: &mut [u8], fractions: &mut [u16]) -> u64 {
        let out = levels.iter_mut().zip(fractions);
        self.rows().zip(out).fold(0, |sum, ((ladder, benefit), (level, fraction))| {
            let lod = ladder.affordable(rate.share(benefit), true);
            (*level, *fraction) = (lod.level(), lod.fraction());
            sum.saturating_add(ladder.cost(lod).into())
        })
    }

    fn assign_by_share(&self, rate: Rate, levels: &mut [u8]) -> u64 {
        self.rows().zip(levels).fold(0, |sum, ((ladder, benefit), level)| {
            let lod = ladder.affordable(rate.share(benefit), false);
            *level = lod.level();
            sum.saturating_add(ladder.cost(lod).into())
        })
    }

    fn assign_by_threshold(&self, thresholds: &Thresholds, levels: &mut [u8]) -> u64 {
        let mut sum = 0_u64;
        // Neighbours mostly share a ladder, so it is looked up only where it changes.
        let mut last = None;
        let (mut span, mut steps, mut costs) = (LadderSpan::default(), &[][..], &[][..]);
        for ((&id, benefit), level) in self.ladder.iter().zip(self.benefits).zip(levels) {
            if last != Some(id) {
                last = Some(id);
                span = self.ladders.span(id);
                steps = Ladders::part(span, thresholds);
                costs = Ladders::part(span, self.ladders.costs);
            }
            // Costs do not decrease, nor do their thresholds.
            let paid = steps.iter().zip(costs).take_while(|&(&step, _)| step <= benefit.bits());
            let (mut rung, mut cost) = (0_u8, 0_u32);
            for (_, &next) in paid {
                (rung, cost) = (rung.wrapping_add(1), next);
            }
            if rung == 0 {
                // Pinned: the best that costs no more than the lowest level.
                (*level, cost) = self.ladders.lowest(id);
            } else {
                *level = span.level(rung.wrapping_sub(1));
            }
            sum = sum.wrapping_add(cost.into());
        }
        sum
    }

    /// The smallest benefit that pays each cost, if there are few costs and many actors.
    fn thresholds(&self, rate: Rate) -> Option<Thresholds> {
        let costs = self.ladders.costs;
        let enough = costs.len().wrapping_mul(ACTORS_PER_THRESHOLD);
        if costs.len() > MAX_THRESHOLDS || self.benefits.len() < enough {
            return None;
        }
        let reciprocal = rate.reciprocal();
        let mut thresholds = [0; MAX_THRESHOLDS];
        for (&cost, threshold) in costs.iter().zip(&mut thresholds) {
            *threshold = rate.threshold_by(reciprocal, cost).map_or(UNREACHABLE, Benefit::bits);
        }
        Some(thresholds)
    }
}
