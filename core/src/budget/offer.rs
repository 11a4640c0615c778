//! The options of actors: the cost and value of each of their levels.

use super::demand::Account;
use super::ladder::{LadderSpan, Ladders};
use super::last::Last;
use super::module_view::Book;
use super::policy::Stability;
use super::price::Price;
use super::slope::{Slope, foot, quality};
use super::work::Quality;
use crate::benefit::Benefit;

/// The options of a module's actors, without the columns for their levels.
#[derive(Clone, Copy)]
pub(super) struct Offers<'a> {
    pub(super) account: Account<'a>,
    pub(super) qualities: &'a [Quality],
    /// The slopes of all ladders, parallel to the costs.
    pub(super) slopes: &'a [Slope],
    /// Empty without hysteresis.
    pub(super) last: &'a [Last],
    pub(super) stability: Stability,
}

/// The options of one actor. Level indices count from its lowest level.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    pub(super) costs: &'a [u32],
    pub(super) qualities: &'a [Quality],
    slopes: &'a [Slope],
    span: LadderSpan,
    /// The highest level index that costs no more than the lowest: the minimum for every actor.
    pub(super) foot: usize,
    pub(super) benefit: Benefit,
    last: Last,
    stability: Stability,
}

impl Book<'_> {
    /// Returns the options of the actors, and their levels and fractions.
    pub(super) fn columns(&mut self, stability: Stability) -> (Offers<'_>, &mut [u8], &mut [u16]) {
        let Self { account, qualities, slopes, last, levels, fractions, .. } = self;
        (Offers::new(*account, qualities, slopes.of_costs, last, stability), levels, fractions)
    }

    /// Sets the level index of a row.
    pub(super) fn set_rung(&mut self, row: usize, rung: usize) {
        let level = self.offers(Stability::OFF).of(row).level(rung);
        if let Some(place) = self.levels.get_mut(row) {
            *place = level;
        }
    }

    /// Returns the options of the actors.
    pub(super) fn offers(&self, stability: Stability) -> Offers<'_> {
        Offers::new(self.account, self.qualities, self.slopes.of_costs, self.last, stability)
    }

    /// Returns the options of an actor, and its current level index.
    pub(super) fn offer(&self, row: usize, stability: Stability) -> Option<(Offer<'_>, usize)> {
        let level = *self.levels.get(row)?;
        let offer = self.offers(stability).of(row);
        Some((offer, offer.rung(level)))
    }

    /// Returns the options and the current level index of every actor.
    pub(super) fn all_offers(
        &self,
        stability: Stability,
    ) -> impl Iterator<Item = (Offer<'_>, usize)> {
        let offers = self.offers(stability);
        let rows = self.levels.iter().take(self.account.benefits.len()).enumerate();
        rows.map(move |(row, &level)| {
            let offer = offers.of(row);
            (offer, offer.rung(level))
        })
    }
}

impl<'a> Offers<'a> {
    pub(super) fn new(
        account: Account<'a>,
        qualities: &'a [Quality],
        slopes: &'a [Slope],
        last: &'a [Last],
        stability: Stability,
    ) -> Self {
        let last = if stability.is_on() { last } else { &[] };
        // A continuous module can be upgraded by any amount, so no margin applies.
        let margin = if account.continuous { 0 } else { stability.margin };
        Self { account, qualities, slopes, last, stability: Stability { margin, ..stability } }
    }

    /// Whether the benefit of actors is discounted above their previous levels.
    pub(super) const fn has_margin(&self) -> bool {
        self.stability.margin > 0 && !self.last.is_empty()
    }

    /// Returns the options of a row.
    #[inline]
    pub(super) fn of(&self, row: usize) -> Offer<'a> {
        let Account { ladders, ladder, benefits, .. } = self.account;
        let span = ladders.span(ladder.get(row).copied().unwrap_or(0));
        let benefit = benefits.get(row).copied().unwrap_or_default();
        self.with(span, benefit, self.last.get(row).copied().unwrap_or(Last::NONE))
    }

    /// Returns the options of an actor with that ladder, benefit and previous level.
    #[inline]
    pub(super) fn with(&self, span: LadderSpan, benefit: Benefit, last: Last) -> Offer<'a> {
        let costs = Ladders::part(span, self.account.ladders.costs);
        Offer {
            costs,
            qualities: Ladders::beside(span, costs.len(), self.qualities),
            slopes: Ladders::beside(span, costs.len(), self.slopes),
            span,
            foot: foot(costs),
            benefit,
            last,
            stability: self.stability,
        }
    }
}

