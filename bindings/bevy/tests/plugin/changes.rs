//! Changed levels: messages, events, swapped components, reflection and the overlay.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use bevy_ecs::entity_disabling::Disabled;
use bevy_reflect::{FromReflect, GetTypeRegistration, PartialReflect};

use crate::prelude::*;

#[derive(Resource, Default)]
struct Marked(usize);

fn count(app: &mut App) {
    app.init_resource::<Marked>();
    app.add_systems(
        Last,
        |lods: Query<(), Changed<Lod<Animation>>>, mut marked: ResMut<Marked>| {
            marked.0 = lods.iter().count();
        },
    );
}

#[test]
fn a_level_is_marked_as_changed_only_when_it_changes() {
    let mut app = with_camera(Budget::UNLIMITED);
    count(&mut app);
    let entities: Vec<_> = (0..10_u8).map(|i| app.spawn((at(f32::from(i)), cape()))).collect();
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 10, "all are new");
    assert_eq!(level_changes(&mut app).len(), 10);
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 0);
    for &entity in &entities {
        set(&mut app, entity, at(1.0));
    }
    app.update();
    let levels: Vec<_> = entities.iter().map(|&entity| level_of(&app, entity)).collect();
    let marked = app.world().resource::<Marked>().0;
    assert_eq!(level_changes(&mut app).len(), marked);
    for (&entity, &before) in entities.iter().zip(&levels).take(3) {
        app.insert(entity, Forced::new(before - 1));
    }
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 3);
    let changes = level_changes(&mut app);
    assert_eq!(changes.len(), 3);
    for change in changes {
        assert_eq!(change.from.map(|from| from - 1), Some(change.to));
        assert_eq!(level_of(&app, change.entity), change.to);
    }
}

#[test]
fn a_first_decision_for_level_0_is_a_message_and_no_change() {
    let mut app = with_camera(Budget::from_ns(0));
    count(&mut app);
    let entity = app.spawn((at(5.0), cape()));
    app.world_mut().run_schedule(Last);
    app.update();
    assert_eq!(app.world().resource::<Marked>().0, 0);
    let changes = level_changes(&mut app);
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].entity, changes[0].from, changes[0].to), (entity, None, 0));
}

#[test]
fn a_continuous_module_writes_fractions_and_reports_whole_levels() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth").continuous(true)));
    let between = ForcedLod::<Cloth>::between(1, 1 << 15);
    let entity = app.spawn((at(5.0), LodActor::<Cloth>::new(1.0, WORK), between));
    app.update();
    let lod = |app: &App| app.world().get::<Lod<Cloth>>(entity).expect("an actor").to_f32();
    assert!((lod(&app) - 1.5).abs() < 1e-4);
    assert_eq!(messages::<LodChanged<Cloth>>(&mut app).len(), 1);
    app.insert(entity, ForcedLod::<Cloth>::between(1, 1 << 14));
    app.update();
    assert!((lod(&app) - 1.25).abs() < 1e-4);
    assert_eq!(messages::<LodChanged<Cloth>>(&mut app).len(), 0);
}

#[test]
fn observers_of_an_entity_are_triggered_if_the_module_has_observers() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")).with_observers());
    let events = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::new(AtomicU32::new(0));
    let (events_of_one, events_of_all) = (Arc::clone(&events), Arc::clone(&all));
    let world: &mut World = app.world_mut();
    world.add_observer(move |_: On<LodChanged<Cloth>>| {
        events_of_all.fetch_add(1, Ordering::Relaxed);
    });
    world.add_observer(|_: On<LodChanged<Animation>>| {
        panic!("the module animation has no observers")
    });
    let both = || (LodActor::<Cloth>::new(1.0, WORK), cape());
    let one = world.spawn((at(2.0), both())).id();
    world.spawn((at(3.0), both(), ForcedLod::<Cloth>::new(2)));
    world.entity_mut(one).observe(move |change: On<LodChanged<Cloth>>| {
        events_of_one.lock().expect("sound").push((change.entity, change.from, change.to));
    });
    app.update();
    app.insert(one, ForcedLod::<Cloth>::new(1));
    app.update();
    app.update();
    assert_eq!(*events.lock().expect("sound"), [(one, None, 3), (one, Some(3), 1)]);
    assert_eq!(all.load(Ordering::Relaxed), 3);
}

#[derive(Resource, Default)]
struct Rests {
    decide: bool,
    apply: bool,
}

