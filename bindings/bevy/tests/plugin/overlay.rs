//! What there is to draw.

use bevy_lodger::scheduler::{Budget, Reason};
use bevy_lodger::{ForcedLod, LodActor, LodOverlay, LodOverlayPlugin};

use crate::stage::{Crowd, WORK, at, seen};

#[test]
fn marks_are_coloured_by_level_and_say_why() {
    let mut app = seen(Budget::from_ns(0));
    app.add_plugins(LodOverlayPlugin::<Crowd>::default());
    let mut spawn = |x, level| {
        let actor = LodActor::<Crowd>::new(1.5, WORK);
        app.world_mut().spawn((at(x), actor, ForcedLod::<Crowd>::new(level))).id()
    };
    let (low, high) = (spawn(1.0, 0), spawn(2.0, 3));
    app.world_mut().spawn((at(3.0), LodActor::<Crowd>::new(1.0, WORK)));
    app.update();
    let marks = &app.world().resource::<LodOverlay<Crowd>>().marks;
    let of = |entity| marks.iter().find(|mark| mark.entity == entity).expect("is drawn");
    assert_eq!((of(low).colour, of(high).colour), ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]));
    assert_eq!((of(high).level, of(high).why), (3, Reason::Forced));
    assert_eq!((of(high).position, of(high).radius), ([2.0, 0.0, 0.0], 1.5));
    let whys: Vec<_> = marks.iter().map(|mark| mark.why).collect();
    assert!(whys.len() == 3 && whys.contains(&Reason::Overcommitted), "{whys:?}");
    app.world_mut().resource_mut::<LodOverlay<Crowd>>().is_on = false;
    app.update();
    assert!(app.world().resource::<LodOverlay<Crowd>>().marks.is_empty());
}
