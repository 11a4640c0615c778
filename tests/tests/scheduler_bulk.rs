//! Many actors at once: columns to write into, and no allocation where one was announced.

use std::time::Duration;

use lodger_scheduler::core::budget::MAX_ACTORS;
use lodger_scheduler::core::error::{Error, Problem, Quantity};
use lodger_scheduler::{Actor, Lod, Policy, Scene, SceneError, View};
use proptest::prelude::*;

use crate::scheduler_calls::{Game, LEFTOVERS, calls};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Rows know whose they are, and a column is as good as many setters.
    #[test]
    fn states_in_bulk_are_those_of_the_actors(calls in calls(40)) {
        let mut game = Game::after(calls);
        let mut one_by_one = game.scene.clone();
        for &module in &game.modules {
            let len = game.scene.module_len(module).unwrap();
            let (scene, keys) = (game.scene.clone(), |scene: &Scene, id| scene.key(id));
            let rows = game.scene.states_mut(module).unwrap();
            let ids: Vec<_> = rows.ids().collect();
            prop_assert_eq!((ids.len(), rows.slots.len(), rows.speed.len()), (len, len, len));
            for (row, &id) in ids.iter().enumerate() {
                prop_assert_eq!((rows.slots[row], Some(rows.keys[row])), (id.slot(), keys(&scene, id)));
                prop_assert_eq!(scene.module_of(id), Some(module));
                let mut state = scene.state(id).unwrap();
                state.position = [row as f32, 2.0, 3.0];
                state.age += 1.0;
                (rows.x[row], rows.y[row], rows.z[row]) = (row as f32, 2.0, 3.0);
                rows.age[row] += 1.0;
                one_by_one.set_state(id, state).unwrap();
            }
        }
        let plans = |scene: &mut Scene| scene.tick().actors().collect::<Vec<_>>();
        prop_assert_eq!(plans(&mut game.scene), plans(&mut one_by_one));
    }
}

#[test]
fn reserved_actors_of_known_work_come_without_an_allocation() {
    let mut game = Game::new();
    let module = game.modules[0];
    let work = [0, 40, 400];
    let actor = Actor::seen([1.0, 2.0, 3.0], 1.0, &work).lod_range(0..=1);
    game.scene.spawn(module, actor).unwrap();
    for (slack, gone) in [(0, 0), (100, 1_000)] {
        let spawned: Vec<_> = (0..gone).map(|_| game.scene.spawn(module, actor).unwrap()).collect();
        game.scene.tick();
        game.scene.reserve(module, 1_000 + slack).unwrap();
        let counted = allocation_counter::measure(|| {
            for id in &spawned {
                game.scene.despawn(*id).unwrap();
            }
            for key in 0..1_000 {
                game.scene.spawn(module, actor.key(key)).unwrap();
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}

#[test]
fn no_more_actors_are_reserved_than_there_may_be() {
    let mut game = Game::new();
    let too_large = Err(SceneError::Refused(Error::new(Quantity::Count, Problem::TooLarge)));
    let beyond = MAX_ACTORS as usize - game.scene.len() + 1;
    assert_eq!(game.scene.reserve(game.modules[0], beyond), too_large);
    assert_eq!(game.scene.reserve(game.modules[0], usize::MAX), too_large);
}

/// Lists of changes, forced levels, caps and measured times included.
#[test]
fn a_warm_frame_allocates_nothing() {
    for leftovers in LEFTOVERS {
        let mut game = Game::new();
        let (module, scene) = (game.modules[0], &mut game.scene);
        let work = [0, 10, 100, 1_000];
        let actors: Vec<_> = (0_u16..500)
            .map(|i| {
                scene.spawn(module, Actor::seen([f32::from(i), 0.0, 0.0], 1.0, &work)).unwrap()
            })
            .collect();
        let (view, _) = scene.views().next().unwrap();
        scene.set_policy(Policy::Proportional(leftovers));
        scene.track_changes(true);
        let frame = |scene: &mut Scene, eye: u8| {
            let is_near = eye < 100;
            scene.set_view(view, View::eye([eye.into(), 0.0, 0.0]).unwrap()).unwrap();
            scene.advance_ages(0.1).unwrap();
            scene.measured(module, 100, Duration::from_nanos(90 + u64::from(eye))).unwrap();
            scene.set_lod_cap(module, Some(eye % 3)).unwrap();
            for id in &actors[..20] {
                scene.force_lod(*id, (!is_near).then_some(Lod::ZERO)).unwrap();
            }
            for id in &actors[20..40] {
                scene.set_visible(*id, !is_near).unwrap();
            }
            scene.tick().changes().len()
        };
        let warm: usize = [0, 200, 0, 200].map(|eye| frame(scene, eye)).iter().sum();
        assert!(warm > 0);
        let counted = allocation_counter::measure(|| {
            assert!(frame(scene, 0) > 0, "everything is somewhere else");
            frame(scene, 200);
        });
        assert_eq!(counted.count_total, 0, "{leftovers:?}");
    }
}

#[test]
fn a_view_goes_and_its_slot_is_used_again() {
    let mut game = Game::new();
    let scene = &mut game.scene;
    let here = View::eye([1.0; 3]).unwrap();
    let first = scene.add_view(here).unwrap();
    scene.remove_view(first).unwrap();
    let second = scene.add_view(here).unwrap();
    assert_eq!(second.to_bits() >> 40, first.to_bits() >> 40);
    for error in [scene.set_view(first, here), scene.remove_view(first)] {
        assert_eq!(error, Err(SceneError::StaleView));
        assert!(error.is_err_and(SceneError::is_stale));
    }
    assert_eq!((scene.view(first), scene.view(second)), (None, Some(&here)));
    assert_eq!(scene.views().count(), 2);
    let foreign = Game::new().scene.add_view(here).unwrap();
    let refused = scene.remove_view(foreign);
    assert_eq!(refused, Err(SceneError::ForeignView));
    assert!(refused.is_err_and(SceneError::is_foreign));
    assert_eq!(scene.view(foreign), None);
}