#[test]
fn sets_with_run_conditions_repeat_and_lose_no_change() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.init_resource::<Rests>();
    app.configure_sets(
        PostUpdate,
        (
            LodSystems::Decide.run_if(|rests: Res<Rests>| !rests.decide),
            LodSystems::Apply.run_if(|rests: Res<Rests>| !rests.apply),
        ),
    );
    let force = |app: &mut App, entity: Entity, level| {
        app.insert(entity, Forced::new(level));
        app.update();
    };
    let levels = |app: &mut App| -> Vec<_> {
        let changes = level_changes(app);
        changes.iter().map(|change| (change.from, change.to)).collect()
    };
    let entity = app.spawn((at(2.0), cape()));
    app.update();
    assert_eq!(levels(&mut app), [(None, 3)]);
    app.world_mut().resource_mut::<Rests>().decide = true;
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(levels(&mut app), []);
    *app.world_mut().resource_mut::<Rests>() = Rests { decide: false, apply: true };
    force(&mut app, entity, 0);
    app.update();
    assert_eq!((levels(&mut app), level_of(&app, entity)), (vec![], 3));
    app.world_mut().resource_mut::<Rests>().apply = false;
    app.update();
    assert_eq!((levels(&mut app), level_of(&app, entity)), (vec![(Some(3), 0)], 0));
    // After several missed changes, messages lead from the last reported level to the present one.
    app.world_mut().resource_mut::<Rests>().apply = true;
    force(&mut app, entity, 1);
    app.world_mut().resource_mut::<Rests>().apply = false;
    force(&mut app, entity, 2);
    let last = levels(&mut app).into_iter().fold(0, |level, (from, to)| {
        assert_eq!(from, Some(level));
        to
    });
    assert_eq!((last, level_of(&app, entity)), (2, 2));
}

#[derive(Resource, Default)]
struct Events(Vec<Entity>);

#[test]
fn a_despawned_entity_gets_no_event_and_a_disabled_one_does() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")).with_observers());
    app.init_resource::<Events>();
    let cape = || LodActor::<Cloth>::new(1.0, WORK);
    let pair = [(); 2].map(|()| app.spawn((at(2.0), cape())));
    let disabled = app.spawn((at(2.0), cape(), Disabled));
    let duel =
        move |change: On<LodChanged<Cloth>>, mut events: ResMut<Events>, mut commands: Commands| {
            events.0.push(change.entity);
            for other in pair.into_iter().filter(|&other| other != change.entity) {
                if pair.contains(&change.entity) {
                    commands.entity(other).despawn();
                }
            }
        };
    app.add_observer(duel);
    app.update();
    let events = &app.world().resource::<Events>().0;
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events.contains(&disabled));
}

#[derive(Debug, Clone, PartialEq, Component)]
struct Ragdoll;

#[derive(Resource, Default)]
struct Touched(usize);

fn swapping() -> App {
    let mut app = with_camera(Budget::UNLIMITED);
    app.add_plugins(LodSwapPlugin::<Animation, Mesh>::default());
    app.init_resource::<Touched>();
    app.add_systems(Last, |meshes: Query<(), Changed<Mesh>>, mut touched: ResMut<Touched>| {
        touched.0 = meshes.iter().count();
    });
    app
}

fn meshes() -> LodSwap<Animation, Mesh> {
    LodSwap::new([Mesh("card"), Mesh("low"), Mesh("high")])
}

fn force(app: &mut App, entity: Entity, level: u8) -> (Option<Mesh>, usize) {
    app.insert(entity, Forced::new(level));
    app.update();
    (app.world().get::<Mesh>(entity).cloned(), app.world().resource::<Touched>().0)
}

#[test]
fn a_swap_writes_the_component_of_the_level_only_if_it_differs() {
    let mut app = swapping();
    let entity = app.spawn((at(2.0), cape(), meshes()));
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("card")), 1));
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("card")), 0));
    assert_eq!(force(&mut app, entity, 2), (Some(Mesh("high")), 1));
    // Level 3 also uses the last entry of the table.
    assert_eq!(force(&mut app, entity, 3), (Some(Mesh("high")), 0));
    assert_eq!(force(&mut app, entity, 1), (Some(Mesh("low")), 1));
    app.update();
    assert_eq!(app.world().resource::<Touched>().0, 0);
}

#[test]
fn a_later_or_replaced_table_is_applied_at_once() {
    let mut app = swapping();
    let entity = app.spawn((at(2.0), cape()));
    assert_eq!(force(&mut app, entity, 1), (None, 0));
    app.insert(entity, meshes());
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), Some(&Mesh("low")));
    app.insert(entity, LodSwap::<Animation, _>::new([Mesh("a"), Mesh("b")]));
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), Some(&Mesh("b")));
    app.remove::<LodSwap<Animation, Mesh>>(entity);
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("b")), 0));
    app.insert(entity, LodSwap::<Animation, Mesh>::new([]));
    assert_eq!(force(&mut app, entity, 1), (Some(Mesh("b")), 0));
}

#[test]
fn a_marker_is_present_at_some_levels() {
    let mut app = swapping();
    let early = LodSwap::<Animation, _>::some([None, None, Some(Ragdoll)]);
    let entity = app.spawn((at(2.0), cape(), meshes(), early));
    // The plugin may come after the tables.
    app.add_plugins(LodSwapPlugin::<Animation, Ragdoll>::default());
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
fn an_entity_without_an_actor_is_not_swapped() {
    let mut app = swapping();
    let entity = app.spawn((at(2.0), meshes()));
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), None);
    app.insert(entity, cape());
    app.update();
    assert_eq!(app.world().get::<Mesh>(entity), Some(&Mesh("high")));
}

