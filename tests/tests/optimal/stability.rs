//! What a change must earn, for both policies; flips, and the cap on raises.

use lodger_core::budget::{Last, Leftovers, Policy, Stability};
use lodger_tests::knapsack::generate::{Chance, Class, instance};
use lodger_tests::knapsack::{Actor, Instance};
use proptest::prelude::*;

use super::books::Books;
use super::measure::sums;

const POLICIES: [Policy; 5] = [
    Policy::Optimal,
    Policy::Proportional(Leftovers::Keep),
    Policy::Proportional(Leftovers::WithinModule),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::WholeBudget),
];

fn any_instance() -> impl Strategy<Value = (Instance, u64)> {
    (any::<u64>(), prop::sample::select(&Class::ALL[..]), 1_usize..60)
        .prop_map(|(seed, class, actors)| (instance(class, actors, &mut Chance::new(seed)), seed))
}

fn any_stability() -> impl Strategy<Value = Stability> {
    prop_oneof![
        Just(Stability::STEADY),
        (any::<u8>(), any::<u8>()).prop_map(|(margin, reserve)| Stability { margin, reserve }),
        (1_u8..).prop_map(|margin| Stability { margin, reserve: 0 }),
        (1_u8..).prop_map(|reserve| Stability { margin: 0, reserve }),
    ]
}