/// Returns benefit times quality of a level index, in 2⁻³¹.
#[inline]
pub(super) fn value(benefit: Benefit, qualities: &[Quality], rung: usize) -> u64 {
    u64::from(benefit.bits()).wrapping_mul(quality(qualities, rung).into())
}

impl Offer<'_> {
    #[inline]
    pub(super) fn cost(&self, rung: usize) -> u64 {
        self.costs.get(rung).copied().unwrap_or(0).into()
    }

    /// Returns benefit times quality of a level index, in 2⁻³¹.
    #[inline]
    pub(super) fn value(&self, rung: usize) -> u64 {
        value(self.benefit, self.qualities, rung)
    }

    /// Returns the level of an index.
    #[inline]
    pub(super) fn level(&self, rung: usize) -> u8 {
        self.span.level(u8::try_from(rung).unwrap_or(u8::MAX))
    }

    /// Returns the index of a level, clamped to the valid range.
    #[inline]
    pub(super) fn rung(&self, level: u8) -> usize {
        usize::from(level.saturating_sub(self.span.lowest())).min(self.highest())
    }

    #[inline]
    pub(super) fn highest(&self) -> usize {
        self.costs.len().saturating_sub(1)
    }

    /// Returns the previous level index, clamped to the valid range and at least the base.
    #[inline]
    pub(super) fn last_rung(&self) -> Option<usize> {
        self.last.level().map(|level| self.rung(level).max(self.foot))
    }

    /// Whether it had a higher level index in the previous frame.
    pub(super) fn is_below_last(&self, rung: usize) -> bool {
        self.last_rung().is_some_and(|last| rung < last)
    }

    /// Returns the highest index to which a leftover budget may upgrade it, and the part of the budget
    /// that it may spend: all of it up to its previous index, beyond that without the dead band.
    pub(super) fn reach(&self, rung: usize, pot: u64, reserved: u64) -> (usize, u64) {
        match self.last_rung() {
            Some(last) if rung < last => (last, pot),
            Some(_) => (self.highest(), pot.saturating_sub(reserved)),
            None => (self.highest(), pot),
        }
    }

    /// Returns the level index at a price: it takes all steps of the hull whose value is at least the
    /// price; above the previous index its benefit is discounted.
    #[inline]
    pub(super) fn rung_at(&self, price: Price) -> usize {
        let full = self.climb(self.benefit, price);
        match self.last_rung() {
            Some(last) if self.stability.margin > 0 && full > last => {
                self.climb(self.stability.discounted(self.benefit), price).max(last)
            }
            _ => full,
        }
    }

    #[inline]
    fn climb(&self, benefit: Benefit, price: Price) -> usize {
        let steps = self.slopes.iter().skip(self.foot.wrapping_add(1));
        let taken = steps.take_while(|slope| slope.is_worth(benefit, price)).count();
        self.foot.wrapping_add(taken)
    }

    /// Returns the benefit that counts above a level index.
    #[inline]
    pub(super) fn benefit_above(&self, rung: usize) -> Benefit {
        match self.last_rung() {
            Some(last) if rung >= last => self.stability.discounted(self.benefit),
            _ => self.benefit,
        }
    }

    /// Returns the break-even price of a step for an actor at a level index.
    #[inline]
    pub(super) fn worth_of(&self, step: Slope, rung: usize) -> Price {
        step.worth(self.benefit_above(rung))
    }

    /// Returns the slope of the hull above a level index.
    #[inline]
    pub(super) fn slope_above(&self, rung: usize) -> Slope {
        self.slopes.get(rung.wrapping_add(1)).copied().unwrap_or(Slope::NEVER)
    }

    /// Returns the end of the hull's step that begins at a level index or passes over it.
    pub(super) fn step_above(&self, rung: usize) -> usize {
        let mut steps = self.slopes.iter().skip(rung.wrapping_add(1));
        let Some(first) = steps.next() else { return rung };
        rung.wrapping_add(1).wrapping_add(steps.take_while(|&slope| slope == first).count())
    }

    /// Returns the best index above `rung` and up to `most` that costs at most `money` more nanoseconds: of
    /// equal quality the cheapest, of equal cost the highest.
    pub(super) fn best_above(&self, rung: usize, most: usize, money: u64) -> usize {
        let limit = self.cost(rung).saturating_add(money);
        let rungs = rung.wrapping_add(1)..=most.min(self.highest());
        rungs.take_while(|&to| self.cost(to) <= limit).fold(rung, |best, to| {
            let is_better = self.value(to) > self.value(best) || self.cost(to) == self.cost(best);
            if is_better { to } else { best }
        })
    }
}
