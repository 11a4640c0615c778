//! What has misled others: small scenes with one known answer each.

use lodger_core::budget::{Last, Policy, Stability};
use lodger_tests::knapsack::generate::Class;
use lodger_tests::knapsack::{Actor, Instance};

use super::books::Books;
use super::measure::sums;

fn actor(benefit: u32, costs: &[u32], qualities: &[u16]) -> Actor {
    Actor { module: 0, benefit, lowest: 0, costs: costs.to_vec(), qualities: qualities.to_vec() }
}

fn instance(budget: u64, actors: Vec<Actor>) -> Instance {
    Instance { class: Class::Odd, budget, fixed: 0, modules: 1, actors }
}

fn levels(instance: &Instance, trials: usize) -> Vec<usize> {
    let mut books = Books::of(instance);
    books.decide(instance.budget, Policy::Optimal, trials);
    books.levels(instance)
}

const ONE: u16 = 1 << 15;

/// Two leaves tie, 5 to 10 splats each: served one after another by what is left, not by half steps.
#[test]
fn of_two_equal_nodes_the_lower_id_gets_what_one_can_have() {
    let nodes = vec![actor(1 << 16, &[5, 10], &[ONE / 2, ONE]); 2];
    assert_eq!(levels(&instance(15, nodes.clone()), 0), [1, 0]);
    assert_eq!(levels(&instance(14, nodes.clone()), 0), [0, 0]);
    assert_eq!(levels(&instance(20, nodes), 0), [1, 1]);
}

/// Whoever serves the first of equals as far as the money goes leaves the last ones with nothing.
#[test]
fn equals_share_what_is_better_in_small_steps() {
    // Half of the quality for a fifth of the cost, the rest for the rest.
    let crowd = vec![actor(1 << 16, &[0, 20, 100], &[0, ONE / 2, ONE]); 10];
    let instance = instance(280, crowd);
    let mut books = Books::of(&instance);
    let certificate = books.decide(280, Policy::Optimal, 0).certificate.unwrap();
    let levels = books.levels(&instance);
    // All take the first step; then one can take the second.
    assert_eq!(levels, [2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert!(certificate.gap() < 1e-6);
}

/// A level that all the money there is does not pay makes no hull, no price and no bound.
#[test]
fn what_nobody_can_pay_misleads_nobody() {
    let mut actors = vec![actor(1 << 22, &[0, 10, 5_000], &[0, 10, ONE])];
    actors.extend(vec![actor(1 << 16, &[0, 10], &[0, ONE]); 40]);
    let instance = instance(200, actors);
    let mut books = Books::of(&instance);
    let certificate = books.decide(200, Policy::Optimal, 0).certificate.unwrap();
    let (_, value) = sums(&instance, &books.levels(&instance));
    assert_eq!(value, 20 * i128::from(ONE) * (1 << 16));
    assert!(certificate.gap() < 1e-5, "{certificate:?}");
}

/// The slopes are made anew when the budget reaches the level, and not before.
#[test]
fn slopes_follow_the_budget() {
    let rows = vec![actor(1 << 16, &[0, 10, 100], &[0, 10, ONE]); 2];
    let instance = instance(200, rows);
    let mut books = Books::of(&instance);
    for (budget, expected) in
        [(99, [1, 1]), (100, [2, 0]), (99, [1, 1]), (110, [2, 1]), (200, [2, 2])]
    {
        books.decide(budget, Policy::Optimal, 0);
        assert_eq!(books.levels(&instance), expected, "{budget}");
    }
}

/// One that wants nearly everything, and small ones that are worth more for their money but little together.
#[test]
fn one_actor_may_be_worth_more_than_all_others() {
    let mut actors = vec![actor(100 << 16, &[0, 1_000], &[0, ONE])];
    actors.extend(vec![actor(1 << 16, &[0, 5], &[0, ONE]); 4]);
    let instance = instance(1_004, actors);
    let mut books = Books::of(&instance);
    books.decide(1_004, Policy::Optimal, 0);
    assert_eq!(books.levels(&instance), [1, 0, 0, 0, 0]);
    // Where the past counts, nobody is thrown out for a better plan.
    books.stability = Stability::STEADY;
    books.standing = lodger_core::budget::Standing::default();
    books.decide(1_004, Policy::Optimal, 0);
    assert_eq!(books.levels(&instance), [0, 1, 1, 1, 1]);
}

/// At equal cost the highest level, at equal quality the cheapest.
#[test]
fn plateaus_are_free_and_worthless_steps_are_not_bought() {
    let rows = vec![
        actor(0, &[7, 7, 7, 9], &[0, 0, ONE / 2, ONE]),
        actor(1 << 16, &[0, 5, 5, 9], &[0, ONE / 2, ONE / 2, ONE / 2]),
    ];
    assert_eq!(levels(&instance(100, rows), 64), [2, 2]);
}

/// 255 is a level, not a mark for an actor that has none.
#[test]
fn level_255_is_a_level() {
    let costs: Vec<u32> = (0..256).collect();
    let qualities: Vec<u16> = (0..256).map(|level| level * 128).collect();
    let instance = instance(u64::MAX, vec![actor(1 << 16, &costs, &qualities); 2]);
    let mut books = Books::of(&instance);
    books.decide(u64::MAX, Policy::Optimal, 0);
    assert_eq!(books.levels(&instance), [255, 255]);
    books.remember();
    assert_eq!(books.decide(u64::MAX, Policy::Optimal, 0).flips, 0);
    books.set_last(|id| if id == 0 { Last::automatic(255) } else { Last::NONE });
    assert_eq!(books.decide(100, Policy::Optimal, 0).flips, 1);
    assert_eq!(books.levels(&instance), [100, 0]);
}
