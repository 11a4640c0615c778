//! Medians of setting positions and reading levels of 100 000 actors: batches through the header, the loop of a Rust
//! program, and their ratio.
#![allow(unsafe_code, reason = "a pointer for a C function is made with a promise")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use lodger::abi::{ActorDesc, ModuleDesc, Status, column};
use lodger::{
    In, Out, lodger_actors_levels, lodger_actors_set, lodger_actors_spawn, lodger_module_add,
    lodger_scene_create, lodger_scene_destroy, lodger_tick, lodger_view_add,
};
use lodger_scheduler::{
    Actor, ActorId, BenefitValue, Budget, Lod, Module, Scene, SceneError, UnitCost, View,
};
use pointers::{input, inputs, output, outputs};

#[path = "../tests/pointers/mod.rs"]
mod pointers;

const ACTORS: u32 = 100_000;
const ROUNDS: usize = 101;
const WORK: [u32; 5] = [0, 60, 250, 1_000, 4_000];
const EYE: [f64; 3] = [250.0, 250.0, 2.0];

/// Scattered numbers from 0 to 1, the same in every run.
fn unit(i: u32) -> f32 {
    let mut x = i.wrapping_mul(0x9E37_79B9) ^ 0x5bd1_e995;
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^= x >> 12;
    f32::from_bits(0x3f80_0000 | x >> 9) - 1.0
}

fn places(round: u32) -> Vec<[f32; 3]> {
    let place = |i: u32| [0, 1, 2].map(|axis| 500.0 * unit(3 * (i + 7 * round) + axis));
    (0..ACTORS).map(place).collect()
}

fn budget() -> u64 {
    u64::from(ACTORS) * 100
}

/// The scene through Rust.
struct Ours {
    scene: Scene<f32>,
    actors: Vec<ActorId>,
}

impl Ours {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut scene = Scene::new(Budget::from_ns(budget()));
        scene.add_view(View::from_position([250.0, 250.0, 2.0])?)?;
        let module = Module::new("all", UnitCost::from_ns(1.0)?)
            .benefit_value(BenefitValue::from_ns(1_000_000));
        let module = scene.add_module(module)?;
        let places = places(0);
        let actors = places.iter().map(|&place| Actor::at(place, 1.0, &WORK));
        let actors = scene.spawn_many(module, actors)?.ids().collect();
        Ok(Self { scene, actors })
    }

    fn set(&mut self, places: &[[f32; 3]]) -> Result<(), SceneError> {
        for (&actor, &place) in self.actors.iter().zip(places) {
            self.scene.set_position(actor, place)?;
        }
        Ok(())
    }

    fn read(&self, levels: &mut [u8]) {
        let plan = self.scene.plan();
        for (&actor, level) in self.actors.iter().zip(levels) {
            *level = plan.lod(actor).map_or(0, Lod::level);
        }
    }
}

/// The scene through C.
struct Theirs {
    scene: u32,
    actors: Vec<u64>,
}

fn done(status: Status) -> Result<(), Box<dyn Error>> {
    if status == Status::OK { Ok(()) } else { Err(format!("{status:?}").into()) }
}

impl Theirs {
    fn new() -> Result<Self, Box<dyn Error>> {
        let (mut scene, mut view, mut module) = (0, 0, 0);
        done(lodger_scene_create(budget(), output(&mut scene)))?;
        done(lodger_view_add(scene, input(&EYE), output(&mut view)))?;
        let desc = ModuleDesc { unit_cost_ns: 1.0, ..ModuleDesc::default() };
        done(lodger_module_add(scene, input(&desc), output(&mut module)))?;
        let desc = |place: &[f32; 3]| ActorDesc {
            work: inputs(&WORK),
            levels: 5,
            position: place.map(f64::from),
            ..ActorDesc::default()
        };
        let descs: Vec<_> = places(0).iter().map(desc).collect();
        let mut actors = vec![0; descs.len()];
        let (stride, count, out) = (size_of::<ActorDesc>(), descs.len(), outputs(&mut actors));
        done(lodger_actors_spawn(scene, module, inputs(&descs), stride, count, out))?;
        Ok(Self { scene, actors })
    }

    fn set<T>(&self, column: u32, places: &[T]) -> Result<(), Box<dyn Error>> {
        // SAFETY: a slice is good for reading, and outlives the call.
        let values = unsafe { In::new(places.as_ptr().cast()) };
        let (actors, count) = (inputs(&self.actors), self.actors.len());
        done(lodger_actors_set(self.scene, actors, count, column, values, size_of::<T>()))
    }

    fn read(&self, levels: &mut [u8]) -> Result<(), Box<dyn Error>> {
        let (actors, count) = (inputs(&self.actors), self.actors.len());
        done(lodger_actors_levels(self.scene, actors, count, outputs(levels), 1))
    }
}

/// Nanoseconds an actor.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e9 / f64::from(ACTORS)
}

fn timed<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let outcome = work();
    times.push(start.elapsed());
    outcome
}

fn measure(name: &str, ours: &mut Ours, theirs: &Theirs) -> Result<(), Box<dyn Error>> {
    let mut times: [Vec<Duration>; 5] = [const { Vec::new() }; 5];
    let [set_ours, set_theirs, set_doubles, read_ours, read_theirs] = &mut times;
    let mut levels = [vec![0_u8; ACTORS as usize], vec![1_u8; ACTORS as usize]];
    for round in 0..ROUNDS {
        let places = places(u32::try_from(round % 8)?);
        let doubles: Vec<_> = places.iter().map(|place| place.map(f64::from)).collect();
        timed(set_doubles, || theirs.set(column::POSITION_F64, black_box(&doubles)))?;
        timed(set_ours, || ours.set(black_box(&places)))?;
        timed(set_theirs, || theirs.set(column::POSITION, black_box(&places)))?;
        ours.scene.tick();
        done(lodger_tick(theirs.scene, Out::NULL))?;
        timed(read_ours, || ours.read(black_box(&mut levels[0])));
        timed(read_theirs, || theirs.read(black_box(&mut levels[1])))?;
        if levels[0] != levels[1] {
            return Err("the two decided differently".into());
        }
    }
    let [set_ours, set_theirs, set_doubles, read_ours, read_theirs] = times.map(median);
    let line = |what: &str, ours: f64, theirs: f64| {
        let ratio = theirs / ours;
        println!("{name:13} {what:22} {ours:8.2} {theirs:8.2} {ratio:7.2}");
    };
    line("set positions", set_ours, set_theirs);
    line("set positions, doubles", set_ours, set_doubles);
    line("read levels", read_ours, read_theirs);
    line("set and read", set_ours + read_ours, set_theirs + read_theirs);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut ours, mut theirs) = (Ours::new()?, Theirs::new()?);
    println!("{ACTORS} actors, medians of {ROUNDS} rounds, ns an actor");
    println!("{:13} {:22} {:>8} {:>8} {:>7}", "order", "", "Rust", "C", "ratio");
    measure("of spawning", &mut ours, &theirs)?;
    // The same shuffle for both.
    for last in (1..ACTORS as usize).rev() {
        let scattered = usize::try_from(unit(u32::try_from(last)?).to_bits())?;
        let other = scattered * 7_919 % (last + 1);
        ours.actors.swap(last, other);
        theirs.actors.swap(last, other);
    }
    measure("random", &mut ours, &theirs)?;
    done(lodger_scene_destroy(theirs.scene))
}
