//! Measured times: unit costs, overheads, headroom and load follow them. `simulation` has wrong unit costs, noise and spikes.

use std::time::Duration;

use lodger_core::calibration::{Calibration, SETTLING};
use lodger_core::error::{Quantity, ValueProblem};
use lodger_scheduler::{
    Actor, Benefit, BenefitValue, Budget, HeadroomTarget, Load, Module, ModuleId, Scene,
};
use lodger_testkit::script::{ScenePlayer, any_steps};
use proptest::prelude::*;

use crate::scheduler_settings::ns;

/// A scene with a module of 100 ns per unit and an actor of 0 or 1 000 units.
fn scene(budget: Budget) -> (Scene, ModuleId) {
    let mut scene = Scene::<f32>::new(budget);
    let id = add(&mut scene, 0);
    (scene, id)
}

fn add(scene: &mut Scene, overhead: u32) -> ModuleId {
    let module = Module::new("", ns(100.0)).benefit_value(BenefitValue::from_ms(1.0).unwrap());
    let id = scene.add_module(module.overhead(overhead)).unwrap();
    scene.spawn(id, Actor::from_benefit(Benefit::MAX, &[0, 1_000])).unwrap();
    id
}

fn micros(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

#[test]
fn a_unit_cost_follows_measured_times() {
    let (mut scene, module) = scene(Budget::UNLIMITED);
    scene.tick();
    let mut expected = Calibration::new(ns(100.0));
    for _ in 0..10 {
        scene.observe_time(module, 0, Duration::from_secs(1)).unwrap();
        scene.observe_time(module, 500, Duration::ZERO).unwrap();
        scene.observe_time(module, 500, micros(200)).unwrap();
        expected.observe(1_000, 200_000);
        assert_eq!(scene.raw_unit_cost(module), Some(expected.raw_unit_cost()));
        assert_eq!(scene.unit_cost(module), Some(expected.unit_cost()));
    }
    let planned = |scene: &Scene| {
        let plan = scene.plan();
        plan.module(module).map(|plan| (plan.unit_cost, plan.raw_unit_cost, plan.assigned_ns))
    };
    assert_eq!(planned(&scene), Some((ns(100.0), ns(100.0), 100_000)), "the plan stays");
    scene.tick();
    let applied = expected.unit_cost();
    let assigned = u64::from(applied.of(1_000).unwrap());
    assert_eq!(planned(&scene), Some((applied, expected.raw_unit_cost(), assigned)));
    // A new unit cost restarts the calibration.
    scene.set_unit_cost(module, ns(7.0)).unwrap();
    let costs = (scene.unit_cost(module), scene.raw_unit_cost(module));
    assert_eq!(costs, (Some(ns(7.0)), Some(ns(7.0))));
}

#[test]
fn an_overhead_is_part_of_the_measured_time() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let (declared, not) = (add(&mut scene, 500), add(&mut scene, 0));
    for units in [1_000, 1, 30, 0, 700, 2_000].into_iter().cycle().take(60) {
        for module in [declared, not] {
            scene.observe_time(module, units, micros((units + 500) / 5)).unwrap();
        }
    }
    let cost = |module| scene.raw_unit_cost(module).unwrap().ns();
    assert!((cost(declared) / 200.0 - 1.0).abs() < 0.01, "{}", cost(declared));
    assert!(cost(not) > 250.0, "{}", cost(not));
}

#[test]
fn an_overhead_counts_for_managed_modules_with_actors() {
    let mut scene = Scene::<f32>::new(Budget::from_ns(120_000));
    let module = add(&mut scene, 150);
    let reserved = |scene: &mut Scene| {
        let plan = scene.tick();
        (plan.reserved_ns(), plan.assigned_ns(), plan.module(module).map(|m| m.assigned_ns))
    };
    // 15 000 ns leave enough for the actor, 30 000 do not.
    assert_eq!(reserved(&mut scene), (15_000, 115_000, Some(115_000)));
    scene.set_overhead(module, 300).unwrap();
    assert_eq!(reserved(&mut scene), (30_000, 30_000, Some(30_000)));
    scene.set_managed(module, false).unwrap();
    assert_eq!(reserved(&mut scene), (130_000, 130_000, Some(130_000)));
    assert_eq!(scene.plan().overcommit_ns(), 10_000);
    scene.set_unmanaged_in_budget(false);
    assert_eq!(reserved(&mut scene), (0, 0, Some(130_000)));
    scene.set_managed(module, true).unwrap();
    let actor = scene.actors().next().unwrap();
    scene.despawn(actor).unwrap();
    assert_eq!(reserved(&mut scene), (0, 0, Some(0)));
}

