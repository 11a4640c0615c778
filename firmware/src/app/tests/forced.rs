//! Levels that the application chooses: paid first, whatever the budget says.

use lodger_core::budget::Lod;

use super::fixture::*;
use super::*;

type TwoAndTwo = TestApp<f32, AnyPin, 2, 2>;

/// Two cloths and two swarms, and the handles of the cloths.
fn scene(budget_ms: f64) -> (TwoAndTwo, [ActorId; 2]) {
    let mut app: TwoAndTwo = empty(AnyPin, budget_ms, 1.0);
    let time = app.parts().clock.clone();
    let ids = [0.0, 1.0].map(|x| app.spawn_cloth(cloth(place(x, -1.0), &time)).unwrap());
    for x in [-1.0, 2.0] {
        app.spawn_swarm(swarm(place(x, -1.0), &time)).unwrap();
    }
    (app, ids)
}

fn frame(app: &mut TwoAndTwo) -> FrameReport {
    run(app, 1)[0]
}

/// What a cloth costs at a level in the first frame, in nanoseconds.
fn cloth_cost(level: u8) -> u64 {
    u64::from(<Timed<crate::cloth::Cloth<f32, 9>> as Body<f32>>::units(level).unwrap())
        * u64::from(VERTEX)
}

#[test]
fn a_forced_level_is_kept_and_paid_before_everybody_else() {
    let (mut app, [first, second]) = scene(0.2);
    let free = frame(&mut app);
    assert_eq!((free.fixed, free.cloth.forced), (0, 0));
    assert!(app.level(first).unwrap() < 4);

    // What the budget leaves over is less than the others want.
    let budget = cloth_cost(4) + 100_000;
    let (mut app, [first, second_again]) = scene(0.2);
    app.parts().budget = Budget::from_ns(budget);
    assert_eq!(second, second_again);
    app.force(first, Some(Lod::new(4, 0)));
    let report = frame(&mut app);
    assert_eq!(app.level(first), Some(4));
    assert_eq!((report.fixed, report.cloth.forced), (cloth_cost(4), 1));
    assert_eq!(report.decision.available, 100_000);
    assert!(report.decision.scale.to_f64() < 1.0);
    let others = report.planned() - report.fixed;
    assert!((50_000..=100_000).contains(&others), "{report:?}");
}

#[test]
fn forced_levels_may_break_the_budget_and_that_is_overcommitted() {
    let (mut app, ids) = scene(0.01);
    for id in ids {
        app.force(id, Some(Lod::new(4, 0)));
    }
    let report = frame(&mut app);
    assert_eq!(report.fixed, 2 * cloth_cost(4));
    assert_eq!(report.decision.overcommit, 2 * cloth_cost(4) - 10_000);
    assert_eq!((report.cloth.levels[4], report.particles.levels[0]), (2, 2));
}

#[test]
fn a_request_is_rounded_and_clamped_and_can_be_taken_back() {
    let (mut app, [first, second]) = scene(5.0);
    app.force(first, Some(Lod::new(1, 1 << 15)));
    app.force(second, Some(Lod::new(200, 0)));
    let report = frame(&mut app);
    assert_eq!([first, second].map(|id| app.level(id)), [Some(2), Some(4)]);
    assert_eq!((report.cloth.levels[2], report.cloth.levels[4]), (1, 1));
    app.force(first, None);
    app.force(second, None);
    let report = frame(&mut app);
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
    // From one choice to another, back, and out, in the order that moves the most rows; the levels
    // of the last frame stay.
    app.force(ids[0], None);
    app.force(ids[3], Some(Lod::new(3, 0)));
    assert!(app.despawn_cloth(ids[2]).is_some());
    assert_eq!(levels(&mut app), [Some(1), Some(2), None, Some(4)]);
    run(&mut app, 1);
    assert_eq!(levels(&mut app), [Some(4), Some(2), None, Some(3)]);
    // One who comes while others are forced is the ledger's.
    let new = app.spawn_cloth(cloth(place(0.5, -1.0), &time)).unwrap();
    let report = run(&mut app, 1)[0];
    assert_eq!((app.level(new), report.cloth.forced), (Some(4), 2));
    assert_eq!(levels(&mut app), [Some(4), Some(2), None, Some(3)]);
}

#[test]
fn a_disabled_module_works_at_its_highest_levels_and_others_pay_for_it() {
    let (mut app, [first, _]) = scene(0.12);
    let before = frame(&mut app);
    assert!(before.particles.levels[4] < 2);

    let (mut app, _) = scene(0.12);
    app.parts().scene.set_managed(PARTICLES, false).unwrap();
    let report = frame(&mut app);
    assert_eq!((report.particles.levels[4], report.particles.forced), (2, 2));
    assert_eq!((report.fixed, report.cloth.forced), (report.particles.planned, 0));
    assert!(report.cloth.planned <= before.cloth.planned);
    // Who is forced in it keeps the level that was asked for.
    app.parts().scene.set_managed(CLOTH, false).unwrap();
    app.force(first, Some(Lod::ZERO));
    let report = frame(&mut app);
    assert_eq!((report.cloth.levels[0], report.cloth.levels[4]), (1, 1));
    app.parts().scene.set_managed(CLOTH, true).unwrap();
    app.parts().scene.set_managed(PARTICLES, true).unwrap();
    assert_eq!(frame(&mut app).particles.forced, 0);
}
