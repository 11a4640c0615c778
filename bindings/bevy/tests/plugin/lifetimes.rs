//! Nothing leaks, and nothing is stale.

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::query::With;
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{Lod, LodActor, LodHandle, LodModulePlugin, LodPlan, LodView, LodgerPlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::stage::{Crowd, WORK, actors, at, level, module, plan, seen};

fn cape() -> LodActor<Crowd> {
    LodActor::new(1.0, WORK)
}

#[test]
fn who_comes_and_goes_between_two_frames_was_never_there() {
    let mut app = seen(Budget::UNLIMITED);
    let entity = app.world_mut().spawn((at(2.0), cape())).id();
    app.world_mut().despawn(entity);
    let kept = app.world_mut().spawn((at(2.0), cape())).id();
    app.world_mut().entity_mut(kept).remove::<LodActor<Crowd>>().insert(cape());
    let bare = app.world_mut().spawn((at(2.0), cape())).id();
    app.world_mut().entity_mut(bare).remove::<LodActor<Crowd>>();
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, kept)), (1, 3));
    assert!(app.world().get::<Lod<Crowd>>(bare).is_none());
    assert!(app.world().get::<LodHandle<Crowd>>(bare).is_none());
}

#[test]
fn a_removed_and_inserted_actor_is_a_new_one() {
    let mut app = seen(Budget::UNLIMITED);
    let entity = app.world_mut().spawn((at(2.0), cape())).id();
    app.update();
    let before = plan::<Crowd>(&app, entity).expect("decided").actor;
    app.world_mut().entity_mut(entity).remove::<LodActor<Crowd>>();
    app.world_mut().entity_mut(entity).insert(cape());
    app.update();
    let after = plan::<Crowd>(&app, entity).expect("decided").actor;
    assert_ne!(before, after);
    assert!(!app.world().resource::<LodPlan>().scene().contains(before));
    assert_eq!(actors(&app), 1);
}

#[test]
fn everything_cleared_from_an_entity_leaves_nothing_in_the_scene() {
    let mut app = seen(Budget::UNLIMITED);
    let one = app.world_mut().spawn((at(2.0), cape())).id();
    let two = app.world_mut().spawn((at(2.0), cape())).id();
    let three = app.world_mut().spawn((at(2.0), cape())).id();
    app.update();
    app.world_mut().entity_mut(one).clear();
    app.world_mut().entity_mut(two).remove_with_requires::<LodActor<Crowd>>();
    app.world_mut().entity_mut(three).remove::<LodHandle<Crowd>>();
    app.update();
    assert_eq!(actors(&app), 0);
}

/// Despawns all that has a place.
fn clear(app: &mut App) {
    let mut all = app.world_mut().query_filtered::<Entity, With<Transform>>();
    for entity in all.iter(app.world()).collect::<Vec<_>>() {
        app.world_mut().despawn(entity);
    }
}

#[test]
fn a_cleared_world_has_an_empty_scene() {
    let mut app = seen(Budget::UNLIMITED);
    for x in 0..100_u8 {
        app.world_mut().spawn((at(x.into()), cape()));
    }
    app.update();
    assert_eq!(actors(&app), 100);
    clear(&mut app);
    app.update();
    assert_eq!(actors(&app), 0);
    assert_eq!(app.world().resource::<LodPlan>().scene().views().count(), 0);
}

#[test]
fn a_clone_is_an_actor_of_its_own() {
    let mut app = seen(Budget::UNLIMITED);
    let one = app.world_mut().spawn((at(2.0), cape())).id();
    app.update();
    let two = app.world_mut().entity_mut(one).clone_and_spawn();
    app.update();
    assert_eq!(actors(&app), 2);
    let both = [one, two].map(|entity| plan::<Crowd>(&app, entity).expect("decided"));
    assert_ne!(both[0].actor, both[1].actor);
    assert_eq!(both[1].key, two.to_bits());
}

#[test]
fn who_was_there_before_the_plugin_is_taken_in() {
    let mut app = App::new();
    let early = app.world_mut().spawn((at(2.0), cape())).id();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::UNLIMITED)));
    app.world_mut().spawn((Transform::default(), LodView));
    app.add_plugins(LodModulePlugin::<Crowd>::new(module("crowd")));
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, early)), (1, 3));
}

#[test]
fn who_is_disabled_keeps_its_part_of_the_plan() {
    let mut app = seen(Budget::UNLIMITED);
    let entity = app.world_mut().spawn((at(50.0), cape())).id();
    let never_on = app.world_mut().spawn((at(2.0), cape(), Disabled)).id();
    app.update();
    let before = level::<Crowd>(&app, entity);
    app.world_mut().entity_mut(entity).insert(Disabled);
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, entity)), (2, before));
    app.world_mut().despawn(never_on);
    app.update();
    assert_eq!(actors(&app), 1);
}
