//! Many actors at once: writable columns, ranges of rows, and no allocation after a reservation.

use std::ops::Bound::{Excluded, Included, Unbounded};
use std::time::Duration;

use lodger_core::budget::MAX_ACTORS;
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_scheduler::{
    Actor, BenefitValue, Budget, Lod, Module, Policy, Scene, SceneError, UnitCost, View,
};
use lodger_testkit::script::{ScenePlayer, any_steps};
use proptest::prelude::*;

use crate::scheduler_settings::LEFTOVERS;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn states_in_bulk_equal_single_states(calls in any_steps(40)) {
        let mut game = ScenePlayer::<f32>::started(&calls);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_of_a_plan_are_its_actors(calls in any_steps(40)) {
        let mut game = ScenePlayer::<f32>::started(&calls);
        let unit = UnitCost::from_ns(1.0).unwrap();
        let late = Module::new("late", unit).benefit_value(BenefitValue::from_ns(1));
        let late = game.scene.add_module(late).unwrap();
        prop_assert!(game.scene.plan().rows(late).is_none(), "before its first tick");
        game.scene.tick();
        let plan = game.scene.plan();
        for &module in &game.modules {
            let rows = plan.rows(module).unwrap();
            prop_assert_eq!(rows.ids().count(), game.scene.module_len(module).unwrap());
            for (row, id) in rows.ids().enumerate() {
                let actor = plan.actor(id).unwrap();
                prop_assert_eq!((rows.slots[row], rows.keys[row]), (id.slot(), actor.key));
                let lod = Lod::new(rows.levels[row], rows.fractions[row]);
                prop_assert_eq!((lod, rows.benefits[row]), (actor.lod, actor.benefit));
            }
        }
    }
}

#[test]
fn reserved_actors_of_known_work_spawn_without_an_allocation() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let module = game.modules[0];
    let work = [0, 40, 400];
    let actor = Actor::at([1.0, 2.0, 3.0], 1.0, &work).lod_range(0..=1);
    game.scene.spawn(module, actor).unwrap();
    for (slack, despawned) in [(0, 0), (100, 1_000)] {
        let spawned: Vec<_> =
            (0..despawned).map(|_| game.scene.spawn(module, actor).unwrap()).collect();
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
fn many_spawn_without_an_allocation_and_in_order() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let (module, scene) = (game.modules[0], &mut game.scene);
    let work = [0, 40, 400];
    let actor = |key: u64| Actor::at([1.0, 2.0, 3.0], 1.0, &work).key(key);
    let forced = scene.spawn(module, actor(7).forced(Lod::ZERO)).unwrap();
    for _ in 0..3 {
        scene.reserve(module, 1_000).unwrap();
        let mut ids = Vec::with_capacity(1_000);
        let counted = allocation_counter::measure(|| {
            ids.extend(scene.spawn_many(module, (0..1_000).map(actor)).unwrap().ids());
        });
        assert_eq!((counted.count_total, ids.len()), (0, 1_000));
        for (&id, key) in ids.iter().zip(0..) {
            assert_eq!((scene.key(id), scene.work(id)), (Some(key), Some(&work[..])));
        }
        scene.tick();
        ids.iter().rev().step_by(2).for_each(|&id| scene.despawn(id).unwrap());
    }
    assert_eq!(scene.tick().lod(forced), Some(Lod::ZERO));
}

#[test]
fn all_spawn_or_none() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let (module, other) = (game.modules[0], game.modules[1]);
    game.scene.tick();
    let content = |scene: &mut Scene| {
        let rows = scene.states_mut(module).unwrap();
        let rows: Vec<_> = rows.ids().zip(rows.keys.to_vec()).collect();
        format!("{rows:?} {} {:?}", scene.len(), scene.actors().collect::<Vec<_>>())
    };
    let before = content(&mut game.scene);
    let actors = |bad: f32| {
        let radii = [1.0, 2.0, 3.0, bad].into_iter();
        radii.map(|radius| {
            let actor = Actor::at([1.0; 3], radius, &[0, 77]);
            if radius > 2.5 { actor.forced(Lod::ZERO) } else { actor }
        })
    };
    let negative =
        Err(SceneError::Invalid(ValueError::new(Quantity::Radius, ValueProblem::Negative)));
    assert_eq!(game.scene.spawn_many(module, actors(-1.0)).map(|_| ()), negative);
    assert_eq!(content(&mut game.scene), before);
    let foreign = ScenePlayer::<f32>::started(&[])
        .scene
        .spawn_many(other, actors(1.0))
        .map(|spawned| spawned.slots.len());
    assert_eq!(foreign, Err(SceneError::ForeignModule));
    assert_eq!(
        game.scene.spawn_many(module, actors(1.0)).map(|spawned| spawned.slots.len()),
        Ok(4)
    );
    assert_eq!(game.scene.spawn_many(module, []).map(|spawned| spawned.slots.len()), Ok(0));
}