/// The level of an actor by its place in the range.
fn shown(actor: &Actor, level: usize) -> Last {
    Last::automatic(actor.lowest + u8::try_from(level).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// The first frame decides, and nothing changes while nothing changes.
    #[test]
    fn a_still_scene_is_at_rest((instance, _) in any_instance(), stability in any_stability(), policy in prop::sample::select(&POLICIES[..])) {
        let mut books = Books::of(&instance);
        books.stability = stability;
        books.decide(instance.budget, policy, 64);
        books.remember();
        // What its reserve leaves may still be used once.
        books.decide(instance.budget, policy, 64);
        books.remember();
        let levels = books.levels(&instance);
        for _ in 0..3 {
            let decision = books.decide(instance.budget, policy, 64);
            prop_assert_eq!(decision.flips, 0);
            prop_assert_eq!(books.levels(&instance), levels.clone());
            books.remember();
        }
    }

    /// Whatever was shown before, the budget holds and nobody is outside of the range.
    #[test]
    fn the_past_never_breaks_the_budget((instance, seed) in any_instance(), stability in any_stability(), policy in prop::sample::select(&POLICIES[..]), max_raises in prop::option::of(0_u32..20)) {
        let mut chance = Chance::new(seed ^ 5);
        let last: Vec<Last> = (0..instance.actors.len())
            .map(|_| match chance.count(0, 3) {
                0 => Last::NONE,
                1 => Last::fixed(u8::try_from(chance.count(0, 255)).unwrap()),
                _ => Last::automatic(u8::try_from(chance.count(0, 24)).unwrap()),
            })
            .collect();
        let mut books = Books::of(&instance);
        books.stability = stability;
        books.max_raises = max_raises;
        books.set_last(|id| last[id as usize]);
        let mut budget = instance.budget;
        for _ in 0..4 {
            let decision = books.decide(budget, policy, 64);
            let levels = books.levels(&instance);
            let (cost, value) = sums(&instance, &levels);
            prop_assert_eq!(cost, i128::from(decision.assigned));
            prop_assert_eq!(books.assigned(), decision.assigned);
            prop_assert!(decision.overcommit > 0 || cost + i128::from(instance.fixed) <= i128::from(budget));
            let certificate = decision.certificate.unwrap_or_else(|| books.certify(budget));
            prop_assert_eq!(i128::from(certificate.value), value);
            let mut alone = Books::of(&instance);
            let best = alone.decide(budget, Policy::Optimal, 64).certificate.unwrap();
            prop_assert!(certificate.upper_bound >= best.value);
            books.remember();
            budget = instance.fixed + (budget - instance.fixed) / 4 * u64::from(chance.within(1, 5));
        }
    }

    #[test]
    fn only_the_worthiest_rise((instance, seed) in any_instance(), most in 0_u32..8, policy in prop::sample::select(&POLICIES[..])) {
        let mut chance = Chance::new(seed ^ 9);
        let last: Vec<usize> = instance.actors.iter().map(|actor| {
            let foot = actor.foot();
            chance.count(foot, actor.costs.len() - 1)
        }).collect();
        let is_new: Vec<bool> = last.iter().map(|_| chance.percent(20)).collect();
        let show = |id: u32| {
            let id = id as usize;
            if is_new[id] { Last::NONE } else { shown(&instance.actors[id], last[id]) }
        };
        let decide = |max_raises| {
            let mut books = Books::of(&instance);
            books.set_last(show);
            books.max_raises = max_raises;
            let decision = books.decide(instance.budget, policy, 0);
            (decision, books.levels(&instance))
        };
        let (_, free) = decide(None);
        let (decision, capped) = decide(Some(most));
        let risen = |levels: &[usize]| -> Vec<usize> {
            (0..levels.len()).filter(|&id| !is_new[id] && levels[id] > last[id]).collect()
        };
        let (all, some) = (risen(&free), risen(&capped));
        prop_assert_eq!(some.len(), all.len().min(most as usize));
        for id in 0..capped.len() {
            // The others stay where they were, and who does not rise is not touched.
            let expected = if all.contains(&id) && !some.contains(&id) { last[id] } else { free[id] };
            prop_assert_eq!(capped[id], expected);
        }
        if policy != Policy::Optimal {
            let rank = |id: &usize| (std::cmp::Reverse(instance.actors[*id].benefit), *id);
            let worst = some.iter().map(rank).max();
            prop_assert!(all.iter().filter(|id| !some.contains(id)).all(|id| Some(rank(id)) > worst));
        }
        prop_assert_eq!(i128::from(decision.assigned), sums(&instance, &capped).0);
        let flips = (0..last.len()).filter(|&id| !is_new[id] && capped[id] != last[id]).count();
        prop_assert_eq!(decision.flips as usize, flips);
    }
}

/// Flips in eight frames in which benefits tremble by two in a hundred.
fn flips(class: Class, seed: u64, policy: Policy, stability: Stability) -> u32 {
    let mut chance = Chance::new(seed);
    let instance = instance(class, 60, &mut chance);
    let mut books = Books::of(&instance);
    books.stability = stability;
    let mut flips = 0;
    for frame in 0..10 {
        let percent: Vec<u32> = (0..60).map(|_| chance.within(98, 102)).collect();
        books.set_benefits(|id| {
            let benefit = u64::from(instance.actors[id as usize].benefit);
            let benefit = benefit * u64::from(percent[id as usize]) / 100;
            u32::try_from(benefit).unwrap().min((1 << 24) - 1)
        });
        let decision = books.decide(instance.budget, policy, 0);
        flips += if frame < 2 { 0 } else { decision.flips };
        books.remember();
    }
    flips
}

#[test]
fn benefits_that_tremble_flip_few() {
    for policy in POLICIES {
        let sum = |stability| -> u32 {
            let classes = [Class::Uncorrelated, Class::Spread, Class::Weakly];
            let seeds = (0..60).flat_map(|seed| classes.map(|class| (class, seed)));
            seeds.map(|(class, seed)| flips(class, seed, policy, stability)).sum()
        };
        let (off, steady) = (sum(Stability::OFF), sum(Stability::STEADY));
        assert!(off > 100 && steady < off / 5, "{policy:?}: {steady} of {off}");
    }
}

fn one(benefit: u32, budget: u64) -> Instance {
    let costs = vec![0, 100, 200];
    let actor =
        Actor { module: 0, benefit, lowest: 2, costs, qualities: vec![0, 1 << 14, 1 << 15] };
    let other = Actor { benefit: 1 << 16, ..actor.clone() };
    Instance { class: Class::Odd, budget, fixed: 0, modules: 1, actors: vec![actor, other] }
}

/// Two actors want the last step: the one that had it keeps it until the other is worth a margin more.
#[test]
fn who_is_worth_a_margin_more_rises_in_that_frame() {
    let instance = one(1 << 16, 300);
    let mut books = Books::of(&instance);
    books.stability = Stability { margin: 26, reserve: 0 };
    books.decide(300, Policy::Optimal, 0);
    assert_eq!(books.levels(&instance), [2, 1]);
    books.remember();
    for (benefit, expected) in [(70_000, [2, 1]), (72_900, [2, 1]), (73_500, [1, 2])] {
        books.set_benefits(|id| if id == 1 { benefit } else { 1 << 16 });
        books.decide(300, Policy::Optimal, 0);
        books.remember();
        assert_eq!(books.levels(&instance), expected, "{benefit}");
    }
}

/// What was shown outside of the range counts as its end, what nobody knows does not count.
#[test]
fn last_levels_are_clamped_to_the_range() {
    let instance = one(1 << 16, 300);
    let decide = |first: Last, second: Last| {
        let mut books = Books::of(&instance);
        books.stability = Stability { margin: 128, reserve: 0 };
        books.set_last(|id| if id == 0 { first } else { second });
        let decision = books.decide(300, Policy::Optimal, 0);
        (books.levels(&instance), decision.flips)
    };
    let (low, high) = (Last::automatic(0), Last::automatic(200));
    // Both are worth the same; whose last level counts as high keeps it. 0 and 200 are no levels of theirs.
    assert_eq!(decide(low, high), (vec![1, 2], 2));
    assert_eq!(decide(high, low), (vec![2, 1], 2));
    assert_eq!(decide(Last::NONE, low), (vec![2, 1], 1));
    assert_eq!(decide(Last::fixed(3), Last::fixed(4)), (vec![1, 2], 0));
}

/// The price stands while what it buys costs between the budget and the budget less the reserve.
#[test]
fn the_price_stands_within_the_reserve() {
    let instance = instance(Class::Uncorrelated, 400, &mut Chance::new(3));
    let mut books = Books::of(&instance);
    books.stability = Stability { margin: 0, reserve: 26 };
    let least = u64::try_from(i128::from(instance.budget) - instance.spare()).unwrap();
    let spare = instance.budget - least;
    let mut price = |budget| {
        let decision = books.decide(budget, Policy::Optimal, 0);
        books.remember();
        decision.price
    };
    let first = price(least + spare);
    assert_eq!(price(least + spare / 100 * 101), first);
    assert_eq!(price(least + spare / 100 * 105), first);
    assert!(price(least + spare / 100 * 150) < first);
    assert!(price(least + spare / 2) > first);
}
