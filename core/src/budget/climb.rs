//! The levels of one ladder, and the benefits that pay them.

use super::ladder::Ladders;
use super::rate::UNREACHABLE;
use crate::benefit::Benefit;

pub(super) struct ThresholdLadder<'a> {
    base: u8,
    minimum: u32,
    thresholds: &'a [u32],
    costs: &'a [u32],
}

impl<'a> ThresholdLadder<'a> {
    #[inline]
    pub(super) fn new(ladders: &Ladders<'a>, id: u32, thresholds: &'a [u32]) -> Self {
        let span = ladders.span(id);
        let mut costs = Ladders::part(span, ladders.costs);
        let mut thresholds = Ladders::part(span, thresholds);
        let minimum = costs.first().copied().unwrap_or(0);
        let mut base = span.level(0);
        while let ([_, higher @ ..], [_, above @ ..]) = (costs, thresholds) {
            (costs, thresholds) = (higher, above);
            if higher.first() != Some(&minimum) {
                break;
            }
            // Of levels at the same cost it is the highest.
            base = base.wrapping_add(1);
        }
        Self { base, minimum, thresholds, costs }
    }

    #[inline]
    pub(super) fn assign(&self, benefits: &[Benefit], levels: &mut [u8]) -> u64 {
        let mut sum = 0_u64;
        for (benefit, level) in benefits.iter().zip(levels) {
            let (mut level_index, mut cost) = (self.base, self.minimum);
            for (&threshold, &next) in self.thresholds.iter().zip(self.costs) {
                if threshold > benefit.bits() {
                    break;
                }
                (level_index, cost) = (level_index.wrapping_add(1), next);
            }
            *level = level_index;
            sum = sum.wrapping_add(cost.into());
        }
        sum
    }

    #[inline]
    pub(super) fn is_short(&self) -> bool {
        self.thresholds.len() <= STEPS
    }

    #[inline]
    pub(super) fn stair(&self) -> Stair {
        let top = self.costs.last().copied().unwrap_or(self.minimum);
        let mut stair =
            Stair { base: self.base, below: [UNREACHABLE; STEPS], costs: [top; STEPS + 1] };
        let [minimum, costs @ ..] = &mut stair.costs;
        *minimum = self.minimum;
        let places = stair.below.iter_mut().zip(costs);
        for ((below, place), (&threshold, &cost)) in
            places.zip(self.thresholds.iter().zip(self.costs))
        {
            (*below, *place) = (threshold.wrapping_sub(1), cost);
        }
        stair
    }
}

const STEPS: usize = 4;

pub(super) struct Stair {
    base: u8,
    below: [u32; STEPS],
    costs: [u32; STEPS + 1],
}

impl Stair {
    pub(super) fn assign(&self, benefits: &[Benefit], levels: &mut [u8]) -> u64 {
        // The costs of so many actors add up in 32 bits, which leaves registers for the thresholds.
        let [.., top] = self.costs;
        let part = 1_usize << top.leading_zeros().min(31);
        if benefits.len() <= part {
            return self.assign_part(benefits, levels).into();
        }
        let parts = benefits.chunks(part).zip(levels.chunks_mut(part));
        parts.fold(0, |sum, (benefits, levels)| {
            sum.wrapping_add(self.assign_part(benefits, levels).into())
        })
    }

    #[inline(never)]
    fn assign_part(&self, benefits: &[Benefit], levels: &mut [u8]) -> u32 {
        let mut sum = 0_u32;
        let [a, b, c, d] = self.below;
        for (benefit, level) in benefits.iter().zip(levels) {
            // The sign of the difference tells without a branch whether the level is paid.
            let paid = |below: u32| below.wrapping_sub(benefit.bits()) >> 31;
            let level_index = paid(a) + paid(b) + paid(c) + paid(d);
            let cost = self.costs.get(level_index as usize).copied().unwrap_or(0);
            *level = self.base.wrapping_add((level_index & 0xff) as u8);
            sum = sum.wrapping_add(cost);
        }
        sum
    }
}
