//! The steps of all actors at a price.

use crate::benefit::Benefit;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::last::Last;
use crate::budget::offer::{Offers, value};
use crate::budget::price::Price;
use crate::budget::rate::UNREACHABLE;
use crate::budget::slope::{Slope, foot};
use crate::budget::work::Quality;

use super::levels::Totals;

/// With more costs than that in a module, steps are compared by worth.
const MAX_THRESHOLDS: usize = 64;
/// With no more costs than that, less memory has to be cleared.
const FEW_THRESHOLDS: usize = 8;
/// The number of actors from which one threshold saves time.
const ACTORS_PER_THRESHOLD: usize = 4;

impl Offers<'_> {
    /// Returns the totals of the first `rows` actors that take every step worth the price; their levels are
    /// written as far as `levels` has space. Without `VALUE` their value is not computed.
    pub(in crate::budget) fn totals_at<const VALUE: bool>(
        &self,
        price: Price,
        rows: usize,
        levels: &mut [u8],
    ) -> Totals {
        let costs = self.account.ladders.costs.len();
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
            let offer = self.of(row);
            let rung = offer.rung_at(price);
            if let Some(level) = levels.get_mut(row) {
                *level = offer.level(rung);
            }
            (offer, rung)
        }))
    }

    /// There is room for as many thresholds as there are costs.
    #[inline(never)]
    fn by_threshold<const VALUE: bool>(
        &self,
        price: Price,
        rows: usize,
        levels: &mut [u8],
        thresholds: &mut [u32],
    ) -> Totals {
        let mut known = (Slope::NEVER, UNREACHABLE);
        for (place, &slope) in thresholds.iter_mut().zip(self.slopes) {
            if slope != known.0 {
                known = (slope, slope.threshold(price));
            }
            *place = known.1;
        }
        let (thresholds, margin) = (&*thresholds, self.has_margin());
        let mut totals = Totals::default();
        let mut climb = Climb::default();
        for (row, &benefit) in self.account.benefits.iter().take(rows).enumerate() {
            let ladder = self.account.ladder.get(row).copied().unwrap_or(0);
            if climb.id != Some(ladder) {
                climb = Climb::new(self, ladder, thresholds);
            }
            let mut rung = climb.rung(benefit);
            if margin
                && let Some(last) = climb.last_rung(self.last, row)
                && rung > last
            {
                rung = climb.rung(self.stability.discounted(benefit)).max(last);
            }
            let cost = climb.costs.get(rung).copied().unwrap_or(0);
            totals.cost = totals.cost.wrapping_add(cost.into());
            if VALUE {
                totals.value = totals.value.wrapping_add(value(benefit, climb.qualities, rung));
            }
            if let Some(level) = levels.get_mut(row) {
                *level = climb.span.level(u8::try_from(rung).unwrap_or(u8::MAX));
            }
        }
        totals
    }
}

/// A ladder and the least benefits that take its steps at a price.
#[derive(Default)]
struct Climb<'a> {
    id: Option<u32>,
    span: LadderSpan,
    costs: &'a [u32],
    qualities: &'a [Quality],
    /// The thresholds of the steps above the base.
    thresholds: &'a [u32],
    foot: usize,
}

impl<'a> Climb<'a> {
    #[inline(never)]
    fn new(offers: &Offers<'a>, id: u32, thresholds: &'a [u32]) -> Self {
        let span = offers.account.ladders.span(id);
        let costs = Ladders::part(span, offers.account.ladders.costs);
        let foot = foot(costs);
        let thresholds = Ladders::beside(span, costs.len(), thresholds);
        Self {
            id: Some(id),
            span,
            costs,
            qualities: Ladders::beside(span, costs.len(), offers.qualities),
            thresholds: thresholds.get(foot.wrapping_add(1)..).unwrap_or(&[]),
            foot,
        }
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

    /// The rung of the last frame as far as it is valid, and at least the foot.
    #[inline]
    fn last_rung(&self, last: &[Last], row: usize) -> Option<usize> {
        let level = last.get(row)?.level()?;
        let rung = usize::from(level.saturating_sub(self.span.lowest()));
        Some(rung.min(self.costs.len().saturating_sub(1)).max(self.foot))
    }
}
