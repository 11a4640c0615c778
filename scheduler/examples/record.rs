//! Records a scene with a moving camera, walking actors, noisy measured times and wrong assumed unit costs.
//!
//! `cargo run --release -p lodger-scheduler --features record --example record -- frames.log [actors] [ticks]`
//!
//! `lodger replay frames.log` decides all ticks again, on any machine.

use std::fs::File;
use std::io::{self, BufWriter};
use std::process::ExitCode;
use std::time::Duration;

use lodger_scheduler::record::Recorder;
use lodger_scheduler::{
    Actor, ActorId, BenefitValue, Budget, Hysteresis, Module, ModuleId, Policy, Scene, UnitCost,
    View,
};

/// The work of the modules' actors at each level, in units.
const WORK: [&[u32]; 3] =
    [&[0, 100, 400, 1_200, 3_000], &[0, 50, 200, 800], &[20, 300, 900, 2_500]];
/// The true unit costs, in nanoseconds.
const UNIT_COST_NS: [u32; 3] = [25, 12, 8];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let file = words.next().unwrap_or_else(|| "frames.log".to_owned());
    let [actors, ticks] =
        [10_000, 600].map(|usual| words.next().and_then(|word| word.parse().ok()).unwrap_or(usual));
    match record(&file, actors, ticks) {
        Ok(bytes) => {
            println!(
                "{file}: {ticks} ticks of {actors} actors, {} bytes a tick",
                bytes / u64::from(ticks.max(1))
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {file}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    /// Returns a number from 0 to below `end`, by the multiplier of Knuth's MMIX.
    fn below(&mut self, end: u16) -> u16 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u16::try_from(((self.0 >> 48) * u64::from(end)) >> 16).unwrap_or(0)
    }

    /// Returns a number from −1 to below 1.
    fn sign(&mut self) -> f32 {
        f32::from(self.below(2_000)) / 1_000.0 - 1.0
    }
}

fn record(file: &str, actors: u32, ticks: u32) -> Result<u64, Box<dyn std::error::Error>> {
    let mut random = Random(1);
    let mut scene = Scene::<f32>::new(Budget::from_ns(u64::from(actors) * 4_000));
    scene.set_policy(Policy::Optimal)?;
    scene.set_hysteresis(Hysteresis::TYPICAL);
    let camera = scene.add_view(View::from_position([0.0; 3])?)?;
    let modules = UNIT_COST_NS.map(|truth| {
        let assumed = UnitCost::from_ns(f64::from(truth * 2))?;
        scene.add_module(Module::new("module", assumed).benefit_value(BenefitValue::from_ms(1.0)?))
    });
    let modules: Vec<ModuleId> = modules.into_iter().collect::<Result<_, _>>()?;
    let mut walkers = Vec::<(ActorId, [f32; 3], [f32; 2])>::new();
    for number in 0..actors {
        let kind = usize::from(random.below(3));
        let place = [random.sign() * 200.0, 0.0, random.sign() * 200.0];
        let radius = 1.0 + random.sign() / 2.0;
        let actor = scene.spawn(modules[kind], Actor::at(place, radius, WORK[kind]))?;
        if number % 3 == 0 {
            walkers.push((actor, place, [random.sign() / 20.0, random.sign() / 20.0]));
        }
    }
    let mut recorder = Recorder::new(BufWriter::new(File::create(file)?))?;
    for tick in 0..ticks {
        #[allow(clippy::cast_precision_loss)] // a flight of minutes
        let flown = tick as f32 * 0.1;
        scene.set_view(camera, View::from_position([flown - 30.0, 2.0, flown])?)?;
        for (actor, place, step) in &mut walkers {
            *place = [place[0] + step[0], 0.0, place[2] + step[1]];
            scene.set_position(*actor, *place)?;
        }
        recorder.tick(&mut scene)?;
        for (&module, truth) in modules.iter().zip(UNIT_COST_NS) {
            let units = scene.plan().module(module).map_or(0, |plan| plan.units);
            let noise = 950 + u64::from(random.below(100));
            let time = Duration::from_nanos(units * u64::from(truth) * noise / 1_000);
            scene.observe_time(module, units, time)?;
        }
    }
    let written = recorder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(written.metadata()?.len())
}
