//! Scenes that live through what their plans take in truth: prices wrong at first, noise, spikes.

use std::time::Duration;

use lodger_scheduler::{
    Actor, Benefit, BenefitValue, Budget, Module, ModuleId, Scene, Stability, UnitCost,
};

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        f64::from((self.0 >> 32) as u32) / 4_294_967_296.0
    }

    /// Mean 0, deviation 1, like the sum of twelve dice.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.even()).sum::<f64>() - 6.0
    }
}

/// What units cost in truth, in nanoseconds, and how many times as much is assumed.
const MODULES: [(f64, f64); 3] = [(50.0, 3.0), (120.0, 1.0 / 3.0), (80.0, 1.0)];
const WORK: [u32; 5] = [20, 60, 150, 400, 1_000];
const ACTORS: usize = 60;
/// In nanoseconds: about half of what all want.
const BUDGET: u64 = 4_000_000;

struct World {
    scene: Scene,
    modules: Vec<ModuleId>,
    random: Random,
    /// The deviation of measured times, and the share of those that are ten times as long.
    noise: f64,
    spikes: f64,
}

/// What a tick took, and whether there was a spike in it.
struct Took {
    ns: u64,
    spiked: bool,
    changed: usize,
}

impl World {
    fn new(seed: u64, noise: f64, spikes: f64) -> Self {
        let mut random = Random(seed);
        let mut scene = Scene::<f32>::new(Budget::from_ns(BUDGET));
        scene.set_stability(Stability::STEADY);
        scene.track_changes(true);
        let mut modules = Vec::new();
        for (truth, wrong) in MODULES {
            let unit = UnitCost::from_ns(truth * wrong).unwrap();
            let module = Module::new("", unit, BenefitValue::from_ms(0.1).unwrap());
            let module = scene.add_module(module).unwrap();
            for _ in 0..ACTORS {
                let benefit = Benefit::new(random.even()).unwrap();
                scene.spawn(module, Actor::given(benefit, &WORK)).unwrap();
            }
            modules.push(module);
        }
        Self { scene, modules, random, noise, spikes }
    }

    /// Everybody's benefit changes a little.
    fn stir(&mut self) {
        let actors: Vec<_> = self.scene.actors().collect();
        for actor in actors {
            let before = self.scene.given_benefit(actor).flatten().unwrap().to_f64();
            let after = (before + 0.01 * self.random.normal()).clamp(0.0, 1.0);
            self.scene.set_benefit(actor, Some(Benefit::new(after).unwrap())).unwrap();
        }
    }

    fn tick(&mut self) -> Took {
        let plan = self.scene.tick();
        let changed = plan.changes().len();
        let units: Vec<_> = plan.modules().map(|module| module.units).collect();
        let (mut ns, mut spiked) = (0, false);
        for ((&module, units), (truth, _)) in self.modules.iter().zip(units).zip(MODULES) {
            let noise = (self.noise * self.random.normal()).exp();
            let spike = self.random.even() < self.spikes;
            let time = units as f64 * truth * noise * if spike { 10.0 } else { 1.0 };
            #[allow(clippy::cast_sign_loss)] // a time
            let time = time as u64;
            self.scene.measured(module, units, Duration::from_nanos(time)).unwrap();
            ns += time;
            spiked |= spike;
        }
        Took { ns, spiked, changed }
    }
}

/// The share of ticks without a spike that were over the budget, after the first second.
fn over(noise: f64, spikes: f64) -> f64 {
    let (mut over, mut ticks) = (0, 0);
    for seed in 0..4 {
        let mut world = World::new(seed, noise, spikes);
        for frame in 0..1_860 {
            world.stir();
            let took = world.tick();
            if frame >= 60 && !took.spiked {
                ticks += 1;
                over += u32::from(took.ns > BUDGET);
            }
        }
    }
    f64::from(over) / f64::from(ticks)
}

#[test]
fn few_ticks_are_over_the_budget_whatever_the_noise() {
    let parts = [over(0.05, 0.0), over(0.2, 0.0), over(0.05, 0.01)];
    // One in a thousand in the long run; the first ones of these half minutes teach the headroom.
    assert!(parts.iter().all(|part| *part <= 0.007), "{parts:?}");
}

#[test]
fn a_still_scene_stands_still_in_the_noise_of_its_measured_times() {
    for seed in 0..5 {
        let mut world = World::new(seed, 0.02, 0.0);
        for _ in 0..60 {
            world.tick();
        }
        let changed: usize = (0..1_200).map(|_| world.tick().changed).sum();
        assert!(changed <= 20, "seed {seed}: {changed} levels in 20 s");
    }
}
