mod fixture;

use std::vec::Vec;

use embedded_hal_mock::eh1::digital::{Mock as Pin, State as Level, Transaction};
use lodger_core::Fixed;
use lodger_core::benefit::ActorState;
use lodger_core::budget::{Load, Lod};
use lodger_core::units::UnitCost;

use self::fixture::*;
use super::*;
use crate::display::FrameBuffer;

fn halve<N: Real>(wrong: f64) -> [Vec<FrameReport>; 2] {
    let mut app = app::<N, _, 4, 6>(AnyPin, 1.2, wrong);
    let before = run(&mut app, 60);
    app.parts().budget = Budget::from_ms(0.6).unwrap();
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

#[test]
fn one_interrupted_frame_changes_no_level() {
    let calm = run(&mut app::<f32, _, 4, 6>(AnyPin, 1.0, 1.0), 40);
    let mut app = app::<f32, _, 4, 6>(AnyPin, 1.0, 1.0);
    let mut disturbed = run(&mut app, 20);
    app.parts().clock.interrupt.set(1_000_000_000);
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
    app.parts().budget = Budget::UNLIMITED;
    assert!(run(&mut app, 2).iter().all(|report| report.over_budget() == 0));
    pin.done();
}

#[test]
fn a_full_scene_returns_the_actor_in_the_error() {
    let mut app = app::<f32, _, 2, 1>(AnyPin, 1.0, 1.0);
    let time = WorkTime::default();
    let rejected = app.spawn_cloth(cloth(place(7.0, -3.0), &time)).unwrap_err();
    assert_eq!((rejected.problem, rejected.actor.state), (SpawnProblem::Full, place(7.0, -3.0)));
    assert_eq!(app.parts().cloth.len(), 2);
    assert!(app.spawn_swarm(swarm(place(0.0, 0.0), &time)).is_err());

    let mut app = empty::<f32, _, 2, 0>(AnyPin, 1.0, 1.0);
    let mut bad = cloth(place(0.0, 0.0), &time);
    bad.radius = f32::NAN;
    let rejected = app.spawn_cloth(bad).unwrap_err();
    assert!(matches!(rejected.problem, SpawnProblem::Invalid(_)) && app.parts().cloth.is_empty());
}

#[test]
fn handles_stay_with_their_actor() {
    let time = WorkTime::default();
    let mut app = empty::<f32, _, 3, 0>(AnyPin, 1.0, 1.0);
    let ids = [0.0, 1.0, 2.0].map(|x| app.spawn_cloth(cloth(place(x, 0.0), &time)).unwrap());
    assert!(app.despawn_cloth(ids[0]).is_some() && app.despawn_cloth(ids[0]).is_none());
    assert!(app.parts().scene.set_state(ids[0], place(0.0, 0.0)).is_err());
    run(&mut app, 1);
    assert_eq!(app.level(ids[0]), None);
    // The last one took the row of the first, and is still itself.
    assert!(app.parts().scene.set_state(ids[2], place(9.0, 0.0)).is_ok());
    let new = app.spawn_cloth(cloth(place(3.0, 0.0), &time)).unwrap();
    assert!(!ids.contains(&new) && app.parts().cloth.len() == 3);
    assert_eq!(app.parts().scene.position(ids[2]), Some([9.0, 0.0, 0.0]));
}

#[test]
fn a_quarantined_actor_is_counted_and_affects_no_other() {
    let mut app = empty::<f32, _, 3, 2>(AnyPin, 5.0, 1.0);
    let time = app.parts().clock.clone();
    let [near, next, far] =
        [0.0, 1.0, 2.0].map(|x| app.spawn_cloth(cloth(place(x, 0.0), &time)).unwrap());
    let levels =
        |app: &mut TestApp<f32, AnyPin, 3, 2>| [near, next, far].map(|id| app.level(id).unwrap());
    assert_eq!(run(&mut app, 1)[0].quarantined(), 0);
    assert_eq!(levels(&mut app), [4, 4, 4]);
    app.parts().scene.set_state(next, ActorState { age: f32::NAN, ..place(0.0, -1.0) }).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!((report.quarantined(), report.cloth.quarantined), (1, 1));
    assert_eq!(levels(&mut app), [4, 0, 4]);
    app.parts().scene.set_state(next, place(0.0, -1.0)).unwrap();
    assert_eq!(run(&mut app, 1)[0].quarantined(), 0);
    assert_eq!(levels(&mut app), [4, 4, 4]);
}

#[test]
fn a_budget_below_all_minimums_is_reported_as_overcommitted() {
    let mut app = app::<Fixed, _, 4, 6>(AnyPin, 0.02, 1.0);
    let report = run(&mut app, 1)[0];
    // Four cloths of nine vertices at 900 ns; swarms have a level that costs nothing.
    assert_eq!(report.decision.overcommit, 4 * 9 * 900 - 20_000);
    assert_eq!(report.planned(), 4 * 9 * 900);
    assert_eq!((report.cloth.levels[0], report.particles.levels[0]), (4, 6));
    assert!(report.over_budget() > 0);
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
        assert!(app.frame(&mut display, &mut ()).is_ok());
    }
    assert!((300..3_000).contains(&display.lit()), "{display}");
    let mut unplugged = fixture::app::<Fixed, _, 2, 2>(NoPin, 5.0, 1.0);
    let mut reports = 0;
    let mut count = |_: &FrameReport| reports += 1;
    for _ in 0..2 {
        let outcome = unplugged.frame(&mut display, &mut count);
        assert_eq!(outcome, Err(FrameError::Pin(embedded_hal::digital::ErrorKind::Other)));
    }
    assert_eq!(reports, 2);
}

