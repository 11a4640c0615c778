//! Who could take a step, if somebody is left whom money pays one.

use super::take::Window;
use super::thresholds::thresholds;
use crate::benefit::Benefit;
use crate::budget::book::Book;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::last::Last;
use crate::budget::price::Price;
use crate::budget::wide::group::GROUP;
use crate::budget::wide::place::{EachGroup, Rows, each_group};
use crate::budget::wide::question::Question;
use crate::budget::wide::steps::{Kernel, Shape, Steps};

/// Which steps a rest of money pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paid {
    /// The next of the hull, as a whole, for those who still stand where the price has put them.
    Whole {
        /// That price.
        price: Price,
    },
    /// Whatever is better.
    Any,
}

/// Finds those whose next step has a worth within a window and whom so much money raises; returns how many
/// they are.
pub(super) struct Find {
    pub(super) window: Window,
    pub(super) paid: Paid,
    pub(super) money: u64,
}

impl Question for Find {
    type Answer = u64;

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> u64 {
        let Some(shape) = Shape::of(part) else { return 0 };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Look { part, ladders, question: self })
    }
}

struct Look<'a, 'b> {
    part: &'a mut Book<'b>,
    ladders: Ladders<'b>,
    question: &'a Find,
}

impl Kernel for Look<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &Steps<L, K>) -> u64 {
        let Self { part, ladders, question: &Find { window, paid, money } } = self;
        let slopes = part.shared_slopes();
        let high = thresholds::<L, K>(ladders, slopes, window.high);
        let low = thresholds::<L, K>(ladders, slopes, window.low);
        let (price, is_whole) = match paid {
            Paid::Whole { price } => (price, true),
            Paid::Any => (window.high, false),
        };
        let at_price = thresholds::<L, K>(ladders, slopes, price);
        let pays = Steps::<L, K>::column(ladders, 0, |span, rung| {
            part.pays(span, rung.wrapping_sub(1), is_whole, money).into()
        });
        let thresholds = [&high, &low, &at_price];
        let mut groups = LookGroup { steps, thresholds, is_whole, pays: &pays, all: 0 };
        each_group::<L>(part, &mut groups);
        groups.all
    }
}

struct LookGroup<'a, const L: usize, const K: usize> {
    steps: &'a Steps<L, K>,
    /// Those of the high end of the window, of its low end, and of the price.
    thresholds: [&'a [[u32; L]; K]; 3],
    is_whole: bool,
    /// Whether the money pays each step.
    pays: &'a [[u32; L]; K],
    all: u64,
}

impl<const L: usize, const K: usize> EachGroup for LookGroup<'_, L, K> {
    #[inline(always)]
    fn see(&mut self, mut rows: Rows<'_>) {
        let Self { steps, thresholds: [high, low, at_price], is_whole, pays, .. } = *self;
        let now = rows.rungs(steps);
        let mut near = [false; GROUP];
        for (((near, &now), &benefit), &kind) in
            near.iter_mut().zip(&now).zip(rows.benefits).zip(rows.kinds)
        {
            let rung = |at| Steps::<L, K>::rung_at(at, benefit, kind);
            let now = u32::from(now);
            *near = (rung(high) <= now) & (rung(low) > now) & (!is_whole | (rung(at_price) == now));
        }
        rows.group.found = 0;
        if near.contains(&true) {
            let seen = near.iter().zip(&now).zip(rows.kinds).enumerate();
            let found = seen.fold(0_u64, |found, (row, ((&near, &now), &kind))| {
                let next = u32::from(now).wrapping_add(1);
                let is_found = near && Steps::<L, K>::to_rung(pays, next, kind) > 0;
                found | u64::from(is_found) << row
            });
            rows.group.found = found;
            if found != 0 {
                rows.keep();
                self.all = self.all.wrapping_add(found.count_ones().into());
            }
        }
    }
}

impl Book<'_> {
    /// Whether so much money raises somebody with a benefit from a rung.
    fn pays(&self, span: LadderSpan, rung: usize, is_whole: bool, money: u64) -> bool {
        let offer = self.shared_offers().with(span, Benefit::MAX, Last::NONE);
        if is_whole {
            offer.cost(offer.step_above(rung)).saturating_sub(offer.cost(rung)) <= money
        } else {
            offer.best_above(rung, offer.highest(), money) != rung
        }
    }
}
