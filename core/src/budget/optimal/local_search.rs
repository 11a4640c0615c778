//! Moves: other levels of a few actors, searched together.
//!
//! Actors join one by one: every move is combined with every level of the next actor, and of the results, by rising cost,
//! those with more value than all cheaper ones remain. A move is hopeless if it loses more at the price than the gap, or
//! costs more than other actors could give back.

use crate::budget::price::Price;
use crate::budget::scratch::Move;

/// The number of levels tried for an actor, nearest to the level at the price.
pub(super) const ALTERNATIVES: usize = 16;
const MOST: usize = 2 * 65_535;
/// Moves examined for each place.
const EFFORT: u32 = 1024;

pub(super) const OTHERS: usize = 6;
const PARTS: usize = 64;

/// An actor's additional cost and value against the level at the price.
#[derive(Clone, Copy, Default)]
pub(super) struct Alternative {
    pub(super) cost: i64,
    pub(super) value: i64,
    pub(super) step: Option<(u8, u8)>,
}

/// Bounds of a move, relative to the levels at the price: costs in nanoseconds, values in 2⁻³¹.
#[derive(Clone, Copy)]
pub(super) struct SearchBounds {
    pub(super) price: Price,
    pub(super) left: i64,
    pub(super) bound: i64,
    pub(super) best: i64,
    pub(super) enough: i64,
    pub(super) others: [Other; OTHERS],
}

/// Another price, and the total gain at it of actors that have not joined, in 2⁻³¹: a tighter bound if much of the
/// budget is left or missing.
#[derive(Clone, Copy, Default)]
pub(super) struct Other {
    pub(super) price: Price,
    pub(super) gain: i64,
}

impl Other {
    pub(super) fn around(price: Price) -> [Self; OTHERS] {
        // In 2⁻¹⁷ of a power of two.
        let distances = [-(1 << 15), 1 << 15, -(1 << 17), 1 << 17, -(3 << 17), 3 << 17];
        distances.map(|distance| {
            let bits = price.bits().saturating_add_signed(distance);
            Self { price: Price::from_bits(bits).max(Price::MIN), gain: 0 }
        })
    }
}

pub(super) fn loss(price: Price, cost: i64, value: i64) -> i64 {
    let worth = i64::try_from(price.of(cost.unsigned_abs())).unwrap_or(i64::MAX);
    let worth = if cost > 0 { worth.saturating_sub(1) } else { worth.wrapping_neg() };
    worth.saturating_sub(value)
}

impl SearchBounds {
    pub(super) fn loss(&self, cost: i64, value: i64) -> i64 {
        loss(self.price, cost, value)
    }

    /// Whether no other price rules out a better plan.
    fn is_possible(&self, cost: i64, value: i64) -> bool {
        let left = self.left.saturating_sub(cost);
        self.others.iter().filter(|other| (other.price < self.price) == (left > 0)).all(|other| {
            let most = value.saturating_add(other.gain);
            // The remaining budget adds value at that price, or the missing budget takes it away.
            loss(other.price, left, most.wrapping_neg()).saturating_add(1) > self.best
        })
    }

    pub(super) const fn is_hopeful(&self, loss: i64) -> bool {
        loss < self.bound.saturating_sub(self.best)
    }

    pub(super) const fn is_open(&self) -> bool {
        self.bound.saturating_sub(self.best) > self.enough
    }
}

pub(super) struct LocalSearch<'t> {
    pub(super) bounds: SearchBounds,
    pub(super) found: Option<Move>,
    now: &'t mut [Move],
    next: &'t mut [Move],
    len: usize,
    looked_at: u32,
    most: u32,
    part_shift: u32,
    /// Quarters of the memory for the moves that lose least.
    quarters: usize,
}

impl<'t> LocalSearch<'t> {
    /// Begins at the price; `None` without space for two moves in each of two lists.
    pub(super) fn new(
        scratch: &'t mut [Move],
        bounds: SearchBounds,
        quarters: usize,
    ) -> Option<Self> {
        let len = scratch.len().min(MOST);
        let scratch = scratch.get_mut(..len)?;
        let most = u32::try_from(len).unwrap_or(u32::MAX).saturating_mul(EFFORT);
        let (now, next) = scratch.split_at_mut_checked(scratch.len() / 2)?;
        if now.len() < 2 {
            return None;
        }
        *now.first_mut()? = Move::default();
        let open = bounds.bound.saturating_sub(bounds.best).unsigned_abs();
        let part_shift = (u64::BITS - open.leading_zeros()).saturating_sub(PARTS.ilog2());
        Some(Self {
            bounds,
            found: None,
            now,
            next,
            len: 1,
            looked_at: 0,
            most,
            part_shift,
            quarters,
        })
    }

    pub(super) const fn is_open(&self) -> bool {
        self.bounds.is_open() && self.len > 0 && self.looked_at < self.most
    }

    /// Adds an actor; others could give back `give` nanoseconds.
    pub(super) fn join(&mut self, alternatives: &[Alternative], give: i64) {
        let mut losses = [0; PARTS];
        self.look(alternatives, give, &mut losses);
        self.keep(alternatives, give, &losses);
        core::mem::swap(&mut self.now, &mut self.next);
    }

