//! The oracle itself: the shared vectors, the properties of importances, the guarantees of plans, and the search for
//! the scale.

use std::collections::HashSet;

use lodger_tests::guarantees::{
    disabled_modules_are_at_their_best, forced_lods_are_honoured, leftover_budget_is_not_exceeded,
    levels_are_at_least, levels_are_valid, no_upgrade_is_left, stays_within_budget,
};
use lodger_tests::oracle::importance::{
    RejectedInput, age, angular, benefit, benefit_q16, solid_angle, speed,
};
use lodger_tests::oracle::ledger::scale::{Rounding, settle, settle_one_by_one, shares};
use lodger_tests::oracle::ledger::{
    Actor, Leftovers, Module, Plan, Scene, available, minimums, overcommit, plan, plan_with,
};
use lodger_tests::strategy::{
    MAX_STEPS, ageing_inputs, angular_inputs, benefit_inputs, moving_inputs, orders, scenes,
    solid_angle_inputs, staircase,
};
use lodger_tests::tolerance::{
    Case, Function, angular_condition, check_all, solid_angle_condition,
};
use lodger_tests::vectors::{
    BenefitVectors, Distance, Expected, ImportanceVectors, LedgerVectors, Vectors as _,
};
use proptest::prelude::*;

type RowResult<'a> = (&'a str, Result<f64, RejectedInput>, &'a Expected);

fn vectors() -> ImportanceVectors {
    ImportanceVectors::load()
}

fn compare<'a>(function: Function, results: impl Iterator<Item = RowResult<'a>>) {
    let mut cases = Vec::new();
    for (name, result, expected) in results {
        match (result, expected) {
            (Ok(got), &Expected::Value(expected)) => {
                let name = name.to_owned();
                cases.push(Case { name, condition: 1.0, got, expected });
            }
            (Err(RejectedInput(quantity)), Expected::Refusal { refused }) => {
                assert_eq!(quantity, refused, "{name}");
            }
            (result, expected) => panic!("{name}: {result:?} instead of {expected:?}"),
        }
    }
    check_all(function, "f64", &cases).unwrap();
}

fn distances(
    functions: [Function; 2],
    rows: &[Distance],
    oracle: impl Fn(f64, f64, Option<f64>) -> Result<f64, RejectedInput>,
) {
    let result = |row: &Distance| oracle(row.distance, row.radius, row.max_distance);
    for (function, bounded) in functions.into_iter().zip([false, true]) {
        let rows = rows.iter().filter(|row| row.max_distance.is_some() == bounded);
        compare(function, rows.map(|row| (&*row.name, result(row), &row.expected)));
    }
}

#[test]
fn solid_angles() {
    let functions = [Function::SolidAngle, Function::SolidAngleBounded];
    distances(functions, &vectors().solid_angle, solid_angle);
}

#[test]
fn angles() {
    let functions = [Function::Angular, Function::AngularBounded];
    distances(functions, &vectors().angular, angular);
}

#[test]
fn ages() {
    let rows = vectors().age;
    let results = rows.iter().map(|row| (&*row.name, age(row.age, row.max_age), &row.expected));
    compare(Function::Age, results);
}

#[test]
fn speeds() {
    let rows = vectors().speed;
    let results =
        rows.iter().map(|row| (&*row.name, speed(row.speed, row.max_speed), &row.expected));
    compare(Function::Speed, results);
}

#[test]
fn the_printed_denominator_would_break_the_documents_own_condition() {
    // I'(R√π) = 1 for R = 1, D = 10: with D² − R² below the line it would be 1 − (π − 1)/99.
    let (edge, d2) = (std::f64::consts::PI, 100.0);
    let printed = (d2 - edge) / (d2 - 1.0);
    let got = solid_angle(edge.sqrt() * 1.000_000_1, 1.0, Some(10.0)).unwrap();
    assert!((got - 1.0).abs() < 1e-6, "{got}");
    assert!((printed - 1.0).abs() > 1e-2, "{printed}");
}

#[test]
fn a_misspelt_key_is_an_error() {
    let misspelt = ImportanceVectors::TEXT.replacen("\nmax_distance", "\nmax_distanc", 1);
    assert!(ImportanceVectors::parse(&misspelt).is_err());
}

#[test]
fn weighted_sums() {
    let rows = BenefitVectors::load().weighted;
    let results = rows.iter().map(|row| (&*row.name, benefit(&row.inputs()), &row.expected));
    compare(Function::Benefit, results);
}

#[test]
fn benefits_in_q16() {
    let rows = BenefitVectors::load().direct;
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!(benefit_q16(row.benefit), row.q16, "{}", row.name);
    }
}

