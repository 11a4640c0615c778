//! Measured times: unit costs, overheads and headroom follow them.

use std::time::Duration;

use lodger_core::calibration::{Calibration, SETTLING};
use lodger_core::error::{Problem, Quantity};
use lodger_scheduler::{
    Actor, Benefit, BenefitValue, Budget, HeadroomTarget, Lod, Module, ModuleId, Quality, Scene,
    UnitCost,
};
use lodger_testkit::script::{ScenePlayer, any_steps};
use proptest::prelude::*;

fn ns(nanoseconds: f64) -> UnitCost {
    UnitCost::from_ns(nanoseconds).unwrap()
}

/// A scene with a module of 100 ns a unit and an actor who takes all of 1 000 units or none.
fn scene(budget: Budget) -> (Scene, ModuleId) {
    let mut scene = Scene::<f32>::new(budget);
    let id = add(&mut scene, 0);
    (scene, id)
}

fn add(scene: &mut Scene, overhead: u32) -> ModuleId {
    let module = Module::new("", ns(100.0), BenefitValue::from_ms(1.0).unwrap());
    let id = scene.add_module(module.overhead(overhead)).unwrap();
    scene.spawn(id, Actor::given(Benefit::MAX, &[0, 1_000])).unwrap();
    id
}

fn micros(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// An overhead is paid as somebody would be who is forced to work that much.
    #[test]
    fn an_overhead_is_work_that_nobody_chooses(calls in any_steps(60)) {
        let mut game = ScenePlayer::<f32>::started(&calls);
        let mut forced = game.scene.clone();
        for &module in &game.modules {
            let units = game.scene.overhead(module).unwrap();
            forced.set_overhead(module, 0).unwrap();
            if game.scene.module_len(module) > Some(0) {
                let work = [units];
                let worker = Actor::given(Benefit::ZERO, &work).forced(Lod::ZERO);
                let worker = worker.qualities(&[Quality::ONE]);
                forced.spawn(module, worker).unwrap();
            }
        }
        let (plan, other) = (game.scene.tick(), forced.tick());
        prop_assert_eq!(plan.fixed_ns(), other.fixed_ns());
        prop_assert_eq!(plan.scale(), other.scale());
        prop_assert_eq!(plan.overcommit_ns(), other.overcommit_ns());
        for (module, other) in plan.modules().zip(other.modules()) {
            prop_assert_eq!(module.assigned_ns, other.assigned_ns);
            let overhead = if module.actors > 0 { u64::from(module.overhead) } else { 0 };
            prop_assert_eq!(module.units + overhead, other.units);
        }
        for actor in plan.actors() {
            prop_assert_eq!(Some(actor.lod), other.lod(actor.actor));
        }
    }
}

#[test]
fn a_unit_cost_follows_what_was_measured() {
    let (mut scene, module) = scene(Budget::UNLIMITED);
    scene.tick();
    let mut expected = Calibration::new(ns(100.0));
    for _ in 0..10 {
        scene.measured(module, 0, Duration::from_secs(1)).unwrap();
        scene.measured(module, 500, Duration::ZERO).unwrap();
        scene.measured(module, 500, micros(200)).unwrap();
        expected.observe(1_000, 200_000);
        assert_eq!(scene.raw_unit_cost(module), Some(expected.raw_unit_cost()));
        assert_eq!(scene.unit_cost(module), Some(expected.unit_cost()));
    }
    let told = |scene: &Scene| {
        let plan = scene.plan();
        plan.module(module).map(|plan| (plan.unit_cost, plan.raw_unit_cost, plan.assigned_ns))
    };
    assert_eq!(told(&scene), Some((ns(100.0), ns(100.0), 100_000)), "the plan stands");
    scene.tick();
    let applied = expected.unit_cost();
    let assigned = u64::from(applied.of(1_000).unwrap());
    assert_eq!(told(&scene), Some((applied, expected.raw_unit_cost(), assigned)));
    // A price that is set is where measuring starts again.
    scene.set_unit_cost(module, ns(7.0)).unwrap();
    let costs = (scene.unit_cost(module), scene.raw_unit_cost(module));
    assert_eq!(costs, (Some(ns(7.0)), Some(ns(7.0))));
}

