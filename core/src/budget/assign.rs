//! The highest LOD that each actor's share pays.
//!
//! A level is chosen by *share*, benefit times rate compared with costs, or by *threshold*, the benefit compared with
//! the least benefit that pays each cost: a few 32-bit comparisons for an actor. Both give the same level.

use super::climb::ThresholdLadder;
use super::demand::ModuleInput;
use super::rate::BenefitRate;
use crate::benefit::Benefit;

const MAX_THRESHOLDS: usize = 64;
const FEW_THRESHOLDS: usize = 8;
const RUN: usize = 4;

impl ModuleInput<'_> {
    /// Assigns every actor the highest LOD that its share pays; returns the total cost in nanoseconds.
    pub(super) fn assign(
        &self,
        rate: BenefitRate,
        levels: &mut [u8],
        fractions: &mut [u16],
    ) -> u64 {
        // With few costs for many actors it pays to find out which benefit pays each cost.
        let costs = self.ladders.costs.len();
        if self.continuous || self.benefits.len() < costs || costs > MAX_THRESHOLDS {
            self.assign_by_share(rate, levels, fractions)
        } else if costs > FEW_THRESHOLDS {
            self.assign_by_threshold(rate, &mut [0; MAX_THRESHOLDS], levels)
        } else {
            self.assign_by_threshold(rate, &mut [0; FEW_THRESHOLDS], levels)
        }
    }

    fn assign_by_share(&self, rate: BenefitRate, levels: &mut [u8], fractions: &mut [u16]) -> u64 {
        let mut fractions = fractions.iter_mut();
        self.rows().zip(levels).fold(0, |sum, ((ladder, benefit), level)| {
            let lod = ladder.affordable(rate.share(benefit), self.continuous);
            *level = lod.level();
            fractions.next().into_iter().for_each(|place| *place = lod.fraction());
            sum.saturating_add(ladder.cost(lod).into())
        })
    }

    #[inline(never)]
    fn assign_by_threshold(
        &self,
        rate: BenefitRate,
        thresholds: &mut [u32],
        levels: &mut [u8],
    ) -> u64 {
        let threshold = rate.threshold_of_cost();
        for (&cost, place) in self.ladders.costs.iter().zip(&mut *thresholds) {
            *place = threshold(cost);
        }
        let thresholds = &*thresholds;
        let benefits = self.benefits.get(..levels.len()).unwrap_or(self.benefits);
        if self.ladder.is_empty() {
            return self.assign_run(0, thresholds, benefits, levels);
        }
        let (mut row, mut benefits, mut levels, mut sum) = (0_usize, benefits, levels, 0);
        // Neighbours mostly share a ladder, so it is looked up once for a run of them.
        while !benefits.is_empty() {
            let (id, run) = self.ladder.run(row, benefits.len());
            let (Some((now, later)), Some((here, there))) =
                (benefits.split_at_checked(run), levels.split_at_mut_checked(run))
            else {
                break;
            };
            sum = self.assign_run(id, thresholds, now, here).wrapping_add(sum);
            (row, benefits, levels) = (row.wrapping_add(run), later, there);
        }
        sum
    }

    #[inline(never)]
    fn assign_run(
        &self,
        id: u32,
        thresholds: &[u32],
        benefits: &[Benefit],
        levels: &mut [u8],
    ) -> u64 {
        let climb = ThresholdLadder::new(&self.ladders, id, thresholds);
        if benefits.len() >= RUN && climb.is_short() {
            climb.stair().assign(benefits, levels)
        } else {
            climb.assign(benefits, levels)
        }
    }
}
