//! A plan is of the last tick, whatever was called since.

use std::time::Duration;

use lodger_scheduler::{
    Actor, ActorId, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, Leftovers, Lod,
    Module, Policy, Scene, State, UnitCost,
};
use lodger_testkit::script::{Call, ScenePlayer, any_steps, start};
use proptest::prelude::*;

/// All that a plan tells, but for the actors.
fn totals(scene: &Scene, modules: usize) -> String {
    let plan = scene.plan();
    let sums = (plan.budget(), plan.scale(), plan.overcommit_ns(), plan.fixed_ns());
    let modules: Vec<_> = plan.modules().take(modules).collect();
    format!("{sums:?} {} {} {modules:?}", plan.assigned_ns(), plan.quarantined())
}

fn actors(scene: &Scene, ids: &[ActorId]) -> Vec<String> {
    let plan = scene.plan();
    ids.iter().map(|&id| format!("{:?} {:?}", plan.lod(id), plan.actor(id))).collect()
}

/// The name of a call, and the call.
type Setter = (&'static str, fn(&mut ScenePlayer<f32>, ActorId));

/// All calls that take no actor away.
const SETTERS: [Setter; 34] = [
    ("budget", |game, _| game.scene.set_budget(Budget::from_ns(1))),
    ("leftovers", |game, _| game.scene.set_policy(Policy::Proportional(Leftovers::Keep))),
    ("count_unmanaged", |game, _| game.scene.set_count_unmanaged(false)),
    ("track_changes", |game, _| game.scene.track_changes(true)),
    ("view", |game, _| game.apply_all(&[Call::SetView { view: 0, eye: [40.0, 0.0, 0.0] }])),
    ("unit_cost", |game, _| {
        game.scene.set_unit_cost(game.modules[0], UnitCost::from_ns(9.0).unwrap()).unwrap();
    }),
    ("overhead", |game, _| game.scene.set_overhead(game.modules[0], 50).unwrap()),
    ("headroom_target", |game, _| game.scene.set_headroom_target(None)),
    ("measured", |game, _| {
        let took = Duration::from_micros(160);
        game.scene.measured(game.modules[0], 20, took).unwrap();
    }),
    ("benefit_value", |game, _| {
        game.scene.set_benefit_value(game.modules[0], BenefitValue::from_ns(5)).unwrap();
    }),
    ("benefit_rule", |game, _| {
        let rule = BenefitRule::new(BenefitTerms::default()).unwrap();
        game.scene.set_benefit_rule(game.modules[0], rule).unwrap();
    }),
    ("managed", |game, _| game.scene.set_managed(game.modules[0], false).unwrap()),
    ("lod_cap", |game, _| game.scene.set_lod_cap(game.modules[0], Some(0)).unwrap()),
    ("add_module", |game, _| game.apply_all(&start()[3..4])),
    ("reserve", |game, _| game.scene.reserve(game.modules[0], 100).unwrap()),
    ("spawn", |game, _| {
        let actor = Actor::seen([1.0; 3], 1.0, &[3, 4]);
        game.scene.spawn(game.modules[0], actor).unwrap();
    }),
    ("advance_ages", |game, _| game.scene.advance_ages(3.0).unwrap()),
    ("spawn_many", |game, _| {
        let actors = [2.0, 3.0].map(|radius| Actor::seen([1.0; 3], radius, &[3, 4]));
        game.scene.spawn_many(game.modules[0], actors).unwrap();
    }),
    ("positions_mut", |game, _| {
        game.scene.positions_mut(game.modules[0], 1..).unwrap().z.fill(f32::NAN);
    }),
    ("ages_mut", |game, _| game.scene.ages_mut(game.modules[0], ..2).unwrap().values.fill(9.0)),
    ("speeds_mut", |game, _| game.scene.speeds_mut(game.modules[0], ..).unwrap().values.fill(-1.0)),
    ("given_benefits_mut", |game, _| {
        let rows = game.scene.given_benefits_mut(game.modules[0], ..).unwrap();
        rows.values.fill(Some(Benefit::MAX));
    }),
    ("states_mut", |game, _| game.scene.states_mut(game.modules[0]).unwrap().x.fill(f32::NAN)),
    ("state", |game, id| {
        let state = State { position: [f32::NAN; 3], age: 0.0, speed: -1.0 };
        game.scene.set_state(id, state).unwrap();
    }),
    ("position", |game, id| game.scene.set_position(id, [f32::NAN; 3]).unwrap()),
    ("age", |game, id| game.scene.set_age(id, f32::INFINITY).unwrap()),
    ("speed", |game, id| game.scene.set_speed(id, -1.0).unwrap()),
    ("radius", |game, id| game.scene.set_radius(id, 40.0).unwrap()),
    ("benefit", |game, id| game.scene.set_benefit(id, Some(Benefit::MAX)).unwrap()),
    ("visible", |game, id| {
        let visible = game.scene.is_visible(id) == Some(true);
        game.scene.set_visible(id, !visible).unwrap();
    }),
    ("key", |game, id| game.scene.set_key(id, u64::MAX).unwrap()),
    ("lod_range", |game, id| game.scene.set_lod_range(id, 0..=0).unwrap()),
    ("work", |game, id| game.scene.set_work(id, &[1, 2, 3, 4, 5, 6, 7]).unwrap()),
    ("lod", |game, id| {
        let forced = game.scene.plan().actor(id).is_some_and(|plan| plan.share_ns.is_none());
        game.scene.force_lod(id, (!forced).then_some(Lod::new(2, 0))).unwrap();
    }),
];

#[test]
fn no_setter_alters_a_plan_that_was_made() {
    for (name, set) in SETTERS {
        let mut game = ScenePlayer::<f32>::started(&[]);
        game.scene.tick();
        let before = (totals(&game.scene, 9), actors(&game.scene, &game.actors));
        for index in 0..game.actors.len() {
            let id = game.actors[index];
            set(&mut game, id);
            let after = (totals(&game.scene, 9), actors(&game.scene, &game.actors));
            assert_eq!(after, before, "{name}, actor {index}");
        }
    }
}

#[test]
fn what_no_tick_has_seen_is_in_no_plan() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let [first, ..] = game.actors[..] else { unreachable!() };
    let plan = game.scene.plan();
    assert_eq!((plan.lod(first), plan.actor(first)), (None, None));
    assert_eq!((plan.actors().count(), plan.modules().count()), (0, 0));
    assert_eq!((plan.assigned_ns(), plan.is_feasible()), (0, true));
    game.scene.tick();
    let unit = UnitCost::from_ns(1.0).unwrap();
    let module =
        game.scene.add_module(Module::new("late", unit, BenefitValue::from_ns(1))).unwrap();
    let late = game.scene.spawn(module, Actor::seen([0.0; 3], 1.0, &[0, 1])).unwrap();
    let plan = game.scene.plan();
    assert_eq!((plan.lod(late), plan.actor(late), plan.module(module)), (None, None, None));
    assert!(plan.actor(first).is_some());
    assert!(game.scene.tick().actor(late).is_some());
    // The slot of an actor that was changed and removed is used again before the next tick.
    game.scene.set_key(late, 1).unwrap();
    game.scene.despawn(late).unwrap();
    let next = game.scene.spawn(module, Actor::seen([0.0; 3], 1.0, &[0, 1])).unwrap();
    assert_eq!(next.slot(), late.slot());
    let plan = game.scene.plan();
    assert_eq!((plan.actor(late), plan.actor(next)), (None, None));
    assert_eq!(plan.module(module).map(|module| module.actors), Some(1), "as the tick found it");
}

