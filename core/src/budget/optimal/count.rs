//! The steps of all actors at a price.

use crate::benefit::Benefit;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::options::{ModuleOptions, value};
use crate::budget::price::Price;
use crate::budget::rate::UNREACHABLE;
use crate::budget::slope::{Slope, base};
use crate::budget::work::Quality;

use super::levels::Totals;

const MAX_THRESHOLDS: usize = 64;
const FEW_THRESHOLDS: usize = 8;
const ACTORS_PER_THRESHOLD: usize = 4;

impl ModuleOptions<'_> {
    /// Returns the totals of the first `rows` actors with every step worth the price; writes levels as far as `levels`
    /// has space. Without `VALUE` their value is not computed.
    pub(in crate::budget) fn totals_at<const VALUE: bool>(
        &self,
        price: Price,
        rows: usize,
        levels: &mut [u8],
    ) -> Totals {
        let costs = self.input.ladders.costs.len();
        let few = rows < costs.wrapping_mul(ACTORS_PER_THRESHOLD);
        if few || costs > MAX_THRESHOLDS {
            self.by_worth(price, rows, levels)
        } else if costs > FEW_THRESHOLDS {
            self.by_threshold::<VALUE>(price, rows, levels, &mut [UNREACHABLE; MAX_THRESHOLDS])
        } else {
            self.by_threshold::<VALUE>(price, rows, levels, &mut [UNREACHABLE; FEW_THRESHOLDS])
        }
    }

    #[inline(never)]
    fn by_worth(&self, price: Price, rows: usize, levels: &mut [u8]) -> Totals {
        Totals::of((0..rows).map(|row| {
            let actor = self.of(row);
            let level_index = actor.index_at(price);
            if let Some(level) = levels.get_mut(row) {
                *level = actor.level(level_index);
            }
            (actor, level_index)
        }))
    }

    #[inline(never)]
    fn by_threshold<const VALUE: bool>(
        &self,
        price: Price,
        rows: usize,
        levels: &mut [u8],
        thresholds: &mut [u32],
    ) -> Totals {
        let mut incumbent = (Slope::NEVER, UNREACHABLE);
        for (place, &slope) in thresholds.iter_mut().zip(self.slopes) {
            if slope != incumbent.0 {
                incumbent = (slope, slope.threshold(price));
            }
            *place = incumbent.1;
        }
        let (thresholds, margin) = (&*thresholds, self.has_margin());
        let mut totals = Totals::default();
        let mut climb = StepThresholds::default();
        for (row, &benefit) in self.input.benefits.iter().take(rows).enumerate() {
            let ladder = self.input.ladder.get(row).copied().unwrap_or(0);
            if climb.id != Some(ladder) {
                climb = StepThresholds::new(self, ladder, thresholds);
            }
            let mut level_index = climb.level_index(benefit);
            if margin {
                let last = self.previous_index(climb.span, climb.costs, row);
                if level_index > last {
                    level_index = climb.level_index(self.hysteresis.discounted(benefit)).max(last);
                }
            }
            let cost = climb.costs.get(level_index).copied().unwrap_or(0);
            totals.cost = totals.cost.wrapping_add(cost.into());
            if VALUE {
                totals.value =
                    totals.value.wrapping_add(value(benefit, climb.qualities, level_index));
            }
            if let Some(level) = levels.get_mut(row) {
                *level = climb.span.level(u8::try_from(level_index).unwrap_or(u8::MAX));
            }
        }
        totals
    }
}

#[derive(Default)]
struct StepThresholds<'a> {
    id: Option<u32>,
    span: LadderSpan,
    costs: &'a [u32],
    qualities: &'a [Quality],
    thresholds: &'a [u32],
    base: usize,
}

impl<'a> StepThresholds<'a> {
    #[inline(never)]
    fn new(options: &ModuleOptions<'a>, id: u32, thresholds: &'a [u32]) -> Self {
        let span = options.input.ladders.span(id);
        let costs = Ladders::part(span, options.input.ladders.costs);
        let base = base(costs);
        let thresholds = Ladders::beside(span, costs.len(), thresholds);
        Self {
            id: Some(id),
            span,
            costs,
            qualities: Ladders::beside(span, costs.len(), options.qualities),
            thresholds: thresholds.get(base.wrapping_add(1)..).unwrap_or(&[]),
            base,
        }
    }

    #[inline]
    fn level_index(&self, benefit: Benefit) -> usize {
        let mut level_index = self.base;
        for &threshold in self.thresholds {
            if benefit.bits() < threshold {
                break;
            }
            level_index = level_index.wrapping_add(1);
        }
        level_index
    }
}
