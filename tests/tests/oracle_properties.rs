//! The oracle keeps what importance functions promise over their whole range, and every promise of the ledger, in scenes
//! that look for trouble.

use lodger_tests::guarantees::{
    disabled_modules_are_at_their_best, forced_lods_are_honoured, levels_are_valid,
    no_pot_is_overdrawn, no_upgrade_is_left, nobody_is_below, stays_within_budget,
};
use lodger_tests::oracle::importance::{age, angular, benefit, benefit_q16, solid_angle, speed};
use lodger_tests::oracle::ledger::scale::Rounding;
use lodger_tests::oracle::ledger::{Actor, Leftovers, Module, Plan, Scene, plan, plan_with};
use lodger_tests::strategy::{
    ageing_inputs, angular_inputs, moving_inputs, orders, scenes, sights, solid_angle_inputs,
};
use lodger_tests::tolerance::{angular_condition, solid_angle_condition};
use proptest::prelude::*;

/// Whether Q16.16 and the 24 bits of a float both hold a number.
fn is_representable(value: f64) -> bool {
    let q16 = value * 65_536.0;
    #[allow(clippy::cast_possible_truncation)] // whether that loses bits is the question
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

    /// The document's form: a/r² + b, clamped, both constants made from its two conditions.
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
    fn a_benefit_is_at_most_1_and_the_bias(sight in sights()) {
        let sum = benefit(&sight).unwrap();
        prop_assert!((0.0..=1.0 + sight.bias + 1e-12).contains(&sum));
        prop_assert!((f64::from(benefit_q16(sum)) / 65_536.0 - sum).abs() <= 0.5 / 65_536.0);
    }

    #[test]
    fn another_view_never_lowers_a_benefit(sight in sights(), further in 0.0..4096.0) {
        let mut more = sight.clone();
        more.distances.push(further);
        prop_assert!(benefit(&more).unwrap() >= benefit(&sight).unwrap());
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

fn forgetting(plan: &Plan, index: usize) -> Plan {
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
                disabled_modules_are_at_their_best, no_pot_is_overdrawn, no_upgrade_is_left,
            ];
            for promise in promises {
                prop_assert_eq!(promise(&scene, &plan), Ok(()));
            }
        }
    }

    #[test]
    fn leftovers_only_ever_raise_a_level(scene in scenes()) {
        let mut kept = scene.clone();
        kept.leftovers = Leftovers::Keep;
        prop_assert_eq!(nobody_is_below(&plan(&kept), &plan(&scene)), Ok(()));
    }

    #[test]
    fn the_order_of_the_actors_does_not_matter((scene, order) in scenes_and_orders()) {
        let mut shuffled = scene.clone();
        shuffled.actors = order.iter().map(|&index| scene.actors[index].clone()).collect();
        let mut expected = plan(&scene);
        expected.outcomes = order.iter().map(|&index| expected.outcomes[index]).collect();
        prop_assert_eq!(plan(&shuffled), expected);
    }

    /// Benefit 0 (which is what quarantine means) costs the others its minimum and nothing else.
    #[test]
    fn an_actor_without_benefit_touches_nobody_else(mut scene in scenes(), pick: prop::sample::Index) {
        let index = pick.index(scene.actors.len());
        scene.actors[index].benefit = 0;
        prop_assume!(scene.is_on_offer(&scene.actors[index]));
        let minimum = u64::from(scene.actors[index].minimum_ns());
        let mut alone = without(&scene, index);
        alone.budget_ns = match scene.budget_ns.map(|budget| budget.checked_sub(minimum)) {
            Some(None) => return Err(TestCaseError::reject("the minimum alone breaks the budget")),
            Some(rest) => rest,
            None => None,
        };
        prop_assert_eq!(forgetting(&plan(&scene), index), plan(&alone));
    }

    #[test]
    fn with_exact_rounding_keep_never_takes_a_level_for_a_bigger_budget(mut scene in scenes(), more in any::<u16>()) {
        scene.leftovers = Leftovers::Keep;
        let before = plan_with(&scene, Rounding::Exact);
        scene.budget_ns = scene.budget_ns.and_then(|budget| budget.checked_add(more.into()));
        let after = plan_with(&scene, Rounding::Exact);
        prop_assert_eq!(nobody_is_below(&before, &after), Ok(()));
        prop_assert!(after.scale >= before.scale);
    }
}

/// Three modules, four actors that want some 70 ns: a bigger budget costs one of them a nanosecond, and with it a level.
///
/// Targets round up to whole nanoseconds. Which of them are summed depends on who is pinned already, the bigger budget
/// pins in another order, and the scale never rises again.
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
        count_unmanaged: true,
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
