//! What a user does first.

use bevy_app::PreUpdate;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::ResMut;
use bevy_lodger::scheduler::{ActorPlan, Budget, Reason};
use bevy_lodger::{
    ForcedLod, LodActor, LodChanged, LodError, LodHidden, LodModulePlugin, LodRange, LodReport,
};

use crate::stage::{Cloth, Crowd, WORK, actors, at, heard, level, module, plan, seen, set};

#[test]
fn the_near_get_more_than_the_far() {
    let mut app = seen(Budget::from_ns(1_050_000));
    let near = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    let far = app.world_mut().spawn((at(40.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    assert_eq!((level::<Crowd>(&app, near), plan::<Crowd>(&app, near)), (0, None));
    app.update();
    assert_eq!(actors(&app), 2);
    assert_eq!((level::<Crowd>(&app, near), level::<Crowd>(&app, far)), (3, 1));
    let near_plan = plan::<Crowd>(&app, near).expect("decided");
    assert_eq!((near_plan.key, near_plan.lod.level()), (near.to_bits(), 3));
    let first = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(first.iter().map(|change| change.from).collect::<Vec<_>>(), [None, None]);

    // They change places.
    set(&mut app, near, at(41.0));
    set(&mut app, far, at(2.0));
    app.update();
    assert_eq!((level::<Crowd>(&app, near), level::<Crowd>(&app, far)), (1, 3));
    let then = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(then.len(), 2);
    assert!(then.iter().all(|change| change.to == level::<Crowd>(&app, change.entity)));
    assert_eq!(heard::<LodError>(&mut app), []);
}

#[test]
fn an_entity_is_an_actor_of_several_modules() {
    let mut app = seen(Budget::UNLIMITED);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")));
    let actors_of_both = (LodActor::<Crowd>::new(1.0, WORK), LodActor::<Cloth>::new(1.0, &[0, 5]));
    let both = app.world_mut().spawn((at(2.0), actors_of_both, ForcedLod::<Cloth>::new(1))).id();
    app.update();
    assert_eq!(actors(&app), 2);
    assert_eq!(plan::<Cloth>(&app, both).map(|plan| plan.reason), Some(Reason::Forced));
    assert_eq!(level::<Crowd>(&app, both), 3);
    app.world_mut().entity_mut(both).remove::<LodActor<Cloth>>();
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, both)), (1, 3));
}

#[test]
fn what_is_asked_for_holds_while_it_is_there() {
    let mut app = seen(Budget::UNLIMITED);
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.update();
    assert_eq!(level::<Crowd>(&app, actor), 3);
    let mut told = |tell: fn(&mut bevy_ecs::world::EntityWorldMut<'_>)| {
        tell(&mut app.world_mut().entity_mut(actor));
        app.update();
        (level::<Crowd>(&app, actor), plan::<Crowd>(&app, actor).expect("decided").reason)
    };
    assert_eq!(told(|e| _ = e.insert(ForcedLod::<Crowd>::new(1))), (1, Reason::Forced));
    assert_eq!(told(|e| _ = e.insert(ForcedLod::<Crowd>::new(2))), (2, Reason::Forced));
    assert_eq!(told(|e| _ = e.insert(ForcedLod::<Crowd>::new(9))), (3, Reason::ForcedIntoRange));
    assert_eq!(told(|e| _ = e.insert(LodRange::<Crowd>::new(1, 2))).0, 2);
    assert_eq!(told(|e| _ = e.remove::<ForcedLod<Crowd>>()).0, 2);
    assert_eq!(told(|e| _ = e.remove::<LodRange<Crowd>>()).0, 3);
    assert_eq!(told(|e| _ = e.insert(LodHidden::<Crowd>::default())), (0, Reason::Invisible));
    assert_eq!(told(|e| _ = e.remove::<LodHidden<Crowd>>()).0, 3);
    let other = LodActor::<Crowd>::new(1.0, &[0, 7]);
    app.world_mut().entity_mut(actor).insert(other);
    app.update();
    assert_eq!((level::<Crowd>(&app, actor), actors(&app)), (1, 1));
    assert_eq!(plan::<Crowd>(&app, actor).map(|plan| plan.cost_ns), Some(7_000));
    assert_eq!(heard::<LodError>(&mut app), []);
}

#[test]
fn an_actor_may_say_how_good_its_levels_are() {
    let mut app = seen(Budget::UNLIMITED);
    let good = LodActor::<Crowd>::new(1.0, &[1, 2, 3]).with_qualities(&[0.0, 0.75, 1.0]);
    let asked = ForcedLod::<Crowd>::new(1);
    let one = app.world_mut().spawn((at(2.0), good.clone(), asked)).id();
    let two = app.world_mut().spawn((at(3.0), LodActor::<Crowd>::new(1.0, &[1, 2, 3]), asked)).id();
    app.update();
    let quality = |app: &_, entity| plan::<Crowd>(app, entity).expect("decided").quality.to_f64();
    assert!((quality(&app, one) - 0.75).abs() < 1e-4 && (quality(&app, two) - 0.5).abs() < 1e-4);
    app.world_mut().entity_mut(one).insert(LodActor::<Crowd>::new(1.0, &[1, 2, 3]));
    app.world_mut().entity_mut(two).insert(good);
    app.update();
    assert!((quality(&app, two) - 0.75).abs() < 1e-4 && (quality(&app, one) - 0.5).abs() < 1e-4);
}

#[derive(Resource, Default)]
struct Heard(Vec<Option<Reason>>, Option<usize>);

#[test]
fn a_system_reads_the_plan_by_entity() {
    let mut app = seen(Budget::UNLIMITED);
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    let other = app.world_mut().spawn(at(2.0)).id();
    app.init_resource::<Heard>();
    app.add_systems(PreUpdate, move |report: LodReport<Crowd>, mut heard: ResMut<Heard>| {
        heard.0 = vec![report.why(actor), report.why(other)];
        heard.1 = report.module().map(|module| module.actors);
    });
    app.update();
    app.update();
    let heard = app.world().resource::<Heard>();
    assert_eq!((heard.0.as_slice(), heard.1), (&[Some(Reason::Highest), None][..], Some(1)));
}

#[test]
fn modules_hand_out_slots_in_the_order_in_which_they_were_added() {
    for _ in 0..8 {
        let mut app = seen(Budget::UNLIMITED);
        app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")));
        let both = (LodActor::<Cloth>::new(1.0, WORK), LodActor::<Crowd>::new(1.0, WORK));
        let entity = app.world_mut().spawn((at(2.0), both)).id();
        app.update();
        let slot = |plan: Option<ActorPlan>| plan.expect("decided").actor.slot();
        let (crowd, cloth) = (plan::<Crowd>(&app, entity), plan::<Cloth>(&app, entity));
        assert!(slot(crowd) < slot(cloth));
    }
}
