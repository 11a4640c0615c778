//! What a candidate is shown, and what it answers; the scheduler as a candidate.

use std::io;
use std::time::Duration;

use lodger_scheduler::record::Recorder;
use lodger_scheduler::{
    ActorId, Lod, ModuleId, Policy, Reason, Scene, SceneError, Stability, UnitCost, View, ViewId,
};

use crate::cast::Cast;
use crate::motion::Walker;
use crate::settings::FRAMES_PER_SECOND;
use crate::stage::Stage;

/// What a frame shows to every candidate.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) eye: [f32; 3],
    pub(crate) walkers: &'a [Walker],
    pub(crate) cast: &'a Cast,
    /// How much each actor matters now.
    pub(crate) benefits: &'a [f64],
    /// What a unit of work of each module costs in nanoseconds, where that is told.
    pub(crate) told_ns: Option<&'a [f64]>,
}

/// What a candidate decided.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    /// The level of each actor.
    pub(crate) levels: Vec<u8>,
    /// The units of work of each module.
    pub(crate) units: Vec<u64>,
    /// What it was planned to take, in nanoseconds, where there was a plan.
    pub(crate) planned_ns: Option<f64>,
}

/// What a candidate believes a unit of work to cost, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Belief {
    /// By the measurements alone.
    pub(crate) raw_ns: f64,
    /// As it plans with it.
    pub(crate) applied_ns: f64,
}

/// Why an actor has its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// As the plan says.
    Plan(Reason),
    /// In words.
    Words(&'static str),
}

/// A way to decide who is shown at which level.
pub(crate) trait Decide {
    /// Decides a frame.
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError>;

    /// Is told what the work of each module took, in nanoseconds.
    fn learn(&mut self, _: &Frame<'_>, _: &Choice, _: &[f64]) -> Result<(), SceneError> {
        Ok(())
    }

    /// What it believes of each module; nothing where it does not think in costs.
    fn beliefs(&self) -> Vec<Belief> {
        Vec::new()
    }

    /// Why an actor has the level that it was given.
    fn why(&self, actor: usize) -> Option<Why>;

    /// Has all decisions from now on written to a log, by who can.
    fn record(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The log, if one was written.
    fn log(&mut self) -> Option<io::Result<Vec<u8>>> {
        None
    }
}

/// By which everybody ages in a frame.
const SECONDS_PER_FRAME: f32 = 1.0 / FRAMES_PER_SECOND as f32;

/// A scene that is seen from one moving eye.
#[derive(Debug)]
pub(crate) struct Ledger {
    scene: Scene<f32>,
    view: ViewId,
    modules: Vec<ModuleId>,
    actors: Vec<ActorId>,
    recorder: Option<Recorder<Vec<u8>>>,
}

impl Ledger {
    /// A scene with these unit costs, in nanoseconds.
    pub(crate) fn new(
        stage: &Stage,
        policy: Policy,
        stability: Stability,
        unit_ns: &[f64],
    ) -> Result<Self, SceneError> {
        let mut scene = stage.scene.clone();
        scene.set_policy(policy);
        scene.set_stability(stability);
        let views: Vec<_> = scene.views().map(|(id, _)| id).collect();
        for id in views {
            scene.remove_view(id)?;
        }
        let view = scene.add_view(View::eye([0.0; 3])?)?;
        let modules = stage.modules.iter().map(|(id, _)| *id).collect();
        let actors = stage.actors.iter().map(|(id, _)| *id).collect();
        let mut ledger = Self { scene, view, modules, actors, recorder: None };
        ledger.tell(unit_ns)?;
        Ok(ledger)
    }

    /// The benefit of each actor in the first frame.
    pub(crate) fn first(
        stage: &Stage,
        unit_ns: &[f64],
        frame: &Frame<'_>,
    ) -> Result<Vec<f64>, SceneError> {
        let mut benefits = Vec::new();
        let mut ledger = Self::new(stage, Policy::Optimal, Stability::OFF, unit_ns)?;
        ledger.tick(frame)?;
        ledger.benefits(&mut benefits);
        Ok(benefits)
    }

    /// Spends no time on a better plan than the first: for who asks for the bound only.
    pub(crate) fn search_less(&mut self) {
        self.scene.set_trials(0);
    }

    fn tell(&mut self, unit_ns: &[f64]) -> Result<(), SceneError> {
        for (id, ns) in self.modules.iter().zip(unit_ns) {
            self.scene.set_unit_cost(*id, UnitCost::from_ns(*ns)?)?;
        }
        Ok(())
    }

    /// Moves everything to where it is in a frame, and decides.
    pub(crate) fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SceneError> {
        self.scene.set_view(self.view, View::eye(frame.eye)?)?;
        for walker in frame.walkers {
            #[expect(clippy::cast_possible_truncation, reason = "to the nearest")]
            self.scene.set_position(walker.id, walker.position.map(|metres| metres as f32))?;
        }
        self.scene.advance_ages(SECONDS_PER_FRAME)?;
        if let Some(unit_ns) = frame.told_ns {
            self.tell(unit_ns)?;
        }
        match &mut self.recorder {
            // A log that fails says so at its end.
            Some(recorder) => drop(recorder.tick(&mut self.scene)),
            None => drop(self.scene.tick()),
        }
        Ok(())
    }

    /// How much each actor mattered in the last frame.
    pub(crate) fn benefits(&self, benefits: &mut Vec<f64>) {
        let plan = self.scene.plan();
        benefits.clear();
        let of = |id: &ActorId| plan.actor(*id).map_or(0.0, |actor| actor.benefit.to_f64());
        benefits.extend(self.actors.iter().map(of));
    }

    /// What no plan of the last frame could exceed.
    pub(crate) fn bound(&mut self) -> f64 {
        let certificate = self.scene.plan().certificate();
        certificate.unwrap_or_else(|| self.scene.certify()).upper_bound()
    }
}

impl Decide for Ledger {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        self.tick(frame)?;
        let plan = self.scene.plan();
        choice.levels.clear();
        let level = |id: &ActorId| plan.lod(*id).map_or(0, Lod::level);
        choice.levels.extend(self.actors.iter().map(level));
        choice.units.clear();
        choice.units.extend(plan.modules().map(|module| module.units));
        #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a time")]
        let planned_ns = plan.assigned_ns() as f64;
        choice.planned_ns = Some(planned_ns);
        Ok(())
    }

    fn learn(
        &mut self,
        frame: &Frame<'_>,
        choice: &Choice,
        took_ns: &[f64],
    ) -> Result<(), SceneError> {
        if frame.told_ns.is_some() {
            return Ok(());
        }
        for ((id, units), ns) in self.modules.iter().zip(&choice.units).zip(took_ns) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time")]
            self.scene.measured(*id, *units, Duration::from_nanos(*ns as u64))?;
        }
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        let belief = |id: &ModuleId| {
            let (raw, applied) = (self.scene.raw_unit_cost(*id)?, self.scene.unit_cost(*id)?);
            Some(Belief { raw_ns: raw.ns(), applied_ns: applied.ns() })
        };
        self.modules.iter().filter_map(belief).collect()
    }

    fn why(&self, actor: usize) -> Option<Why> {
        let plan = self.scene.plan().actor(*self.actors.get(actor)?)?;
        Some(Why::Plan(plan.reason))
    }

    fn record(&mut self) -> io::Result<()> {
        self.recorder = Some(Recorder::new(Vec::new())?);
        Ok(())
    }

    fn log(&mut self) -> Option<io::Result<Vec<u8>>> {
        self.recorder.take().map(Recorder::finish)
    }
}
