//! Hysteresis for both policies, switches, and the limit of upgrades.

use lodger_core::budget::{Hysteresis, Leftovers, Policy, PreviousLevel};
use lodger_testkit::SplitMix64;
use lodger_tests::knapsack::generate::{Class, instance};
use lodger_tests::knapsack::{Actor, Instance};
use proptest::prelude::*;

use super::instance_views::{InstanceViews, sums};
use super::instances::any_instance;

const POLICIES: [Policy; 5] = [
    Policy::Optimal,
    Policy::Proportional(Leftovers::Keep),
    Policy::Proportional(Leftovers::WithinModule),
    Policy::Proportional(Leftovers::AcrossModules),
    Policy::Proportional(Leftovers::WholeBudget),
];

fn any_hysteresis() -> impl Strategy<Value = Hysteresis> {
    prop_oneof![
        Just(Hysteresis::TYPICAL),
        (any::<u8>(), any::<u8>()).prop_map(|(margin, dead_band)| Hysteresis { margin, dead_band }),
        (1_u8..).prop_map(|margin| Hysteresis { margin, dead_band: 0 }),
        (1_u8..).prop_map(|dead_band| Hysteresis { margin: 0, dead_band }),
    ]
}

fn previous(actor: &Actor, level: usize) -> PreviousLevel {
    PreviousLevel::automatic(actor.lowest + u8::try_from(level).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// From the fourth frame on the plan stays.
    #[test]
    fn a_still_scene_is_at_rest((instance, _) in any_instance(60), hysteresis in any_hysteresis(), policy in prop::sample::select(&POLICIES[..])) {
        let mut views = InstanceViews::new(&instance);
        views.hysteresis = hysteresis;
        views.decide(instance.budget, policy, 64);
        views.remember();
        // In the first frame equal actors are raised as far as the budget pays, since none has a previous level; then
        // by whole steps. The dead band of that price may be used once.
        for _ in 0..2 {
            views.decide(instance.budget, policy, 64);
            views.remember();
        }
        let levels = views.levels(&instance);
        for _ in 0..3 {
            let decision = views.decide(instance.budget, policy, 64);
            prop_assert_eq!(decision.switches, 0);
            prop_assert_eq!(views.levels(&instance), levels.clone());
            views.remember();
        }
    }

    #[test]
    fn previous_levels_never_break_the_budget((instance, seed) in any_instance(60), hysteresis in any_hysteresis(), policy in prop::sample::select(&POLICIES[..]), max_upgrades in prop::option::of(0_u32..20)) {
        let mut random = SplitMix64::new(seed ^ 5);
        let last: Vec<PreviousLevel> = (0..instance.actors.len())
            .map(|_| match random.within(0, 3) {
                0 => PreviousLevel::NONE,
                1 => PreviousLevel::manual(random.within(0, 255)),
                _ => PreviousLevel::automatic(random.within(0, 24)),
            })
            .collect();
        let mut views = InstanceViews::new(&instance);
        views.hysteresis = hysteresis;
        views.max_upgrades = max_upgrades;
        views.set_previous(|id| last[id as usize]);
        let mut budget = instance.budget;
        for _ in 0..4 {
            let decision = views.decide(budget, policy, 64);
            let levels = views.levels(&instance);
            let (cost, value) = sums(&instance, &levels);
            prop_assert_eq!(cost, i128::from(decision.assigned));
            prop_assert_eq!(views.assigned(), decision.assigned);
            prop_assert!(decision.overcommit > 0 || cost + i128::from(instance.reserved) <= i128::from(budget));
            let certificate = decision.certificate.unwrap_or_else(|| views.certify(budget));
            prop_assert_eq!(i128::from(certificate.value), value);
            let mut alone = InstanceViews::new(&instance);
            let best = alone.decide(budget, Policy::Optimal, 64).certificate.unwrap();
            prop_assert!(certificate.upper_bound >= best.value);
            views.remember();
            budget = instance.reserved + (budget - instance.reserved) / 4 * random.within(1_u64, 5);
        }
    }

    #[test]
    fn upgrades_are_limited_to_the_best((instance, seed) in any_instance(60), max in 0_u32..8, policy in prop::sample::select(&POLICIES[..])) {
        let mut random = SplitMix64::new(seed ^ 9);
        let shown: Vec<usize> = instance.actors.iter().map(|actor| {
            let base = actor.base();
            random.within(base, actor.costs.len() - 1)
        }).collect();
        // A level inside a plateau counts as its upper end.
        let last: Vec<usize> = instance.actors.iter().zip(&shown).map(|(actor, &level)| {
            actor.costs.partition_point(|&cost| cost <= actor.costs[level]) - 1
        }).collect();
        let is_new: Vec<bool> = last.iter().map(|_| random.percent(20)).collect();
        let show = |id: u32| {
            let id = id as usize;
            if is_new[id] { PreviousLevel::NONE } else { previous(&instance.actors[id], shown[id]) }
        };
        let decide = |max_upgrades| {
            let mut views = InstanceViews::new(&instance);
            views.set_previous(show);
            views.max_upgrades = max_upgrades;
            let decision = views.decide(instance.budget, policy, 0);
            (decision, views.levels(&instance))
        };
        let (_, free) = decide(None);
        let (decision, capped) = decide(Some(max));
        let upgraded = |levels: &[usize]| -> Vec<usize> {
            (0..levels.len()).filter(|&id| !is_new[id] && levels[id] > last[id]).collect()
        };
        let (all, some) = (upgraded(&free), upgraded(&capped));
        prop_assert_eq!(some.len(), all.len().min(max as usize));
        for id in 0..capped.len() {
            let expected = if all.contains(&id) && !some.contains(&id) { last[id] } else { free[id] };
            prop_assert_eq!(capped[id], expected);
        }
        if policy != Policy::Optimal {
            let rank = |id: &usize| (std::cmp::Reverse(instance.actors[*id].benefit), *id);
            let worst = some.iter().map(rank).max();
            prop_assert!(all.iter().filter(|id| !some.contains(id)).all(|id| Some(rank(id)) > worst));
        }
        prop_assert_eq!(i128::from(decision.assigned), sums(&instance, &capped).0);
        let flips = (0..last.len()).filter(|&id| !is_new[id] && capped[id] != shown[id]).count();
        prop_assert_eq!(decision.switches as usize, flips);
    }
}

fn switches(class: Class, seed: u64, policy: Policy, hysteresis: Hysteresis) -> u32 {
    let mut random = SplitMix64::new(seed);
    let instance = instance(class, 60, &mut random);
    let mut views = InstanceViews::new(&instance);
    views.hysteresis = hysteresis;
    let mut switches = 0;
    for frame in 0..10 {
        let percent: Vec<u32> = (0..60).map(|_| random.within(98, 102)).collect();
        views.set_benefits(|id| {
            let benefit = u64::from(instance.actors[id as usize].benefit);
            let benefit = benefit * u64::from(percent[id as usize]) / 100;
            u32::try_from(benefit).unwrap().min((1 << 24) - 1)
        });
        let decision = views.decide(instance.budget, policy, 0);
        switches += if frame < 2 { 0 } else { decision.switches };
        views.remember();
    }
    switches
}

#[test]
fn noise_of_benefits_switches_few() {
    for policy in POLICIES {
        let sum = |hysteresis| -> u32 {
            let classes = [Class::Uncorrelated, Class::Spread, Class::Weakly];
            let seeds = (0..60).flat_map(|seed| classes.map(|class| (class, seed)));
            seeds.map(|(class, seed)| switches(class, seed, policy, hysteresis)).sum()
        };
        let (off, steady) = (sum(Hysteresis::OFF), sum(Hysteresis::TYPICAL));
        assert!(off > 100 && steady < off / 5, "{policy:?}: {steady} of {off}");
    }
}

fn one(benefit: u32, budget: u64) -> Instance {
    let costs = vec![0, 100, 200];
    let actor =
        Actor { module: 0, benefit, lowest: 2, costs, qualities: vec![0, 1 << 14, 1 << 15] };
    let other = Actor { benefit: 1 << 16, ..actor.clone() };
    Instance { class: Class::Odd, budget, reserved: 0, modules: 1, actors: vec![actor, other] }
}

#[test]
fn a_gain_above_the_margin_upgrades_within_the_frame() {
    let instance = one(1 << 16, 300);
    let mut views = InstanceViews::new(&instance);
    views.hysteresis = Hysteresis { margin: 26, dead_band: 0 };
    views.decide(300, Policy::Optimal, 0);
    assert_eq!(views.levels(&instance), [2, 1]);
    views.remember();
    for (benefit, expected) in [(70_000, [2, 1]), (72_900, [2, 1]), (73_500, [1, 2])] {
        views.set_benefits(|id| if id == 1 { benefit } else { 1 << 16 });
        views.decide(300, Policy::Optimal, 0);
        views.remember();
        assert_eq!(views.levels(&instance), expected, "{benefit}");
    }
}

/// A previous level outside of the range counts as its end; an unknown one does not count.
#[test]
fn previous_levels_are_clamped_to_the_range() {
    let instance = one(1 << 16, 300);
    let decide = |first: PreviousLevel, second: PreviousLevel| {
        let mut views = InstanceViews::new(&instance);
        views.hysteresis = Hysteresis { margin: 128, dead_band: 0 };
        views.set_previous(|id| if id == 0 { first } else { second });
        let decision = views.decide(300, Policy::Optimal, 0);
        (views.levels(&instance), decision.switches)
    };
    let (low, high) = (PreviousLevel::automatic(0), PreviousLevel::automatic(200));
    // Both have the same value, so the actor with the higher previous level keeps it.
    assert_eq!(decide(low, high), (vec![1, 2], 2));
    assert_eq!(decide(high, low), (vec![2, 1], 2));
    assert_eq!(decide(PreviousLevel::NONE, low), (vec![2, 1], 1));
    assert_eq!(decide(PreviousLevel::manual(3), PreviousLevel::manual(4)), (vec![1, 2], 0));
}

/// A continuous module has no margin, but each actor returns to its previous level before any rises above it.
#[test]
fn previous_levels_of_continuous_modules_count() {
    let instance = one(1 << 16, 300);
    for hysteresis in [(128, 0), (0, 1), (128, 1)] {
        let (margin, dead_band) = hysteresis;
        let mut views = InstanceViews::new(&instance);
        views.make_continuous();
        views.hysteresis = Hysteresis { margin, dead_band };
        views.set_previous(|id| previous(&instance.actors[id as usize], id as usize + 1));
        views.decide(300, Policy::Optimal, 0);
        assert_eq!(views.levels(&instance), [1, 2], "{hysteresis:?}");
    }
}

/// The price stays while its plan costs between the budget less the dead band and the budget.
#[test]
fn the_price_stays_within_the_dead_band() {
    let instance = instance(Class::Uncorrelated, 400, &mut SplitMix64::new(3));
    let mut views = InstanceViews::new(&instance);
    views.hysteresis = Hysteresis { margin: 0, dead_band: 26 };
    let min = u64::try_from(i128::from(instance.budget) - instance.spare()).unwrap();
    let spare = instance.budget - min;
    let mut price = |budget| {
        let decision = views.decide(budget, Policy::Optimal, 0);
        views.remember();
        decision.price
    };
    let first = price(min + spare);
    assert_eq!(price(min + spare / 100 * 101), first);
    assert_eq!(price(min + spare / 100 * 105), first);
    assert!(price(min + spare / 100 * 150) < first);
    assert!(price(min + spare / 2) > first);
}
