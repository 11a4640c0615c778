//! What a user does first.

use bevy_app::{Last, PostUpdate};
use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::Changed;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Query, ResMut};
use bevy_lodger::scheduler::{Budget, Reason};
use bevy_lodger::{Lod, LodActor, LodChanged, LodError, LodReport, LodSystems};
use bevy_transform::components::Transform;

use crate::stage::{Crowd, WORK, actors, heard, level, plan, seen};

fn at(x: f32) -> Transform {
    Transform::from_xyz(x, 0.0, 0.0)
}

#[test]
fn the_near_get_more_than_the_far() {
    let mut app = seen(Budget::from_ms(1.05).expect("in range"));
    let near = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    let far = app.world_mut().spawn((at(40.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    assert_eq!((level::<Crowd>(&app, near), plan::<Crowd>(&app, near)), (0, None));
    app.update();
    assert_eq!(actors(&app), 2);
    assert!(level::<Crowd>(&app, near) > level::<Crowd>(&app, far));
    let near_plan = plan::<Crowd>(&app, near).expect("decided");
    assert_eq!(near_plan.key, near.to_bits());
    assert_eq!(near_plan.lod.level(), level::<Crowd>(&app, near));
    let first = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(first.iter().map(|change| change.from).collect::<Vec<_>>(), [None, None]);
    assert_eq!(heard::<LodError>(&mut app), []);

    // They change places.
    *app.world_mut().get_mut::<Transform>(near).expect("is there") = at(41.0);
    *app.world_mut().get_mut::<Transform>(far).expect("is there") = at(2.0);
    app.update();
    assert!(level::<Crowd>(&app, near) < level::<Crowd>(&app, far));
    let then = heard::<LodChanged<Crowd>>(&mut app);
    assert_eq!(then.len(), 2);
    for change in then {
        assert_eq!(change.to, level::<Crowd>(&app, change.entity));
    }
}
