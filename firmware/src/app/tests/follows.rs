//! What measured times change: unit costs, the headroom; and the load that does not go away.

use lodger_core::budget::Load;
use lodger_core::units::UnitCost;

use super::fixture::*;
use super::*;

fn bits(cost: UnitCost) -> u64 {
    cost.bits()
}

#[test]
fn the_applied_cost_is_at_most_a_sixteenth_above_the_raw_one_and_stands_still() {
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

/// An overhead is paid first, and the module is as expensive as its work alone.
#[test]
fn an_overhead_is_paid_and_counted() {
    let mut app = app::<f32, _, 4, 6>(AnyPin, 5.0, 1.0);
    app.parts().scene.set_overhead(CLOTH, 100).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!(report.fixed, u64::from(100 * VERTEX));
    assert_eq!(report.cloth.planned, report.fixed + u64::from(report.cloth.units * VERTEX));
    // The work takes nothing for it in truth, so that it looks cheaper by as much.
    let last = *run(&mut app, 100).last().unwrap();
    let units = f64::from(last.cloth.units);
    let expected = f64::from(VERTEX) * units / (units + 100.0);
    assert!((last.cloth.raw_unit_cost.ns() / expected - 1.0).abs() < 0.05, "{last:?}");

    let mut empty = empty::<f32, _, 1, 1>(AnyPin, 5.0, 1.0);
    empty.parts().scene.set_overhead(CLOTH, 100).unwrap();
    assert_eq!(run(&mut empty, 1)[0].planned(), 0);
}

/// Where the clock is too coarse for a frame, the frame counts with the next one.
#[test]
fn a_coarse_clock_measures_on_average() {
    let mut app = app::<f32, _, 2, 0>(AnyPin, 5.0, 1.0);
    app.parts().clock.coarse.set(1_500_000);
    let reports = run(&mut app, 300);
    assert!(reports.iter().filter(|report| report.cloth.measured == 0).count() > 100);
    // 1.5 ms are seen at the end of every second or third frame of 0.73 ms.
    let cost = reports.last().unwrap().cloth.raw_unit_cost.ns() / f64::from(VERTEX);
    assert!((0.6..1.1).contains(&cost), "{cost}");
}

/// As long as costs are assumptions nothing is kept free; then one frame in a thousand is over.
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
fn a_budget_below_all_minimums_becomes_infeasible_and_is_left_after_a_while() {
    let mut app = app::<Fixed, _, 4, 6>(AnyPin, 0.02, 1.0);
    let loads = |reports: Vec<FrameReport>| reports.iter().map(|report| report.load).collect();
    let few: Vec<Load> = loads(run(&mut app, 3));
    assert_eq!(few, [Load::Tight, Load::Tight, Load::Infeasible]);
    app.parts().budget = Budget::from_ms(1.0).unwrap();
    let many: Vec<Load> = loads(run(&mut app, 30));
    assert_eq!((many[28], many[29]), (Load::Infeasible, Load::Normal));
}
