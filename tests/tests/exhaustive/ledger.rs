//! Ledgers of three actors.

use lodger_core::budget::Decision;
use lodger_tests::guarantees;
use lodger_tests::oracle::ledger::{Actor, Leftovers, Module, Scene, plan};

use crate::core_budget::{decide_modules, modules};
use crate::wide::{LEFTOVERS, lod_bits, modules};

/// An actor: the index of its ladder, and its benefit in 2⁻¹⁶.
type Row = (usize, u32);

/// A scene of one module, or of two if `is_split`, of which the first has one actor.
fn scene(
    value: u32,
    continuous: bool,
    ladders: &[&[u32]],
    rows: [Row; 3],
    is_split: bool,
) -> Scene {
    let actor = |(id, (ladder, benefit)): (u32, Row)| Actor {
        id,
        module: usize::from(id >= u32::from(is_split)),
        benefit,
        costs: ladders[ladder].to_vec(),
        range: (0, u8::try_from(ladders[ladder].len() - 1).expect("a few")),
        forced: None,
    };
    Scene {
        budget_ns: Some(0),
        unmanaged_in_budget: true,
        leftovers: Leftovers::WithinModule,
        modules: vec![Module { enabled: true, continuous, benefit_value_ns: value }; 2],
        actors: (0..).zip(rows).map(actor).collect(),
    }
}

/// Decides, asserts Σ shares <= A if the minimums fit, and returns the LODs in 2⁻¹⁶ in the order of ids.
fn decide(scene: &Scene, modules: &[modules::Module]) -> (Decision, Vec<u32>) {
    let (decision, outcomes) = decide_modules(scene, 0, modules);
    let shares = modules.iter().map(|module| u128::from(module.input().shares(decision.scale)));
    let fit = shares.sum::<u128>() <= u128::from(decision.available);
    assert!(decision.overcommit > 0 || fit, "{decision:?}");
    let lods = outcomes
        .iter()
        .flat_map(|outcome| (0..outcome.levels.len()).map(|row| lod_bits(outcome.lod(row))));
    (decision, lods.collect())
}

/// All sets of three actors, in one order each: other tests show that the order does not matter.
fn triples(ladders: usize, benefits: &[u32]) -> Vec<[Row; 3]> {
    let kinds: Vec<Row> = (0..ladders)
        .flat_map(|ladder| benefits.iter().map(move |&benefit| (ladder, benefit)))
        .collect();
    let mut triples = Vec::new();
    for (a, &first) in kinds.iter().enumerate() {
        for (b, &second) in kinds.iter().enumerate().skip(a) {
            triples.extend(kinds[b..].iter().map(|&third| [first, second, third]));
        }
    }
    triples
}

/// Five ladders, three benefits: 680 sets of actors. Budgets from 0 to 16 ns, one more than all levels cost.
#[test]
fn every_small_ledger_is_the_oracles_and_keeps_its_promises() {
    const LADDERS: [&[u32]; 5] = [&[0, 1, 3], &[1, 2, 5], &[2], &[0, 0, 4], &[3, 3, 3]];
    let mut ledgers = 0;
    for rows in triples(LADDERS.len(), &[0, 1 << 15, 3 << 15]) {
        for (continuous, is_split) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut scene = scene(4, continuous, &LADDERS, rows, is_split);
            let modules = modules(&scene, &[0, 1, 2]);
            for budget in 0..=16 {
                for (leftovers, _) in LEFTOVERS {
                    (scene.budget_ns, scene.leftovers) = (Some(budget), leftovers);
                    assert_is_the_oracles(&scene, &modules);
                    ledgers += 1;
                }
            }
        }
    }
    assert_eq!(ledgers, 680 * 4 * 17 * 4);
}

fn assert_is_the_oracles(scene: &Scene, modules: &[modules::Module]) {
    let expected = plan(scene);
    let (decision, lods) = decide(scene, modules);
    assert_eq!(decision.scale.bits(), expected.scale, "{scene:?}");
    assert_eq!(decision.overcommit, expected.overcommit_ns, "{scene:?}");
    assert_eq!(decision.assigned, expected.assigned_ns, "{scene:?}");
    assert!(lods.iter().eq(expected.outcomes.iter().map(|outcome| &outcome.lod)), "{scene:?}");
    for promise in [
        guarantees::stays_within_budget,
        guarantees::levels_are_valid,
        guarantees::leftover_budget_is_not_exceeded,
        guarantees::no_upgrade_is_left,
    ] {
        assert_eq!(promise(scene, &expected), Ok(()));
    }
}

/// Eight ladders, of small costs and of the greatest, and four benefits: 5 984 sets of actors. Benefit values and
/// budgets at the ends of their widths.
#[test]
fn shares_fit_and_no_sum_wraps_with_the_greatest_numbers() {
    const HALF: u32 = 1 << 31;
    const MAX: u32 = u32::MAX;
    const LADDERS: [&[u32]; 8] = [
        &[0, 1],
        &[1, 2, 3],
        &[0, HALF, MAX],
        &[HALF, MAX],
        &[MAX],
        &[MAX - 1, MAX],
        &[7, 700],
        &[0, MAX],
    ];
    let small = [0, 1, 9, 704, u64::MAX - 1, u64::MAX];
    let max = u64::from(MAX);
    let around = [max - 1, max, max + 1, 2 * max, 3 * max - 1, 3 * max, 3 * max + 1];
    for rows in triples(LADDERS.len(), &[0, 1, 1 << 16, (1 << 24) - 1]) {
        let minimum: u128 = rows.iter().map(|(ladder, _)| u128::from(LADDERS[*ladder][0])).sum();
        for value in [1, MAX] {
            let mut scene = scene(value, false, &LADDERS, rows, true);
            let modules = modules(&scene, &[0, 1, 2]);
            for budget in small.into_iter().chain(around) {
                scene.budget_ns = Some(budget);
                let (decision, lods) = decide(&scene, &modules);
                let cost = |(lod, (ladder, _)): (u32, Row)| LADDERS[ladder][(lod >> 16) as usize];
                let spent: u128 = lods.into_iter().zip(rows).map(cost).map(u128::from).sum();
                assert_eq!(u128::from(decision.assigned), spent, "{rows:?} {value} {budget}");
                let missing =
                    if budget == u64::MAX { 0 } else { minimum.saturating_sub(budget.into()) };
                assert_eq!(u128::from(decision.overcommit), missing, "{rows:?} {value} {budget}");
                assert!(spent <= u128::from(budget).max(minimum), "{rows:?} {value} {budget}");
            }
        }
    }
}
