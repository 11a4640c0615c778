//! Later calls do not alter the plan of the last tick; its changes are the differences of levels.

use std::collections::HashMap;

use lodger_scheduler::{
    Actor, ActorId, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, LevelChange, Module,
    Scene, UnitCost,
};
use lodger_testkit::script::{
    Call, Outcome, Player, Profile, ScenePlayer, any_script, any_steps, same,
};
use proptest::prelude::*;

fn totals(scene: &Scene, modules: usize) -> String {
    let plan = scene.plan();
    let sums = (plan.budget(), plan.scale(), plan.overcommit_ns(), plan.reserved_ns());
    let modules: Vec<_> = plan.modules().take(modules).collect();
    format!("{sums:?} {} {} {modules:?}", plan.assigned_ns(), plan.quarantined())
}

fn actors(scene: &Scene, ids: &[ActorId]) -> Vec<String> {
    let plan = scene.plan();
    ids.iter().map(|&id| format!("{:?} {:?}", plan.lod(id), plan.actor(id))).collect()
}

#[test]
fn modules_and_actors_without_a_tick_are_in_no_plan() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let [first, ..] = game.actors[..] else { unreachable!() };
    let plan = game.scene.plan();
    assert_eq!((plan.lod(first), plan.actor(first)), (None, None));
    assert_eq!((plan.actors().count(), plan.modules().count()), (0, 0));
    assert_eq!((plan.assigned_ns(), plan.is_feasible()), (0, true));
    game.scene.tick();
    let unit = UnitCost::from_ns(1.0).unwrap();
    let module = game
        .scene
        .add_module(Module::new("late", unit).benefit_value(BenefitValue::from_ns(1)))
        .unwrap();
    let late = game.scene.spawn(module, Actor::at([0.0; 3], 1.0, &[0, 1])).unwrap();
    let plan = game.scene.plan();
    assert_eq!((plan.lod(late), plan.actor(late), plan.module(module)), (None, None, None));
    assert!(plan.actor(first).is_some());
    assert!(game.scene.tick().actor(late).is_some());
    // A new actor reuses the slot of a changed and removed one before the next tick.
    game.scene.set_key(late, 1).unwrap();
    game.scene.despawn(late).unwrap();
    let next = game.scene.spawn(module, Actor::at([0.0; 3], 1.0, &[0, 1])).unwrap();
    assert_eq!(next.slot(), late.slot());
    let plan = game.scene.plan();
    assert_eq!((plan.actor(late), plan.actor(next)), (None, None));
    assert_eq!(plan.module(module).map(|module| module.actors), Some(1), "as the tick found it");
}

#[test]
fn a_plan_keeps_its_ladders() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let module = game.modules[0];
    game.scene.set_lod_cap(module, Some(1)).unwrap();
    let spawn = |number: u32| {
        let work = [number, 2 * number, 3 * number];
        game.scene.spawn(module, Actor::from_benefit(Benefit::MAX, &work)).unwrap()
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
    assert_eq!(actors(&game.scene, &ids[90..]), before.1, "and in the next plan");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_call_alters_a_plan(before in any_steps(30), after in any_steps(40)) {
        let mut game = ScenePlayer::<f32>::started(&before);
        game.scene.tick();
        let (ids, modules) = (game.present(), game.modules.len());
        let tick = (totals(&game.scene, modules), actors(&game.scene, &ids));
        game.scene.reserve(game.modules[0], 100).unwrap();
        for call in after {
            game.apply_all(&[call]);
            prop_assert_eq!(&totals(&game.scene, modules), &tick.0);
            let now = actors(&game.scene, &ids);
            for ((id, then), now) in ids.iter().zip(&tick.1).zip(now) {
                let expected = if game.scene.contains(*id) { then } else { "None None" };
                prop_assert_eq!(now, expected);
            }
            let present = ids.iter().filter(|id| game.scene.contains(**id)).count();
            prop_assert_eq!(game.scene.plan().actors().count(), present);
        }
    }
}

type ChangeFields = (ActorId, u64, Option<u8>, u8, u16);

fn fields(change: &LevelChange) -> ChangeFields {
    (change.actor, change.key, change.from, change.to, change.fraction)
}

fn levels(scene: &Scene) -> HashMap<ActorId, u8> {
    scene.plan().actors().map(|actor| (actor.actor, actor.lod.level())).collect()
}