#[test]
fn ranges_of_rows_are_checked() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let (module, scene) = (game.modules[0], &mut game.scene);
    let len = scene.module_len(module).unwrap();
    let invalid = |problem| Err(SceneError::Invalid(ValueError::new(Quantity::Count, problem)));
    let mut rows = |from, to| scene.ages_mut(module, (from, to)).map(|rows| rows.values.len());
    assert_eq!(rows(Unbounded, Unbounded), Ok(len));
    assert_eq!(rows(Included(1), Unbounded), Ok(len - 1));
    assert_eq!(rows(Excluded(1), Included(2)), Ok(1));
    assert_eq!(rows(Included(len), Unbounded), Ok(0));
    assert_eq!(rows(Unbounded, Included(len)), invalid(ValueProblem::TooLarge));
    assert_eq!(rows(Included(len + 1), Unbounded), invalid(ValueProblem::TooLarge));
    assert_eq!(rows(Unbounded, Included(usize::MAX)), invalid(ValueProblem::TooLarge));
    assert_eq!(rows(Included(2), Excluded(1)), invalid(ValueProblem::Decreasing));
}

#[test]
fn no_more_actors_are_reserved_than_there_may_be() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let too_large =
        Err(SceneError::Invalid(ValueError::new(Quantity::Count, ValueProblem::TooLarge)));
    let beyond = MAX_ACTORS as usize - game.scene.len() + 1;
    assert_eq!(game.scene.reserve(game.modules[0], beyond), too_large);
    assert_eq!(game.scene.reserve(game.modules[0], usize::MAX), too_large);
}

/// Measures lists of changes, positions, forced levels, caps and measured times, too.
#[test]
fn a_warm_frame_allocates_nothing() {
    for leftovers in LEFTOVERS {
        let mut game = ScenePlayer::<f32>::started(&[]);
        let (module, scene) = (game.modules[0], &mut game.scene);
        let work = [0, 10, 100, 1_000];
        let actors: Vec<_> = (0_u16..500)
            .map(|i| scene.spawn(module, Actor::at([f32::from(i), 0.0, 0.0], 1.0, &work)).unwrap())
            .collect();
        let (view, _) = scene.views().next().unwrap();
        scene.set_policy(Policy::Proportional(leftovers)).unwrap();
        scene.track_changes(true);
        let frame = |scene: &mut Scene, eye: u8| {
            let is_near = eye < 100;
            scene.set_view(view, View::from_position([eye.into(), 0.0, 0.0]).unwrap()).unwrap();
            scene.set_position(actors[50], [eye.into(), 1.0, 4.0]).unwrap();
            scene.advance_ages(0.1).unwrap();
            scene.observe_time(module, 100, Duration::from_nanos(90 + u64::from(eye))).unwrap();
            scene.set_lod_cap(module, Some(eye % 3)).unwrap();
            for id in &actors[..20] {
                scene.force_lod(*id, (!is_near).then_some(Lod::ZERO)).unwrap();
            }
            for id in &actors[20..40] {
                scene.set_visible(*id, !is_near).unwrap();
            }
            scene.tick().changes().len()
        };
        // An unlimited budget needs no upgrades; a tight one needs the upgrades of all actors.
        scene.set_budget(Budget::UNLIMITED);
        let warm: usize = [0, 200, 0, 200].map(|eye| frame(scene, eye)).iter().sum();
        assert!(warm > 0);
        let counted = allocation_counter::measure(|| {
            scene.set_budget(Budget::from_ns(3_000));
            assert!(frame(scene, 0) > 0, "all levels change");
            frame(scene, 200);
        });
        assert_eq!(counted.count_total, 0, "{leftovers:?}");
    }
}

#[test]
fn the_slot_of_a_removed_view_is_reused() {
    let mut game = ScenePlayer::<f32>::started(&[]);
    let scene = &mut game.scene;
    let here = View::from_position([1.0; 3]).unwrap();
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
    let foreign = ScenePlayer::<f32>::started(&[]).scene.add_view(here).unwrap();
    let removed = scene.remove_view(foreign);
    assert_eq!(removed, Err(SceneError::ForeignView));
    assert!(removed.is_err_and(SceneError::is_foreign));
    assert_eq!(scene.view(foreign), None);
}
