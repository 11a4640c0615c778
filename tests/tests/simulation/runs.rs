//! Simulations of the built-in scene, for tests and examples.

#![allow(dead_code, reason = "tests and examples use different parts")]

use lodger_cli::simulation::{
    Baseline, CameraMotion, Candidate, CandidateMetrics, CostKnowledge, Simulation,
    SimulationScene, SimulationSettings,
};
use lodger_scheduler::{Budget, Hysteresis, Leftovers, Policy};

/// Frames of a run; the last thirty seconds are measured.
pub(crate) const FRAMES: usize = 1_860;
pub(crate) const BUDGETS: [f64; 2] = [0.15, 0.4];

pub(crate) const OPTIMAL: Candidate = Candidate::Scheduler(Policy::Optimal, Hysteresis::OFF);
pub(crate) const STEADY: Candidate = Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL);

pub(crate) const fn proportional(leftovers: Leftovers, margin: u8, reserve: u8) -> Candidate {
    Candidate::Scheduler(Policy::Proportional(leftovers), Hysteresis { margin, dead_band: reserve })
}

pub(crate) fn baselines() -> impl Iterator<Item = Candidate> {
    Baseline::ALL.into_iter().map(Candidate::Baseline)
}

#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) seed: u64,
    pub(crate) budget: f64,
    pub(crate) prices: CostKnowledge,
    pub(crate) moves: bool,
    pub(crate) frames: usize,
}

impl Run {
    pub(crate) fn run(
        &self,
        candidates: &[Candidate],
        mut visit: impl FnMut(&Simulation),
    ) -> Vec<CandidateMetrics> {
        let mut scene = SimulationScene::demo(self.seed).expect("a scene");
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a positive number below 2^53; the tests allow some of these casts"
        )]
        let budget = Budget::from_ns((scene.full_ns() as f64 * self.budget) as u64);
        scene.scene_mut().set_budget(budget);
        let settings = SimulationSettings {
            path: if self.moves { CameraMotion::Orbit } else { CameraMotion::Still },
            walking: self.moves,
            frames: self.frames,
            decide_every: 1,
            prices: self.prices,
            seed: self.seed,
        };
        let mut simulation =
            Simulation::new(scene, candidates, settings, false).expect("valid settings");
        while simulation.frames() < self.frames {
            simulation.step().expect("a frame");
            visit(&simulation);
        }
        simulation.rows()
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Mean {
    pub(crate) over: f64,
    pub(crate) over_calm: f64,
    /// Share of the greatest possible value.
    pub(crate) value: f64,
    pub(crate) min_value: f64,
    pub(crate) flips: f64,
    pub(crate) returns: f64,
}

#[allow(clippy::cast_precision_loss, reason = "few runs")]
pub(crate) fn means(runs: &[Vec<CandidateMetrics>]) -> Vec<Mean> {
    let count = runs.len() as f64;
    (0..runs.first().map_or(0, Vec::len))
        .map(|index| {
            let mean = |of: fn(&CandidateMetrics) -> f64| {
                runs.iter().map(|rows| of(&rows[index])).sum::<f64>() / count
            };
            Mean {
                over: mean(|row| row.over_budget),
                over_calm: mean(|row| row.over_budget_without_spikes),
                value: mean(CandidateMetrics::worth),
                min_value: runs.iter().map(|rows| rows[index].worth()).fold(1.0, f64::min),
                flips: mean(|row| row.flips_per_s),
                returns: mean(|row| row.returns_per_s),
            }
        })
        .collect()
}

pub(crate) fn seeds(default: u64) -> std::ops::Range<u64> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next().map(|seeds| seeds.parse())) {
        (None, None) => 0..default,
        (Some("--seeds"), Some(Ok(seeds))) => 0..seeds,
        _ => {
            eprintln!("usage: [--seeds N]");
            std::process::exit(2);
        }
    }
}