fn bits(cost: UnitCost) -> u64 {
    cost.bits()
}

#[test]
fn the_applied_cost_is_steady_and_at_most_a_sixteenth_above_the_raw_one() {
    let reports = run(&mut app::<f32, _, 4, 6>(AnyPin, 5.0, 2.5), 240);
    for report in &reports {
        for module in [report.cloth, report.particles] {
            let (raw, applied) = (bits(module.raw_unit_cost), bits(module.unit_cost));
            assert!(applied >= raw && applied <= raw + raw / 16, "{module:?}");
        }
    }
    let late = &reports[200..];
    assert!(late.iter().all(|report| report.cloth.unit_cost == late[0].cloth.unit_cost));
}

/// An overhead is reserved first, and the time of the module is only its work.
#[test]
fn an_overhead_is_paid_and_counted() {
    let mut app = app::<f32, _, 4, 6>(AnyPin, 5.0, 1.0);
    app.parts().scene.set_overhead(CLOTH, 100).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!(report.fixed, u64::from(100 * VERTEX));
    assert_eq!(report.cloth.planned, report.fixed + u64::from(report.cloth.units * VERTEX));
    // The overhead takes no time, so that the work looks cheaper by as much.
    let last = *run(&mut app, 100).last().unwrap();
    let units = f64::from(last.cloth.units);
    let expected = f64::from(VERTEX) * units / (units + 100.0);
    assert!((last.cloth.raw_unit_cost.ns() / expected - 1.0).abs() < 0.05, "{last:?}");

    let mut empty = empty::<f32, _, 1, 1>(AnyPin, 5.0, 1.0);
    empty.parts().scene.set_overhead(CLOTH, 100).unwrap();
    assert_eq!(run(&mut empty, 1)[0].planned(), 0);
}

/// A frame that is shorter than a tick of the clock is measured with the next one.
#[test]
fn a_coarse_clock_measures_on_average() {
    let mut app = app::<f32, _, 2, 0>(AnyPin, 5.0, 1.0);
    app.parts().clock.coarse.set(1_500_000);
    let reports = run(&mut app, 300);
    assert!(reports.iter().filter(|report| report.cloth.measured == 0).count() > 100);
    // The clock shows 1.5 ms at the end of every second or third frame of 0.73 ms.
    let cost = reports.last().unwrap().cloth.raw_unit_cost.ns() / f64::from(VERTEX);
    assert!((0.6..1.1).contains(&cost), "{cost}");
}

