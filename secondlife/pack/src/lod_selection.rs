mod item;
mod plan;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::{PerLod, StreamingModel};

use crate::frame::ObjectFrame;
use crate::lod_chain::LodChain;
pub(crate) use crate::lod_selection::item::DOWNWARD;
use crate::lod_selection::item::{ObjectOptions, OptionFilter, OptionIndices};
use crate::lod_selection::plan::{SelectedOptions, SelectionProblem};
use crate::model::LodMesh;

/// The rule for the levels below the high one.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LodRule {
    /// Keeps authored levels of the model and selects the others.
    #[default]
    Authored,
    /// Selects all levels; ignores authored ones.
    Auto,
    /// Selects the best candidate with at most these triangles: medium, low, lowest.
    Triangles([TriangleTarget; 3]),
}

/// A number of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TriangleTarget {
    /// An absolute number.
    Count(u32),
    /// A ratio to the high level, above 0 and at most 1.
    Ratio(f64),
}

#[derive(Debug)]
pub(crate) struct SelectionInput<'a> {
    pub(crate) chain: &'a LodChain,
    pub(crate) frame: &'a ObjectFrame,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectionLimits {
    pub(crate) max_cost: f64,
    /// Every high level must be the source.
    pub(crate) keep_high: bool,
    pub(crate) authored: bool,
}

/// Selected levels.
#[derive(Clone, Debug)]
pub struct LodSelection {
    /// The candidate of each level of each object, an index into its chain.
    pub selected: Vec<PerLod<usize>>,
    /// The streaming cost of all objects, not rounded.
    pub streaming: f64,
    /// The sum of importance times error over all objects and levels.
    pub loss: f64,
}

/// The loss for each metre of error at each level: the mean angle of an error over the ring in
/// which the level is shown.
///
/// # Formula
///
/// ∫ (1/r)·2πr dr = 2π(outer − inner), in metres. Radii are √(A/π), where A is the sum of core's
/// ring areas up to a ring.
pub(crate) fn importances(streaming: &StreamingModel<f64>, frame: &ObjectFrame) -> PerLod<f64> {
    let areas = streaming.areas(radius(frame));
    let mut area = 0.0;
    let mut inner = 0.0;
    let importances = DOWNWARD.map(|lod| {
        area += areas.of(lod);
        let outer = (area / PI).sqrt();
        let weight = 2.0 * PI * (outer - inner);
        inner = outer;
        weight
    });
    let [high, medium, low, lowest] = importances;
    PerLod { lowest, low, medium, high }
}

/// The radius for the streaming cost; 0, which costs least, above the valid sizes.
fn radius(frame: &ObjectFrame) -> f64 {
    frame.scale().map_or(0.0, ObjectScale::radius)
}