#[test]
fn an_overhead_of_too_large_a_cost_is_rejected() {
    let (mut scene, module) = scene(Budget::UNLIMITED);
    let too_large = Some((Quantity::Overhead, ValueProblem::TooLarge));
    let reason = |error: lodger_scheduler::SceneError| {
        error.value_error().map(|error| (error.quantity(), error.problem()))
    };
    assert_eq!(scene.set_overhead(module, 42_949_673).map_err(reason), Err(too_large));
    assert_eq!(scene.overhead(module), Some(0));
    scene.set_overhead(module, 42_949_672).unwrap();
    assert!(scene.set_unit_cost(module, ns(101.0)).is_err());
    let expensive = Module::new("", ns(1e9)).benefit_value(BenefitValue::from_ns(1)).overhead(5);
    assert_eq!(scene.add_module(expensive).map_err(reason), Err(too_large));
    // Calibration stops at a unit cost for which the overhead still has a cost.
    for _ in 0..100 {
        scene.observe_time(module, 1, Duration::from_mins(10)).unwrap();
    }
    assert!(scene.raw_unit_cost(module) > scene.unit_cost(module));
    let overhead = scene.unit_cost(module).and_then(|cost| cost.of(42_949_672));
    assert!(overhead.is_some_and(|cost| cost > u32::MAX - 42_949_672));
}

fn settled(budget: Budget) -> (Scene, ModuleId, ModuleId) {
    let (mut scene, first) = scene(budget);
    let second = add(&mut scene, 0);
    for _ in 0..SETTLING {
        scene.tick();
        for module in [first, second] {
            scene.observe_time(module, 1_000, micros(100)).unwrap();
        }
    }
    assert_eq!(scene.tick().headroom().bits(), 0);
    (scene, first, second)
}

fn headroom_after(scene: &mut Scene, reports: &[(ModuleId, u64)]) -> f64 {
    for &(module, time) in reports {
        scene.observe_time(module, 1_000, micros(time)).unwrap();
    }
    (scene.tick().headroom().to_f64() * 1_000.0).round() / 1_000.0
}

#[test]
fn headroom_follows_the_sum_of_measured_times() {
    // The plan assigns 100 µs to each.
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 105)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 106)]), 0.02);
    assert_eq!(headroom_after(&mut scene, &[]), 0.02, "no measurement");
    assert_eq!(headroom_after(&mut scene, &[(a, 111)]), 0.04, "the other as planned");
    assert_eq!(headroom_after(&mut scene, &[(a, 60), (a, 51)]), 0.06, "in two parts");
    assert_eq!(headroom_after(&mut scene, &[(a, 216), (b, 100)]), 0.06, "a spike");
    for _ in 0..998 {
        scene.observe_time(a, 1_000, micros(100)).unwrap();
        scene.tick();
    }
    assert_eq!(headroom_after(&mut scene, &[(a, 109)]), 0.04);
    // An unlimited budget has no headroom.
    scene.set_budget(Budget::UNLIMITED);
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    scene.set_budget(Budget::from_ns(210_000));
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.06, "it exceeded its budget");
}

#[test]
fn headroom_uses_calibrated_modules_in_the_budget() {
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    // A module outside of the budget does not count.
    scene.set_managed(b, false).unwrap();
    scene.set_unmanaged_in_budget(false);
    scene.tick();
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 110)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(b, 250)]), 0.0);
    scene.set_managed(b, true).unwrap();
    scene.tick();
    // A unit cost that was set does not count until it is calibrated.
    scene.set_unit_cost(a, ns(100.0)).unwrap();
    for _ in 1..SETTLING {
        assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    }
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.02);
}

