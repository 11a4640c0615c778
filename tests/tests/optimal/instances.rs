//! The optimal policy against an exact solver, on random instances and on small ones with a known plan.
//! `examples/optimal.rs` does the same with many more.

use lodger_core::budget::{Carryover, Hysteresis, Leftovers, Policy, PreviousLevel};
use lodger_testkit::SplitMix64;
use lodger_tests::knapsack::exact::optimum;
use lodger_tests::knapsack::generate::{Class, instance};
use lodger_tests::knapsack::{Actor, Instance, relax};
use proptest::prelude::*;

use super::instance_views::{InstanceViews, measure, sums};

fn brute_force(instance: &Instance, from: usize, spare: i128) -> i128 {
    let Some(actor) = instance.actors.get(from) else { return 0 };
    let affordable = (0..actor.costs.len()).filter(|&level| actor.extra(level) <= spare);
    let values = affordable.map(|level| {
        actor.value(level) + brute_force(instance, from + 1, spare - actor.extra(level))
    });
    values.max().expect("the lowest level is affordable")
}

#[test]
fn the_exact_solver_equals_brute_force() {
    for seed in 0..400 {
        let mut random = SplitMix64::new(seed);
        let class = Class::ALL[random.within(0, Class::ALL.len() - 1)];
        let actors = random.within(1, 5);
        let mut instance = instance(class, actors, &mut random);
        instance.actors.iter_mut().for_each(shorten);
        let max: u64 = instance.actors.iter().map(|a| u64::from(*a.costs.last().unwrap())).sum();
        instance.budget = instance.budget.min(max + instance.reserved);
        if instance.spare() < 0 {
            continue;
        }
        let best = brute_force(&instance, 0, instance.spare());
        let found = optimum(&instance, instance.min_value());
        assert_eq!((found.min, found.max), (best, best), "{instance:?}");
        assert!(relax(&instance).bound() >= best as f64 * (1.0 - 1e-6));
    }
}

fn shorten(actor: &mut Actor) {
    actor.costs.truncate(5);
    actor.qualities.truncate(5);
}

#[test]
fn plans_are_close_to_the_optimum_and_certificates_hold() {
    let (mut close, mut all) = (0_u32, 0_u32);
    for (number, &class) in (0_u64..300).zip(Class::ALL.iter().cycle()) {
        let mut random = SplitMix64::new(1_000_000 + number);
        let actors = random.within(5, 80);
        let measured = measure(&instance(class, actors, &mut random));
        assert!(measured.violations.is_empty(), "{class}: {:?}", measured.violations);
        assert!(measured.improved >= 0.99, "{class}, {actors} actors: {}", measured.improved);
        close += u32::from(measured.improved >= 0.999);
        all += 1;
    }
    assert!(f64::from(close) >= 0.99 * f64::from(all), "{close} of {all}");
}

#[test]
fn a_thousand_actors_need_no_scratch() {
    for &class in &Class::ALL {
        let instance = instance(class, 1_000, &mut SplitMix64::new(77));
        let mut views = InstanceViews::new(&instance);
        let decision = views.decide(instance.budget, Policy::Optimal, 0);
        let (_, value) = sums(&instance, &views.levels(&instance));
        let part = (value - instance.min_value()) as f64
            / (relax(&instance).bound() - instance.min_value() as f64).max(1.0);
        assert!(part >= 0.99, "{class}: {part}");
        assert!(decision.certificate.unwrap().gap() <= 0.01, "{class}");
    }
}

pub(crate) fn any_instance(max: usize) -> impl Strategy<Value = (Instance, u64)> {
    (any::<u64>(), prop::sample::select(&Class::ALL[..]), 1..max).prop_map(
        |(seed, class, actors)| (instance(class, actors, &mut SplitMix64::new(seed)), seed),
    )
}