/// Without measurements there is no headroom; with measurements, few frames run over.
#[test]
fn headroom_keeps_measured_work_within_the_budget() {
    let mut app = app::<f32, _, 4, 6>(AnyPin, 0.7, 0.4);
    let reports = run(&mut app, 1_000);
    assert!(reports[..30].iter().all(|report| report.headroom.bits() == 0));
    let over =
        |reports: &[FrameReport]| reports.iter().filter(|report| report.over_budget() > 0).count();
    assert!(over(&reports[..30]) > 4 && over(&reports[200..]) <= 4, "{}", over(&reports[200..]));
    app.parts().budget = Budget::UNLIMITED;
    assert_eq!(run(&mut app, 1)[0].decision.available, u64::MAX);
}

#[test]
fn a_budget_below_all_minimums_is_infeasible_until_thirty_frames_after_it() {
    let mut app = app::<Fixed, _, 4, 6>(AnyPin, 0.02, 1.0);
    let loads = |reports: Vec<FrameReport>| reports.iter().map(|report| report.load).collect();
    let few: Vec<Load> = loads(run(&mut app, 3));
    assert_eq!(few, [Load::Tight, Load::Tight, Load::Infeasible]);
    app.parts().budget = Budget::from_ms(1.0).unwrap();
    let many: Vec<Load> = loads(run(&mut app, 30));
    assert_eq!((many[28], many[29]), (Load::Infeasible, Load::Normal));
}

type TwoAndTwo = TestApp<f32, AnyPin, 2, 2>;

/// An app with two cloths and two swarms, and the handles of the cloths.
fn two_and_two(budget_ms: f64) -> (TwoAndTwo, [ActorId; 2]) {
    let mut app: TwoAndTwo = empty(AnyPin, budget_ms, 1.0);
    let time = app.parts().clock.clone();
    let ids = [0.0, 1.0].map(|x| app.spawn_cloth(cloth(place(x, -1.0), &time)).unwrap());
    for x in [-1.0, 2.0] {
        app.spawn_swarm(swarm(place(x, -1.0), &time)).unwrap();
    }
    (app, ids)
}

fn next(app: &mut TwoAndTwo) -> FrameReport {
    run(app, 1)[0]
}

/// The cost of a cloth at a level in the first frame, in nanoseconds.
fn cloth_cost(level: u8) -> u64 {
    u64::from(<Timed<crate::cloth::Cloth<f32, 9>> as Body<f32>>::units(level).unwrap())
        * u64::from(VERTEX)
}

#[test]
fn a_forced_level_is_kept_and_reserved_first() {
    let (mut app, [first, second]) = two_and_two(0.2);
    let free = next(&mut app);
    assert_eq!((free.fixed, free.cloth.forced), (0, 0));
    assert!(app.level(first).unwrap() < 4);

    // The rest of the budget is less than the targets of the others.
    let budget = cloth_cost(4) + 100_000;
    let (mut app, [first, second_again]) = two_and_two(0.2);
    app.parts().budget = Budget::from_ns(budget);
    assert_eq!(second, second_again);
    app.force(first, Some(Lod::new(4, 0)));
    let report = next(&mut app);
    assert_eq!(app.level(first), Some(4));
    assert_eq!((report.fixed, report.cloth.forced), (cloth_cost(4), 1));
    assert_eq!(report.decision.available, 100_000);
    assert!(report.decision.scale.to_f64() < 1.0);
    let others = report.planned() - report.fixed;
    assert!((50_000..=100_000).contains(&others), "{report:?}");
}

