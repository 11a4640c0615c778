//! The search for the scale: how many passes it takes, and whether the order of pinning shows.

use lodger_tests::oracle::ledger::scale::{Rounding, settle, settle_one_by_one};
use lodger_tests::oracle::ledger::{Actor, Leftovers, Module, Scene, charges};
use lodger_tests::strategy::{RUNGS, orders, scenes, staircase};
use proptest::prelude::*;

/// No more on random scenes; the staircase shows what it takes to get beyond.
const FEW_PASSES: u32 = 12;

fn feasible_scenes() -> impl Strategy<Value = Scene> {
    scenes().prop_filter("infeasible", |scene| charges::overcommit(scene) == 0)
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
        let available = charges::available(&scene);
        let at_once = settle(&scene, available, Rounding::Exact);
        let one_by_one = settle_one_by_one(&scene, available, Rounding::Exact, &order);
        prop_assert_eq!(at_once.scale, one_by_one.scale);
        prop_assert_eq!(at_once.pinned, one_by_one.pinned);
    }

    #[test]
    fn few_passes_settle_a_random_scene(scene in feasible_scenes()) {
        for rounding in [Rounding::AsWritten, Rounding::Exact] {
            let passes = settle(&scene, charges::available(&scene), rounding).passes;
            prop_assert!(passes <= FEW_PASSES, "{passes} passes");
        }
    }

    #[test]
    fn nobody_settles_for_less_than_the_minimum(scene in feasible_scenes()) {
        let available = charges::available(&scene);
        for rounding in [Rounding::AsWritten, Rounding::Exact] {
            let settled = settle(&scene, available, rounding);
            let shares = lodger_tests::oracle::ledger::scale::shares(&scene, &settled);
            for (share, minimum) in shares.iter().zip(charges::minimums(&scene)) {
                prop_assert!(*share >= minimum);
            }
            let total: u128 = shares.into_iter().flatten().map(u128::from).sum();
            prop_assert!(total <= available, "{total} of {available}");
        }
    }
}

#[test]
fn a_staircase_takes_a_pass_per_rung() {
    for rungs in [1, 2, 12, 24, RUNGS] {
        let scene = staircase(rungs);
        let available = charges::available(&scene);
        for rounding in [Rounding::AsWritten, Rounding::Exact] {
            let settled = settle(&scene, available, rounding);
            // One that finds the budget too small, one per rung, one that finds nobody.
            assert_eq!(settled.passes, rungs + 2, "{rungs} rungs, {rounding:?}");
            let free = settled.pinned.iter().filter(|pinned| !**pinned).count();
            assert_eq!(free, 1, "{rungs} rungs, {rounding:?}");
        }
    }
}

/// One module, six actors, 7 ns: as written the scale depends on who is pinned first, and with it a share.
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
        count_unmanaged: true,
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
