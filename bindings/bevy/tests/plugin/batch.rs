//! Many come at once.

use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Add;
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Commands, ResMut};
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{ForcedLod, LodActor, LodError, LodProblem, LodRange, SpawnLods, SpawnLodsLater};

use crate::stage::{Cloth, Crowd, WORK, actors, at, heard, level, seen};

fn cape(work: &'static [u32]) -> LodActor<Crowd> {
    LodActor::new(1.0, work)
}

#[test]
fn a_batch_is_as_if_they_had_come_one_by_one() {
    let mut app = seen(Budget::UNLIMITED);
    let batch = (0..50_u8).map(|i| (at(i.into()), cape(WORK)));
    let entities = app.world_mut().spawn_lods::<Crowd, _>(batch);
    // Some are told otherwise, or go, before anybody has looked.
    app.world_mut().entity_mut(entities[0]).insert(ForcedLod::<Crowd>::new(1));
    app.world_mut().entity_mut(entities[1]).remove::<LodActor<Crowd>>().insert(cape(&[0, 1]));
    app.world_mut().entity_mut(entities[2]).remove::<LodActor<Crowd>>();
    app.world_mut().despawn(entities[3]);
    app.update();
    assert_eq!(actors(&app), 48);
    assert_eq!((level::<Crowd>(&app, entities[0]), level::<Crowd>(&app, entities[1])), (1, 1));
    assert_eq!(level::<Crowd>(&app, entities[4]), 3);
    assert_eq!(heard::<LodError>(&mut app), []);
    // Another one by one, and then another batch.
    let one = app.world_mut().spawn((at(2.0), cape(WORK))).id();
    app.world_mut().spawn_lods::<Crowd, _>((0..3_u8).map(|i| (at(i.into()), cape(WORK))));
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, one)), (52, 3));
}

#[test]
fn one_that_is_refused_keeps_nobody_else_out() {
    let mut app = seen(Budget::UNLIMITED);
    let tables: [&[u32]; 4] = [WORK, &[5, 3], &[0, 1], WORK];
    let batch = tables.map(|work| (at(2.0), cape(work), LodRange::<Crowd>::new(0, 1)));
    let entities = app.world_mut().spawn_lods::<Crowd, _>(batch);
    app.update();
    assert_eq!(actors(&app), 3);
    let errors = heard::<LodError>(&mut app);
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].entity, errors[0].module), (Some(entities[1]), "Crowd"));
    assert!(matches!(errors[0].problem, LodProblem::Refused(_)));
    app.world_mut().entity_mut(entities[1]).insert(cape(&[3, 5]));
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, entities[1])), (4, 1));
    assert_eq!(heard::<LodError>(&mut app), []);
}

#[test]
fn commands_spawn_batches_too_and_without_its_plugin_a_module_waits() {
    let mut app = seen(Budget::UNLIMITED);
    let mut commands = app.world_mut().commands();
    let spawn = |commands: &mut Commands| {
        commands.spawn_lods::<Crowd, _>((0..10_u8).map(|i| (at(i.into()), cape(WORK))));
        let cloth = |i: u8| (at(i.into()), LodActor::<Cloth>::new(1.0, WORK));
        commands.spawn_lods::<Cloth, _>((0..2_u8).map(cloth));
    };
    spawn(&mut commands);
    app.world_mut().flush();
    app.update();
    assert_eq!(actors(&app), 10);
    let errors = heard::<LodError>(&mut app);
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|error| error.problem == LodProblem::NoModule));
}

#[derive(Resource, Default)]
struct Escorts(Vec<Entity>);

#[test]
fn what_observers_do_during_a_batch_is_heard() {
    let mut app = seen(Budget::UNLIMITED);
    let old = app.world_mut().spawn((at(2.0), cape(WORK))).id();
    app.update();
    app.init_resource::<Escorts>();
    let escort =
        move |_: On<Add<LodActor<Crowd>>>, mut all: ResMut<Escorts>, mut commands: Commands| {
            // Four more come, one after the other.
            if all.0.len() < 4 {
                all.0.push(commands.spawn((at(3.0), cape(WORK))).id());
                commands.entity(old).insert(ForcedLod::<Crowd>::new(1));
            }
        };
    app.add_observer(escort);
    let batch =
        app.world_mut().spawn_lods::<Crowd, _>((0..4_u8).map(|i| (at(i.into()), cape(WORK))));
    app.update();
    let escorts = app.world().resource::<Escorts>().0.clone();
    assert_eq!((batch.len(), escorts.len(), actors(&app)), (4, 4, 9));
    assert!(batch.iter().chain(&escorts).all(|&entity| level::<Crowd>(&app, entity) == 3));
    assert_eq!(level::<Crowd>(&app, old), 1);
    assert_eq!(heard::<LodError>(&mut app), []);
}