#[derive(Resource, Default)]
struct Inserted(usize);

#[test]
fn the_first_decision_inserts_once() {
    let mut app = swapping();
    app.init_resource::<Inserted>();
    app.add_observer(|_: On<Insert<Mesh>>, mut inserted: ResMut<Inserted>| inserted.0 += 1);
    let entity = app.spawn((at(2.0), cape(), meshes()));
    app.update();
    assert_eq!(app.world().resource::<Inserted>().0, 1);
    // A table with a new level also inserts once.
    app.insert(entity, meshes());
    assert_eq!(force(&mut app, entity, 0), (Some(Mesh("card")), 1));
    assert_eq!(app.world().resource::<Inserted>().0, 2);
}

/// Converts a component to a dynamic value and back, as a scene file does.
fn round_trip<C: FromReflect>(component: &C) -> C {
    let dynamic = component.to_dynamic().expect("it has a dynamic form");
    C::from_reflect(dynamic.as_ref()).expect("all fields are there")
}

fn is_component<C: Component + GetTypeRegistration + TypePath>() {
    let registration = C::get_type_registration();
    assert!(registration.data::<ReflectComponent>().is_some(), "{}", C::type_path());
}

#[test]
fn components_survive_a_round_trip() {
    let actor = Actor::new(1.5, vec![1, 2, 9]).with_qualities(vec![0.0, 0.5, 1.0]);
    assert_eq!(round_trip(&actor), actor);
    assert_eq!(round_trip(&Forced::between(3, 7)), ForcedLod::between(3, 7));
    assert_eq!(round_trip(&Range::new(1, 2)), LodRange::new(1, 2));
    assert_eq!(round_trip(&Prioritised::new(2.5)), LodPriority::new(2.5));
    assert_eq!(round_trip(&LodView), LodView);
    assert_eq!(round_trip(&Lod::<Animation>::default()), Lod::default());
    is_component::<Actor>();
    is_component::<Forced>();
    is_component::<Range>();
    is_component::<Prioritised>();
    is_component::<Hidden>();
    is_component::<LodView>();
    is_component::<Lod<Animation>>();
    is_component::<LodSwap<Animation, Mesh>>();
}

#[test]
fn an_actor_inserted_by_reflection_is_an_actor() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn(at(2.0));
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let path = Actor::type_path();
    let registration = registry.get_with_type_path(path).expect("the plugin registers it");
    let component = registration.data::<ReflectComponent>().expect("it is a component");
    let actor = cape();
    component.insert(
        &mut app.world_mut().entity_mut(entity),
        actor.as_partial_reflect(),
        &registry,
    );
    app.update();
    assert_eq!((actors(&app), level_of(&app, entity)), (1, 3));
}

#[test]
fn a_saved_level_is_replaced_by_the_plan() {
    let mut app = with_camera(Budget::UNLIMITED);
    let actor = cape();
    let forced = Forced::new(1);
    let entity = app.spawn((at(2.0), actor.clone(), forced));
    app.update();
    let saved = round_trip(app.world().get::<Lod<Animation>>(entity).expect("it is an actor"));
    app.remove::<Forced>(entity);
    app.update();
    app.update();
    assert_eq!((saved.level(), level_of(&app, entity)), (1, 3));
    level_changes(&mut app);
    app.insert(entity, (actor, saved));
    app.update();
    assert_eq!(level_of(&app, entity), 3);
    let changes = level_changes(&mut app);
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].entity, changes[0].from, changes[0].to), (entity, Some(1), 3));
}

#[cfg(feature = "overlay")]
#[test]
fn marks_have_the_colour_of_their_level_and_a_reason() {
    let mut app = with_camera(Budget::from_ns(0));
    app.add_plugins(LodOverlayPlugin::<Animation>::default());
    let mut spawn = |x, level| {
        let actor = Actor::new(1.5, WORK);
        app.spawn((at(x), actor, Forced::new(level)))
    };
    let (low, high) = (spawn(1.0, 0), spawn(2.0, 3));
    app.spawn((at(3.0), cape()));
    app.update();
    let marks = &app.world().resource::<LodOverlay<Animation>>().marks;
    let of = |entity| marks.iter().find(|mark| mark.entity == entity).expect("is drawn");
    assert_eq!((of(low).colour, of(high).colour), ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]));
    assert_eq!((of(high).level, of(high).reason), (3, Reason::Forced));
    assert_eq!((of(high).position, of(high).radius), ([2.0, 0.0, 0.0], 1.5));
    let whys: Vec<_> = marks.iter().map(|mark| mark.reason).collect();
    assert!(whys.len() == 3 && whys.contains(&Reason::Overcommitted), "{whys:?}");
    app.world_mut().resource_mut::<LodOverlay<Animation>>().is_on = false;
    app.update();
    assert!(app.world().resource::<LodOverlay<Animation>>().marks.is_empty());
}
