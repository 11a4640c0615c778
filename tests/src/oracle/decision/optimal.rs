//! The optimal policy: hulls, the price search, the leftover budget and the upper bound.
//!
//! Values are in 2⁻³¹. A price is a float of 24 bits that orders as its bits: 17 bits of fraction below 7 of exponent.
//! The mantissa of 18 bits has a leading 1; its last bit is 2 to the power of the exponent less 57.

use std::cmp::Reverse;

use super::{FrameBudget, LEAST_PRICE, Ladder, Row, in_order};

const FRACTION: u32 = 17;
const BIAS: u32 = 57;
/// The price at which no step is taken.
const GREATEST_PRICE: u32 = (1 << 24) - 1;

/// A quality per nanosecond, `mantissa` / 2^`shift`, with a mantissa of exactly 32 bits, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slope {
    mantissa: u128,
    shift: u32,
}

impl Slope {
    /// The slope between two levels; `None` without a gain or a cost.
    fn between(ladder: &Ladder, from: usize, to: usize) -> Option<Self> {
        let gain = u128::from(ladder.qualities[to] - ladder.qualities[from]);
        let cost = u128::from(ladder.costs[to] - ladder.costs[from]);
        let quotient = |shift: u32| (gain << shift).checked_div(cost).unwrap_or(0);
        let shift = (16..64).find(|&shift| quotient(shift) >> 31 == 1)?;
        Some(Self { mantissa: quotient(shift), shift })
    }

    /// The step's worth for a benefit, rounded down to a price; `None` without a benefit.
    fn worth(self, benefit: u32) -> Option<u32> {
        let product = self.mantissa * u128::from(benefit);
        let leading = product.checked_ilog2()?;
        let mantissa = u32::try_from((product << FRACTION) >> leading).expect("18 bits");
        let exponent = BIAS + leading - FRACTION - self.shift;
        Some((exponent << FRACTION) + mantissa - (1 << FRACTION))
    }
}

/// The slope of the hull step that leads to each level or over it.
///
/// From the upper end of the lowest plateau, each step leads to the level with the most quality for its cost, of equal
/// ones to the highest. Levels that cost more than the lowest by more than `spare` are on no hull.
fn slopes(ladder: &Ladder, spare: u128) -> Vec<Option<Slope>> {
    let mut slopes = vec![None; ladder.costs.len()];
    let end = ladder.highest(u128::from(ladder.costs[0]) + spare) + 1;
    let mut from = ladder.highest(0);
    loop {
        let rise = |to: usize| {
            let gain = u64::from(ladder.qualities[to] - ladder.qualities[from]);
            (gain, u64::from(ladder.costs[to] - ladder.costs[from]))
        };
        let vertices = (from + 1..end).filter(|&to| rise(to).0 > 0);
        let Some(to) = vertices.max_by(|&a, &b| {
            let ((gain, cost), (other_gain, other_cost)) = (rise(a), rise(b));
            (gain * other_cost).cmp(&(other_gain * cost))
        }) else {
            return slopes;
        };
        slopes[from + 1..=to].fill(Slope::between(ladder, from, to));
        from = to;
    }
}

#[derive(Clone, Copy)]
pub(super) struct Optimum {
    pub(super) price: u32,
    pub(super) upper_bound: u64,
    /// Whether hysteresis is off, and the gap above 2⁻¹⁰ of what the upper bound adds to the value of the minimums.
    pub(super) begins_local_search: bool,
}