    /// Searches for a better plan, and counts moves by loss.
    fn look(&mut self, alternatives: &[Alternative], give: i64, losses: &mut [usize; PARTS]) {
        let mut found = self.found;
        let now = self.now.get(..self.len).unwrap_or(&[]);
        let mut merge = Merge::new(now, alternatives, self.bounds, give);
        while let Some(candidate) = merge.next() {
            let part = part(merge.bounds.loss(candidate.cost, candidate.value), self.part_shift);
            if let Some(count) = losses.get_mut(part) {
                *count = count.wrapping_add(1);
            }
            if candidate.cost <= merge.bounds.left && candidate.value > merge.bounds.best {
                merge.bounds.best = candidate.value;
                found = Some(candidate);
            }
        }
        let (bounds, looked_at) = (merge.bounds, merge.looked_at);
        (self.bounds, self.found) = (bounds, found);
        self.looked_at = self.looked_at.saturating_add(looked_at);
    }

    /// Keeps moves. If they are too many, some quarters of the memory go to the moves that lose least, the others to the
    /// least loss among each few neighbours.
    fn keep(&mut self, alternatives: &[Alternative], give: i64, losses: &[usize; PARTS]) {
        let scratch = self.next.len().min(self.now.len());
        let all = losses.iter().fold(0_usize, |sum, &count| sum.wrapping_add(count));
        let (mut sure, mut parts) = (0_usize, 0_usize);
        let enough = if all <= scratch { all } else { (scratch / 4).wrapping_mul(self.quarters) };
        for &count in losses {
            if sure.wrapping_add(count) > enough {
                break;
            }
            (sure, parts) = (sure.wrapping_add(count), parts.wrapping_add(1));
        }
        let (others, places) = (all.wrapping_sub(sure), scratch.wrapping_sub(sure));
        let now = self.now.get(..self.len).unwrap_or(&[]);
        let mut merge = Merge::new(now, alternatives, self.bounds, give);
        let mut kept = Kept { moves: self.next, len: 0 };
        // The best of its neighbours so far, and its loss.
        let mut best: Option<(Move, i64)> = None;
        let (mut visited, mut chunk) = (0_usize, 0);
        while let Some(candidate) = merge.next() {
            let loss = self.bounds.loss(candidate.cost, candidate.value);
            if part(loss, self.part_shift) < parts {
                kept.insert(candidate);
                continue;
            }
            let its = visited.wrapping_mul(places).checked_div(others).unwrap_or(0);
            visited = visited.wrapping_add(1);
            if its != chunk {
                chunk = its;
                best.take().inspect(|&(candidate, _)| kept.insert(candidate));
            }
            if best.is_none_or(|(_, least)| loss < least) {
                best = Some((candidate, loss));
            }
        }
        best.inspect(|&(candidate, _)| kept.insert(candidate));
        self.len = kept.len;
    }
}

fn part(loss: i64, shift: u32) -> usize {
    usize::try_from(loss.max(0) >> shift).unwrap_or(usize::MAX)
}

struct Kept<'a> {
    moves: &'a mut [Move],
    len: usize,
}

impl Kept<'_> {
    fn insert(&mut self, candidate: Move) {
        if self.len >= self.moves.len() {
            return;
        }
        let mut at = self.len;
        while let Some(below) = at.checked_sub(1)
            && let Some(&lower) = self.moves.get(below)
            && lower.cost > candidate.cost
        {
            self.moves.get_mut(at).into_iter().for_each(|place| *place = lower);
            at = below;
        }
        self.moves.get_mut(at).into_iter().for_each(|place| *place = candidate);
        self.len = self.len.wrapping_add(1);
    }
}

/// All continued moves, by rising cost, each with more value than those before.
struct Merge<'a> {
    moves: &'a [Move],
    alternatives: &'a [Alternative],
    bounds: SearchBounds,
    give: i64,
    cursors: [u16; ALTERNATIVES],
    most_value: i64,
    looked_at: u32,
}

impl<'a> Merge<'a> {
    const fn new(
        moves: &'a [Move],
        alternatives: &'a [Alternative],
        bounds: SearchBounds,
        give: i64,
    ) -> Self {
        let (cursors, most_value) = ([0; ALTERNATIVES], i64::MIN);
        Self { moves, alternatives, bounds, give, cursors, most_value, looked_at: 0 }
    }

    fn next(&mut self) -> Option<Move> {
        loop {
            let candidate = self.cheapest()?;
            let affordable = candidate.cost.saturating_sub(self.give) <= self.bounds.left;
            let better = candidate.value > self.most_value;
            let hopeful = self.bounds.is_hopeful(self.bounds.loss(candidate.cost, candidate.value));
            if better
                && affordable
                && hopeful
                && self.bounds.is_possible(candidate.cost, candidate.value)
            {
                self.most_value = candidate.value;
                return Some(candidate);
            }
        }
    }

    fn cheapest(&mut self) -> Option<Move> {
        loop {
            let mut best: Option<(i64, i64, &Move, &Alternative, &mut u16)> = None;
            for (alternative, cursor) in self.alternatives.iter().zip(&mut self.cursors) {
                let Some(candidate) = self.moves.get(usize::from(*cursor)) else { continue };
                let cost = candidate.cost.saturating_add(alternative.cost);
                let value = candidate.value.saturating_add(alternative.value);
                if best.as_ref().is_none_or(|best| (cost, best.1) < (best.0, value)) {
                    best = Some((cost, value, candidate, alternative, cursor));
                }
            }
            let (cost, value, candidate, alternative, cursor) = best?;
            *cursor = cursor.saturating_add(1);
            self.looked_at = self.looked_at.saturating_add(1);
            if let Some(steps) = candidate.steps.and(alternative.step) {
                return Some(Move { cost, value, steps });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_that_is_close_enough_ends_the_search() {
        let is_open = |bound| {
            let others = [Other::default(); OTHERS];
            SearchBounds { price: Price::MIN, left: 0, bound, best: 90, enough: 10, others }
                .is_open()
        };
        assert_eq!([100, 101].map(is_open), [false, true]);
    }
}