/// Selects the levels of all objects of a linkset with the least loss for a streaming cost of at
/// most [`SelectionLimits::max_cost`]. The high level stays the source unless nothing else fits.
///
/// The search starts from the solution of lodger's optimal policy, with an actor for each object
/// and level, and from the viewer's own split, whose loss is never less. Levels heavier than the
/// one above are made lighter. Then pairs of objects are improved until no object and no pair has
/// better levels for its cost and the leftover budget.
///
/// # Errors
///
/// The minimum streaming cost, if it is above the limit.
pub(crate) fn choose(
    objects: &[SelectionInput<'_>],
    streaming: &StreamingModel<f64>,
    terms: &SelectionLimits,
) -> Result<LodSelection, f64> {
    let plans = |high: bool| {
        let freedom = OptionFilter { high, authored: terms.authored };
        let items =
            objects.iter().map(|object| ObjectOptions::new(object, streaming, freedom)).collect();
        SelectionProblem::new(items, streaming, terms.max_cost)
    };
    let strict = plans(false);
    let lightest = strict.lightest();
    if strict.fits(&lightest) {
        return Ok(best(objects, &strict, terms.max_cost));
    }
    if terms.keep_high {
        return Err(strict.streaming_cost(&lightest));
    }
    let free = plans(true);
    let lightest = free.lightest();
    if free.fits(&lightest) {
        Ok(best(objects, &free, terms.max_cost))
    } else {
        Err(free.streaming_cost(&lightest))
    }
}

/// The best improvement of the policy's solution, the viewer's split, and the lightest options.
fn best(
    objects: &[SelectionInput<'_>],
    plans: &SelectionProblem<'_>,
    max_cost: f64,
) -> LodSelection {
    let split = split_in_thirds(objects, plans.streaming, max_cost);
    let place = |item: &ObjectOptions, selected: &PerLod<usize>| -> OptionIndices {
        let lightest = item.lightest();
        let pick = |place: usize| {
            let forms = &item.forms[place];
            let wanted = selected.of(DOWNWARD[place]);
            forms.iter().position(|form| form.candidate >= wanted).unwrap_or(lightest[place])
        };
        item.repaired(std::array::from_fn(pick)).unwrap_or(lightest)
    };
    let split: SelectedOptions = plans
        .items
        .iter()
        .zip(&split.selected)
        .map(|(item, selected)| place(item, selected))
        .collect();
    let starts = [plans.solve_knapsack(), split].into_iter().filter(|plan| plans.fits(plan));
    let improved = starts.chain([plans.lightest()]).map(|plan| plans.improved(plan));
    let best = improved.min_by(|a, b| plans.loss(a).total_cmp(&plans.loss(b))).unwrap_or_default();
    let selected = plans.items.iter().zip(&best);
    let selected =
        selected.map(|(item, selected)| item.lods(selected, |form| form.candidate)).collect();
    selection_of(objects, plans.streaming, selected)
}

fn selection_of(
    objects: &[SelectionInput<'_>],
    streaming: &StreamingModel<f64>,
    selected: Vec<PerLod<usize>>,
) -> LodSelection {
    let mut choice = LodSelection { selected: Vec::new(), streaming: 0.0, loss: 0.0 };
    for (object, selected) in objects.iter().zip(&selected) {
        let candidates = selected.map(|pick| &object.chain.candidates()[pick]);
        let importances = importances(streaming, object.frame);
        let bytes = candidates.map(|one| i32::try_from(one.bytes).unwrap_or(i32::MAX));
        choice.streaming += streaming.cost(radius(object.frame), bytes);
        choice.loss +=
            DOWNWARD.map(|lod| importances.of(lod) * candidates.of(lod).error).iter().sum::<f64>();
    }
    LodSelection { selected, ..choice }
}

impl TriangleTarget {
    /// The number of triangles, for a high level.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part of a number that is far below 2^53; what is no part saturates"
    )]
    pub fn triangles(self, high: &LodMesh) -> usize {
        match self {
            Self::Count(count) => count as usize,
            Self::Ratio(part) => (high.triangle_count() as f64 * part) as usize,
        }
    }
}

/// The number of bisection steps: a factor is exact to 2⁻⁵².
const HALVINGS: usize = 52;

/// The split that a viewer makes on upload: each level has a third of the triangles of the one
/// above. Selects the nearest candidates. Above `max_cost`, all levels below the high one shrink by
/// one factor, then the high level, too. The simplest of all may still cost too much.
pub(crate) fn split_in_thirds(
    objects: &[SelectionInput<'_>],
    streaming: &StreamingModel<f64>,
    max_cost: f64,
) -> LodSelection {
    let with = |factor: f64, high: bool| {
        let selected = objects.iter().map(|object| scaled(object.chain, factor, high)).collect();
        selection_of(objects, streaming, selected)
    };
    let all = with(1.0, false);
    if all.streaming <= max_cost {
        return all;
    }
    let high = with(0.0, false).streaming > max_cost;
    let (mut fits, mut too_much) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(fits, too_much);
        if with(middle, high).streaming <= max_cost {
            fits = middle;
        } else {
            too_much = middle;
        }
    }
    with(fits, high)
}

/// The streaming cost without a target: of a list of triangles, or of thirds between authored
/// levels.
pub(crate) fn cost_without_target(
    objects: &[SelectionInput<'_>],
    streaming: &StreamingModel<f64>,
    rule: &LodRule,
) -> f64 {
    match rule {
        LodRule::Triangles(shares) => by_triangles(objects, streaming, shares).streaming,
        LodRule::Auto => split_in_thirds(objects, streaming, f64::INFINITY).streaming,
        LodRule::Authored => {
            let freedom = OptionFilter { high: false, authored: true };
            let cost = |object| {
                let item = ObjectOptions::new(object, streaming, freedom);
                let selected = item.repaired(item.nearest([1.0, 3.0, 9.0, 27.0]));
                let selected = selected.unwrap_or_else(|| item.lightest());
                streaming.cost(item.radius, item.bytes(&selected))
            };
            objects.iter().map(cost).sum()
        }
    }
}

/// Thirds of an object times a factor, which may spare the high level.
fn scaled(chain: &LodChain, factor: f64, high: bool) -> PerLod<usize> {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 triangles")]
    let all = chain.generated()[0].level.triangle_count() as f64;
    let third = |by: f64| nearest(chain, all * factor / by);
    PerLod {
        lowest: third(27.0),
        low: third(9.0),
        medium: third(3.0),
        high: if high { third(1.0) } else { 0 },
    }
}

/// The candidate with the nearest number of triangles; of equals the one with fewer, then the
/// lightest.
fn nearest(chain: &LodChain, wanted: f64) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 triangles")]
    let off =
        |index: &usize| (chain.generated()[*index].level.triangle_count() as f64 - wanted).abs();
    (0..chain.generated().len()).rev().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// Selects the best candidates with at most these triangles, or the simplest. No level is heavier
/// than the one above.
pub(crate) fn by_triangles(
    objects: &[SelectionInput<'_>],
    streaming: &StreamingModel<f64>,
    shares: &[TriangleTarget; 3],
) -> LodSelection {
    let pick = |object: &SelectionInput<'_>| {
        let made = object.chain.generated();
        let best = |share: TriangleTarget| {
            let max_triangles = share.triangles(&made[0].level);
            let index = made.partition_point(|one| one.level.triangle_count() > max_triangles);
            index.min(made.len() - 1)
        };
        let medium = best(shares[0]);
        let low = best(shares[1]).max(medium);
        PerLod { lowest: best(shares[2]).max(low), low, medium, high: 0 }
    };
    selection_of(objects, streaming, objects.iter().map(pick).collect())
}