/// With the constant part declared, a module that works little is as expensive as one that works much.
#[test]
fn an_overhead_is_counted_with_what_is_measured() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let (declared, not) = (add(&mut scene, 500), add(&mut scene, 0));
    for units in [1_000, 1, 30, 0, 700, 2_000].into_iter().cycle().take(60) {
        for module in [declared, not] {
            scene.measured(module, units, micros((units + 500) / 5)).unwrap();
        }
    }
    let cost = |module| scene.raw_unit_cost(module).unwrap().ns();
    assert!((cost(declared) / 200.0 - 1.0).abs() < 0.01, "{}", cost(declared));
    assert!(cost(not) > 250.0, "{}", cost(not));
}

#[test]
fn an_overhead_is_paid_by_modules_with_actors_and_off_the_books_by_none() {
    let mut scene = Scene::<f32>::new(Budget::from_ns(120_000));
    let module = add(&mut scene, 150);
    let fixed = |scene: &mut Scene| {
        let plan = scene.tick();
        (plan.fixed_ns(), plan.assigned_ns(), plan.module(module).map(|m| m.assigned_ns))
    };
    // 15 000 ns leave enough for the actor; 30 000 do not.
    assert_eq!(fixed(&mut scene), (15_000, 115_000, Some(115_000)));
    scene.set_overhead(module, 300).unwrap();
    assert_eq!(fixed(&mut scene), (30_000, 30_000, Some(30_000)));
    scene.set_managed(module, false).unwrap();
    assert_eq!(fixed(&mut scene), (130_000, 130_000, Some(130_000)));
    assert_eq!(scene.plan().overcommit_ns(), 10_000);
    scene.set_count_unmanaged(false);
    assert_eq!(fixed(&mut scene), (0, 0, Some(130_000)));
    scene.set_managed(module, true).unwrap();
    let actor = scene.actors().next().unwrap();
    scene.despawn(actor).unwrap();
    assert_eq!(fixed(&mut scene), (0, 0, Some(0)));
}

#[test]
fn an_overhead_without_a_price_is_refused() {
    let (mut scene, module) = scene(Budget::UNLIMITED);
    let too_large = Some((Quantity::Overhead, Problem::TooLarge));
    let why = |error: lodger_scheduler::SceneError| {
        error.refused().map(|error| (error.quantity(), error.problem()))
    };
    assert_eq!(scene.set_overhead(module, 42_949_673).map_err(why), Err(too_large));
    assert_eq!(scene.overhead(module), Some(0));
    scene.set_overhead(module, 42_949_672).unwrap();
    assert!(scene.set_unit_cost(module, ns(101.0)).is_err());
    let dear = Module::new("", ns(1e9), BenefitValue::from_ns(1)).overhead(5);
    assert_eq!(scene.add_module(dear).map_err(why), Err(too_large));
    // What is measured stops where it still has a price.
    for _ in 0..100 {
        scene.measured(module, 1, Duration::from_mins(10)).unwrap();
    }
    assert!(scene.raw_unit_cost(module) > scene.unit_cost(module));
    let overhead = scene.unit_cost(module).and_then(|cost| cost.of(42_949_672));
    assert!(overhead.is_some_and(|cost| cost > u32::MAX - 42_949_672));
}

/// A scene whose unit costs are known: 100 ns, as assumed.
fn settled(budget: Budget) -> (Scene, ModuleId, ModuleId) {
    let (mut scene, first) = scene(budget);
    let second = add(&mut scene, 0);
    for _ in 0..SETTLING {
        scene.tick();
        for module in [first, second] {
            scene.measured(module, 1_000, micros(100)).unwrap();
        }
    }
    assert_eq!(scene.tick().headroom().bits(), 0);
    (scene, first, second)
}

