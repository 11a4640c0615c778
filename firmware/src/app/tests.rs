pub(crate) mod fixture;

use std::vec::Vec;

use embedded_hal_mock::eh1::digital::{Mock as Pin, State as Level, Transaction};
use lodger_core::Fixed;
use lodger_core::budget::{Load, Lod};

use self::fixture::*;
use super::*;
use crate::display::FrameBuffer;

fn halve<N: Real>(wrong: f64) -> [Vec<FrameReport>; 2] {
    let mut app = app::<N, _, 4, 6>(AnyPin, 1.2, wrong);
    let before = run(&mut app, 60);
    app.budget = Budget::from_ms(0.6).unwrap();
    [before, run(&mut app, 60)]
}

fn assert_follows<N: Real>() {
    for wrong in [0.4, 1.0, 2.5] {
        let [before, after] = halve::<N>(wrong);
        let settled = &before[50..];
        // An actor whose level fell rises only if the gain exceeds the margin.
        assert!(settled.iter().all(|frame| frame.measured() > 800_000), "{} {wrong}", N::NAME);
        for report in &after[10..] {
            let measured = report.measured();
            assert!(measured <= 660_000, "{} {wrong} {}: {measured}", N::NAME, report.frame);
            assert!(measured >= 400_000, "{} {wrong} {}: {measured}", N::NAME, report.frame);
        }
    }
}

#[test]
fn measured_work_follows_a_budget_that_halves() {
    assert_follows::<f32>();
    assert_follows::<Fixed>();
    assert_follows::<lodger_core::Micro>();
}

#[test]
fn calibrated_costs_follow_in_the_very_next_frame() {
    let [before, after] = halve::<Fixed>(1.0);
    assert!(after.iter().chain(&before[10..]).all(|frame| frame.over_budget() <= 20_000));
}

#[test]
fn unit_costs_become_the_measured_ones() {
    for (wrong, frames) in [(0.4, 27), (2.5, 47)] {
        let reports = run(&mut app::<f32, _, 4, 6>(AnyPin, 5.0, wrong), frames);
        let last = reports.last().unwrap();
        assert!((last.cloth.raw_unit_cost.ns() / 900.0 - 1.0).abs() < 0.05, "{last:?}");
        assert!((last.particles.raw_unit_cost.ns() / 2_500.0 - 1.0).abs() < 0.05, "{last:?}");
        assert_eq!(last.cloth.levels.iter().sum::<u16>(), 4);
    }
}

/// A frame that is shorter than a tick of the clock is measured with the next one.
#[test]
fn a_coarse_clock_measures_on_average() {
    let mut app = app::<f32, _, 2, 0>(AnyPin, 5.0, 1.0);
    app.clock.coarse.set(1_500_000);
    let reports = run(&mut app, 300);
    assert!(reports.iter().filter(|report| report.cloth.measured == 0).count() > 100);
    // The clock shows 1.5 ms at the end of every second or third frame of 0.73 ms.
    let cost = reports.last().unwrap().cloth.raw_unit_cost.ns() / f64::from(VERTEX);
    assert!((0.6..1.1).contains(&cost), "{cost}");
}

/// Without measurements there is no headroom; with measurements, few frames run over.
#[test]
fn headroom_keeps_measured_work_within_the_budget() {
    let reports = run(&mut app::<f32, _, 4, 6>(AnyPin, 0.7, 0.4), 1_000);
    let has_headroom = |report: &FrameReport| report.headroom.bits() > 0;
    assert!(!reports[..30].iter().any(has_headroom) && reports[30..].iter().any(has_headroom));
    let over =
        |reports: &[FrameReport]| reports.iter().filter(|report| report.over_budget() > 0).count();
    assert!(over(&reports[..30]) > 4 && over(&reports[200..]) <= 4, "{}", over(&reports[200..]));
}

#[test]
fn one_interrupted_frame_changes_no_level() {
    let calm = run(&mut app::<f32, _, 4, 6>(AnyPin, 1.0, 1.0), 40);
    let mut app = app::<f32, _, 4, 6>(AnyPin, 1.0, 1.0);
    let mut disturbed = run(&mut app, 20);
    app.clock.interrupt.set(1_000_000_000);
    disturbed.extend(run(&mut app, 20));
    assert!(disturbed[20].over_budget() > 900_000_000);
    let work = |report: &FrameReport| (report.cloth.levels, report.particles.levels);
    assert!(calm.iter().zip(&disturbed).all(|(a, b)| work(a) == work(b)));
}

#[test]
fn the_pin_says_whether_the_frame_ran_over_its_budget() {
    // Unit costs that are ten times too low break the budget, until they were corrected.
    let levels = [Level::High; 4].into_iter().chain([Level::Low; 2]);
    let transactions: Vec<_> = levels.map(Transaction::set).collect();
    let mut pin = Pin::new(&transactions);
    let mut app = app::<f32, _, 4, 6>(pin.clone(), 0.5, 0.1);
    let reports = run(&mut app, 4);
    assert!(reports.iter().all(|report| report.over_budget() > 0));
    app.budget = Budget::UNLIMITED;
    assert!(run(&mut app, 2).iter().all(|report| report.over_budget() == 0));
    pin.done();
}

