//! A simulation: a camera and actors move, costs are noisy and wrong at first, and candidates
//! choose the levels.
//!
//! A [`Simulation`] has a [`SimulationScene`] and [`Candidate`]s: the scheduler under its policies,
//! and four methods of today's engines. The value of a candidate is compared with the upper bound
//! at the true costs, the optimality certificate of the optimal policy.
//!
//! ```
//! use lodger_cli::simulation::{Candidate, CameraMotion, CostKnowledge, SimulationSettings, Simulation, SimulationScene};
//! use lodger_scheduler::{Policy, Hysteresis};
//!
//! let settings = SimulationSettings {
//!     path: CameraMotion::Orbit,
//!     walking: true,
//!     frames: 90,
//!     decide_every: 1,
//!     prices: CostKnowledge::Measured { wrong: 3.0, noise: 0.05, spike: 0.0 },
//!     seed: 1,
//! };
//! let optimal = Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL);
//! let mut simulation = Simulation::new(SimulationScene::demo(1)?, &[optimal], settings, false)?;
//! while simulation.frames() < 90 {
//!     simulation.step()?;
//! }
//! let row = &simulation.rows()[0];
//! assert!(row.benefit <= row.bound);
//! # Ok::<(), lodger_scheduler::SceneError>(())
//! ```
//!
//! Equal seeds give equal results on every machine: random numbers are integers, and sine,
//! logarithm and exponential are those of the crate libm.

mod baseline;
mod cost;
mod decide;
mod history;
mod motion;
mod random;
mod report;
mod settings;
mod simulated_scene;
#[cfg(test)]
mod tests;

use std::io;

use lodger_scheduler::{Hysteresis, Policy, SceneError};

use baseline::{Bands, Greedy, RoundRobin, Threshold, Tuning};
use decide::{Assignment, FrameInput, LodController, SchedulerCandidate};
use history::{FrameSample, History, Metrics, Scenery};
use motion::{CameraPosition, Walker, walkers};
use settings::CostModel;
use simulated_scene::ActorTable;

pub use cost::{Keeps, SimulationCost};
pub use history::CandidateMetrics;
pub use motion::CameraMotion;
pub use report::{SettingsReport, SimulationReport};
pub use settings::{
    Baseline, Candidate, CostKnowledge, FRAMES_PER_SECOND, SimulationSettings, WARMUP_FRAMES,
};
pub use simulated_scene::SimulationScene;

/// A scene through which a camera moves, with candidates that choose its levels.
pub struct Simulation {
    pub(crate) settings: SimulationSettings,
    pub(crate) simulated: SimulationScene,
    pub(crate) table: ActorTable,
    pub(crate) costs: CostModel,
    camera: CameraPosition,
    walkers: Vec<Walker>,
    oracle: SchedulerCandidate,
    pub(crate) runs: Vec<CandidateRun>,
    pub(crate) scenery: Option<Scenery>,
    frame: usize,
}

/// The result of a candidate in the last frame.
#[derive(Debug, Clone, PartialEq)]
pub struct LastFrame {
    /// The number of actors whose level changed.
    pub changed: u32,
    /// The measured unit cost of each module, as a share of the true one.
    pub raw_unit_costs: Vec<f64>,
}

pub(crate) struct CandidateRun {
    pub(crate) candidate: Candidate,
    controller: Box<dyn LodController>,
    assignment: Assignment,
    metrics: Metrics,
    pub(crate) history: History,
}

impl Simulation {
    /// Starts a simulation. `watched` keeps the levels of the actors for a [`page`](Self::page).
    ///
    /// # Errors
    ///
    /// The scheduler rejects the scene, such as unit costs so wrong that a level costs 4.29 s.
    pub fn new(
        simulated: SimulationScene,
        candidates: &[Candidate],
        settings: SimulationSettings,
        watched: bool,
    ) -> Result<Self, SceneError> {
        let costs = CostModel::new(&simulated, settings.prices, settings.seed);
        let camera = CameraPosition::new(&settings.path, simulated.ground);
        let walkers =
            if settings.walking { walkers(&simulated, settings.seed) } else { Vec::new() };
        let mut oracle =
            SchedulerCandidate::new(&simulated, Policy::Optimal, Hysteresis::OFF, &costs.unit_ns)?;
        oracle.search_less();
        let table = ActorTable::new(&simulated)?;
        let frame = FrameInput {
            view: simulated.lens.view(camera.pose(0.0).eye, camera.pose(0.0).direction)?,
            walkers: &walkers,
            table: &table,
            benefits: &[],
            known_ns: None,
            elapsed: 1,
        };
        let benefits = SchedulerCandidate::first_benefits(&simulated, &costs.unit_ns, &frame)?;
        let tuning = Tuning { table: &table, benefits: &benefits, costs: &costs };
        let run = |candidate: &Candidate| CandidateRun::new(*candidate, &simulated, tuning);
        let runs = candidates.iter().map(run).collect::<Result<_, _>>()?;
        let scenery =
            watched.then(|| Scenery::new(&simulated, &walkers, settings.frames, candidates.len()));
        Ok(Self {
            settings,
            simulated,
            table,
            costs,
            camera,
            walkers,
            oracle,
            runs,
            scenery,
            frame: 0,
        })
    }