#[test]
fn invalid_benefits_count_0() {
    for bad in [f64::NAN, f64::NEG_INFINITY, -1.0, -0.0] {
        assert_eq!(benefit_q16(bad), 0, "{bad}");
    }
    assert_eq!(benefit_q16(f64::INFINITY), (1 << 24) - 1);
}

#[test]
fn whole_ledgers() {
    let cases = LedgerVectors::load().case;
    assert!(cases.len() >= 25, "{} cases", cases.len());
    for case in cases {
        let scene = case.scene();
        assert_eq!(plan(&scene), case.plan(), "{}", case.name);
    }
}

#[test]
fn names_are_unique() {
    let cases = LedgerVectors::load().case;
    let names: HashSet<&str> = cases.iter().map(|case| &*case.name).collect();
    assert_eq!(names.len(), cases.len());
}

/// The exact scale differs only if a target has a fraction of a nanosecond.
#[test]
fn finer_rounding_changes_one_vector() {
    let cases = LedgerVectors::load().case;
    let differs = cases.iter().filter(|case| {
        let scene = case.scene();
        plan(&scene) != plan_with(&scene, Rounding::Exact)
    });
    let names: Vec<&str> = differs.map(|case| &*case.name).collect();
    assert_eq!(names, ["a target rounds up"]);
}

fn is_representable(value: f64) -> bool {
    let q16 = value * 65_536.0;
    let short = f64::from(value as f32);
    q16.fract() == 0.0 && short.to_bits() == value.to_bits()
}

