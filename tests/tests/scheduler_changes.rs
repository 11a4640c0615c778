//! The list of changes is what a user would find by comparing levels.

use std::collections::HashMap;

use lodger_scheduler::{ActorId, Change, Scene};
use proptest::prelude::*;

use crate::scheduler_calls::{Game, calls};

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
    fn changes_are_the_difference_of_levels(frames in prop::collection::vec(calls(12), 1..12)) {
        let mut game = Game::new();
        game.scene.track_changes(true);
        let mut before = HashMap::new();
        for frame in frames {
            game.play(frame);
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
    let mut game = Game::new();
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
    let (mut with, mut without) = (Game::new(), Game::new());
    with.scene.track_changes(true);
    let lods = |game: &mut Game| game.scene.tick().actors().map(|a| a.lod).collect::<Vec<_>>();
    assert_eq!(lods(&mut with), lods(&mut without));
}
