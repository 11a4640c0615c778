//! Frame by frame.

use std::io;

use lodger_scheduler::{Policy, SceneError, Stability};

use crate::baseline::{Bands, Greedy, RoundRobin, Threshold, Tuning};
use crate::cast::Cast;
use crate::decide::{Choice, Decide, Frame, Ledger};
use crate::history::{History, Scenery};
use crate::metrics::{Metrics, Row, Seen};
use crate::motion::{Camera, Walker, walkers};
use crate::settings::{Baseline, Candidate, FRAMES_PER_SECOND, Settings};
use crate::stage::Stage;
use crate::truth::Truth;

/// A scene through which a camera moves, and those who decide what it shows: all of them see the same, and
/// the same work takes them the same time.
pub struct Simulation {
    pub(crate) settings: Settings,
    pub(crate) stage: Stage,
    pub(crate) cast: Cast,
    pub(crate) truth: Truth,
    camera: Camera,
    walkers: Vec<Walker>,
    /// Knows the true costs, and so what could be shown.
    referee: Ledger,
    pub(crate) runs: Vec<Run>,
    pub(crate) scenery: Option<Scenery>,
    frame: usize,
}

/// What a candidate did in a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Last {
    /// How many actors changed their level.
    pub changed: u32,
    /// What a unit of each module's work costs by the measurements alone, as a part of the truth.
    pub raw_unit_costs: Vec<f64>,
}

/// A candidate at work.
pub(crate) struct Run {
    pub(crate) candidate: Candidate,
    decider: Box<dyn Decide>,
    choice: Choice,
    metrics: Metrics,
    pub(crate) history: History,
}

impl Simulation {
    /// Everybody in their places. `watched` says whether the levels of the actors are kept, for a
    /// [`page`](Self::page).
    ///
    /// # Errors
    /// What the scheduler refuses, such as unit costs that are so wrong that a level costs 4.29 s.
    pub fn new(
        stage: Stage,
        candidates: &[Candidate],
        settings: Settings,
        watched: bool,
    ) -> Result<Self, SceneError> {
        let truth = Truth::new(&stage, settings.prices, settings.seed);
        let camera = Camera::new(&settings.path, stage.ground);
        let walkers = if settings.walking { walkers(&stage, settings.seed) } else { Vec::new() };
        let mut referee = Ledger::new(&stage, Policy::Optimal, Stability::OFF, &truth.unit_ns)?;
        referee.search_less();
        let cast = Cast::new(&stage)?;
        let frame = Frame {
            eye: eye(&camera, 0),
            walkers: &walkers,
            cast: &cast,
            benefits: &[],
            told_ns: None,
        };
        let benefits = Ledger::first(&stage, &truth.unit_ns, &frame)?;
        let tuning = Tuning { cast: &cast, benefits: &benefits, truth: &truth };
        let run = |candidate: &Candidate| Run::new(*candidate, &stage, tuning);
        let runs = candidates.iter().map(run).collect::<Result<_, _>>()?;
        let scenery =
            watched.then(|| Scenery::new(&stage, &walkers, settings.frames, candidates.len()));
        Ok(Self { settings, stage, cast, truth, camera, walkers, referee, runs, scenery, frame: 0 })
    }

    /// Has the decisions from now on written to a log, as [`lodger_scheduler::record`] says: those of the
    /// first candidate that is a policy of the ledger.
    ///
    /// # Errors
    /// Those of writing.
    pub fn record(&mut self) -> io::Result<()> {
        let is_ledger = |run: &&mut Run| matches!(run.candidate, Candidate::Ledger(..));
        self.runs.iter_mut().find(is_ledger).map_or(Ok(()), |run| run.decider.record())
    }

    /// The log, if one was written.
    ///
    /// # Errors
    /// Those of writing.
    pub fn log(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.runs.iter_mut().find_map(|run| run.decider.log()).transpose()
    }