proptest! {
    #[test]
    fn a_solid_angle_falls_from_1_to_0((r, radius, limit) in solid_angle_inputs(), step in 0.0..10.0) {
        let here = solid_angle(r, radius, limit).unwrap();
        prop_assert!((0.0..=1.0).contains(&here));
        prop_assert!(solid_angle(r + step, radius, limit).unwrap() <= here);
        prop_assert!(here <= solid_angle(r, radius, None).unwrap(), "a bound never adds");
    }

    #[test]
    fn an_angle_falls_from_1_to_0((r, radius, limit) in angular_inputs(), step in 0.0..10.0) {
        let here = angular(r, radius, limit).unwrap();
        prop_assert!((0.0..=1.0).contains(&here));
        prop_assert!(angular(r + step, radius, limit).unwrap() <= here);
        prop_assert!(here <= angular(r, radius, None).unwrap(), "a bound never adds");
    }

    /// The document's form: a/r² + b, clamped; its two conditions give both constants.
    #[test]
    fn the_documents_form_is_the_textbooks((r, radius, limit) in solid_angle_inputs()) {
        let area = std::f64::consts::PI * radius * radius;
        let d2 = limit.map_or(0.0, |limit| limit * limit);
        prop_assume!(d2 > area && r > 0.0);
        let (a, b) = (area * d2 / (d2 - area), -area / (d2 - area));
        let clamped = (a / (r * r) + b).clamp(0.0, 1.0);
        prop_assert!((clamped - solid_angle(r, radius, limit).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn the_bounded_solid_angle_is_continuous_at_both_ends((_, radius, limit) in solid_angle_inputs()) {
        let near = radius * std::f64::consts::PI.sqrt();
        let limit = limit.filter(|&limit| limit > near);
        prop_assume!(limit.is_some());
        let at = |r: f64| solid_angle(r, radius, limit).unwrap();
        let narrow = 1e-9 * solid_angle_condition(radius, limit);
        prop_assert!((at(near * (1.0 + 1e-10)) - 1.0).abs() < narrow);
        prop_assert!(at(limit.unwrap() * (1.0 - 1e-10)).abs() < narrow);
    }

    #[test]
    fn youth_and_movement_stay_within_0_and_1((t, max) in ageing_inputs(), (v, reference) in moving_inputs()) {
        prop_assert!((0.0..=1.0).contains(&age(t, max).unwrap()));
        prop_assert!((0.0..=1.0).contains(&speed(v, reference).unwrap()));
        prop_assert!(age(t + 1.0, max).unwrap() <= age(t, max).unwrap());
        prop_assert!(speed(v + 1.0, reference).unwrap() >= speed(v, reference).unwrap());
    }

    #[test]
    fn a_benefit_is_at_most_1_and_the_bias(inputs in benefit_inputs()) {
        let sum = benefit(&inputs).unwrap();
        prop_assert!((0.0..=1.0 + inputs.bias + 1e-12).contains(&sum));
        prop_assert!((f64::from(benefit_q16(sum)) / 65_536.0 - sum).abs() <= 0.5 / 65_536.0);
    }

    #[test]
    fn another_view_never_lowers_a_benefit(inputs in benefit_inputs(), further in 0.0..4096.0) {
        let mut more = inputs.clone();
        more.distances.push(further);
        prop_assert!(benefit(&more).unwrap() >= benefit(&inputs).unwrap());
    }

    #[test]
    fn generated_inputs_belong_to_every_number_type(
        (r, radius, limit) in solid_angle_inputs(),
        (s, width, end) in angular_inputs(),
        ((t, max), (v, reference)) in (ageing_inputs(), moving_inputs()),
    ) {
        for value in [r, radius, limit.unwrap_or(0.0), s, width, end.unwrap_or(0.0), t, max, v, reference] {
            prop_assert!(is_representable(value), "{value}");
        }
        prop_assert!(solid_angle_condition(radius, limit) < 100.0);
        prop_assert!(angular_condition(width, end) < 100.0);
    }
}

const ROUNDINGS: [Rounding; 2] = [Rounding::AsWritten, Rounding::Exact];

fn scenes_and_orders() -> impl Strategy<Value = (Scene, Vec<usize>)> {
    scenes().prop_flat_map(|scene| {
        let order = orders(scene.actors.len());
        (Just(scene), order)
    })
}

fn without(scene: &Scene, index: usize) -> Scene {
    let mut scene = scene.clone();
    scene.actors.remove(index);
    scene
}

fn plan_without(plan: &Plan, index: usize) -> Plan {
    let mut plan = plan.clone();
    plan.assigned_ns -= u64::from(plan.outcomes.remove(index).cost_ns);
    plan
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_plan_keeps_its_promises(scene in scenes()) {
        for rounding in ROUNDINGS {
            let plan = plan_with(&scene, rounding);
            let promises = [
                stays_within_budget, levels_are_valid, forced_lods_are_honoured,
                disabled_modules_are_at_their_best, leftover_budget_is_not_exceeded, no_upgrade_is_left,
            ];
            for promise in promises {
                prop_assert_eq!(promise(&scene, &plan), Ok(()));
            }
        }
    }

    #[test]
    fn leftovers_never_lower_a_level(scene in scenes()) {
        let mut kept = scene.clone();
        kept.leftovers = Leftovers::Keep;
        prop_assert_eq!(levels_are_at_least(&plan(&kept), &plan(&scene)), Ok(()));
    }

    #[test]
    fn the_order_of_the_actors_does_not_matter((scene, order) in scenes_and_orders()) {
        let mut shuffled = scene.clone();
        shuffled.actors = order.iter().map(|&index| scene.actors[index].clone()).collect();
        let mut expected = plan(&scene);
        expected.outcomes = order.iter().map(|&index| expected.outcomes[index]).collect();
        prop_assert_eq!(plan(&shuffled), expected);
    }

    #[test]
    fn an_actor_without_benefit_changes_no_other(mut scene in scenes(), pick: prop::sample::Index) {
        let index = pick.index(scene.actors.len());
        scene.actors[index].benefit = 0;
        prop_assume!(scene.is_automatic(&scene.actors[index]));
        let minimum = u64::from(scene.actors[index].minimum_ns());
        let mut alone = without(&scene, index);
        alone.budget_ns = match scene.budget_ns.map(|budget| budget.checked_sub(minimum)) {
            Some(None) => return Err(TestCaseError::reject("the minimum alone breaks the budget")),
            Some(rest) => rest,
            None => None,
        };
        prop_assert_eq!(plan_without(&plan(&scene), index), plan(&alone));
    }

    #[test]
    fn with_exact_rounding_keep_never_takes_a_level_for_a_bigger_budget(mut scene in scenes(), more in any::<u16>()) {
        scene.leftovers = Leftovers::Keep;
        let before = plan_with(&scene, Rounding::Exact);
        scene.budget_ns = scene.budget_ns.and_then(|budget| budget.checked_add(more.into()));
        let after = plan_with(&scene, Rounding::Exact);
        prop_assert_eq!(levels_are_at_least(&before, &after), Ok(()));
        prop_assert!(after.scale >= before.scale);
    }
}

/// Four actors with targets of about 70 ns: with a larger budget one of them loses a nanosecond, and with it a level.
///
/// Targets round up to whole nanoseconds. A larger budget pins in another order, which changes the summed targets.
#[test]
fn as_written_keep_can_take_a_level_for_a_bigger_budget() {
    let module = |benefit_value_ns| Module { enabled: true, continuous: false, benefit_value_ns };
    let rows = [(2, 1, vec![3]), (0, 6, vec![10, 14]), (0, 19, vec![47]), (1, 3, vec![1])];
    let actor = |(id, (module, benefit, costs)): (u32, (usize, u32, Vec<u32>))| Actor {
        id,
        module,
        benefit,
        range: (0, u8::from(costs.len() > 1)),
        costs,
        forced: None,
    };
    let scene = |budget| Scene {
        budget_ns: Some(budget),
        unmanaged_in_budget: true,
        leftovers: Leftovers::Keep,
        modules: [164_355, 22_799, 204_082].map(module).to_vec(),
        actors: (0..).zip(rows.clone()).map(actor).collect(),
    };
    let shares = |rounding| {
        [66, 67, 68, 69].map(|budget| plan_with(&scene(budget), rounding).outcomes[1].share_ns)
    };
    assert_eq!(shares(Rounding::AsWritten), [14, 13, 14, 15].map(Some));
    assert_eq!(shares(Rounding::Exact), [14, 15, 15, 15].map(Some));
}

/// The most passes of a random scene; a staircase takes more.
const MAX_PASSES: u32 = 12;

fn feasible_scenes() -> impl Strategy<Value = Scene> {
    scenes().prop_filter("infeasible", |scene| overcommit(scene) == 0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn with_exact_rounding_any_order_of_pinning_gives_the_same_scale(
        (scene, order) in feasible_scenes().prop_flat_map(|scene| {
            let order = orders(scene.actors.len());
            (Just(scene), order)
        })
    ) {
        let available = available(&scene);
        let at_once = settle(&scene, available, Rounding::Exact);
        let one_by_one = settle_one_by_one(&scene, available, Rounding::Exact, &order);
        prop_assert_eq!(at_once.scale, one_by_one.scale);
        prop_assert_eq!(at_once.pinned, one_by_one.pinned);
    }

    #[test]
    fn few_passes_settle_a_random_scene(scene in feasible_scenes()) {
        for rounding in [Rounding::AsWritten, Rounding::Exact] {
            let passes = settle(&scene, available(&scene), rounding).passes;
            prop_assert!(passes <= MAX_PASSES, "{passes} passes");
        }
    }

    #[test]
    fn shares_are_at_least_the_minimum(scene in feasible_scenes()) {
        let available = available(&scene);
        for rounding in [Rounding::AsWritten, Rounding::Exact] {
            let settled = settle(&scene, available, rounding);
            let shares = shares(&scene, &settled);
            for (share, minimum) in shares.iter().zip(minimums(&scene)) {
                prop_assert!(*share >= minimum);
            }
            let total: u128 = shares.into_iter().flatten().map(u128::from).sum();
            prop_assert!(total <= available, "{total} of {available}");
        }
    }
}

#[test]
fn a_staircase_takes_a_pass_per_step() {
    for steps in [1, 2, 12, 24, MAX_STEPS] {
        let scene = staircase(steps);
        let available = available(&scene);
        for rounding in [Rounding::AsWritten, Rounding::Exact] {
            let settled = settle(&scene, available, rounding);
            // The first lowers the scale, each step takes one, and the last pins no actor.
            assert_eq!(settled.passes, steps + 2, "{steps} steps, {rounding:?}");
            let free = settled.pinned.iter().filter(|pinned| !**pinned).count();
            assert_eq!(free, 1, "{steps} steps, {rounding:?}");
        }
    }
}

#[test]
fn as_written_the_order_of_pinning_can_show() {
    let actor = |(id, (benefit, minimum))| Actor {
        id,
        module: 0,
        benefit,
        costs: vec![minimum],
        range: (0, 0),
        forced: None,
    };
    let rows = [(8, 0), (8, 1), (18, 0), (7, 1), (16, 0), (1, 0)];
    let scene = Scene {
        budget_ns: Some(7),
        unmanaged_in_budget: true,
        leftovers: Leftovers::Keep,
        modules: vec![Module { enabled: true, continuous: false, benefit_value_ns: 13_112 }],
        actors: (0..).zip(rows).map(actor).collect(),
    };
    let scales = |rounding| {
        let at_once = settle(&scene, 7, rounding).scale;
        (at_once, settle_one_by_one(&scene, 7, rounding, &[4, 2, 3, 0, 1, 5]).scale)
    };
    assert_eq!(scales(Rounding::AsWritten), (2_386_092_942, 2_342_709_434));
    let (at_once, one_by_one) = scales(Rounding::Exact);
    assert_eq!(at_once, one_by_one);
}
