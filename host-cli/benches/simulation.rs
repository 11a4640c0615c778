//! A frame of a simulation with many modules: time for each module.

use std::fmt::Write as _;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lodger_cli::simulation::{
    Baseline, CameraMotion, Candidate, CostKnowledge, Simulation, SimulationScene,
    SimulationSettings,
};
use lodger_quota::{Quota, QuotaLimits};
use lodger_scenes::{SceneFile, SceneOverrides as SceneSettings};
use lodger_scheduler::{Hysteresis, Policy};

const MODULES: u32 = 20_000;

fn many_modules(actors: u32) -> Result<SimulationScene, lodger_scenes::SceneFileError> {
    let mut text = "budget_ms = 5\n[[view]]\neye = [0, 2, 0]\n".to_owned();
    for module in 0..MODULES {
        let _ = write!(
            text,
            "[[module]]\nname = \"{module}\"\nunit_cost_ms = 0.001\nbenefit_value = 3\n"
        );
    }
    for (module, actor) in (0..MODULES).flat_map(|module| (0..actors).map(move |n| (module, n))) {
        let (x, z) = (module % 100, module / 100);
        let _ = write!(
            text,
            "[[actor]]\nname = \"{module}-{actor}\"\nmodule = \"{module}\"\nposition = [{x}, 0, {z}]\n\
             radius = 0.9\nwork = [0, 10, 40]\n"
        );
    }
    let quota = Quota::new(QuotaLimits::default());
    let limits = lodger_scenes::SceneLimits::default();
    SceneFile::from_toml(&text, &SceneSettings::default(), limits, &quota)
        .map(SimulationScene::from)
}

fn frames(c: &mut Criterion) {
    let mut group = c.benchmark_group("frame, 20 000 modules");
    group.sample_size(10);
    group.throughput(Throughput::Elements(MODULES.into()));
    let optimal = Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL);
    let proportional = Candidate::Scheduler(Policy::default(), Hysteresis::TYPICAL);
    let baselines = Baseline::ALL.map(Candidate::Baseline);
    let all: Vec<_> = [optimal, proportional].into_iter().chain(baselines).collect();
    for actors in [0, 1] {
        for (name, candidates) in [("optimal", &[optimal][..]), ("compared", &all)] {
            let prices = CostKnowledge::Measured { wrong: 3.0, noise: 0.05, spike: 0.01 };
            let frames = usize::MAX;
            let settings = SimulationSettings {
                path: CameraMotion::Orbit,
                walking: true,
                frames,
                decide_every: 1,
                prices,
                seed: 1,
            };
            let simulated = many_modules(actors).expect("a scene");
            let mut simulation =
                Simulation::new(simulated, candidates, settings, false).expect("a simulation");
            group.bench_function(format!("{actors} actors each, {name}"), |b| {
                b.iter(|| simulation.step().expect("a frame"));
            });
        }
    }
}

criterion_group!(frame, frames);
criterion_main!(frame);