    /// Starts a log of decisions, as [`lodger_scheduler::record`] describes, for the first
    /// candidate that is a policy of the scheduler.
    ///
    /// # Errors
    ///
    /// The log cannot be written.
    pub fn record(&mut self) -> io::Result<()> {
        let is_ledger = |run: &&mut CandidateRun| matches!(run.candidate, Candidate::Scheduler(..));
        self.runs.iter_mut().find(is_ledger).map_or(Ok(()), |run| run.controller.record())
    }

    /// Ends the log and returns it, if there is one.
    ///
    /// # Errors
    ///
    /// The log cannot be written.
    pub fn log(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.runs.iter_mut().find_map(|run| run.controller.log()).transpose()
    }

    /// The number of simulated frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frame
    }

    /// Simulates the next frame.
    ///
    /// # Errors
    ///
    /// The scheduler rejects a value.
    pub fn step(&mut self) -> Result<(), SceneError> {
        let conditions = self.costs.next();
        #[expect(clippy::cast_precision_loss, reason = "few frames")]
        let pose = self.camera.pose(self.frame as f64 / f64::from(FRAMES_PER_SECOND));
        let mut benefits = Vec::new();
        let mut frame = FrameInput {
            view: self.simulated.lens.view(pose.eye, pose.direction)?,
            walkers: &self.walkers,
            table: &self.table,
            benefits: &[],
            known_ns: conditions.is_known.then_some(&conditions.unit_ns[..]),
            elapsed: 1,
        };
        self.oracle.tick(&frame)?;
        self.oracle.benefits(&mut benefits);
        let bound = self.oracle.bound();
        frame.benefits = &benefits;
        let decides = self.frame.is_multiple_of(self.settings.decide_every);
        if decides && self.frame > 0 {
            frame.elapsed = self.settings.decide_every;
        }
        let is_kept = self
            .scenery
            .as_mut()
            .is_some_and(|scenery| scenery.keep(self.frame, pose, &frame, conditions.has_spike));
        if let Some(scenery) = self.scenery.as_mut().filter(|_| is_kept) {
            scenery.watch(|actor| self.oracle.is_outside(actor));
        }
        for run in &mut self.runs {
            if decides {
                run.controller.decide(&frame, &mut run.assignment)?;
            }
            let took_ns = conditions.took(&run.assignment.units);
            let total_ns = self.table.paid(&took_ns);
            run.controller.update(&frame, &run.assignment, &took_ns)?;
            let estimates = run.controller.estimates();
            let is_watched = self.scenery.is_some();
            run.history.note(
                &run.assignment,
                total_ns,
                &estimates,
                &conditions.unit_ns,
                is_watched,
            );
            if let Some(scenery) = self.scenery.as_ref().filter(|_| is_kept) {
                run.history.watch(
                    scenery.shown_actors(),
                    &run.assignment,
                    &benefits,
                    &*run.controller,
                );
            }
            run.metrics.add(FrameSample {
                frame: self.frame,
                table: &self.table,
                levels: &run.assignment.levels,
                is_over: total_ns > self.table.budget_ns,
                has_spike: conditions.has_spike,
                benefit: self.table.value(&benefits, &run.assignment.levels),
                bound,
                estimates: &estimates,
                true_ns: &conditions.unit_ns,
            });
            run.history.changed.push(run.metrics.changed_last);
        }
        self.frame += 1;
        for walker in &mut self.walkers {
            walker.advance(1.0 / f64::from(FRAMES_PER_SECOND), self.simulated.ground);
        }
        Ok(())
    }

    /// The result of each candidate in the last frame.
    pub fn last_frame(&self) -> impl Iterator<Item = LastFrame> {
        let modules = self.simulated.modules.len();
        self.runs.iter().map(move |run| {
            let estimates = run.history.estimates.iter().rev().take(modules).rev();
            LastFrame {
                changed: run.metrics.changed_last,
                raw_unit_costs: estimates.map(|[raw, _]| f64::from(*raw)).collect(),
            }
        })
    }

    /// Metrics of each candidate up to now.
    #[must_use]
    pub fn rows(&self) -> Vec<CandidateMetrics> {
        self.runs.iter().map(|run| run.metrics.row(run.candidate)).collect()
    }
}

impl CandidateRun {
    #[cfg(test)]
    pub(crate) fn levels(&self) -> &[u8] {
        &self.assignment.levels
    }

    fn new(
        candidate: Candidate,
        simulated: &SimulationScene,
        tuning: Tuning<'_>,
    ) -> Result<Self, SceneError> {
        let initial_ns = tuning.costs.initial_ns();
        let controller: Box<dyn LodController> = match candidate {
            Candidate::Scheduler(policy, stability) => {
                Box::new(SchedulerCandidate::new(simulated, policy, stability, &initial_ns)?)
            }
            Candidate::Baseline(Baseline::Bands) => Box::new(Bands::new(tuning)),
            Candidate::Baseline(Baseline::RoundRobin) => Box::new(RoundRobin::new(tuning)),
            Candidate::Baseline(Baseline::Threshold) => Box::new(Threshold::new(tuning)),
            Candidate::Baseline(Baseline::Greedy) => Box::new(Greedy::new(tuning, &initial_ns)),
        };
        let (assignment, metrics, history) =
            (Assignment::default(), Metrics::default(), History::default());
        Ok(Self { candidate, controller, assignment, metrics, history })
    }
}