#[test]
fn a_full_scene_returns_the_actor_in_the_error() {
    let mut app = app::<f32, _, 2, 1>(AnyPin, 1.0, 1.0);
    let time = WorkTime::default();
    let rejected = app.spawn_cloth(cloth(place(7.0, -3.0), &time)).unwrap_err();
    assert_eq!((rejected.problem, rejected.actor.state), (SpawnProblem::Full, place(7.0, -3.0)));
    assert_eq!(app.cloth.len(), 2);
    assert!(app.spawn_swarm(swarm(place(0.0, 0.0), &time)).is_err());

    let mut app = empty::<f32, _, 2, 0>(AnyPin, 1.0, 1.0);
    let mut bad = cloth(place(0.0, 0.0), &time);
    bad.radius = f32::NAN;
    let rejected = app.spawn_cloth(bad).unwrap_err();
    assert!(matches!(rejected.problem, SpawnProblem::Invalid(_)) && app.cloth.is_empty());
}

#[test]
fn handles_stay_with_their_actor() {
    let time = WorkTime::default();
    let mut app = empty::<f32, _, 3, 0>(AnyPin, 1.0, 1.0);
    let ids = [0.0, 1.0, 2.0].map(|x| app.spawn_cloth(cloth(place(x, 0.0), &time)).unwrap());
    assert!(app.despawn_cloth(ids[0]).is_some() && app.despawn_cloth(ids[0]).is_none());
    assert!(app.scene.set_state(ids[0], place(0.0, 0.0)).is_err());
    run(&mut app, 1);
    assert_eq!(app.level(ids[0]), None);
    // The last one took the row of the first, and is still itself.
    assert!(app.scene.set_state(ids[2], place(9.0, 0.0)).is_ok());
    let new = app.spawn_cloth(cloth(place(3.0, 0.0), &time)).unwrap();
    assert!(!ids.contains(&new) && app.cloth.len() == 3);
    assert_eq!(app.scene.position(ids[2]), Some([9.0, 0.0, 0.0]));
}

#[test]
fn a_budget_below_all_minimums_is_reported_as_overcommitted() {
    let mut app = app::<Fixed, _, 4, 6>(AnyPin, 0.02, 1.0);
    let report = run(&mut app, 1)[0];
    // Four cloths of nine vertices at 900 ns; swarms have a level that costs nothing.
    assert_eq!(report.decision.overcommit, 4 * 9 * 900 - 20_000);
    assert_eq!(report.planned(), 4 * 9 * 900);
    assert_eq!((report.cloth.levels[0], report.particles.levels[0]), (4, 6));
    assert!(report.over_budget() > 0 && report.load == Load::Tight);
}

#[test]
fn reports_cover_every_frame_and_actor() {
    let reports = run(&mut app::<f32, _, 4, 6>(AnyPin, 1.0, 1.0), 10);
    for (frame, report) in (0..).zip(&reports) {
        assert_eq!(report.frame, frame);
        assert!(report.planned() <= 1_000_000 && report.decision.overcommit == 0);
        assert_eq!(report.cloth.levels.iter().sum::<u16>(), 4);
        assert_eq!(report.particles.levels.iter().sum::<u16>(), 6);
    }
}

#[test]
fn the_scene_is_drawn_and_faults_do_not_stop_a_frame() {
    let mut app = app::<Fixed, _, 2, 2>(AnyPin, 5.0, 1.0);
    let mut display = FrameBuffer::<128, 8>::new();
    for _ in 0..40 {
        assert!(app.frame(&mut display, |_| {}).is_ok());
    }
    assert!((300..3_000).contains(&display.lit()), "{display}");
    let mut unplugged = fixture::app::<Fixed, _, 2, 2>(NoPin, 5.0, 1.0);
    let mut reports = 0;
    for _ in 0..2 {
        let outcome = unplugged.frame(&mut display, |_| reports += 1);
        assert_eq!(outcome, Err(FrameError::Pin(embedded_hal::digital::ErrorKind::Other)));
    }
    assert_eq!(reports, 2);
}

#[test]
fn forced_and_unmanaged_actors_are_counted_and_their_cost_is_reported() {
    let mut app = empty::<f32, _, 1, 1>(AnyPin, 5.0, 1.0);
    let time = app.clock.clone();
    let id = app.spawn_cloth(cloth(place(0.0, -1.0), &time)).unwrap();
    app.spawn_swarm(swarm(place(1.0, -1.0), &time)).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!((report.fixed, report.cloth.forced, report.particles.forced), (0, 0, 0));
    app.scene.force_lod(id, Some(Lod::ZERO)).unwrap();
    app.scene.set_managed(PARTICLES, false).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!((report.cloth.forced, report.particles.forced), (1, 1));
    assert_eq!((report.cloth.levels[0], report.particles.levels[4]), (1, 1));
    assert_eq!(report.fixed, report.planned());
}
