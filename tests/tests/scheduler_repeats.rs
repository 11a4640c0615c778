//! Ticks that repeat the last decision, or what has not changed of it.

use std::time::Duration;

use lodger_core::Benefit;
use lodger_core::budget::{Hysteresis, Leftovers, Lod};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::{Actor, Module, Policy, Scene};

#[test]
fn ticks_without_changes_repeat_the_decision_that_they_would_make() {
    for policy in [Policy::default(), Policy::APEX, Policy::Optimal] {
        let hysteresis = [Hysteresis::OFF, Hysteresis::TYPICAL];
        for (hysteresis, cautious) in
            hysteresis.into_iter().flat_map(|it| [(it, false), (it, true)])
        {
            let mut scene = Scene::<f32>::new(Budget::from_ns(100_000));
            scene.set_policy(policy).unwrap();
            scene.set_hysteresis(hysteresis);
            scene.set_cautious_start(cautious);
            scene.track_changes(true);
            let value = BenefitValue::from_ns(1_000);
            let module = Module::new("m", UnitCost::from_ns(1.0).unwrap()).benefit_value(value);
            let module = scene.add_module(module).unwrap();
            for number in 0..1_000 {
                let benefit = Benefit::from_bits(number * 97 % 65_536);
                scene.spawn(module, Actor::from_benefit(benefit, &[0, 80, 300])).unwrap();
            }
            let mut other = scene.clone();
            other.set_repeats(false);
            for frame in 0..30 {
                if frame == 20 {
                    // The end of caution.
                    for scene in [&mut scene, &mut other] {
                        scene.observe_time(module, 1_000, Duration::from_micros(1)).unwrap();
                    }
                }
                if frame % 6 == 3 {
                    let budget = Budget::from_ns(60_000 + frame);
                    scene.set_budget(budget);
                    other.set_budget(budget);
                }
                let results = [&mut scene, &mut other].map(|scene| {
                    let plan = scene.tick();
                    let numbers = (plan.switches(), plan.changes().len(), plan.scale());
                    (plan.actors().collect::<Vec<_>>(), numbers, plan.certificate())
                });
                assert_eq!(results[0], results[1], "{policy:?} {hysteresis:?} {frame}");
            }
        }
    }
}

#[test]
fn ticks_with_few_changes_decide_as_if_all_had_changed() {
    let policies = [Leftovers::Keep, Leftovers::WithinModule, Leftovers::AcrossModules]
        .map(Policy::Proportional);
    for policy in policies.into_iter().chain([Policy::Optimal]) {
        let mut scene = Scene::<f32>::new(Budget::from_ns(140_000));
        scene.set_policy(policy).unwrap();
        scene.set_hysteresis(Hysteresis::TYPICAL);
        let modules = ["a", "b"].map(|name| {
            let value = BenefitValue::from_ns(1_000);
            let module = Module::new(name, UnitCost::from_ns(1.0).unwrap()).benefit_value(value);
            scene.add_module(module).unwrap()
        });
        let mut number = 0_u32;
        let mut random = |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 8) % below
        };
        let mut ids = Vec::new();
        for _ in 0..1_500 {
            let benefit = Benefit::from_bits(random(65_536));
            let actor = Actor::from_benefit(benefit, &[0, 80, 300, 900]);
            ids.push((scene.spawn(modules[ids.len() % 2], actor).unwrap(), benefit));
        }
        let mut other = scene.clone();
        for frame in 0..60 {
            for _ in 0..random(20) {
                let place = random(1_500) as usize;
                let benefit = Benefit::from_bits(random(65_536));
                ids[place].1 = benefit;
                let id = ids[place].0;
                scene.set_benefit_override(id, Some(benefit)).unwrap();
            }
            let (id, call) = (ids[random(1_500) as usize].0, random(8));
            let budget = Budget::from_ns(u64::from(130_000 + random(2) * 30_000));
            for scene in [&mut scene, &mut other] {
                match call {
                    0 => scene.force_lod(id, Some(Lod::new(1, 0))).unwrap(),
                    1 => scene.force_lod(id, None).unwrap(),
                    2 => scene.set_lod_range(id, 0..=2).unwrap(),
                    3 => scene.set_lod_range(id, 0..=3).unwrap(),
                    4 if frame % 3 == 0 => scene.set_budget(budget),
                    _ => {}
                }
            }
            for &(id, benefit) in &ids {
                other.set_benefit_override(id, Some(benefit)).unwrap();
            }
            let [few, all] = [&mut scene, &mut other].map(|scene| {
                let plan = scene.tick();
                (plan.actors().collect::<Vec<_>>(), plan.assigned_ns(), plan.certificate())
            });
            assert_eq!(few, all, "{policy:?}, frame {frame}");
        }
    }
}
