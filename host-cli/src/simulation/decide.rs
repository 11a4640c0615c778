//! The interface of a candidate, and the scheduler as a candidate.

use std::io;
use std::time::Duration;

use lodger_scheduler::record::Recorder;
use lodger_scheduler::{
    ActorId, Hysteresis, Lod, ModuleId, Policy, Reason, Scene, SceneError, UnitCost, View, ViewId,
};

use super::motion::Walker;
use super::settings::FRAMES_PER_SECOND;
use super::simulated_scene::{ActorTable, SimulationScene};

#[derive(Debug)]
pub(crate) struct FrameInput<'a> {
    pub(crate) view: View<f32>,
    pub(crate) walkers: &'a [Walker],
    pub(crate) table: &'a ActorTable,
    pub(crate) benefits: &'a [f64],
    /// The cost of a unit of work of each module in nanoseconds, if it is known.
    pub(crate) known_ns: Option<&'a [f64]>,
    /// The number of frames since the last decision.
    pub(crate) elapsed: usize,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Assignment {
    pub(crate) levels: Vec<u8>,
    pub(crate) units: Vec<u64>,
    /// The planned time in nanoseconds, if the candidate plans.
    pub(crate) planned_ns: Option<f64>,
}

/// The estimated cost of a unit of work, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CostEstimate {
    pub(crate) raw_ns: f64,
    /// As used for plans.
    pub(crate) applied_ns: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LevelReason {
    Plan(Reason),
    Words(&'static str),
}

/// Chooses the level of every actor, frame by frame.
pub(crate) trait LodController {
    fn decide(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), SceneError>;

    /// Takes in the measured time of each module in a frame, in nanoseconds.
    fn update(&mut self, _: &FrameInput<'_>, _: &Assignment, _: &[f64]) -> Result<(), SceneError> {
        Ok(())
    }

    /// Cost estimates of the modules; none if the controller does not estimate costs.
    fn estimates(&self) -> Vec<CostEstimate> {
        Vec::new()
    }

    fn reason(&self, actor: usize) -> Option<LevelReason>;

    /// Starts a log of decisions, if the controller supports it.
    fn record(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Ends the log and returns it, if there is one.
    fn log(&mut self) -> Option<io::Result<Vec<u8>>> {
        None
    }
}

const SECONDS_PER_FRAME: f32 = 1.0 / FRAMES_PER_SECOND as f32;

/// A copy of the scene with a single moving view.
#[derive(Debug)]
pub(crate) struct SchedulerCandidate {
    scene: Scene<f32>,
    view: ViewId,
    modules: Vec<ModuleId>,
    actors: Vec<ActorId>,
    recorder: Option<Recorder<Vec<u8>>>,
}

impl SchedulerCandidate {
    /// Copies the scene and sets unit costs, in nanoseconds.
    pub(crate) fn new(
        simulated: &SimulationScene,
        policy: Policy,
        stability: Hysteresis,
        unit_ns: &[f64],
    ) -> Result<Self, SceneError> {
        let mut scene = simulated.scene.clone();
        scene.set_policy(policy)?;
        scene.set_hysteresis(stability);
        let views: Vec<_> = scene.views().map(|(id, _)| id).collect();
        for id in views {
            scene.remove_view(id)?;
        }
        let view = scene.add_view(View::from_position([0.0; 3])?)?;
        let modules = simulated.modules.iter().map(|(id, _)| *id).collect();
        let actors = simulated.actors.iter().map(|(id, _)| *id).collect();
        let mut candidate = Self { scene, view, modules, actors, recorder: None };
        candidate.set_unit_costs(unit_ns)?;
        Ok(candidate)
    }

    pub(crate) fn first_benefits(
        simulated: &SimulationScene,
        unit_ns: &[f64],
        frame: &FrameInput<'_>,
    ) -> Result<Vec<f64>, SceneError> {
        let mut benefits = Vec::new();
        let mut candidate = Self::new(simulated, Policy::Optimal, Hysteresis::OFF, unit_ns)?;
        candidate.tick(frame)?;
        candidate.benefits(&mut benefits);
        Ok(benefits)
    }

    /// Turns local search off; the upper bound does not need it.
    pub(crate) fn search_less(&mut self) {
        self.scene.set_search_moves(0);
    }

    fn set_unit_costs(&mut self, unit_ns: &[f64]) -> Result<(), SceneError> {
        for (id, ns) in self.modules.iter().zip(unit_ns) {
            self.scene.set_unit_cost(*id, UnitCost::from_ns(*ns)?)?;
        }
        Ok(())
    }

    pub(crate) fn tick(&mut self, frame: &FrameInput<'_>) -> Result<(), SceneError> {
        self.scene.set_view(self.view, frame.view)?;
        for walker in frame.walkers {
            #[expect(clippy::cast_possible_truncation, reason = "to the nearest")]
            self.scene.set_position(walker.id, walker.position.map(|metres| metres as f32))?;
        }
        #[expect(clippy::cast_precision_loss, reason = "few frames")]
        self.scene.advance_ages(SECONDS_PER_FRAME * frame.elapsed as f32)?;
        if let Some(unit_ns) = frame.known_ns {
            self.set_unit_costs(unit_ns)?;
        }
        match &mut self.recorder {
            // `finish` returns the error of a failed log.
            Some(recorder) => drop(recorder.tick(&mut self.scene)),
            None => drop(self.scene.tick()),
        }
        Ok(())
    }

    pub(crate) fn benefits(&self, benefits: &mut Vec<f64>) {
        let plan = self.scene.plan();
        benefits.clear();
        let of = |id: &ActorId| plan.actor(*id).map_or(0.0, |actor| actor.benefit.to_f64());
        benefits.extend(self.actors.iter().map(of));
    }

    /// Whether the view does not see an actor.
    pub(crate) fn is_outside(&self, actor: usize) -> bool {
        self.scene.is_in_view(self.actors[actor]) == Some(false)
    }

    pub(crate) fn bound(&mut self) -> f64 {
        let certificate = self.scene.plan().certificate();
        certificate.unwrap_or_else(|| self.scene.certify()).upper_bound()
    }
}

impl LodController for SchedulerCandidate {
    fn decide(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &mut Assignment,
    ) -> Result<(), SceneError> {
        self.tick(frame)?;
        let plan = self.scene.plan();
        assignment.levels.clear();
        let level = |id: &ActorId| plan.lod(*id).map_or(0, Lod::level);
        assignment.levels.extend(self.actors.iter().map(level));
        assignment.units.clear();
        assignment.units.extend(plan.modules().map(|module| module.units));
        #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a time")]
        let planned_ns = plan.assigned_ns() as f64;
        assignment.planned_ns = Some(planned_ns);
        Ok(())
    }

    fn update(
        &mut self,
        frame: &FrameInput<'_>,
        assignment: &Assignment,
        took_ns: &[f64],
    ) -> Result<(), SceneError> {
        if frame.known_ns.is_some() {
            return Ok(());
        }
        for ((id, units), ns) in self.modules.iter().zip(&assignment.units).zip(took_ns) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time")]
            self.scene.observe_time(*id, *units, Duration::from_nanos(*ns as u64))?;
        }
        self.scene.frame_done();
        Ok(())
    }

    fn estimates(&self) -> Vec<CostEstimate> {
        let estimate = |id: &ModuleId| {
            let (raw, applied) = (self.scene.raw_unit_cost(*id)?, self.scene.unit_cost(*id)?);
            Some(CostEstimate { raw_ns: raw.ns(), applied_ns: applied.ns() })
        };
        self.modules.iter().filter_map(estimate).collect()
    }

    fn reason(&self, actor: usize) -> Option<LevelReason> {
        let plan = self.scene.plan().actor(*self.actors.get(actor)?)?;
        Some(LevelReason::Plan(plan.reason))
    }

    fn record(&mut self) -> io::Result<()> {
        self.recorder = Some(Recorder::new(Vec::new())?);
        Ok(())
    }

    fn log(&mut self) -> Option<io::Result<Vec<u8>>> {
        self.recorder.take().map(Recorder::finish)
    }
}
