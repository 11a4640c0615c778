//! Which candidate becomes which level of detail.

mod frontier;
mod item;
mod plan;
mod split;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{Lods, Streaming};

use crate::chain::Chain;
use crate::frame::Frame;
use crate::model::Level;
use item::{DOWNWARD, Freedom, Item, Picks};
use plan::{Plan, Plans};
pub(crate) use split::{by_triangles, own, thirds};

/// How the levels below the high one are chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LodRule {
    /// Those that the model brings are kept, the others are made.
    #[default]
    Given,
    /// All are made, whatever the model brings.
    Auto,
    /// Each is the best candidate with at most so many triangles: medium, low, lowest.
    Triangles([Share; 3]),
}

/// So many triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// So many.
    Count(u32),
    /// So great a part of those of the high level, above 0 and at most 1.
    Part(f64),
}

/// An object whose levels are to be chosen.
#[derive(Debug)]
pub(crate) struct Choosing<'a> {
    pub(crate) chain: &'a Chain,
    pub(crate) frame: &'a Frame,
}

/// Within what levels are chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// The greatest streaming cost of all objects.
    pub(crate) most: f64,
    /// Whether every high level must stay the source.
    pub(crate) keep_high: bool,
    /// Whether levels that the model brings stay: [`LodRule::Given`].
    pub(crate) given: bool,
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// For each object the candidate of each level, an index into its chain.
    pub picks: Vec<Lods<usize>>,
    /// The streaming cost of all objects, not rounded.
    pub streaming: f64,
    /// Σ weight·error over all objects and levels.
    pub loss: f64,
}

/// How much an error of 1 m at each level weighs, for an object of that frame: error over distance, over the ring
/// in which the level is shown, 2π(outer − inner), with radii √(A/π) of core's areas.
///
/// # Formula
/// ∫ (1/r)·2πr dr from the inner to the outer radius, in metres. The areas are those of rings, one around the other, so that
/// that of a circle is theirs up to it.
pub(crate) fn weights(streaming: &Streaming<f64>, frame: &Frame) -> Lods<f64> {
    let areas = streaming.areas(radius(frame));
    let mut area = 0.0;
    let mut inner = 0.0;
    let weights = DOWNWARD.map(|lod| {
        area += areas.of(lod);
        let outer = (area / PI).sqrt();
        let weight = 2.0 * PI * (outer - inner);
        inner = outer;
        weight
    });
    let [high, medium, low, lowest] = weights;
    Lods { lowest, low, medium, high }
}

/// The radius that streaming cost depends on; 0, which costs least, for an object that is larger than any can be.
fn radius(frame: &Frame) -> f64 {
    frame.scale().map_or(0.0, ObjectScale::radius)
}

/// Chooses the levels of all objects of a linkset so that Σ weight·error is as small as their streaming cost of at
/// most [`Terms::most`] allows. The high level stays the source unless nothing else fits.
///
/// lodger's optimal policy is asked first: an actor for each object and level. Levels that come out heavier than the one
/// above are made lighter, and what is left is spent again. The same is done with the viewer's own split, so that
/// nothing ever loses more than that. At the end no one object and no two of them have better levels for what theirs
/// cost and what is left.
///
/// # Errors
/// The least streaming cost that can be had, where that is above the most.
pub(crate) fn choose(
    objects: &[Choosing<'_>],
    streaming: &Streaming<f64>,
    terms: &Terms,
) -> Result<Choice, f64> {
    let plans = |high: bool| {
        let freedom = Freedom { high, given: terms.given };
        let items = objects.iter().map(|object| Item::new(object, streaming, freedom)).collect();
        Plans::new(items, streaming, terms.most)
    };
    let strict = plans(false);
    let lightest = strict.lightest();
    if strict.fits(&lightest) {
        return Ok(best(objects, &strict, terms.most));
    }
    if terms.keep_high {
        return Err(strict.streaming_cost(&lightest));
    }
    let free = plans(true);
    let lightest = free.lightest();
    if free.fits(&lightest) {
        Ok(best(objects, &free, terms.most))
    } else {
        Err(free.streaming_cost(&lightest))
    }
}

/// The best of the plans that come of what the policy buys, of the viewer's split, and of the lightest forms, which
/// fit.
fn best(objects: &[Choosing<'_>], plans: &Plans<'_>, most: f64) -> Choice {
    let split = thirds(objects, plans.streaming, most);
    let place = |item: &Item, picks: &Lods<usize>| -> Picks {
        let lightest = item.lightest();
        let pick = |place: usize| {
            let forms = &item.forms[place];
            let wanted = picks.of(DOWNWARD[place]);
            forms.iter().position(|form| form.candidate >= wanted).unwrap_or(lightest[place])
        };
        item.repaired(std::array::from_fn(pick)).unwrap_or(lightest)
    };
    let split: Plan =
        plans.items.iter().zip(&split.picks).map(|(item, picks)| place(item, picks)).collect();
    let starts = [plans.bought(), split].into_iter().filter(|plan| plans.fits(plan));
    let improved = starts.chain([plans.lightest()]).map(|plan| plans.improved(plan));
    let best = improved.min_by(|a, b| plans.loss(a).total_cmp(&plans.loss(b))).unwrap_or_default();
    let picks = plans.items.iter().zip(&best);
    let picks = picks.map(|(item, picks)| item.lods(picks, |form| form.candidate)).collect();
    chosen(objects, plans.streaming, picks)
}

/// What is chosen by these picks.
fn chosen(objects: &[Choosing<'_>], streaming: &Streaming<f64>, picks: Vec<Lods<usize>>) -> Choice {
    let mut choice = Choice { picks: Vec::new(), streaming: 0.0, loss: 0.0 };
    for (object, picks) in objects.iter().zip(&picks) {
        let candidates = picks.map(|pick| &object.chain.candidates()[pick]);
        let weights = weights(streaming, object.frame);
        let bytes = candidates.map(|one| i32::try_from(one.bytes).unwrap_or(i32::MAX));
        choice.streaming += streaming.cost(radius(object.frame), bytes);
        choice.loss +=
            DOWNWARD.map(|lod| weights.of(lod) * candidates.of(lod).error).iter().sum::<f64>();
    }
    Choice { picks, ..choice }
}

impl Share {
    /// So many triangles, where the high level is that.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part of a number that is far below 2^53; what is no part saturates"
    )]
    pub fn triangles(self, high: &Level) -> usize {
        match self {
            Self::Count(count) => count as usize,
            Self::Part(part) => (high.triangle_count() as f64 * part) as usize,
        }
    }
}
