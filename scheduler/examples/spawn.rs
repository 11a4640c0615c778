//! Times `spawn` and `spawn_many`: the median and the range of several rounds, in nanoseconds for each actor.
//!
//! `cargo run --release -p lodger-scheduler --example spawn -- [ACTORS] [ROUNDS]`

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use lodger_scheduler::{Actor, BenefitValue, Budget, Module, ModuleId, Scene, UnitCost};

const WORKS: [&[u32]; 8] = [
    &[0, 60, 250, 1_000, 4_000],
    &[0, 10],
    &[5, 50, 500],
    &[0, 7, 70, 700],
    &[1, 2, 4, 8, 16, 32],
    &[0, 1_000],
    &[0, 30, 900],
    &[20, 40, 60, 80],
];

type SpawnResult = Result<(), Box<dyn Error>>;

/// Spawns actors with a number of different works.
type SpawnFn = fn(&mut Scene<f32>, ModuleId, u32, usize) -> SpawnResult;

fn actor(number: u32, works: usize) -> Actor<'static, f32> {
    let along = f32::from(number.to_le_bytes()[0]);
    let work = WORKS[number as usize % works];
    Actor::at([along, 0.5, -along], 1.0 + along / 1e5, work).key(number.into())
}

fn one_by_one(scene: &mut Scene<f32>, module: ModuleId, actors: u32, works: usize) -> SpawnResult {
    for number in 0..actors {
        black_box(scene.spawn(module, actor(number, works))?);
    }
    Ok(())
}

fn together(scene: &mut Scene<f32>, module: ModuleId, actors: u32, works: usize) -> SpawnResult {
    let actors = (0..actors).map(|number| actor(number, works));
    black_box(scene.spawn_many(module, actors)?.slots.len());
    Ok(())
}

/// Returns the nanoseconds for each actor, first in new memory and then in used memory.
fn round(method: SpawnFn, actors: u32, works: usize) -> Result<[f64; 2], Box<dyn Error>> {
    let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    let module =
        Module::new("", UnitCost::from_ns(1.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    let module = scene.add_module(module)?;
    let timed = |scene: &mut Scene<f32>| -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        method(scene, module, actors, works)?;
        Ok(start.elapsed().as_secs_f64() * 1e9 / f64::from(actors))
    };
    let first = timed(&mut scene)?;
    let ids: Vec<_> = scene.actors().collect();
    for id in ids {
        scene.despawn(id)?;
    }
    Ok([first, timed(&mut scene)?])
}

fn main() -> SpawnResult {
    let mut arguments = std::env::args().skip(1);
    let actors: u32 = arguments.next().map_or(Ok(1_000_000), |number| number.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(7), |number| number.parse())?;
    let methods: [(&str, SpawnFn); 2] = [("spawn", one_by_one), ("spawn_many", together)];
    for works in [1, WORKS.len()] {
        let mut times = methods.map(|_| [(); 2].map(|()| Vec::new()));
        for turn in 0..rounds {
            for step in 0..methods.len() {
                let method = (turn + step) % methods.len();
                let [first, again] = round(methods[method].1, actors, works)?;
                times[method][0].push(first);
                times[method][1].push(again);
            }
        }
        for ((name, _), times) in methods.iter().zip(&mut times) {
            for (when, times) in ["the first", "again"].iter().zip(times) {
                times.sort_by(f64::total_cmp);
                let (least, most) = (times[0], times[times.len() - 1]);
                let median = times[times.len() / 2];
                println!("{name}, {works} works, {when}: {median:.1} ns ({least:.1} to {most:.1})");
            }
        }
    }
    Ok(())
}
