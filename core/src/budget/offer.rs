//! What one actor could have, and what that is worth.

use super::book::Book;
use super::demand::Account;
use super::ladder::{LadderSpan, Ladders};
use super::last::Last;
use super::policy::Stability;
use super::price::Price;
use super::quality::Quality;
use super::slope::{Slope, foot, quality};
use crate::benefit::Benefit;

/// What the actors of a book could have, apart from the columns where their levels go.
#[derive(Clone, Copy)]
pub(super) struct Offers<'a> {
    pub(super) account: Account<'a>,
    pub(super) qualities: &'a [Quality],
    /// Those of all ladders, parallel to the costs.
    pub(super) slopes: &'a [Slope],
    /// Empty if the past does not count.
    pub(super) last: &'a [Last],
    pub(super) stability: Stability,
}

/// What one actor could have. Levels are counted as rungs, from its lowest.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    pub(super) costs: &'a [u32],
    pub(super) qualities: &'a [Quality],
    slopes: &'a [Slope],
    span: LadderSpan,
    /// The highest rung that costs no more than the lowest: the least that anybody gets.
    pub(super) foot: usize,
    pub(super) benefit: Benefit,
    last: Last,
    stability: Stability,
}

impl Book<'_> {
    /// What the actors could have, and their levels and fractions.
    pub(super) fn columns(&mut self, stability: Stability) -> (Offers<'_>, &mut [u8], &mut [u16]) {
        let Self { account, qualities, slopes, last, levels, fractions, .. } = self;
        (Offers::new(*account, qualities, slopes.of_costs, last, stability), levels, fractions)
    }

    /// Sets the rung of a row.
    pub(super) fn set_rung(&mut self, row: usize, rung: usize) {
        let level = self.offers(Stability::OFF).of(row).level(rung);
        if let Some(place) = self.levels.get_mut(row) {
            *place = level;
        }
    }

    /// What the actors could have.
    pub(super) fn offers(&self, stability: Stability) -> Offers<'_> {
        Offers::new(self.account, self.qualities, self.slopes.of_costs, self.last, stability)
    }

    /// What an actor could have, and its rung now.
    pub(super) fn offer(&self, row: usize, stability: Stability) -> Option<(Offer<'_>, usize)> {
        let level = *self.levels.get(row)?;
        let offer = self.offers(stability).of(row);
        Some((offer, offer.rung(level)))
    }

    /// That of all actors.
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
        // Where levels can be raised by as little as one likes, no margin is between them.
        let margin = if account.continuous { 0 } else { stability.margin };
        Self { account, qualities, slopes, last, stability: Stability { margin, ..stability } }
    }

    /// Whether actors count with less benefit above their last levels.
    pub(super) const fn has_margin(&self) -> bool {
        self.stability.margin > 0 && !self.last.is_empty()
    }

    /// The offer of a row.
    #[inline]
    pub(super) fn of(&self, row: usize) -> Offer<'a> {
        let Account { ladders, ladder, benefits, .. } = self.account;
        let span = ladders.span(ladder.get(row).copied().unwrap_or(0));
        let benefit = benefits.get(row).copied().unwrap_or_default();
        self.with(span, benefit, self.last.get(row).copied().unwrap_or(Last::NONE))
    }

    /// That of somebody with such a ladder, benefit and past.
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

/// Benefit times quality of a rung, in 2⁻³¹.
#[inline]
pub(super) fn value(benefit: Benefit, qualities: &[Quality], rung: usize) -> u64 {
    u64::from(benefit.bits()).wrapping_mul(quality(qualities, rung).into())
}

impl Offer<'_> {
    #[inline]
    pub(super) fn cost(&self, rung: usize) -> u64 {
        self.costs.get(rung).copied().unwrap_or(0).into()
    }

    /// Benefit times quality of a rung, in 2⁻³¹.
    #[inline]
    pub(super) fn value(&self, rung: usize) -> u64 {
        value(self.benefit, self.qualities, rung)
    }

    /// The level of a rung.
    #[inline]
    pub(super) fn level(&self, rung: usize) -> u8 {
        self.span.level(u8::try_from(rung).unwrap_or(u8::MAX))
    }

    /// The rung of a level, or of the end of the range that it is beyond.
    #[inline]
    pub(super) fn rung(&self, level: u8) -> usize {
        usize::from(level.saturating_sub(self.span.lowest())).min(self.highest())
    }

    #[inline]
    pub(super) fn highest(&self) -> usize {
        self.costs.len().saturating_sub(1)
    }

    /// The rung of the last frame as far as it is valid, and at least the foot.
    #[inline]
    pub(super) fn last_rung(&self) -> Option<usize> {
        self.last.level().map(|level| self.rung(level).max(self.foot))
    }

    /// Whether it was on a higher rung in the last frame.
    pub(super) fn is_below_last(&self, rung: usize) -> bool {
        self.last_rung().is_some_and(|last| rung < last)
    }

    /// How far a pot may raise it from a rung, and with how much of the pot: back to its last rung with
    /// all, beyond that without the reserve.
    pub(super) fn reach(&self, rung: usize, pot: u64, reserved: u64) -> (usize, u64) {
        match self.last_rung() {
            Some(last) if rung < last => (last, pot),
            Some(_) => (self.highest(), pot.saturating_sub(reserved)),
            None => (self.highest(), pot),
        }
    }

    /// The rung at a price: all steps of the hull that are worth it; above the last one with less
    /// benefit.
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

    /// The benefit that counts for more than a rung.
    #[inline]
    pub(super) fn benefit_above(&self, rung: usize) -> Benefit {
        match self.last_rung() {
            Some(last) if rung >= last => self.stability.discounted(self.benefit),
            _ => self.benefit,
        }
    }

    /// What money is worth that is spent on a step, to somebody who stands on a rung.
    #[inline]
    pub(super) fn worth_of(&self, step: Slope, rung: usize) -> Price {
        step.worth(self.benefit_above(rung))
    }

    /// The slope of the hull above a rung.
    #[inline]
    pub(super) fn slope_above(&self, rung: usize) -> Slope {
        self.slopes.get(rung.wrapping_add(1)).copied().unwrap_or(Slope::NEVER)
    }

    /// Where the step of the hull ends that begins at a rung or leads over it.
    pub(super) fn step_above(&self, rung: usize) -> usize {
        let mut steps = self.slopes.iter().skip(rung.wrapping_add(1));
        let Some(first) = steps.next() else { return rung };
        rung.wrapping_add(1).wrapping_add(steps.take_while(|&slope| slope == first).count())
    }

    /// The best rung from one on to another that takes at most so many nanoseconds: of equal quality
    /// the cheapest, of equal cost the highest.
    pub(super) fn best_above(&self, rung: usize, most: usize, money: u64) -> usize {
        let limit = self.cost(rung).saturating_add(money);
        let rungs = rung.wrapping_add(1)..=most.min(self.highest());
        rungs.take_while(|&to| self.cost(to) <= limit).fold(rung, |best, to| {
            let is_better = self.value(to) > self.value(best) || self.cost(to) == self.cost(best);
            if is_better { to } else { best }
        })
    }
}
