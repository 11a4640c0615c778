//! A game without graphics: 10 000 moving sparks, some of which die and are born in each frame.
use std::{hint::black_box, time::Instant};

use lodger_scheduler::{
    Actor, ActorState, BenefitValue, Budget, Lod, Module, Scene, UnitCost, View,
};

const FRAME: f32 = 1.0 / 60.0;
const LIFE: f32 = 5.0;
/// Particles at each level.
const WORK: [u32; 4] = [0, 8, 40, 200];

/// Makes a spark at a random position within 100 m, at up to 9 m/s.
#[expect(clippy::cast_precision_loss, reason = "below 2^24")]
fn spark(number: u64, age: f32) -> Actor<'static, f32> {
    let [x, z] = [7_919, 104_729].map(|prime| (number * prime % 1_000) as f32 / 5.0 - 100.0);
    let state = ActorState { position: [x, 0.0, z], age, speed: (number % 10) as f32 };
    Actor::from_state(state, 0.3, &WORK).key(number)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    play(120)
}

pub(crate) fn play(frames: u8) -> Result<(), Box<dyn std::error::Error>> {
    let mut scene = Scene::<f32>::new(Budget::from_ms(1.0)?);
    let camera = scene.add_view(View::from_position([0.0, 2.0, 0.0])?)?;
    let sparks =
        Module::new("sparks", UnitCost::from_ns(20.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    let sparks = scene.add_module(sparks)?;
    scene.track_changes(true);
    scene.reserve(sparks, 10_000)?;
    let hero = scene.spawn(sparks, spark(0, -1e6))?;
    scene.force_lod(hero, Some(Lod::new(3, 0)))?;
    for (number, age) in (1..10_000).zip((0_u8..250).cycle()) {
        scene.spawn(sparks, spark(number, f32::from(age) / 50.0))?;
    }
    let mut number = 10_000;
    for frame in 1..=frames {
        scene.advance_ages(FRAME)?;
        let rows = scene.states_mut(sparks)?;
        let dead = rows.ids().zip(&*rows.age).filter(|(_, age)| **age > LIFE).map(|(id, _)| id);
        let dead: Vec<_> = dead.collect();
        rows.x.iter_mut().zip(rows.speed).for_each(|(x, speed)| *x += *speed * FRAME);
        for id in dead {
            scene.despawn(id)?;
            scene.spawn(sparks, spark(number, 0.0))?;
            number += 1;
        }
        scene.set_view(camera, View::from_position([0.0, 2.0, f32::from(frame) * 0.2])?)?;
        let plan = scene.tick();
        let born = plan.changes().iter().filter(|change| change.from.is_none()).count();
        let changed = plan.changes().len() - born;
        let spent = plan.assigned_ns();
        assert!(spent <= 1_000_000, "{spent} ns are over the budget");
        // ANCHOR: measured
        let units = plan.module(sparks).map_or(0, |module| module.units);
        let start = Instant::now();
        black_box((0..4 * units).fold(0, |sum, particle| black_box(sum ^ particle)));
        let time = start.elapsed();
        if frame % 20 == 1 {
            println!(
                "frame {frame:3}: {units} particles for {spent} ns took {time:?}; {born} born, {changed} changed"
            );
        }
        scene.observe_time(sparks, units, time)?;
        // ANCHOR_END: measured
    }
    Ok(())
}
