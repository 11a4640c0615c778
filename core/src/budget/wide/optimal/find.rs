//! Who is next, and who could take a step that some money pays.

use core::ops::Range;

use super::greatest::Most;
use super::thresholds::thresholds;
use crate::benefit::Benefit;
use crate::budget::book::Book;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::last::Last;
use crate::budget::price::Price;
use crate::budget::wide::group::GROUP;
use crate::budget::wide::place::{Rows, each_group};
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

/// Who is looked for: whom so much money raises, and whose next step is worth less than a price.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) below: Price,
    pub(super) paid: Paid,
    pub(super) money: u64,
}

/// Asks what the next step of anybody who is looked for is worth at most; 0 if there is nobody.
pub(super) struct Next(pub(super) Wanted);

/// Finds all who are looked for whose next steps are worth a price, and whose ids are among some; returns how
/// many they are.
pub(super) struct Find {
    pub(super) wanted: Wanted,
    pub(super) low: Price,
    pub(super) ids: Range<u32>,
}

impl Question for Next {
    type Answer = Most;

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> Most {
        let Some(shape) = Shape::of(part) else { return Most(0) };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Look { part, ladders, wanted: self.0 })
    }
}

impl Question for Find {
    type Answer = u64;

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> u64 {
        let Some(shape) = Shape::of(part) else { return 0 };
        let ladders = shape.ladders();
        shape.run(|_, _| 0, Mark { part, ladders, question: self })
    }
}

/// Tables of who is looked for.
struct Filter<const L: usize, const K: usize> {
    below: [[u32; L]; K],
    at_price: [[u32; L]; K],
    is_whole: bool,
    /// Above 0 for each step that is paid.
    pays: [[u32; L]; K],
}

impl<const L: usize, const K: usize> Filter<L, K> {
    fn new(ladders: Ladders<'_>, part: &Book<'_>, wanted: Wanted) -> Self {
        let Wanted { below, paid, money } = wanted;
        let (price, is_whole) = match paid {
            Paid::Whole { price } => (price, true),
            Paid::Any => (below, false),
        };
        let slopes = part.shared_slopes();
        Self {
            below: thresholds(ladders, slopes, below),
            at_price: thresholds(ladders, slopes, price),
            is_whole,
            pays: Steps::<L, K>::column(ladders, 0, |span, rung| {
                part.pays(span, rung.wrapping_sub(1), is_whole, money).into()
            }),
        }
    }

    /// Whether somebody on a rung is looked for, if the next step is paid.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a part of loops that are compiled for vectors
    fn has(&self, benefit: Benefit, kind: u8, rung: u32) -> bool {
        (Steps::<L, K>::rung_at(&self.below, benefit, kind) <= rung)
            & (!self.is_whole | (Steps::<L, K>::rung_at(&self.at_price, benefit, kind) == rung))
    }
}

struct Look<'a, 'b> {
    part: &'a mut Book<'b>,
    ladders: Ladders<'b>,
    wanted: Wanted,
}

impl Kernel for Look<'_, '_> {
    type Output = Most;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &Steps<L, K>) -> Most {
        let Self { part, ladders, wanted } = self;
        let filter = Filter::<L, K>::new(ladders, part, wanted);
        // The greatest benefit before each step.
        let mut most = [[0_u32; L]; K];
        each_group::<L>(part, |rows: Rows<'_>| {
            let now = rows.rungs(steps);
            let mut looked_for = [0_u32; GROUP];
            let places = looked_for.iter_mut().zip(&now);
            for (((place, &now), &benefit), &kind) in places.zip(rows.benefits).zip(rows.kinds) {
                let is = filter.has(benefit, kind, now.into());
                *place = if is { benefit.bits() } else { 0 };
            }
            if Steps::<L, K>::HAS_ONE {
                let before = most.iter_mut().zip(&filter.pays).zip(0_u8..);
                for ((most, pays), rung) in before {
                    let (Some(most), Some(1..)) = (most.first_mut(), pays.first()) else {
                        continue;
                    };
                    *most = looked_for.iter().zip(&now).fold(*most, |most, (&benefit, &now)| {
                        most.max(if now == rung { benefit } else { 0 })
                    });
                }
            } else {
                for ((&benefit, &now), &kind) in looked_for.iter().zip(&now).zip(rows.kinds) {
                    let before = most.get_mut(usize::from(now));
                    if let Some(most) = before.and_then(|most| most.get_mut(usize::from(kind))) {
                        *most = benefit.max(*most);
                    }
                }
            }
        });
        let slopes = part.shared_slopes();
        let worth = Steps::<L, K>::column(ladders, 0, |span, rung| {
            let place = (span.parts().0 as usize).wrapping_add(rung);
            u32::try_from(place).unwrap_or(u32::MAX)
        });
        let all = most.as_flattened().iter().zip(worth.as_flattened());
        let paid = all.zip(filter.pays.as_flattened()).filter(|(_, pays)| **pays > 0);
        Most(paid.fold(0, |best, ((&benefit, &place), _)| {
            let slope = slopes.get(place as usize).copied().unwrap_or_default();
            best.max(slope.worth(Benefit::from_bits(benefit)).bits())
        }))
    }
}

struct Mark<'a, 'b> {
    part: &'a mut Book<'b>,
    ladders: Ladders<'b>,
    question: &'a Find,
}

impl Kernel for Mark<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<const L: usize, const K: usize>(self, steps: &Steps<L, K>) -> u64 {
        let Self { part, ladders, question: Find { wanted, low, ids } } = self;
        let filter = Filter::<L, K>::new(ladders, part, *wanted);
        let low = thresholds::<L, K>(ladders, part.shared_slopes(), *low);
        let mut all = 0_u64;
        let mut its_ids = part.ids.chunks(GROUP);
        each_group::<L>(part, |mut rows: Rows<'_>| {
            let its_ids = its_ids.next().unwrap_or_default();
            let now = rows.rungs(steps);
            let mut is = [false; GROUP];
            let places = is.iter_mut().zip(&now);
            for (((is, &now), &benefit), &kind) in places.zip(rows.benefits).zip(rows.kinds) {
                let now = u32::from(now);
                *is = filter.has(benefit, kind, now)
                    & (Steps::<L, K>::rung_at(&low, benefit, kind) > now);
            }
            rows.group.found = 0;
            if is.contains(&true) {
                let seen = is.iter().zip(&now).zip(rows.kinds).zip(its_ids).enumerate();
                let found = seen.fold(0_u64, |found, (row, (((&is, &now), &kind), id))| {
                    let next = u32::from(now).wrapping_add(1);
                    let pays = Steps::<L, K>::to_rung(&filter.pays, next, kind) > 0;
                    found | u64::from(is & pays & ids.contains(id)) << row
                });
                rows.group.found = found;
                if found != 0 {
                    rows.keep();
                    all = all.wrapping_add(found.count_ones().into());
                }
            }
        });
        all
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
