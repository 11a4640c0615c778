//! Selections from synthetic chains, compared with exhaustive search.

use lodger_core::cost::streaming::{MeshLod, StreamingRules};
use proptest::prelude::*;

use crate::lod_chain::{LodCandidate, LodOrigin};
use crate::lod_selection::*;
use crate::test_meshes::{self, level};

fn candidate(triangles: usize, bytes: u32, error: f64) -> LodCandidate {
    let origin = if error > 0.0 { LodOrigin::Attributes } else { LodOrigin::Source };
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let level = level(&corners, &vec![[0, 1, 2]; triangles]);
    LodCandidate { level, bytes, error, origin }
}

/// A chain of triangles, bytes and errors; the first is the source.
fn chain(forms: &[(usize, u32, f64)]) -> LodChain {
    let mut forms =
        forms.iter().map(|&(triangles, bytes, error)| candidate(triangles, bytes, error));
    let source = forms.next().unwrap();
    LodChain::from_candidates(source, forms.collect())
}

fn frame(side: f32) -> ObjectFrame {
    test_meshes::frame(&[[0.0; 3], [side; 3]])
}

fn viewer() -> StreamingModel<f64> {
    StreamingModel::new(StreamingRules::VIEWER).unwrap()
}

fn choosing(objects: &[(LodChain, ObjectFrame)]) -> Vec<SelectionInput<'_>> {
    objects.iter().map(|(chain, frame)| SelectionInput { chain, frame }).collect()
}

const FREE: SelectionLimits =
    SelectionLimits { max_cost: f64::INFINITY, keep_high: false, authored: false };

/// Cost and loss of all valid selections of an object; the high level is the source or free.
fn plans(object: &SelectionInput<'_>, high: bool) -> Vec<(f64, f64)> {
    let streaming = viewer();
    let made = object.chain.generated().len();
    let mut all = Vec::new();
    for h in 0..if high { made } else { 1 } {
        for m in h..made {
            for l in m..made {
                for lowest in l..made {
                    let selected = PerLod { lowest, low: l, medium: m, high: h };
                    let one =
                        selection_of(std::slice::from_ref(object), &streaming, vec![selected]);
                    all.push((one.streaming, one.loss));
                }
            }
        }
    }
    all
}