fn shuffled(actors: usize, seed: u64) -> Vec<usize> {
    let mut random = SplitMix64::new(seed);
    let mut order: Vec<usize> = (0..actors).collect();
    for last in (1..actors).rev() {
        order.swap(last, random.within(0, last));
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_order_of_rows_and_modules_does_not_matter((instance, seed) in any_instance(40), moves in 0_usize..200) {
        let mut views = InstanceViews::new(&instance);
        let expected = views.decide(instance.budget, Policy::Optimal, moves);
        let order = shuffled(instance.actors.len(), seed);
        let mut other = InstanceViews::in_order(&instance, &order, true);
        prop_assert_eq!(other.decide(instance.budget, Policy::Optimal, moves), expected);
        prop_assert_eq!(other.levels(&instance), views.levels(&instance));
    }

    /// Without hysteresis, previous frames are only the warm start of the search for a price.
    #[test]
    fn warm_and_cold_decide_the_same((instance, seed) in any_instance(40), parts in 0_u64..=256, moves in 0_usize..200) {
        let mut warm = InstanceViews::new(&instance);
        warm.set_benefits(|id| instance.actors[id as usize].benefit >> ((u64::from(id) ^ seed) % 3));
        let other = instance.reserved + (instance.budget - instance.reserved) / 128 * parts;
        warm.decide(other, Policy::Optimal, moves);
        warm.remember();
        warm.set_benefits(|id| instance.actors[id as usize].benefit);
        let mut cold = InstanceViews::new(&instance);
        let mut expected = cold.decide(instance.budget, Policy::Optimal, moves);
        let mut got = warm.decide(instance.budget, Policy::Optimal, moves);
        (expected.switches, got.switches) = (0, 0);
        prop_assert_eq!(got, expected);
        prop_assert_eq!(warm.levels(&instance), cold.levels(&instance));
    }

    #[test]
    fn any_levels_are_certified((instance, seed) in any_instance(40)) {
        let mut random = SplitMix64::new(seed);
        let chosen: Vec<usize> =
            instance.actors.iter().map(|actor| random.within(0, actor.costs.len() - 1)).collect();
        let mut views = InstanceViews::new(&instance);
        views.set_levels(|id| {
            let actor = &instance.actors[id as usize];
            actor.lowest + u8::try_from(chosen[id as usize]).unwrap()
        });
        let certificate = views.certify(instance.budget);
        prop_assert_eq!(views.levels(&instance), chosen.clone());
        let (cost, value) = sums(&instance, &chosen);
        prop_assert_eq!(i128::from(certificate.value), value);
        prop_assert!(certificate.upper_bound >= certificate.value);
        let mut best = InstanceViews::new(&instance);
        let optimal = best.decide(instance.budget, Policy::Optimal, 64).certificate.unwrap();
        prop_assert!(certificate.upper_bound >= optimal.value);
        if cost + i128::from(instance.reserved) <= i128::from(instance.budget) {
            prop_assert!(value <= i128::from(optimal.upper_bound));
        }
    }

    #[test]
    fn infeasible_budgets_leave_all_at_the_minimum((mut instance, _) in any_instance(40), short in 1_u64..1_000) {
        for actor in &mut instance.actors {
            actor.costs.iter_mut().for_each(|cost| *cost = cost.saturating_add(50));
        }
        let min: u64 = instance.actors.iter().map(|actor| u64::from(actor.costs[0])).sum();
        let short = short.min(min);
        let budget = instance.reserved + min - short;
        for policy in [Policy::Optimal, Policy::Proportional(Leftovers::WholeBudget)] {
            let mut views = InstanceViews::new(&instance);
            let decision = views.decide(budget, policy, 64);
            prop_assert_eq!(decision.overcommit, short);
            prop_assert_eq!(decision.assigned, min);
            let bases: Vec<usize> = instance.actors.iter().map(Actor::base).collect();
            prop_assert_eq!(views.levels(&instance), bases);
            let certificate = decision.certificate.unwrap_or_else(|| views.certify(budget));
            prop_assert_eq!(i128::from(certificate.value), instance.min_value());
            prop_assert_eq!(certificate.upper_bound, certificate.value);
        }
    }

    #[test]
    fn a_large_budget_buys_the_best((instance, _) in any_instance(40), more in 0_u64..1_000) {
        let max: u64 = instance.actors.iter().map(|a| u64::from(*a.costs.last().unwrap())).sum();
        for budget in [instance.reserved + max + more, u64::MAX] {
            let mut views = InstanceViews::new(&instance);
            let decision = views.decide(budget, Policy::Optimal, 64);
            let best: i128 = instance.actors.iter().map(|a| a.value(a.costs.len() - 1)).sum();
            let certificate = decision.certificate.unwrap();
            prop_assert_eq!(i128::from(certificate.value), best);
            prop_assert_eq!(certificate.upper_bound, certificate.value);
            prop_assert_eq!(decision.price.to_f64(), 0.0);
        }
    }
}

fn actor(benefit: u32, costs: &[u32], qualities: &[u16]) -> Actor {
    Actor { module: 0, benefit, lowest: 0, costs: costs.to_vec(), qualities: qualities.to_vec() }
}

fn small(budget: u64, actors: Vec<Actor>) -> Instance {
    Instance { class: Class::Odd, budget, reserved: 0, modules: 1, actors }
}

fn levels(instance: &Instance, moves: usize) -> Vec<usize> {
    let mut views = InstanceViews::new(instance);
    views.decide(instance.budget, Policy::Optimal, moves);
    views.levels(instance)
}

const ONE: u16 = 1 << 15;

/// Two leaves of 5 to 10 splats tie.
#[test]
fn of_two_equal_nodes_the_lower_id_is_upgraded_first() {
    let nodes = vec![actor(1 << 16, &[5, 10], &[ONE / 2, ONE]); 2];
    assert_eq!(levels(&small(15, nodes.clone()), 0), [1, 0]);
    assert_eq!(levels(&small(14, nodes.clone()), 0), [0, 0]);
    assert_eq!(levels(&small(20, nodes), 0), [1, 1]);
}

#[test]
fn equal_actors_share_small_steps() {
    // Half of the quality for a fifth of the cost.
    let actors = vec![actor(1 << 16, &[0, 20, 100], &[0, ONE / 2, ONE]); 10];
    let instance = small(280, actors);
    let mut views = InstanceViews::new(&instance);
    let certificate = views.decide(280, Policy::Optimal, 0).certificate.unwrap();
    let levels = views.levels(&instance);
    // All take the first step; the rest pays for one second step.
    assert_eq!(levels, [2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert!(certificate.gap() < 1e-6);
}

/// A level beyond the budget is no part of hull, price and bound.
#[test]
fn unaffordable_levels_do_not_matter() {
    let mut actors = vec![actor(1 << 22, &[0, 10, 5_000], &[0, 10, ONE])];
    actors.extend(vec![actor(1 << 16, &[0, 10], &[0, ONE]); 40]);
    let instance = small(200, actors);
    let mut views = InstanceViews::new(&instance);
    let certificate = views.decide(200, Policy::Optimal, 0).certificate.unwrap();
    let (_, value) = sums(&instance, &views.levels(&instance));
    assert_eq!(value, 20 * i128::from(ONE) * (1 << 16));
    assert!(certificate.gap() < 1e-5, "{certificate:?}");
}

/// Slopes are computed again when the budget reaches a level.
#[test]
fn slopes_follow_the_budget() {
    let rows = vec![actor(1 << 16, &[0, 10, 100], &[0, 10, ONE]); 2];
    let instance = small(200, rows);
    let mut views = InstanceViews::new(&instance);
    for (budget, expected) in
        [(99, [1, 1]), (100, [2, 0]), (99, [1, 1]), (110, [2, 1]), (200, [2, 2])]
    {
        views.decide(budget, Policy::Optimal, 0);
        assert_eq!(views.levels(&instance), expected, "{budget}");
    }
}

/// One actor at nearly the whole budget, and small ones of more value per cost but less value.
#[test]
fn one_actor_may_have_more_value_than_all_others() {
    let mut actors = vec![actor(100 << 16, &[0, 1_000], &[0, ONE])];
    actors.extend(vec![actor(1 << 16, &[0, 5], &[0, ONE]); 4]);
    let instance = small(1_004, actors);
    let mut views = InstanceViews::new(&instance);
    views.decide(1_004, Policy::Optimal, 0);
    assert_eq!(views.levels(&instance), [1, 0, 0, 0, 0]);
    // With hysteresis no actor is downgraded for a better plan.
    views.hysteresis = Hysteresis::TYPICAL;
    views.carryover = Carryover::default();
    views.decide(1_004, Policy::Optimal, 0);
    assert_eq!(views.levels(&instance), [0, 1, 1, 1, 1]);
}

/// At equal cost the highest level, at equal quality the cheapest.
#[test]
fn plateaus_are_free_and_worthless_steps_are_not_bought() {
    let rows = vec![
        actor(0, &[7, 7, 7, 9], &[0, 0, ONE / 2, ONE]),
        actor(1 << 16, &[0, 5, 5, 9], &[0, ONE / 2, ONE / 2, ONE / 2]),
    ];
    assert_eq!(levels(&small(100, rows), 64), [2, 2]);
}

#[test]
fn level_255_is_a_level() {
    let costs: Vec<u32> = (0..256).collect();
    let qualities: Vec<u16> = (0..256).map(|level| level * 128).collect();
    let instance = small(u64::MAX, vec![actor(1 << 16, &costs, &qualities); 2]);
    let mut views = InstanceViews::new(&instance);
    views.decide(u64::MAX, Policy::Optimal, 0);
    assert_eq!(views.levels(&instance), [255, 255]);
    views.remember();
    assert_eq!(views.decide(u64::MAX, Policy::Optimal, 0).switches, 0);
    views.set_previous(
        |id| if id == 0 { PreviousLevel::automatic(255) } else { PreviousLevel::NONE },
    );
    assert_eq!(views.decide(100, Policy::Optimal, 0).switches, 1);
    assert_eq!(views.levels(&instance), [100, 0]);
}