    /// How many frames there were so far.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frame
    }

    /// One more frame.
    ///
    /// # Errors
    /// What the scheduler refuses.
    pub fn step(&mut self) -> Result<(), SceneError> {
        let weather = self.truth.next();
        let mut benefits = Vec::new();
        let mut frame = Frame {
            eye: eye(&self.camera, self.frame),
            walkers: &self.walkers,
            cast: &self.cast,
            benefits: &[],
            told_ns: weather.is_told.then_some(&weather.unit_ns[..]),
        };
        self.referee.tick(&frame)?;
        self.referee.benefits(&mut benefits);
        let bound = self.referee.bound();
        frame.benefits = &benefits;
        let is_kept = self
            .scenery
            .as_mut()
            .is_some_and(|scenery| scenery.keep(self.frame, &frame, weather.has_spike));
        for run in &mut self.runs {
            run.decider.decide(&frame, &mut run.choice)?;
            let took_ns = weather.took(&run.choice.units);
            let total_ns = self.cast.paid(&took_ns);
            run.decider.learn(&frame, &run.choice, &took_ns)?;
            let beliefs = run.decider.beliefs();
            let is_watched = self.scenery.is_some();
            run.history.note(&run.choice, total_ns, &beliefs, &weather.unit_ns, is_watched);
            if let Some(scenery) = self.scenery.as_ref().filter(|_| is_kept) {
                run.history.watch(scenery.shown(), &run.choice, &benefits, &*run.decider);
            }
            run.metrics.see(Seen {
                frame: self.frame,
                cast: &self.cast,
                levels: &run.choice.levels,
                is_over: total_ns > self.cast.budget_ns,
                has_spike: weather.has_spike,
                benefit: self.cast.value(&benefits, &run.choice.levels),
                bound,
                beliefs: &beliefs,
                true_ns: &weather.unit_ns,
            });
            run.history.changed.push(run.metrics.changed_last);
        }
        self.frame += 1;
        for walker in &mut self.walkers {
            walker.walk(1.0 / f64::from(FRAMES_PER_SECOND), self.stage.ground);
        }
        Ok(())
    }

    /// What each candidate did in the last frame.
    pub fn last(&self) -> impl Iterator<Item = Last> {
        let modules = self.stage.modules.len();
        self.runs.iter().map(move |run| {
            let beliefs = run.history.beliefs.iter().rev().take(modules).rev();
            Last {
                changed: run.metrics.changed_last,
                raw_unit_costs: beliefs.map(|[raw, _]| f64::from(*raw)).collect(),
            }
        })
    }

    /// How each candidate fared so far.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        self.runs.iter().map(|run| run.metrics.row(run.candidate)).collect()
    }
}

impl Run {
    /// The levels of the last frame.
    #[cfg(test)]
    pub(crate) fn levels(&self) -> &[u8] {
        &self.choice.levels
    }

    fn new(candidate: Candidate, stage: &Stage, tuning: Tuning<'_>) -> Result<Self, SceneError> {
        let believed_ns = tuning.truth.believed_ns();
        let decider: Box<dyn Decide> = match candidate {
            Candidate::Ledger(policy, stability) => {
                Box::new(Ledger::new(stage, policy, stability, &believed_ns)?)
            }
            Candidate::Baseline(Baseline::Bands) => Box::new(Bands::new(tuning)),
            Candidate::Baseline(Baseline::RoundRobin) => Box::new(RoundRobin::new(tuning)),
            Candidate::Baseline(Baseline::Threshold) => Box::new(Threshold::new(tuning)),
            Candidate::Baseline(Baseline::Greedy) => Box::new(Greedy::new(tuning, &believed_ns)),
        };
        let (choice, metrics, history) =
            (Choice::default(), Metrics::default(), History::default());
        Ok(Self { candidate, decider, choice, metrics, history })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "to the nearest")]
fn eye(camera: &Camera, frame: usize) -> [f32; 3] {
    camera.eye(frame as f64 / f64::from(FRAMES_PER_SECOND)).map(|metres| metres as f32)
}