#[test]
fn calls_end_frames_in_place_of_ticks_after_the_first_call() {
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    let report = |scene: &mut Scene, module, time| {
        scene.observe_time(module, 1_000, micros(time)).unwrap();
    };
    // Two frames, each over the budget, with one plan.
    for _ in 0..2 {
        report(&mut scene, a, 105);
        report(&mut scene, b, 106);
        scene.frame_done();
    }
    scene.frame_done(); // no measurement
    assert_eq!(headroom_after(&mut scene, &[]), 0.04);
    // A tick in the middle of a frame.
    report(&mut scene, a, 55);
    scene.tick();
    report(&mut scene, a, 56);
    scene.frame_done();
    assert_eq!(headroom_after(&mut scene, &[]), 0.06, "in two parts, the other as planned");
    // A tick does not end a frame: both reports are of one.
    assert_eq!(headroom_after(&mut scene, &[(a, 111)]), 0.06);
    assert_eq!(headroom_after(&mut scene, &[(b, 100)]), 0.06);
    scene.frame_done();
    assert_eq!(headroom_after(&mut scene, &[]), 0.08);
}

#[test]
fn before_the_first_tick_a_frame_does_not_end() {
    let (mut scene, a) = scene(Budget::from_ns(210_000));
    scene.frame_done();
    for _ in 0..SETTLING {
        scene.tick();
        scene.observe_time(a, 1_000, micros(100)).unwrap();
    }
    // Ticks still end frames.
    scene.tick();
    assert_eq!(headroom_after(&mut scene, &[(a, 211)]), 0.02);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_call_before_each_tick_ends_frames_as_ticks_do(
        times in prop::collection::vec(prop::option::of(80_u64..400), 1..150),
    ) {
        let (mut by_ticks, a, b) = settled(Budget::from_ns(210_000));
        let mut by_calls = by_ticks.clone();
        for time in times {
            let mut headrooms = [false, true].map(|calls| {
                let scene = if calls { &mut by_calls } else { &mut by_ticks };
                if let Some(time) = time {
                    scene.observe_time(if time % 2 == 0 { a } else { b }, 1_000, micros(time)).unwrap();
                }
                if calls {
                    scene.frame_done();
                }
                scene.tick().headroom().bits()
            }).into_iter();
            prop_assert_eq!(headrooms.next(), headrooms.next());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn scaled_costs_give_the_plan_of_a_scene_that_had_them(
        calls in any_steps(60),
        (numerator, denominator) in (1_u32..1_000, 1_u32..1_000),
    ) {
        let mut scaled = ScenePlayer::<f32>::started(&calls).scene;
        // A cost that was set is not measured.
        scaled.set_cautious_start(false);
        let mut set = scaled.clone();
        let modules: Vec<_> = scaled.modules().collect();
        let before = modules.iter().map(|&module| scaled.unit_cost(module)).collect::<Vec<_>>();
        let costs = |scene: &Scene| modules.iter().map(|&id| scene.unit_cost(id)).collect::<Vec<_>>();
        let expected = before.iter().zip(&modules).map(|(cost, &module)| {
            set.set_unit_cost(module, (*cost)?.scaled(numerator, denominator)?).ok()
        });
        if expected.collect::<Vec<_>>().contains(&None) {
            prop_assert!(scaled.scale_costs(numerator, denominator).is_err());
            prop_assert_eq!(costs(&scaled), before);
            return Ok(());
        }
        // A raw unit cost above all that has a cost is an error, too.
        if scaled.scale_costs(numerator, denominator).is_ok() {
            prop_assert_eq!(costs(&scaled), costs(&set));
            set.set_own_cost(scaled.own_cost()).unwrap();
            let (plan, other) = (scaled.tick(), set.tick());
            prop_assert_eq!(plan.assigned_ns(), other.assigned_ns());
            prop_assert_eq!(plan.reserved_ns(), other.reserved_ns());
            for actor in plan.actors() {
                prop_assert_eq!(Some(actor.lod), other.lod(actor.actor));
            }
        }
    }
}

#[test]
fn scaled_costs_are_all_or_none() {
    let problem = |result: Result<(), lodger_scheduler::SceneError>| match result {
        Err(lodger_scheduler::SceneError::Invalid(error)) => {
            Some((error.quantity(), error.problem()))
        }
        _ => None,
    };
    let (mut scene, cheap) = scene(Budget::from_ns(210_000));
    let expensive = add(&mut scene, 42_949);
    scene.set_own_cost(micros(50)).unwrap();
    let zero = Some((Quantity::UnitCost, ValueProblem::NotPositive));
    assert_eq!([problem(scene.scale_costs(0, 1)), problem(scene.scale_costs(1, 0))], [zero; 2]);
    let large = Some((Quantity::Cost, ValueProblem::TooLarge));
    assert_eq!(problem(scene.scale_costs(1_001, 1)), large);
    assert_eq!(scene.unit_cost(cheap), Some(ns(100.0)));
    assert_eq!(scene.own_cost(), micros(50));
    scene.scale_costs(3, 2).unwrap();
    let costs = [cheap, expensive].map(|module| scene.unit_cost(module));
    assert_eq!((costs, scene.own_cost()), ([Some(ns(150.0)); 2], micros(75)));
    assert_eq!(problem(scene.set_own_cost(Duration::from_secs(5))), large);
    assert_eq!(scene.own_cost(), micros(75));
    // If the own cost is too large, no module changes.
    scene.set_own_cost(Duration::from_secs(4)).unwrap();
    assert_eq!(problem(scene.scale_costs(3, 2)), large);
    assert_eq!(scene.unit_cost(cheap), Some(ns(150.0)));
}

#[test]
fn a_change_of_costs_drops_the_times_of_its_frame() {
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    scene.observe_time(a, 1_000, micros(105)).unwrap();
    scene.observe_time(b, 1_000, micros(106)).unwrap();
    scene.scale_costs(1, 1).unwrap();
    assert_eq!(headroom_after(&mut scene, &[]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 106)]), 0.02);
}