pub(super) fn optimal(rows: &mut [Row<'_>], frame: FrameBudget, last: Option<u32>) -> Optimum {
    take(rows, |row| row.ladder.highest(0));
    let spare = frame.available.saturating_sub(frame.minimum);
    for row in &mut *rows {
        row.slopes = slopes(row.ladder, spare);
    }
    if frame.overcommit > 0 {
        return Optimum { price: GREATEST_PRICE, upper_bound: 0, begins_local_search: false };
    }
    let minimums = value(rows);
    let least = least_price(rows, frame.available);
    let greatest = least_price(rows, frame.low());
    let price = last.map_or(least, |last| last.max(least).min(greatest));
    let upper_bound = upper_bound(rows, price, frame.available);
    take(rows, |row| row.index_at(price));
    fill(rows, frame);
    if !frame.has_hysteresis {
        give_all_to_one(rows, frame);
    }
    let gap = upper_bound.saturating_sub(value(rows));
    let begins_local_search =
        !frame.has_hysteresis && gap > upper_bound.saturating_sub(minimums) >> 10;
    fill_fractions(rows, frame);
    Optimum { price, upper_bound, begins_local_search }
}

fn take(rows: &mut [Row<'_>], index: impl Fn(&Row<'_>) -> usize) {
    for row in rows {
        row.set((index(row), 0));
    }
}

fn value(rows: &[Row<'_>]) -> u64 {
    rows.iter().map(|row| row.value(row.index)).sum()
}

fn cost(rows: &[Row<'_>]) -> u128 {
    rows.iter().map(|row| row.cost(row.index)).sum()
}

impl Row<'_> {
    /// The worth of the hull step to or over a level, if there is one.
    pub(super) fn worth(&self, index: usize, benefit: u32) -> Option<u32> {
        self.slopes.get(index).copied().flatten()?.worth(benefit)
    }

    fn climb(&self, benefit: u32, price: u32) -> usize {
        let base = self.ladder.highest(0);
        let is_worth = |&index: &usize| self.worth(index, benefit) >= Some(price);
        base + (base + 1..=self.ladder.top()).take_while(is_worth).count()
    }

    /// The index after all steps worth a price, of which those above the previous level count less.
    fn index_at(&self, price: u32) -> usize {
        let index = self.climb(self.benefit, price);
        match self.previous {
            Some(previous) if index > previous => self.climb(self.discounted, price).max(previous),
            _ => index,
        }
    }

    /// The end of the next hull step. Steps whose rounded slopes are equal are one step.
    fn next_step(&self) -> usize {
        let is_same = |&index: &usize| self.slopes[index] == self.slopes[self.index + 1];
        self.index + (self.index + 1..=self.ladder.top()).take_while(is_same).count()
    }

    /// The level of the greatest quality for a little more money: of equal ones the cheapest, of these the highest.
    fn best_above(&self, most: usize, money: u128) -> usize {
        let paid = self.cost(self.index) + money;
        let levels = (self.index..=most).filter(|&index| self.cost(index) <= paid);
        let best = levels
            .min_by_key(|&index| (Reverse(self.value(index)), self.cost(index), Reverse(index)));
        best.expect("the level is paid")
    }
}

/// The least price at which the steps worth it cost at most `limit`; the greatest if even the minimums cost more.
fn least_price(rows: &[Row<'_>], limit: u128) -> u32 {
    let (mut low, mut high) = (LEAST_PRICE, GREATEST_PRICE);
    while low < high {
        let price = u32::midpoint(low, high);
        let cost: u128 = rows.iter().map(|row| row.cost(row.index_at(price))).sum();
        if cost <= limit { high = price } else { low = price + 1 }
    }
    low
}

/// The value of the levels at a price without hysteresis, and of the rest of the budget at this price.
///
/// It counts 2⁻²⁹ more, as slopes are rounded. The value of a missing budget counts 2 less, as both halves of it are
/// rounded up.
fn upper_bound(rows: &[Row<'_>], price: u32, available: u128) -> u64 {
    let levels = || rows.iter().map(|row| (row, row.climb(row.benefit, price)));
    let cost: u128 = levels().map(|(row, index)| row.cost(index)).sum();
    let value: u64 = levels().map(|(row, index)| row.value(index)).sum();
    if price == LEAST_PRICE && cost <= available {
        return value;
    }
    let left = value_of(price, available.saturating_sub(cost));
    let lacks = value_of(price, cost.saturating_sub(available)).saturating_sub(2);
    let bound = value.saturating_add(left).saturating_sub(lacks);
    bound.saturating_add(value.max(bound) >> 29).saturating_add(1)
}

/// The value of money at a price, saturating; the low 32 bits of the money and the others each round up.
fn value_of(price: u32, money: u128) -> u64 {
    let mantissa = u128::from(price % (1 << FRACTION) + (1 << FRACTION));
    let part = |money: u128, exponent: u32| {
        // Any value that is shifted up by 64 bits is saturated.
        let product = (money * mantissa) << exponent.saturating_sub(BIAS).min(64);
        let value = product.div_ceil(1 << BIAS.saturating_sub(exponent));
        u64::try_from(value).unwrap_or(u64::MAX)
    };
    let exponent = price >> FRACTION;
    part(money >> 32, exponent + 32).saturating_add(part(money & 0xffff_ffff, exponent))
}

/// Spends the rest by falling worth of each actor's next hull step: first on these steps, each if it fits, then on the
/// best level that fits. An actor below its previous level takes the best level up to this one in both phases.
fn fill(rows: &mut [Row<'_>], frame: FrameBudget) {
    for are_steps_whole in [true, false] {
        let mut left = frame.available - cost(rows);
        for index in in_order(rows, |row| row.worth(row.index + 1, row.benefit_above())) {
            let row = &mut rows[index];
            let (most, money) = row.reach(left, frame.dead_band_of(frame.available));
            let mut to = row.next_step();
            if !are_steps_whole || row.is_below_previous() {
                to = row.best_above(most, money);
            } else if row.cost(to) - row.cost(row.index) > money {
                to = row.index;
            }
            left -= row.cost(to) - row.cost(row.index);
            row.set((to, 0));
        }
    }
}

/// Gives all of the budget above the minimums to the actor that gains most, if that has more value than the plan, and
/// fills the rest again.
fn give_all_to_one(rows: &mut [Row<'_>], frame: FrameBudget) {
    let planned: Vec<usize> = rows.iter().map(|row| row.index).collect();
    let value_of_plan = value(rows);
    take(rows, |row| row.ladder.highest(0));
    let best = |row: &Row<'_>| row.best_above(row.ladder.top(), frame.available - frame.minimum);
    let gain = |row: &Row<'_>| row.value(best(row)) - row.value(row.index);
    let one = rows.iter_mut().max_by_key(|row| (gain(row), Reverse(row.actor.id)));
    if let Some(one) = one.filter(|row| gain(row) > 0) {
        one.set((best(one), 0));
    }
    if value(rows) > value_of_plan {
        fill(rows, frame);
    } else {
        for (row, index) in rows.iter_mut().zip(planned) {
            row.set((index, 0));
        }
    }
}

/// Raises continuous actors by falling worth of their next level, with the rest of the budget.
fn fill_fractions(rows: &mut [Row<'_>], frame: FrameBudget) {
    let mut left = frame.available - cost(rows);
    let worth = |row: &Row<'_>| {
        let has_next = row.actor.is_continuous && row.index < row.ladder.top();
        let slope = has_next.then(|| Slope::between(row.ladder, row.index, row.index + 1))??;
        slope.worth(row.benefit_above())
    };
    for index in in_order(rows, worth) {
        left -= rows[index].raise(left, frame.dead_band_of(frame.available));
    }
}
