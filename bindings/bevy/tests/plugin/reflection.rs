//! Components in editors and scene files.

use bevy_ecs::component::Component;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{ForcedLod, Lod, LodActor, LodChanged, LodHidden, LodRange, LodSwap, LodView};
use bevy_reflect::{FromReflect, GetTypeRegistration, PartialReflect, Reflect, TypePath};

use crate::stage::{Crowd, WORK, actors, at, heard, level, seen};

#[derive(Clone, Component, Reflect)]
struct Mesh(u32);

/// Takes a component apart and puts it together again, as a scene file does.
fn again<C: FromReflect>(component: &C) -> C {
    let apart = component.to_dynamic().expect("it can be taken apart");
    C::from_reflect(apart.as_ref()).expect("all fields are there")
}

fn is_component<C: Component + GetTypeRegistration + TypePath>() {
    let registration = C::get_type_registration();
    assert!(registration.data::<ReflectComponent>().is_some(), "{}", C::type_path());
}

#[test]
fn components_survive_being_taken_apart() {
    let actor = LodActor::<Crowd>::new(1.5, vec![1, 2, 9]).with_qualities(vec![0.0, 0.5, 1.0]);
    assert_eq!(again(&actor), actor);
    assert_eq!(again(&ForcedLod::<Crowd>::between(3, 7)), ForcedLod::between(3, 7));
    assert_eq!(again(&LodRange::<Crowd>::new(1, 2)), LodRange::new(1, 2));
    assert_eq!(again(&LodView), LodView);
    assert_eq!(again(&Lod::<Crowd>::default()), Lod::default());
    is_component::<LodActor<Crowd>>();
    is_component::<ForcedLod<Crowd>>();
    is_component::<LodRange<Crowd>>();
    is_component::<LodHidden<Crowd>>();
    is_component::<LodView>();
    is_component::<Lod<Crowd>>();
    is_component::<LodSwap<Crowd, Mesh>>();
}

#[test]
fn an_actor_that_an_editor_inserts_is_one() {
    let mut app = seen(Budget::UNLIMITED);
    let entity = app.world_mut().spawn(at(2.0)).id();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let path = LodActor::<Crowd>::type_path();
    let registration = registry.get_with_type_path(path).expect("the plugin registers it");
    let component = registration.data::<ReflectComponent>().expect("it is a component");
    let actor = LodActor::<Crowd>::new(1.0, WORK);
    component.insert(
        &mut app.world_mut().entity_mut(entity),
        actor.as_partial_reflect(),
        &registry,
    );
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, entity)), (1, 3));
}

#[test]
fn a_saved_level_does_not_outlive_the_plan() {
    let mut app = seen(Budget::UNLIMITED);
    let actor = LodActor::<Crowd>::new(1.0, WORK);
    let forced = ForcedLod::<Crowd>::new(1);
    let entity = app.world_mut().spawn((at(2.0), actor.clone(), forced)).id();
    app.update();
    let saved = again(app.world().get::<Lod<Crowd>>(entity).expect("it is an actor"));
    app.world_mut().entity_mut(entity).remove::<ForcedLod<Crowd>>();
    app.update();
    app.update();
    assert_eq!((saved.level(), level::<Crowd>(&app, entity)), (1, 3));
    heard::<LodChanged<Crowd>>(&mut app);
    app.world_mut().entity_mut(entity).insert((actor, saved));
    app.update();
    assert_eq!(level::<Crowd>(&app, entity), 3);
    let changes = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].entity, changes[0].from, changes[0].to), (entity, Some(1), 3));
}
