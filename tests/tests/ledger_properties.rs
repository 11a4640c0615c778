//! The oracle keeps every promise of the ledger, in scenes that look for trouble.

use lodger_tests::guarantees::{
    disabled_modules_are_at_their_best, forced_lods_are_honoured, levels_are_valid,
    no_pot_is_overdrawn, no_upgrade_is_left, nobody_is_below, stays_within_budget,
};
use lodger_tests::oracle::ledger::scale::Rounding;
use lodger_tests::oracle::ledger::{Actor, Leftovers, Module, Plan, Scene, plan, plan_with};
use lodger_tests::strategy::{orders, scenes};
use proptest::prelude::*;

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
