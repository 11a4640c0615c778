//! Instances by chance, against an exact solver. `examples/optimal.rs` does the same with many more.

use lodger_core::budget::{Leftovers, Policy};
use lodger_tests::knapsack::exact::optimum;
use lodger_tests::knapsack::generate::{Chance, Class, instance};
use lodger_tests::knapsack::relaxation::relax;
use lodger_tests::knapsack::{Actor, Instance};
use proptest::prelude::*;

use super::books::Books;
use super::measure::{measure, sums};

/// The best of all choices, one after another.
fn brute_force(instance: &Instance, from: usize, spare: i128) -> i128 {
    let Some(actor) = instance.actors.get(from) else { return 0 };
    let affordable = (0..actor.costs.len()).filter(|&level| actor.extra(level) <= spare);
    let values = affordable.map(|level| {
        actor.value(level) + brute_force(instance, from + 1, spare - actor.extra(level))
    });
    values.max().expect("the lowest level is affordable")
}

#[test]
fn the_exact_solver_finds_what_trying_everything_finds() {
    for seed in 0..400 {
        let mut chance = Chance::new(seed);
        let class = Class::ALL[chance.count(0, Class::ALL.len() - 1)];
        let actors = chance.count(1, 5);
        let mut instance = instance(class, actors, &mut chance);
        instance.actors.iter_mut().for_each(shorten);
        let most: u64 = instance.actors.iter().map(|a| u64::from(*a.costs.last().unwrap())).sum();
        instance.budget = instance.budget.min(most + instance.fixed);
        if instance.spare() < 0 {
            continue;
        }
        let best = brute_force(&instance, 0, instance.spare());
        let found = optimum(&instance, instance.least_value());
        assert_eq!((found.least, found.most), (best, best), "{instance:?}");
        #[allow(clippy::cast_precision_loss)] // a part in a million
        let best = best as f64;
        assert!(relax(&instance).bound() >= best * (1.0 - 1e-6));
    }
}

/// To five levels at most, so that all can be tried.
fn shorten(actor: &mut Actor) {
    actor.costs.truncate(5);
    actor.qualities.truncate(5);
}

#[test]
fn plans_are_close_to_the_optimum_and_certificates_hold() {
    let (mut close, mut all) = (0_u32, 0_u32);
    for (number, &class) in (0_u64..300).zip(Class::ALL.iter().cycle()) {
        let mut chance = Chance::new(1_000_000 + number);
        let actors = chance.count(5, 80);
        let measured = measure(&instance(class, actors, &mut chance));
        assert!(measured.violations.is_empty(), "{class}: {:?}", measured.violations);
        assert!(measured.refined >= 0.99, "{class}, {actors} actors: {}", measured.refined);
        close += u32::from(measured.refined >= 0.999);
        all += 1;
    }
    assert!(f64::from(close) >= 0.99 * f64::from(all), "{close} of {all}");
}

#[test]
fn a_thousand_actors_need_no_scratch() {
    for &class in &Class::ALL {
        let instance = instance(class, 1_000, &mut Chance::new(77));
        let mut books = Books::of(&instance);
        let decision = books.decide(instance.budget, Policy::Optimal, 0);
        let (_, value) = sums(&instance, &books.levels(&instance));
        #[allow(clippy::cast_precision_loss)] // a part in a hundred
        let part = (value - instance.least_value()) as f64
            / (relax(&instance).bound() - instance.least_value() as f64).max(1.0);
        assert!(part >= 0.99, "{class}: {part}");
        assert!(decision.certificate.unwrap().gap() <= 0.01, "{class}");
    }
}

fn any_instance() -> impl Strategy<Value = (Instance, u64)> {
    (any::<u64>(), prop::sample::select(&Class::ALL[..]), 1_usize..40)
        .prop_map(|(seed, class, actors)| (instance(class, actors, &mut Chance::new(seed)), seed))
}