#[test]
fn forced_levels_above_the_budget_are_overcommitted() {
    let (mut app, ids) = two_and_two(0.01);
    for id in ids {
        app.force(id, Some(Lod::new(4, 0)));
    }
    let report = next(&mut app);
    assert_eq!(report.fixed, 2 * cloth_cost(4));
    assert_eq!(report.decision.overcommit, 2 * cloth_cost(4) - 10_000);
    assert_eq!((report.cloth.levels[4], report.particles.levels[0]), (2, 2));
}

#[test]
fn a_forced_level_is_rounded_clamped_and_released() {
    let (mut app, [first, second]) = two_and_two(5.0);
    app.force(first, Some(Lod::new(1, 1 << 15)));
    app.force(second, Some(Lod::new(200, 0)));
    let report = next(&mut app);
    assert_eq!([first, second].map(|id| app.level(id)), [Some(2), Some(4)]);
    assert_eq!((report.cloth.levels[2], report.cloth.levels[4]), (1, 1));
    app.force(first, None);
    app.force(second, None);
    let report = next(&mut app);
    assert_eq!((report.fixed, report.cloth.forced, report.cloth.levels[4]), (0, 0, 2));
    app.despawn_cloth(first);
    assert!(app.parts().scene.force_lod(first, None).is_err());
    assert!(app.parts().scene.force_lod(first, Some(Lod::ZERO)).is_err());
}

#[test]
fn handles_and_levels_stay_with_actors_whose_rows_move() {
    let time = WorkTime::default();
    let mut app = empty::<f32, _, 4, 1>(AnyPin, 5.0, 1.0);
    let ids =
        [-0.6, -0.2, 0.2, 0.6].map(|x| app.spawn_cloth(cloth(place(x, -1.0), &time)).unwrap());
    let levels = |app: &mut TestApp<f32, AnyPin, 4, 1>| ids.map(|id| app.level(id));
    for (id, level) in ids.into_iter().zip([1, 2]) {
        app.force(id, Some(Lod::new(level, 0)));
    }
    run(&mut app, 1);
    assert_eq!(levels(&mut app), [Some(1), Some(2), Some(4), Some(4)]);
    // Forced, released and despawned in an order that moves many rows; the levels of the last frame stay.
    app.force(ids[0], None);
    app.force(ids[3], Some(Lod::new(3, 0)));
    assert!(app.despawn_cloth(ids[2]).is_some());
    assert_eq!(levels(&mut app), [Some(1), Some(2), None, Some(4)]);
    run(&mut app, 1);
    assert_eq!(levels(&mut app), [Some(4), Some(2), None, Some(3)]);
    // An actor that is spawned while others are forced is automatic.
    let new = app.spawn_cloth(cloth(place(0.5, -1.0), &time)).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!((app.level(new), report.cloth.forced), (Some(4), 2));
    assert_eq!(levels(&mut app), [Some(4), Some(2), None, Some(3)]);
}

#[test]
fn a_disabled_module_works_at_its_highest_levels_and_others_pay_for_it() {
    let (mut app, [first, _]) = two_and_two(0.12);
    let before = next(&mut app);
    assert!(before.particles.levels[4] < 2);

    let (mut app, _) = two_and_two(0.12);
    app.parts().scene.set_managed(PARTICLES, false).unwrap();
    let report = next(&mut app);
    assert_eq!((report.particles.levels[4], report.particles.forced), (2, 2));
    assert_eq!((report.fixed, report.cloth.forced), (report.particles.planned, 0));
    assert!(report.cloth.planned <= before.cloth.planned);
    // A forced actor keeps its level.
    app.parts().scene.set_managed(CLOTH, false).unwrap();
    app.force(first, Some(Lod::ZERO));
    let report = next(&mut app);
    assert_eq!((report.cloth.levels[0], report.cloth.levels[4]), (1, 1));
    app.parts().scene.set_managed(CLOTH, true).unwrap();
    app.parts().scene.set_managed(PARTICLES, true).unwrap();
    assert_eq!(next(&mut app).particles.forced, 0);
}
