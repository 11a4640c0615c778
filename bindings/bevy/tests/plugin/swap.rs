//! A component for each level, touched when the level asks for another one.

use bevy_app::{App, Last};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Insert;
use bevy_ecs::observer::On;
use bevy_ecs::query::Changed;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{ForcedLod, LodActor, LodSwap, LodSwapPlugin};
use bevy_reflect::Reflect;

use crate::stage::{Crowd, WORK, at, seen};

#[derive(Debug, Clone, PartialEq, Component, Reflect)]
struct Mesh(&'static str);

#[derive(Debug, Clone, PartialEq, Component)]
struct Ragdoll;

#[derive(Resource, Default)]
struct Touched(usize);

fn stage() -> App {
    let mut app = seen(Budget::UNLIMITED);
    app.add_plugins(LodSwapPlugin::<Crowd, Mesh>::default());
    app.init_resource::<Touched>();
    app.add_systems(Last, |meshes: Query<(), Changed<Mesh>>, mut touched: ResMut<Touched>| {
        touched.0 = meshes.iter().count();
    });
    app
}

fn meshes() -> LodSwap<Crowd, Mesh> {
    LodSwap::new([Mesh("card"), Mesh("low"), Mesh("high")])
}

fn cape() -> LodActor<Crowd> {
    LodActor::new(1.0, WORK)
}

fn force(app: &mut App, entity: Entity, level: u8) -> (Option<Mesh>, usize) {
    app.world_mut().entity_mut(entity).insert(ForcedLod::<Crowd>::new(level));
    app.update();
    (app.world().get::<Mesh>(entity).cloned(), app.world().resource::<Touched>().0)
}

#[test]
fn the_mesh_is_that_of_the_level_and_touched_only_for_another() {
    let mut app = stage();
    let entity = app.world_mut().spawn((at(2.0), cape(), meshes())).id();
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("card")), 1));
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("card")), 0));
    assert_eq!(force(&mut app, entity, 2), (Some(Mesh("high")), 1));
    // Level 3 has the last place of the table too.
    assert_eq!(force(&mut app, entity, 3), (Some(Mesh("high")), 0));
    assert_eq!(force(&mut app, entity, 1), (Some(Mesh("low")), 1));
    app.update();
    assert_eq!(app.world().resource::<Touched>().0, 0);
}

#[test]
fn a_table_that_comes_later_or_is_replaced_is_followed_at_once() {
    let mut app = stage();
    let entity = app.world_mut().spawn((at(2.0), cape())).id();
    assert_eq!(force(&mut app, entity, 1), (None, 0));
    app.world_mut().entity_mut(entity).insert(meshes());
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), Some(&Mesh("low")));
    app.world_mut().entity_mut(entity).insert(LodSwap::<Crowd, _>::new([Mesh("a"), Mesh("b")]));
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), Some(&Mesh("b")));
    app.world_mut().entity_mut(entity).remove::<LodSwap<Crowd, Mesh>>();
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("b")), 0));
    app.world_mut().entity_mut(entity).insert(LodSwap::<Crowd, Mesh>::new([]));
    assert_eq!(force(&mut app, entity, 1), (Some(Mesh("b")), 0));
}

#[test]
fn a_marker_is_there_at_some_levels() {
    let mut app = stage();
    let early = LodSwap::<Crowd, _>::some([None, None, Some(Ragdoll)]);
    let entity = app.world_mut().spawn((at(2.0), cape(), meshes(), early)).id();
    // The plugin may come after the tables.
    app.add_plugins(LodSwapPlugin::<Crowd, Ragdoll>::default());
    let mut ragdoll = |level| {
        let (mesh, _) = force(&mut app, entity, level);
        (mesh.expect("all levels have one").0, app.world().get::<Ragdoll>(entity).is_some())
    };
    assert_eq!(ragdoll(1), ("low", false));
    assert_eq!(ragdoll(2), ("high", true));
    assert_eq!(ragdoll(3), ("high", true));
    assert_eq!(ragdoll(0), ("card", false));
}

#[test]
fn an_entity_that_is_no_actor_is_left_alone() {
    let mut app = stage();
    let entity = app.world_mut().spawn((at(2.0), meshes())).id();
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), None);
    app.world_mut().entity_mut(entity).insert(cape());
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), Some(&Mesh("high")));
}

#[derive(Resource, Default)]
struct Inserted(usize);

#[test]
fn the_first_decision_inserts_once() {
    let mut app = stage();
    app.init_resource::<Inserted>();
    app.add_observer(|_: On<Insert<Mesh>>, mut inserted: ResMut<Inserted>| inserted.0 += 1);
    let entity = app.world_mut().spawn((at(2.0), cape(), meshes())).id();
    app.update();
    assert_eq!(app.world().resource::<Inserted>().0, 1);
    // Nor twice where a table comes with another level.
    app.world_mut().entity_mut(entity).insert(meshes());
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("card")), 1));
    assert_eq!(app.world().resource::<Inserted>().0, 2);
}
