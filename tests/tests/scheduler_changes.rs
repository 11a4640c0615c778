//! The list of changes is what a user would find by comparing levels, and what a tick does not look at again has not
//! changed.

use std::collections::HashMap;

use lodger_scheduler::{Actor, ActorId, BenefitRule, BenefitTerms, Change, Scene, View};
use lodger_testkit::script::{Call, ScenePlayer, any_steps, numbered_spawn};
use proptest::prelude::*;

type Told = (ActorId, u64, Option<u8>, u8, u16);

fn told(change: &Change) -> Told {
    (change.actor, change.key, change.from, change.to, change.fraction)
}

/// The levels of all actors that the last tick saw.
fn levels(scene: &Scene) -> HashMap<ActorId, u8> {
    scene.plan().actors().map(|actor| (actor.actor, actor.lod.level())).collect()
}

/// Who has another level than `before`, in the order of slots.
fn by_hand(scene: &Scene, before: &HashMap<ActorId, u8>) -> Vec<Told> {
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
            let expected = by_hand(&game.scene, &before);
            let plan = game.scene.plan();
            prop_assert_eq!(plan.changes().iter().map(told).collect::<Vec<_>>(), &expected[..]);
            for &module in &game.modules {
                let filtered = plan.changes().iter().filter(|change| change.module == module);
                prop_assert!(plan.module_changes(module).eq(filtered));
            }
            before = levels(&game.scene);
        }
    }
}

#[test]
fn nothing_is_listed_unless_asked_for() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    assert!(game.scene.tick().changes().is_empty());
    // What was decided while nobody listened is not news.
    game.scene.track_changes(true);
    assert!(game.scene.tick().changes().is_empty());
    let [first, second, ..] = game.actors[..] else { unreachable!() };
    game.scene.set_visible(first, false).unwrap();
    game.scene.set_work(first, &[0]).unwrap();
    game.scene.despawn(second).unwrap();
    let changed: Vec<_> = game.scene.tick().changes().iter().map(|change| change.actor).collect();
    assert!(!changed.contains(&second));
    let kept: Vec<_> = game.scene.plan().changes().to_vec();
    game.scene.track_changes(false);
    game.scene.despawn(first).unwrap();
    assert_eq!(game.scene.plan().changes(), kept, "until the next tick");
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

/// Has the next tick look at everybody.
fn look_at_all(scene: &mut Scene) {
    let view = scene.add_view(View::eye([0.0; 3]).unwrap()).unwrap();
    scene.remove_view(view).unwrap();
}

/// All that a plan tells.
fn plan_text(scene: &Scene) -> String {
    let plan = scene.plan();
    let (actors, modules): (Vec<_>, Vec<_>) = (plan.actors().collect(), plan.modules().collect());
    let numbers = (plan.quarantined(), plan.flips(), plan.assigned_ns(), plan.scale(), plan.load());
    format!("{numbers:?} {actors:?} {modules:?} {:?}", plan.changes())
}

/// How many actors somebody looks at whose state is not sound.
fn unsound(scene: &Scene) -> usize {
    let looked_at = scene
        .actors()
        .filter(|&id| scene.is_visible(id) == Some(true) && scene.given_benefit(id) == Some(None));
    looked_at.filter(|&id| scene.state(id).is_some_and(|state| !state.is_sound())).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// A scene decides as another one does in which every tick looks at everybody.
    #[test]
    fn no_call_is_overlooked(frames in prop::collection::vec(any_steps(6), 1..16), crowd in 0_u16..200) {
        let mut game = ScenePlayer::<f32>::started(&[]);
        game.scene.track_changes(true);
        let spawns = (0..crowd).map(|number| numbered_spawn(number.wrapping_mul(77)));
        game.apply_all(&spawns.collect::<Vec<_>>());
        let mut all = game.clone();
        for frame in frames {
            game.apply_all(&frame);
            all.apply_all(&frame);
            look_at_all(&mut all.scene);
            game.scene.tick();
            all.scene.tick();
            prop_assert_eq!(plan_text(&game.scene), plan_text(&all.scene));
            prop_assert_eq!(game.scene.plan().quarantined(), unsound(&game.scene));
        }
    }
}

/// Somebody who was found before stands in the same 64 rows, and is not looked at again.
#[test]
fn who_turns_bad_beside_others_is_found() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let module = game.modules[0];
    game.scene
        .set_benefit_rule(module, BenefitRule::new(BenefitTerms::default()).unwrap())
        .unwrap();
    let actors = (0..64).map(|_| Actor::seen([1.0; 3], 1.0, &[0, 10]));
    game.scene.spawn_many(module, actors).unwrap();
    for (row, quarantined) in [(0, 1), (20, 2), (63, 3), (63, 3)] {
        game.scene.positions_mut(module, row..=row).unwrap().x.fill(f32::NAN);
        assert_eq!(game.scene.tick().quarantined(), quarantined);
        assert_eq!(unsound(&game.scene), quarantined);
    }
    game.scene.positions_mut(module, ..=20).unwrap().x.fill(1.0);
    assert_eq!(game.scene.tick().quarantined(), 1);
}