fn expected_changes(scene: &Scene, before: &HashMap<ActorId, u8>) -> Vec<ChangeFields> {
    let now = scene.plan().actors().map(|actor| {
        let (lod, from) = (actor.lod, before.get(&actor.actor).copied());
        (actor.actor, actor.key, from, lod.level(), lod.fraction())
    });
    now.filter(|&(_, _, from, to, _)| from != Some(to)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn changes_are_the_difference_of_levels(frames in prop::collection::vec(any_steps(12), 1..12)) {
        let mut game = ScenePlayer::<f32>::started(&[]);
        game.scene.track_changes(true);
        let mut before = HashMap::new();
        for mut frame in frames {
            frame.retain(|call| !matches!(call, Call::TrackChanges(_)));
            game.apply_all(&frame);
            game.scene.tick();
            let expected = expected_changes(&game.scene, &before);
            let plan = game.scene.plan();
            prop_assert_eq!(plan.changes().iter().map(fields).collect::<Vec<_>>(), &expected[..]);
            for &module in &game.modules {
                let filtered = plan.changes().iter().filter(|change| change.module == module);
                prop_assert!(plan.module_changes(module).eq(filtered));
            }
            before = levels(&game.scene);
        }
    }
}

#[test]
fn changes_are_listed_while_they_are_tracked() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    assert!(game.scene.tick().changes().is_empty());
    // Changes before tracking are not listed.
    game.scene.track_changes(true);
    assert!(game.scene.tick().changes().is_empty());
    let [first, second, ..] = game.actors[..] else { unreachable!() };
    game.scene.set_visible(first, false).unwrap();
    game.scene.set_work(first, &[0]).unwrap();
    game.scene.despawn(second).unwrap();
    let changed: Vec<_> = game.scene.tick().changes().iter().map(|change| change.actor).collect();
    assert!(!changed.contains(&second));
    let listed: Vec<_> = game.scene.plan().changes().to_vec();
    game.scene.track_changes(false);
    game.scene.despawn(first).unwrap();
    assert_eq!(game.scene.plan().changes(), listed, "until the next tick");
    assert!(game.scene.tick().changes().is_empty());
    assert!(!game.scene.tracks_changes());
}

#[test]
fn listing_changes_alters_no_plan() {
    let mut with = ScenePlayer::<f32>::started(&[]);
    let mut without = with.clone();
    with.scene.track_changes(true);
    let lods =
        |game: &mut ScenePlayer<f32>| game.scene.tick().actors().map(|a| a.lod).collect::<Vec<_>>();
    assert_eq!(lods(&mut with), lods(&mut without));
}

fn count_invalid(scene: &Scene) -> usize {
    let evaluated = scene.actors().filter(|&id| {
        scene.is_visible(id) == Some(true) && scene.benefit_override(id) == Some(None)
    });
    evaluated.filter(|&id| scene.state(id).is_some_and(|state| !state.is_valid())).count()
}

/// A player whose ticks evaluate all actors and repeat no decision.
struct EvaluatingPlayer(ScenePlayer<f32>);

impl Player for EvaluatingPlayer {
    fn name(&self) -> &'static str {
        "a scene that evaluates all actors"
    }

    fn call(&mut self, call: &Call) -> Outcome {
        let scene = &mut self.0.scene;
        scene.set_repeats(false);
        if *call == Call::Tick {
            // Setting a rule marks all rows of a module, also if it is the same rule.
            for &module in &self.0.modules {
                let rule = *scene.benefit_rule(module).unwrap();
                scene.set_benefit_rule(module, rule).unwrap();
            }
        }
        let outcome = self.0.call(call);
        if *call == Call::Tick {
            let scene = &self.0.scene;
            assert_eq!(scene.plan().quarantined(), count_invalid(scene));
        }
        outcome
    }
}

/// Some frames have no call, and most change few of the blocks of a module.
const FEW_CHANGES: Profile =
    Profile { frames: 30, calls: 3, modules: 2, batch: 2_000, actors: 6_000, ..Profile::SCHEDULER };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A scene decides like one in which every tick evaluates all actors and decides again.
    #[test]
    fn no_call_is_overlooked(calls in prop_oneof![
        8 => any_script(Profile::SCHEDULER),
        8 => any_script(Profile::SCHEDULER.with_lenses()),
        1 => any_script(FEW_CHANGES),
        1 => any_script(FEW_CHANGES.with_lenses()),
    ]) {
        let player = ScenePlayer::<f32>::new();
        same(&mut player.clone(), &mut EvaluatingPlayer(player), &calls)?;
    }
}

/// Invalid actors in the same block of 64 rows are not evaluated again.
#[test]
fn an_actor_that_becomes_invalid_is_found() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let module = game.modules[0];
    game.scene
        .set_benefit_rule(module, BenefitRule::new(BenefitTerms::default()).unwrap())
        .unwrap();
    let actors = (0..64).map(|_| Actor::at([1.0; 3], 1.0, &[0, 10]));
    game.scene.spawn_many(module, actors).unwrap();
    for (row, quarantined) in [(0, 1), (20, 2), (63, 3), (63, 3)] {
        game.scene.positions_mut(module, row..=row).unwrap().x.fill(f32::NAN);
        assert_eq!(game.scene.tick().quarantined(), quarantined);
        assert_eq!(count_invalid(&game.scene), quarantined);
    }
    game.scene.positions_mut(module, ..=20).unwrap().x.fill(1.0);
    assert_eq!(game.scene.tick().quarantined(), 1);
}