/// The headroom of a tick after modules said what the tick before took.
fn headroom_after(scene: &mut Scene, reports: &[(ModuleId, u64)]) -> f64 {
    for &(module, time) in reports {
        scene.measured(module, 1_000, micros(time)).unwrap();
    }
    (scene.tick().headroom().to_f64() * 1_000.0).round() / 1_000.0
}

#[test]
fn headroom_follows_the_sum_of_what_modules_took() {
    // Each takes 100 µs by the plan.
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 105)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 106)]), 0.02);
    assert_eq!(headroom_after(&mut scene, &[]), 0.02, "nobody said anything");
    assert_eq!(headroom_after(&mut scene, &[(a, 111)]), 0.04, "the other as planned");
    assert_eq!(headroom_after(&mut scene, &[(a, 60), (a, 51)]), 0.06, "in two parts");
    assert_eq!(headroom_after(&mut scene, &[(a, 216), (b, 100)]), 0.06, "a spike");
    for _ in 0..998 {
        scene.measured(a, 1_000, micros(100)).unwrap();
        scene.tick();
    }
    assert_eq!(headroom_after(&mut scene, &[(a, 109)]), 0.04);
    // Without a limit nothing is kept free, and nothing is over it.
    scene.set_budget(Budget::UNLIMITED);
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    scene.set_budget(Budget::from_ns(210_000));
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.06, "it was over the budget that it had");
}

#[test]
fn headroom_is_for_known_costs_of_what_the_budget_pays() {
    let (mut scene, a, b) = settled(Budget::from_ns(210_000));
    // A module off the books has no part in it.
    scene.set_managed(b, false).unwrap();
    scene.set_count_unmanaged(false);
    scene.tick();
    assert_eq!(headroom_after(&mut scene, &[(a, 105), (b, 110)]), 0.0);
    assert_eq!(headroom_after(&mut scene, &[(b, 250)]), 0.0);
    scene.set_managed(b, true).unwrap();
    scene.tick();
    // A price that was set is an assumption until it was measured.
    scene.set_unit_cost(a, ns(100.0)).unwrap();
    for _ in 1..SETTLING {
        assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.0);
    }
    assert_eq!(headroom_after(&mut scene, &[(a, 112)]), 0.02);
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

/// However long the work takes, every level keeps a price.
#[test]
fn a_measured_price_stays_where_all_levels_have_one() {
    let mut scene = Scene::<f32>::new(Budget::UNLIMITED);
    let module = Module::new("", ns(1.0), BenefitValue::from_ns(u32::MAX));
    let module = scene.add_module(module).unwrap();
    let actor = Actor::given(Benefit::MAX, &[0, 3, 3_000_000]);
    let actor = scene.spawn(module, actor).unwrap();
    for _ in 0..200 {
        scene.measured(module, u64::MAX, Duration::MAX).unwrap();
        scene.measured(module, 1, Duration::from_secs(3)).unwrap();
    }
    let (raw, applied) = (scene.raw_unit_cost(module).unwrap(), scene.unit_cost(module).unwrap());
    assert!(applied < raw);
    assert!(applied.of(3_000_000).is_some_and(|cost| cost > u32::MAX - 3_000_000));
    assert!(scene.tick().actor(actor).is_some_and(|plan| plan.lod.level() == 2));
    scene.set_work(actor, &[0, 3]).unwrap();
    scene.measured(module, 0, Duration::ZERO).unwrap();
    assert!(scene.unit_cost(module) >= scene.raw_unit_cost(module));
}

#[test]
fn as_many_units_as_fit_64_bits_are_a_measurement() {
    let (mut scene, module) = scene(Budget::UNLIMITED);
    for _ in 0..100 {
        scene.measured(module, 1 << 50, Duration::from_nanos(3 << 50)).unwrap();
    }
    let cost = scene.raw_unit_cost(module).unwrap().ns();
    assert!((cost - 3.0).abs() < 0.01, "{cost}");
}
