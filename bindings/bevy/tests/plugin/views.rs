//! Several cameras, and cameras that go.

use bevy_ecs::hierarchy::ChildOf;
use bevy_lodger::scheduler::Budget;
use bevy_lodger::{LodActor, LodPlan, LodView};

use crate::stage::{Crowd, WORK, app, at, plan, set};

#[test]
fn an_actor_matters_as_much_as_to_the_nearest_camera() {
    let mut app = app(Budget::UNLIMITED);
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    let mut benefit = |change: &mut dyn FnMut(&mut bevy_ecs::world::World)| {
        change(app.world_mut());
        app.update();
        plan::<Crowd>(&app, actor).expect("decided").benefit.to_f64()
    };
    assert!(benefit(&mut |_| ()) < 1e-9, "nobody looks");
    let (mut near, mut far) = (None, None);
    let from_far = benefit(&mut |world| far = Some(world.spawn((at(40.0), LodView)).id()));
    assert!(from_far > 0.0);
    let from_near = benefit(&mut |world| near = Some(world.spawn((at(0.0), LodView)).id()));
    assert!(from_near > 10.0 * from_far);
    let near = near.expect("spawned");
    let off = benefit(&mut |world| _ = world.entity_mut(near).remove::<LodView>());
    assert!((off - from_far).abs() < 1e-9);
    let on = benefit(&mut |world| _ = world.entity_mut(near).insert(LodView));
    assert!((on - from_near).abs() < 1e-9);
    let gone = benefit(&mut |world| assert!(world.despawn(near)));
    assert!((gone - from_far).abs() < 1e-9);
    assert!(benefit(&mut |world| assert!(world.despawn(far.expect("spawned")))) < 1e-9);
    assert_eq!(app.world().resource::<LodPlan>().scene().views().count(), 0);
}

#[test]
fn a_camera_on_a_vehicle_is_where_the_vehicle_takes_it() {
    let mut app = app(Budget::UNLIMITED);
    let vehicle = app.world_mut().spawn(at(10.0)).id();
    app.world_mut().spawn((at(1.0), LodView, ChildOf(vehicle)));
    app.update();
    set(&mut app, vehicle, at(20.0));
    app.update();
    let plan = app.world().resource::<LodPlan>();
    let (_, view) = plan.scene().views().next().expect("one");
    assert!((view.position()[0] - 21.0).abs() < 1e-5);
}
