//! Who is told of a change, and that nobody else is.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use bevy_app::{App, Last, PostUpdate};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::observer::On;
use bevy_ecs::query::Changed;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, Query, Res, ResMut};
use bevy_ecs::world::World;
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{ForcedLod, Lod, LodActor, LodChanged, LodModulePlugin, LodSystems};

use crate::stage::{Cloth, Crowd, WORK, at, heard, level, module, seen, set};

#[derive(Resource, Default)]
struct Marked(usize);

fn count(app: &mut App) {
    app.init_resource::<Marked>();
    app.add_systems(Last, |lods: Query<(), Changed<Lod<Crowd>>>, mut marked: ResMut<Marked>| {
        marked.0 = lods.iter().count();
    });
}

#[test]
fn a_level_is_marked_changed_when_it_changes_and_else_not() {
    let mut app = seen(Budget::UNLIMITED);
    count(&mut app);
    let entities: Vec<_> = (0..10_u8)
        .map(|i| app.world_mut().spawn((at(f32::from(i)), LodActor::<Crowd>::new(1.0, WORK))).id())
        .collect();
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 10, "all are new");
    assert_eq!(heard::<LodChanged<Crowd>>(&mut app).len(), 10);
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 0);
    for &entity in &entities {
        set(&mut app, entity, at(1.0));
    }
    app.update();
    let levels: Vec<_> = entities.iter().map(|&entity| level::<Crowd>(&app, entity)).collect();
    let marked = app.world().resource::<Marked>().0;
    assert_eq!(heard::<LodChanged<Crowd>>(&mut app).len(), marked);
    for (&entity, &before) in entities.iter().zip(&levels).take(3) {
        app.world_mut().entity_mut(entity).insert(ForcedLod::<Crowd>::new(before - 1));
    }
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 3);
    let changes = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(changes.len(), 3);
    for change in changes {
        assert_eq!(change.from.map(|from| from - 1), Some(change.to));
        assert_eq!(level::<Crowd>(&app, change.entity), change.to);
    }
}

#[test]
fn a_first_decision_for_level_0_is_a_message_and_no_change() {
    let mut app = seen(Budget::from_ns(0));
    count(&mut app);
    let entity = app.world_mut().spawn((at(5.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.world_mut().run_schedule(Last);
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 0);
    let heard = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(heard.len(), 1);
    assert_eq!((heard[0].entity, heard[0].from, heard[0].to), (entity, None, 0));
}

#[test]
fn a_continuous_module_writes_fractions_and_tells_whole_levels() {
    let mut app = seen(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth").continuous(true)));
    let between = ForcedLod::<Cloth>::between(1, 1 << 15);
    let entity = app.world_mut().spawn((at(5.0), LodActor::<Cloth>::new(1.0, WORK), between)).id();
    app.update();
    let lod = |app: &App| app.world().get::<Lod<Cloth>>(entity).expect("an actor").to_f32();
    assert!((lod(&app) - 1.5).abs() < 1e-4);
    assert_eq!(heard::<LodChanged<Cloth>>(&mut app).len(), 1);
    app.world_mut().entity_mut(entity).insert(ForcedLod::<Cloth>::between(1, 1 << 14));
    app.update();
    assert!((lod(&app) - 1.25).abs() < 1e-4);
    assert_eq!(heard::<LodChanged<Cloth>>(&mut app).len(), 0);
}

#[test]
fn observers_hear_of_their_entity_where_the_module_was_asked_to_tell() {
    let mut app = seen(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")).with_observers());
    let told = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::new(AtomicU32::new(0));
    let (heard_one, heard_all) = (Arc::clone(&told), Arc::clone(&all));
    let world: &mut World = app.world_mut();
    world.add_observer(move |_: On<LodChanged<Cloth>>| {
        heard_all.fetch_add(1, Ordering::Relaxed);
    });
    world.add_observer(|_: On<LodChanged<Crowd>>| panic!("the crowd was not asked to tell"));
    let both = || (LodActor::<Cloth>::new(1.0, WORK), LodActor::<Crowd>::new(1.0, WORK));
    let one = world.spawn((at(2.0), both())).id();
    world.spawn((at(3.0), both(), ForcedLod::<Cloth>::new(2)));
    world.entity_mut(one).observe(move |change: On<LodChanged<Cloth>>| {
        heard_one.lock().expect("sound").push((change.entity, change.from, change.to));
    });
    app.update();
    app.world_mut().entity_mut(one).insert(ForcedLod::<Cloth>::new(1));
    app.update();
    app.update();
    assert_eq!(*told.lock().expect("sound"), [(one, None, 3), (one, Some(3), 1)]);
    assert_eq!(all.load(Ordering::Relaxed), 3);
}

#[derive(Resource, Default)]
struct Rests {
    decide: bool,
    apply: bool,
}

#[test]
fn sets_that_rest_repeat_nothing_and_lose_nothing() {
    let mut app = seen(Budget::UNLIMITED);
    app.init_resource::<Rests>();
    app.configure_sets(
        PostUpdate,
        (
            LodSystems::Decide.run_if(|rests: Res<Rests>| !rests.decide),
            LodSystems::Apply.run_if(|rests: Res<Rests>| !rests.apply),
        ),
    );
    let force = |app: &mut App, entity: Entity, level| {
        app.world_mut().entity_mut(entity).insert(ForcedLod::<Crowd>::new(level));
        app.update();
    };
    let told = |app: &mut App| -> Vec<_> {
        let changes = heard::<LodChanged<Crowd>>(app);
        changes.iter().map(|change| (change.from, change.to)).collect()
    };
    let entity = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.update();
    assert_eq!(told(&mut app), [(None, 3)]);
    app.world_mut().resource_mut::<Rests>().decide = true;
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(told(&mut app), []);
    *app.world_mut().resource_mut::<Rests>() = Rests { decide: false, apply: true };
    force(&mut app, entity, 0);
    app.update();
    assert_eq!((told(&mut app), level::<Crowd>(&app, entity)), (vec![], 3));
    app.world_mut().resource_mut::<Rests>().apply = false;
    app.update();
    assert_eq!((told(&mut app), level::<Crowd>(&app, entity)), (vec![(Some(3), 0)], 0));
    // Of several that were missed, messages lead from what was told to what is.
    app.world_mut().resource_mut::<Rests>().apply = true;
    force(&mut app, entity, 1);
    app.world_mut().resource_mut::<Rests>().apply = false;
    force(&mut app, entity, 2);
    let last = told(&mut app).into_iter().fold(0, |level, (from, to)| {
        assert_eq!(from, Some(level));
        to
    });
    assert_eq!((last, level::<Crowd>(&app, entity)), (2, 2));
}

#[derive(Resource, Default)]
struct Told(Vec<Entity>);

#[test]
fn an_entity_that_an_observer_despawned_is_told_nothing_and_a_disabled_one_is() {
    let mut app = seen(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")).with_observers());
    app.init_resource::<Told>();
    let cape = || LodActor::<Cloth>::new(1.0, WORK);
    let pair = [(); 2].map(|()| app.world_mut().spawn((at(2.0), cape())).id());
    let disabled = app.world_mut().spawn((at(2.0), cape(), Disabled)).id();
    let duel =
        move |change: On<LodChanged<Cloth>>, mut told: ResMut<Told>, mut commands: Commands| {
            told.0.push(change.entity);
            for other in pair.into_iter().filter(|&other| other != change.entity) {
                if pair.contains(&change.entity) {
                    commands.entity(other).despawn();
                }
            }
        };
    app.add_observer(duel);
    app.update();
    let told = &app.world().resource::<Told>().0;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.contains(&disabled));
}