/// The least loss of all selections of one or two objects, if any fits.
fn exhaustive(objects: &[SelectionInput<'_>], max_cost: f64, high: bool) -> Option<f64> {
    let nothing = vec![(0.0, 0.0)];
    let first = plans(&objects[0], high);
    let mut second = objects.get(1).map_or(nothing, |object| plans(object, high));
    second.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut min = f64::INFINITY;
    for plan in &mut second {
        min = min.min(plan.1);
        plan.1 = min;
    }
    let best = first.iter().filter_map(|&(cost, loss)| {
        let fitting = second.partition_point(|other| cost + other.0 <= max_cost);
        Some(loss + second.get(fitting.checked_sub(1)?)?.1)
    });
    best.min_by(f64::total_cmp)
}

fn sound(objects: &[SelectionInput<'_>], choice: &LodSelection, max_cost: f64) {
    assert!(choice.streaming <= max_cost, "{} of {max_cost}", choice.streaming);
    let mut streaming = 0.0;
    for (object, selected) in objects.iter().zip(&choice.selected) {
        let candidates = selected.map(|pick| &object.chain.candidates()[pick]);
        for pair in DOWNWARD.windows(2) {
            let (above, below) = (candidates.of(pair[0]), candidates.of(pair[1]));
            assert!(below.bytes <= above.bytes, "{selected:?}");
            assert!(below.level.triangle_count() <= above.level.triangle_count(), "{selected:?}");
        }
        let bytes = candidates.map(|one| i32::try_from(one.bytes).unwrap());
        streaming += viewer().cost(radius(object.frame), bytes);
    }
    assert_eq!(streaming.to_bits(), choice.streaming.to_bits());
}

fn knotty() -> (LodChain, ObjectFrame) {
    let forms = [
        (16_384, 168_226, 0.0),
        (8_387, 88_891, 0.011),
        (5_367, 57_583, 0.017),
        (2_747, 30_226, 0.025),
        (1_757, 20_154, 0.051),
        (899, 10_790, 0.097),
        (459, 5_750, 0.169),
        (187, 2_663, 0.386),
        (60, 1_165, 0.657),
        (1, 261, 2.5),
    ];
    (chain(&forms), frame(5.0))
}

#[test]
fn weights_are_twice_pi_times_the_width_of_rings() {
    // Rings of a radius of √3 end at 7.217 m, 28.868 m, 57.735 m; the circle has 102 944 m².
    let importances = importances(&viewer(), &frame(2.0));
    let radius = 3.0_f64.sqrt();
    let edge = (102_944.0 / PI).sqrt();
    let near = |found: f64, width: f64| (found - 2.0 * PI * width).abs() < 1e-4;
    assert!(near(importances.high, radius / 0.24), "{importances:?}");
    assert!(near(importances.medium, radius / 0.06 - radius / 0.24), "{importances:?}");
    assert!(near(importances.low, radius / 0.03 - radius / 0.06), "{importances:?}");
    assert!(near(importances.lowest, edge - radius / 0.03), "{importances:?}");
}

#[test]
fn the_source_is_selected_if_the_budget_allows_it() {
    let objects = [knotty(), knotty()];
    let choice = choose(&choosing(&objects), &viewer(), &FREE).unwrap();
    assert_eq!(choice.selected, [PerLod::default(); 2]);
    let exactly = SelectionLimits { max_cost: choice.streaming, ..FREE };
    assert_eq!(choose(&choosing(&objects), &viewer(), &exactly).unwrap().selected, choice.selected);
    let less = SelectionLimits { max_cost: choice.streaming.next_down(), ..FREE };
    let choice = choose(&choosing(&objects), &viewer(), &less).unwrap();
    sound(&choosing(&objects), &choice, less.max_cost);
    assert!(choice.loss > 0.0);
}

#[test]
fn the_high_level_stays_while_anything_else_can_give_way() {
    let objects = [knotty()];
    let objects = choosing(&objects);
    let min =
        choose(&objects, &viewer(), &SelectionLimits { max_cost: 0.0, keep_high: true, ..FREE });
    let min = min.unwrap_err();
    let kept =
        choose(&objects, &viewer(), &SelectionLimits { max_cost: min, keep_high: true, ..FREE })
            .unwrap();
    assert_eq!((kept.selected[0].high, kept.selected[0].lowest), (0, 9));
    assert_eq!(kept.streaming.to_bits(), min.to_bits());
    let below = SelectionLimits { max_cost: min * 0.999, ..FREE };
    let choice = choose(&objects, &viewer(), &below).unwrap();
    assert!(choice.selected[0].high > 0 && choice.streaming <= below.max_cost);
    let all = choose(&objects, &viewer(), &SelectionLimits { max_cost: 0.0, ..FREE }).unwrap_err();
    let lightest =
        selection_of(&objects, &viewer(), vec![PerLod { lowest: 9, low: 9, medium: 9, high: 9 }]);
    assert_eq!(all.to_bits(), lightest.streaming.to_bits());
    assert!(choose(&objects, &viewer(), &SelectionLimits { keep_high: true, ..below }).is_err());
}

#[test]
fn given_levels_stay_and_the_others_fit_around_them() {
    let (mut chain, frame) = knotty();
    chain.give(MeshLod::Low, candidate(500, 6_000, 0.3));
    assert_eq!(chain.authored(MeshLod::Low), Some(10));
    let objects = [(chain, frame)];
    let objects = choosing(&objects);
    let authored = SelectionLimits { authored: true, ..FREE };
    let free = choose(&objects, &viewer(), &authored).unwrap();
    assert_eq!(free.selected[0], PerLod { lowest: 6, low: 10, medium: 0, high: 0 });
    sound(&objects, &free, f64::INFINITY);
    let min =
        choose(&objects, &viewer(), &SelectionLimits { max_cost: 0.0, ..authored }).unwrap_err();
    let tight =
        choose(&objects, &viewer(), &SelectionLimits { max_cost: min, ..authored }).unwrap();
    assert_eq!(tight.selected[0], PerLod { lowest: 9, low: 10, medium: 5, high: 5 });
    sound(&objects, &tight, min);
    let all = choose(&objects, &viewer(), &FREE).unwrap();
    assert_eq!(all.selected[0], PerLod::default());
}

#[test]
fn an_authored_level_lighter_than_all_or_heavier_than_the_one_above() {
    let (mut chain, frame) = knotty();
    chain.give(MeshLod::Medium, candidate(1, 200, 3.0));
    chain.give(MeshLod::Low, candidate(2, 199, 3.0));
    chain.give(MeshLod::Lowest, candidate(1, 201, 3.0));
    assert_eq!((chain.authored(MeshLod::Low), chain.authored(MeshLod::Lowest)), (None, None));
    let objects = [(chain, frame)];
    let choice =
        choose(&choosing(&objects), &viewer(), &SelectionLimits { authored: true, ..FREE })
            .unwrap();
    assert_eq!(choice.selected[0], PerLod { lowest: 10, low: 10, medium: 10, high: 0 });
}

#[test]
fn thirds_are_the_viewers_and_shrink_until_they_fit() {
    let objects = [knotty()];
    let objects = choosing(&objects);
    let all = split_in_thirds(&objects, &viewer(), f64::INFINITY);
    // Thirds are 5461, 1820 and 607 triangles.
    assert_eq!(all.selected[0], PerLod { lowest: 6, low: 4, medium: 2, high: 0 });
    let less = split_in_thirds(&objects, &viewer(), all.streaming * 0.9);
    sound(&objects, &less, all.streaming * 0.9);
    assert!(less.selected[0].high == 0 && less.selected[0].medium > 2);
    let high = split_in_thirds(&objects, &viewer(), all.streaming * 0.05);
    sound(&objects, &high, all.streaming * 0.05);
    assert!(high.selected[0].high > 0);
    let none = split_in_thirds(&objects, &viewer(), 0.0);
    assert_eq!(none.selected[0], PerLod { lowest: 9, low: 9, medium: 9, high: 9 });
}

#[test]
fn lists_of_triangles_are_kept_and_never_broken_upward() {
    let objects = [knotty()];
    let objects = choosing(&objects);
    let selected =
        |shares: [TriangleTarget; 3]| by_triangles(&objects, &viewer(), &shares).selected[0];
    let listed = selected([
        TriangleTarget::Count(5_367),
        TriangleTarget::Ratio(0.1),
        TriangleTarget::Count(0),
    ]);
    assert_eq!(listed, PerLod { lowest: 9, low: 5, medium: 2, high: 0 });
    let upward = selected([
        TriangleTarget::Count(200),
        TriangleTarget::Ratio(1.0),
        TriangleTarget::Count(60),
    ]);
    assert_eq!(upward, PerLod { lowest: 8, low: 7, medium: 7, high: 0 });
}

/// Up to ten candidates, each better and heavier than the next, and the side of a cube.
fn some_object() -> impl Strategy<Value = (LodChain, ObjectFrame)> {
    let step = (1..40_usize, 1_u32..3_000, 0.001..1.0_f64);
    (prop::collection::vec(step, 1..10), 0.05_f32..60.0).prop_map(|(steps, side)| {
        let mut forms: Vec<(usize, u32, f64)> = Vec::new();
        let (mut triangles, mut bytes) = (1, 150);
        for (more, heavier, _) in &steps {
            forms.push((triangles, bytes, 0.0));
            triangles += more;
            bytes += heavier;
        }
        let mut error = 0.0;
        for (form, (.., worse)) in forms.iter_mut().rev().zip(&steps) {
            form.2 = error;
            error += worse * worse;
        }
        forms.reverse();
        (chain(&forms), frame(side))
    })
}

fn budget(objects: &[SelectionInput<'_>], part: f64) -> f64 {
    let min = choose(objects, &viewer(), &SelectionLimits { max_cost: 0.0, ..FREE }).unwrap_err();
    let all = choose(objects, &viewer(), &FREE).unwrap().streaming;
    min + (all - min) * part
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// One and two objects get the best of all selections; a change of three could be missed.
    #[test]
    fn choices_are_the_best_of_all(
        objects in prop::collection::vec(some_object(), 1..=2),
        part in 0.0..1.0_f64,
    ) {
        let objects = choosing(&objects);
        let max_cost = budget(&objects, part);
        let choice = choose(&objects, &viewer(), &SelectionLimits { max_cost, ..FREE }).unwrap();
        sound(&objects, &choice, max_cost);
        let kept = exhaustive(&objects, max_cost, false);
        let best = kept.or_else(|| exhaustive(&objects, max_cost, true)).unwrap();
        prop_assert_eq!(kept.is_some(), choice.selected.iter().all(|selected| selected.high == 0));
        prop_assert!(choice.loss <= best * (1.0 + 1e-9), "{} of {}", choice.loss, best);
    }

    #[test]
    fn selections_lose_no_more_than_thirds_and_use_the_budget(
        objects in prop::collection::vec(some_object(), 1..=6),
        part in 0.0..1.0_f64,
    ) {
        let objects = choosing(&objects);
        let max_cost = budget(&objects, part);
        let choice = choose(&objects, &viewer(), &SelectionLimits { max_cost, ..FREE }).unwrap();
        sound(&objects, &choice, max_cost);
        let split = split_in_thirds(&objects, &viewer(), max_cost);
        prop_assert!(split.streaming <= max_cost);
        prop_assert!(choice.loss <= split.loss, "{} of {}", choice.loss, split.loss);
        let high = choice.selected.iter().any(|selected| selected.high > 0);
        for (index, selected) in choice.selected.iter().enumerate() {
            for (place, lod) in DOWNWARD.into_iter().enumerate().skip(usize::from(!high)) {
                let above = if place == 0 { 0 } else { selected.of(DOWNWARD[place - 1]) };
                for better in above..selected.of(lod) {
                    let mut raised = choice.selected.clone();
                    raised[index] = selected.with(lod, better);
                    let raised = selection_of(&objects, &viewer(), raised);
                    prop_assert!(raised.streaming > max_cost, "{:?} {lod} {better}", choice.selected);
                }
            }
        }
    }
}