#[test]
fn the_time_of_a_tick_is_reserved_and_follows_measurements() {
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    // 200 µs are planned; 11 µs more do not fit.
    scene.set_own_cost(micros(11)).unwrap();
    let plan = scene.tick();
    assert_eq!((plan.reserved_ns(), plan.assigned_ns() / 1_000), (11_000, 111));
    scene.set_own_cost(micros(5)).unwrap();
    assert_eq!(scene.tick().assigned_ns() / 1_000, 205);
    // It counts as planned, but not as measured work.
    assert_eq!(headroom_after(&mut scene, &[(a, 102), (b, 103)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 102), (b, 104)]), 0.02);
    let mut expected = Calibration::new(ns(5_000.0));
    for frame in 1..=SETTLING {
        scene.observe_own_time(micros(6));
        expected.observe(1, 6_000);
        // Until it is settled, the headroom stays.
        let headroom = headroom_after(&mut scene, &[(a, 102), (b, 103)]);
        assert_eq!(headroom, if frame < SETTLING { 0.02 } else { 0.04 });
        let planned = u64::from(expected.unit_cost().of(1).unwrap());
        assert_eq!(scene.plan().reserved_ns(), planned);
    }
    scene.set_own_cost(Duration::ZERO).unwrap();
    assert_eq!(scene.tick().reserved_ns(), 0);
    // Without a cost, the first time above zero is the cost.
    scene.observe_own_time(Duration::ZERO);
    assert_eq!(scene.own_cost(), Duration::ZERO);
    scene.observe_own_time(micros(9));
    assert_eq!(scene.own_cost(), micros(9));
}