/// Ladders that nobody uses any more are swept away, also between two ticks and under a cap.
#[test]
fn a_plan_outlasts_the_ladders_of_others() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let module = game.modules[0];
    game.scene.set_lod_cap(module, Some(1)).unwrap();
    let spawn = |number: u32| {
        let work = [number, 2 * number, 3 * number];
        game.scene.spawn(module, Actor::given(Benefit::MAX, &work)).unwrap()
    };
    let ids: Vec<_> = (0..100).map(spawn).collect();
    game.scene.set_budget(Budget::UNLIMITED);
    game.scene.tick();
    let before = (totals(&game.scene, 9), actors(&game.scene, &ids[90..]));
    for &id in &ids[..90] {
        game.scene.despawn(id).unwrap();
        assert_eq!((totals(&game.scene, 9), actors(&game.scene, &ids[90..])), before);
    }
    game.scene.tick();
    assert_eq!(
        actors(&game.scene, &ids[90..]),
        before.1,
        "and the next tick finds them where they are"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Setters, spawns and despawns in any order: the plan forgets who was despawned, and nothing else.
    #[test]
    fn a_plan_outlasts_all_calls(before in any_steps(30), after in any_steps(40)) {
        let mut game = ScenePlayer::<f32>::started(&before);
        game.scene.tick();
        let (ids, modules) = (game.present(), game.modules.len());
        let tick = (totals(&game.scene, modules), actors(&game.scene, &ids));
        for call in after {
            game.apply_all(&[call]);
            prop_assert_eq!(&totals(&game.scene, modules), &tick.0);
            let now = actors(&game.scene, &ids);
            for ((id, then), now) in ids.iter().zip(&tick.1).zip(now) {
                let expected = if game.scene.contains(*id) { then } else { "None None" };
                prop_assert_eq!(now, expected);
            }
            let seen = ids.iter().filter(|id| game.scene.contains(**id)).count();
            prop_assert_eq!(game.scene.plan().actors().count(), seen);
        }
    }
}