/// Every order of the rows.
fn shuffled(actors: usize, seed: u64) -> Vec<usize> {
    let mut chance = Chance::new(seed);
    let mut order: Vec<usize> = (0..actors).collect();
    for last in (1..actors).rev() {
        order.swap(last, chance.count(0, last));
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_order_of_rows_and_accounts_does_not_matter((instance, seed) in any_instance(), trials in 0_usize..200) {
        let mut books = Books::of(&instance);
        let expected = books.decide(instance.budget, Policy::Optimal, trials);
        let order = shuffled(instance.actors.len(), seed);
        let mut other = Books::new(&instance, &order, true);
        prop_assert_eq!(other.decide(instance.budget, Policy::Optimal, trials), expected);
        prop_assert_eq!(other.levels(&instance), books.levels(&instance));
    }

    /// With stability off, what came before only says where the search for a price begins.
    #[test]
    fn warm_and_cold_decide_the_same((instance, seed) in any_instance(), parts in 0_u64..=256, trials in 0_usize..200) {
        let mut warm = Books::of(&instance);
        warm.set_benefits(|id| instance.actors[id as usize].benefit >> ((u64::from(id) ^ seed) % 3));
        let other = instance.fixed + (instance.budget - instance.fixed) / 128 * parts;
        warm.decide(other, Policy::Optimal, trials);
        warm.remember();
        warm.set_benefits(|id| instance.actors[id as usize].benefit);
        let mut cold = Books::of(&instance);
        let mut expected = cold.decide(instance.budget, Policy::Optimal, trials);
        let mut got = warm.decide(instance.budget, Policy::Optimal, trials);
        (expected.flips, got.flips) = (0, 0);
        prop_assert_eq!(got, expected);
        prop_assert_eq!(warm.levels(&instance), cold.levels(&instance));
    }

    /// Whatever levels somebody chose.
    #[test]
    fn any_levels_are_certified((instance, seed) in any_instance()) {
        let mut chance = Chance::new(seed);
        let chosen: Vec<usize> =
            instance.actors.iter().map(|actor| chance.count(0, actor.costs.len() - 1)).collect();
        let mut books = Books::of(&instance);
        books.set_levels(|id| {
            let actor = &instance.actors[id as usize];
            actor.lowest + u8::try_from(chosen[id as usize]).unwrap()
        });
        let certificate = books.certify(instance.budget);
        prop_assert_eq!(books.levels(&instance), chosen.clone());
        let (cost, value) = sums(&instance, &chosen);
        prop_assert_eq!(i128::from(certificate.value), value);
        prop_assert!(certificate.upper_bound >= certificate.value);
        let mut best = Books::of(&instance);
        let optimal = best.decide(instance.budget, Policy::Optimal, 64).certificate.unwrap();
        prop_assert!(certificate.upper_bound >= optimal.value);
        if cost + i128::from(instance.fixed) <= i128::from(instance.budget) {
            prop_assert!(value <= i128::from(optimal.upper_bound));
        }
    }

    /// A budget that does not pay the lowest levels buys nothing else.
    #[test]
    fn infeasible_budgets_leave_everybody_at_the_minimum((mut instance, _) in any_instance(), short in 1_u64..1_000) {
        for actor in &mut instance.actors {
            actor.costs.iter_mut().for_each(|cost| *cost = cost.saturating_add(50));
        }
        let least: u64 = instance.actors.iter().map(|actor| u64::from(actor.costs[0])).sum();
        let short = short.min(least);
        let budget = instance.fixed + least - short;
        for policy in [Policy::Optimal, Policy::Proportional(Leftovers::WholeBudget)] {
            let mut books = Books::of(&instance);
            let decision = books.decide(budget, policy, 64);
            prop_assert_eq!(decision.overcommit, short);
            prop_assert_eq!(decision.assigned, least);
            let feet: Vec<usize> = instance.actors.iter().map(Actor::foot).collect();
            prop_assert_eq!(books.levels(&instance), feet);
            let certificate = decision.certificate.unwrap_or_else(|| books.certify(budget));
            prop_assert_eq!(i128::from(certificate.value), instance.least_value());
            prop_assert_eq!(certificate.upper_bound, certificate.value);
        }
    }

    /// Enough for everybody's best, or no limit at all.
    #[test]
    fn who_has_enough_buys_the_best((instance, _) in any_instance(), more in 0_u64..1_000) {
        let most: u64 = instance.actors.iter().map(|a| u64::from(*a.costs.last().unwrap())).sum();
        for budget in [instance.fixed + most + more, u64::MAX] {
            let mut books = Books::of(&instance);
            let decision = books.decide(budget, Policy::Optimal, 64);
            let best: i128 = instance.actors.iter().map(|a| a.value(a.costs.len() - 1)).sum();
            let certificate = decision.certificate.unwrap();
            prop_assert_eq!(i128::from(certificate.value), best);
            prop_assert_eq!(certificate.upper_bound, certificate.value);
            prop_assert_eq!(decision.price.to_f64(), 0.0);
        }
    }
}
