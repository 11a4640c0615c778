//! What modules take is measured, and their prices follow.

use std::thread;
use std::time::Duration;

use bevy_app::{App, Update};
use bevy_ecs::system::Query;
use bevy_lodger::scheduler::{Budget, UnitCost};
use bevy_lodger::{ForcedLod, Lod, LodActor, LodClock, LodError, LodPlan};

use crate::stage::{Crowd, WORK, at, heard, seen};

/// A frame's work of 3000 units, which takes twice what was assumed: two systems and a thread add up.
fn working() -> App {
    let mut app = seen(Budget::UNLIMITED);
    for x in 1..4_u8 {
        let actor = (LodActor::<Crowd>::new(1.0, WORK), ForcedLod::<Crowd>::new(3));
        app.world_mut().spawn((at(x.into()), actor));
    }
    app.add_systems(Update, |clock: LodClock<Crowd>| clock.add(Duration::from_millis(1)));
    app.add_systems(Update, |clock: LodClock<Crowd>| {
        thread::scope(|scope| {
            let clock = &clock;
            for _ in 0..4 {
                scope.spawn(move || clock.add(Duration::from_micros(1_250)));
            }
        });
    });
    app
}

fn unit_cost(app: &App) -> UnitCost {
    app.world().resource::<LodPlan>().module::<Crowd>().expect("decided").raw_unit_cost
}

#[test]
fn unit_costs_follow_what_systems_and_threads_add_up_to() {
    let mut app = working();
    app.update();
    assert!((unit_cost(&app).ns() - 1_000.0).abs() < 1.0, "nothing was planned when it worked");
    for _ in 0..60 {
        app.update();
    }
    // 3000 units in 6 ms.
    assert!((unit_cost(&app).ns() - 2_000.0).abs() < 20.0, "{}", unit_cost(&app).ns());
    assert_eq!(heard::<LodError>(&mut app), []);
}

#[test]
fn a_guard_reads_the_time_until_it_is_dropped() {
    let mut app = seen(Budget::UNLIMITED);
    app.world_mut().spawn((at(1.0), LodActor::<Crowd>::new(1.0, &[0, 1])));
    app.add_systems(Update, |clock: LodClock<Crowd>, lods: Query<&Lod<Crowd>>| {
        let _timer = clock.start();
        assert_eq!(lods.iter().count(), 1);
        thread::sleep(Duration::from_millis(1));
    });
    for _ in 0..20 {
        app.update();
    }
    // A unit of 1 µs was assumed; it slept for a millisecond at least.
    assert!(unit_cost(&app).ns() > 500_000.0, "{}", unit_cost(&app).ns());
}

#[test]
fn a_frame_in_which_nothing_was_read_measures_nothing() {
    let mut app = seen(Budget::UNLIMITED);
    app.world_mut().spawn((at(1.0), LodActor::<Crowd>::new(1.0, WORK)));
    for _ in 0..20 {
        app.update();
    }
    assert!((unit_cost(&app).ns() - 1_000.0).abs() < 1.0);
}
