//! Components of the game's own that disable entities.

use bevy_app::App;
use bevy_ecs::component::Component;
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{
    ForcedLod, LodActor, LodChanged, LodModulePlugin, LodPlan, LodSwap, LodSwapPlugin, LodView,
    LodgerPlugin,
};
use bevy_reflect::Reflect;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::stage::{Crowd, WORK, actors, at, heard, level, module, set};

#[derive(Default, Component)]
struct Frozen;

#[derive(Default, Component)]
#[component(storage = "SparseSet")]
struct Asleep;

#[derive(Debug, Clone, PartialEq, Component, Reflect)]
struct Mesh(&'static str);

fn cape() -> LodActor<Crowd> {
    LodActor::new(1.0, WORK)
}

fn stage<C: Component>() -> App {
    let mut app = App::new();
    app.world_mut().register_disabling_component::<C>();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::UNLIMITED)));
    app.world_mut().spawn((Transform::default(), LodView));
    app
}

fn what_is_missed_is_made_up<C: Component + Default>() {
    let mut app = stage::<C>();
    let early = app.world_mut().spawn((at(2.0), cape(), C::default())).id();
    app.add_plugins(LodModulePlugin::<Crowd>::new(module("crowd")));
    app.add_plugins(LodSwapPlugin::<Crowd, Mesh>::default());
    let late = app.world_mut().spawn((at(2.0), cape(), C::default())).id();
    let meshes = LodSwap::<Crowd, _>::new([Mesh("card"), Mesh("low"), Mesh("high")]);
    let told = app.world_mut().spawn((at(2.0), cape())).id();
    let decided = app.world_mut().spawn((at(2.0), cape(), meshes.clone())).id();
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, told)), (2, 3));

    for entity in [told, decided] {
        app.world_mut().entity_mut(entity).insert(C::default());
    }
    app.world_mut().entity_mut(told).insert((ForcedLod::<Crowd>::new(0), meshes));
    let mut plan = app.world_mut().resource_mut::<LodPlan>();
    plan.module_mut::<Crowd>().expect("it was added").set_lod_cap(Some(1)).expect("it is there");
    for _ in 0..3 {
        app.update();
    }
    assert_eq!((actors(&app), level::<Crowd>(&app, decided)), (2, 3));
    heard::<LodChanged<Crowd>>(&mut app);

    for entity in [early, late, told, decided] {
        app.world_mut().entity_mut(entity).remove::<C>();
    }
    app.update();
    let levels = [early, late, told, decided].map(|entity| level::<Crowd>(&app, entity));
    assert_eq!((actors(&app), levels), (4, [1, 1, 0, 1]));
    let meshes = [told, decided].map(|entity| app.world().get::<Mesh>(entity).cloned());
    assert_eq!(meshes, [Some(Mesh("card")), Some(Mesh("low"))]);
    let changes = heard::<LodChanged<Crowd>>(&mut app);
    assert!(changes.iter().any(|it| (it.entity, it.from, it.to) == (decided, Some(3), 1)));

    // Places are followed, of few and of all.
    set(&mut app, told, at(5.0));
    app.update();
    let place = |app: &App, entity| {
        let plan = app.world().resource::<LodPlan>();
        plan.scene().position(crate::stage::plan::<Crowd>(app, entity)?.actor)
    };
    assert_eq!(place(&app, told), Some([5.0, 0.0, 0.0]));
    for entity in [early, late, told, decided] {
        set(&mut app, entity, at(6.0));
    }
    app.update();
    assert_eq!(place(&app, late), Some([6.0, 0.0, 0.0]));
    app.world_mut().entity_mut(told).insert(C::default()).remove::<LodActor<Crowd>>();
    app.update();
    assert_eq!(actors(&app), 3);
}

#[test]
fn what_is_missed_while_disabled_is_made_up() {
    what_is_missed_is_made_up::<Frozen>();
}

#[test]
fn what_is_missed_while_disabled_is_made_up_without_a_column() {
    what_is_missed_is_made_up::<Asleep>();
}