#[test]
fn headroom_has_a_target_and_an_end() {
    let (mut scene, a, _) = settled(Budget::from_ns(210_000));
    assert_eq!(scene.headroom_target(), Some(HeadroomTarget::DEFAULT));
    let often = HeadroomTarget::new(0.5).unwrap();
    scene.set_headroom_target(Some(often));
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.02);
    assert_eq!(headroom_after(&mut scene, &[(a, 100)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.02);
    scene.set_headroom_target(None);
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    assert_eq!((scene.headroom_target(), scene.plan().headroom().bits()), (None, 0));
}

#[test]
fn a_calibrated_unit_cost_keeps_all_levels() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let module = Module::new("", ns(1.0)).benefit_value(BenefitValue::from_ns(u32::MAX));
    let module = scene.add_module(module).unwrap();
    let actor = Actor::from_benefit(Benefit::MAX, &[0, 3, 3_000_000]);
    let actor = scene.spawn(module, actor).unwrap();
    for _ in 0..200 {
        scene.observe_time(module, u64::MAX, Duration::MAX).unwrap();
        scene.observe_time(module, 1, Duration::from_secs(3)).unwrap();
    }
    let (raw, applied) = (scene.raw_unit_cost(module).unwrap(), scene.unit_cost(module).unwrap());
    assert!(applied < raw);
    assert!(applied.of(3_000_000).is_some_and(|cost| cost > u32::MAX - 3_000_000));
    assert!(scene.tick().actor(actor).is_some_and(|plan| plan.lod.level() == 2));
    scene.set_work(actor, &[0, 3]).unwrap();
    scene.observe_time(module, 0, Duration::ZERO).unwrap();
    assert!(scene.unit_cost(module) >= scene.raw_unit_cost(module));
}

#[test]
fn units_may_have_64_bits() {
    let (mut scene, module) = scene(Budget::UNLIMITED);
    for _ in 0..100 {
        scene.observe_time(module, 1 << 50, Duration::from_nanos(3 << 50)).unwrap();
    }
    let cost = scene.raw_unit_cost(module).unwrap().ns();
    assert!((cost - 3.0).abs() < 0.01, "{cost}");
}

/// A scene with a budget of 1 000 ns and an actor whose lowest level costs `min`.
fn minimum_scene(min: u32) -> Scene {
    let mut scene = Scene::<f32>::new(Budget::from_ns(1_000));
    let module = Module::new("", ns(1.0)).benefit_value(BenefitValue::from_ns(9_000)).overhead(100);
    let module = scene.add_module(module).unwrap();
    scene.spawn(module, Actor::from_benefit(Benefit::MAX, &[min, 5_000])).unwrap();
    scene
}

fn loads(scene: &mut Scene, ticks: usize) -> Vec<Load> {
    (0..ticks).map(|_| scene.tick().load()).collect()
}

#[test]
fn load_compares_overhead_and_minimums_with_the_whole_budget() {
    assert_eq!(loads(&mut minimum_scene(800), 4), [Load::Normal; 4]);
    assert_eq!(loads(&mut minimum_scene(801), 4), [Load::Tight; 4]);
    assert_eq!(loads(&mut minimum_scene(900), 4), [Load::Tight; 4]);
    assert_eq!(loads(&mut minimum_scene(901), 3), [Load::Tight, Load::Tight, Load::Infeasible]);
}

#[test]
fn a_game_gets_every_change_of_load_once_and_may_react() {
    let mut scene = minimum_scene(901);
    let module = scene.modules().next().unwrap();
    let mut changes = Vec::new();
    for tick in 0..100 {
        let plan = scene.tick_with(|scene, load| {
            changes.push((tick, load));
            if load == Load::Infeasible {
                scene.set_overhead(module, 0).unwrap();
                scene.set_budget(Budget::from_ns(1_001));
            }
        });
        let expected = match tick {
            0..=2 => (Budget::from_ns(1_000), 1),
            3..=60 => (Budget::from_ns(1_001), 0),
            _ => (Budget::UNLIMITED, 0),
        };
        assert_eq!((plan.budget(), plan.overcommit_ns()), expected);
        if tick == 60 {
            scene.set_budget(Budget::UNLIMITED);
        }
    }
    let expected = [(0, Load::Tight), (2, Load::Infeasible), (32, Load::Tight), (90, Load::Normal)];
    assert_eq!(changes, expected);
}
