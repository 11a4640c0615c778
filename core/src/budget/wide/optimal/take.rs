//! Levels at a price, and who has another one at a price a little below.

use super::thresholds::thresholds;
use crate::budget::book::Book;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::optimal::Totals;
use crate::budget::price::Price;
use crate::budget::slope::quality;
use crate::budget::wide::group::GROUP;
use crate::budget::wide::place::{EachGroup, Rows, each_group};
use crate::budget::wide::question::{Answer, Question};
use crate::budget::wide::steps::{Kernel, Shape, Steps};

/// Prices from one to below another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) low: Price,
    pub(super) high: Price,
}

/// Gives all actors every step that is worth the high end of a window, and finds those for whom another
/// step is worth the low end. Only for books that are asked by tables.
pub(super) struct Take(pub(super) Window);

/// What actors took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Taken {
    pub(super) totals: Totals,
    /// What everybody is worth at the least.
    pub(super) least: u64,
    /// How many were found.
    pub(super) found: u64,
}

impl Answer for Taken {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            totals: self.totals.plus(other.totals),
            least: self.least.wrapping_add(other.least),
            found: self.found.wrapping_add(other.found),
        }
    }
}

impl Question for Take {
    type Answer = Taken;

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> Taken {
        let Some(shape) = Shape::of(part) else { return Taken::default() };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Place { part, ladders, window: self.0 })
    }
}

struct Place<'a, 'b> {
    part: &'a mut Book<'b>,
    ladders: Ladders<'b>,
    window: Window,
}

impl Kernel for Place<'_, '_> {
    type Output = Taken;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &Steps<L, K>) -> Taken {
        let Self { part, ladders, window } = self;
        let slopes = part.shared_slopes();
        let high = thresholds::<L, K>(ladders, slopes, window.high);
        let low = thresholds::<L, K>(ladders, slopes, window.low);
        let worth = Worth::<L, K>::new(ladders, part);
        let mut groups =
            TakeGroup { steps, high: &high, low: &low, worth: &worth, taken: Taken::default() };
        each_group::<L>(part, &mut groups);
        groups.taken
    }
}

struct TakeGroup<'a, const L: usize, const K: usize> {
    steps: &'a Steps<L, K>,
    high: &'a [[u32; L]; K],
    low: &'a [[u32; L]; K],
    worth: &'a Worth<L, K>,
    taken: Taken,
}

impl<const L: usize, const K: usize> EachGroup for TakeGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: Rows<'_>) {
        let Self { steps, high, low, worth, .. } = *self;
        let (mut rungs, mut more) = ([0_u8; GROUP], [0_u8; GROUP]);
        let places = rungs.iter_mut().zip(&mut more);
        for (((rung, more), &benefit), &kind) in places.zip(rows.benefits).zip(rows.kinds) {
            *rung = (Steps::<L, K>::rung_at(high, benefit, kind) & 0xff) as u8;
            *more = (Steps::<L, K>::rung_at(low, benefit, kind) & 0xff) as u8;
        }
        let cost = rows.cost(steps, &rungs);
        let (value, least) = worth.of(&rows, high, &rungs);
        let levels = rows.levels(steps, &rungs);
        rows.set(&levels);
        rows.group.found = 0;
        let differ = |differ: u8, (rung, more): (&u8, &u8)| differ | (rung ^ more);
        if rungs.iter().zip(&more).fold(0, differ) != 0 {
            let found = rungs
                .iter()
                .zip(&more)
                .enumerate()
                .fold(0_u64, |found, (row, pair)| found | u64::from(pair.0 != pair.1) << row);
            rows.group.found = found;
            rows.keep();
        }
        let found = rows.group.found.count_ones().into();
        self.taken = self.taken.plus(Taken { totals: Totals { cost, value }, least, found });
    }
}

/// How good levels are.
struct Worth<const L: usize, const K: usize> {
    /// What each foot has.
    feet: [u32; L],
    /// What each step leads to.
    steps: [[u32; L]; K],
}

impl<const L: usize, const K: usize> Worth<L, K> {
    fn new(ladders: Ladders<'_>, part: &Book<'_>) -> Self {
        let of = |span: LadderSpan, rung| {
            let len = Ladders::part(span, ladders.costs).len();
            quality(Ladders::beside(span, len, part.qualities), rung)
        };
        Self {
            feet: Steps::<L, K>::feet(ladders, of),
            steps: Steps::<L, K>::column(ladders, 0, of),
        }
    }

    /// What rows are worth on their rungs, which are those at the thresholds; and on their feet.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a part of a loop that is compiled for vectors
    fn of(&self, rows: &Rows<'_>, thresholds: &[[u32; L]; K], rungs: &[u8; GROUP]) -> (u64, u64) {
        if Steps::<L, K>::HAS_ONE {
            // Who takes a step is worth what it gains; 64 benefits add up in 32 bits.
            let add = |sum: u32, benefit: u32| sum.wrapping_add(benefit);
            let all = rows.benefits.iter().fold(0, |sum, benefit| add(sum, benefit.bits()));
            let mut quality = u64::from(Steps::<L, K>::of(&self.feet, 0));
            let least = quality.wrapping_mul(all.into());
            let mut value = least;
            for (threshold, to) in thresholds.iter().zip(&self.steps) {
                let (threshold, to) = (Steps::<L, K>::of(threshold, 0), Steps::<L, K>::of(to, 0));
                let taken = rows.benefits.iter().fold(0, |sum, benefit| {
                    add(sum, if benefit.bits() >= threshold { benefit.bits() } else { 0 })
                });
                let gain = u64::from(to).wrapping_sub(quality);
                value = value.wrapping_add(gain.wrapping_mul(taken.into()));
                quality = to.into();
            }
            return (value, least);
        }
        let (mut value, mut least) = (0_u64, 0_u64);
        for ((&benefit, &kind), &rung) in rows.benefits.iter().zip(rows.kinds).zip(rungs) {
            let foot = Steps::<L, K>::of(&self.feet, kind);
            let to = Steps::<L, K>::to_rung(&self.steps, rung.into(), kind);
            let quality = if rung > 0 { to } else { foot };
            let worth = |quality: u32| u64::from(benefit.bits()).wrapping_mul(quality.into());
            value = value.wrapping_add(worth(quality));
            least = least.wrapping_add(worth(foot));
        }
        (value, least)
    }
}
