//! What a candidate is shown, and what it answers.

use std::io;

use lodger_scheduler::{Reason, SceneError};

use crate::cast::Cast;
use crate::walkers::Walker;

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
    fn learn(
        &mut self,
        frame: &Frame<'_>,
        choice: &Choice,
        took_ns: &[f64],
    ) -> Result<(), SceneError>;

    /// What it believes of each module; nothing where it does not think in costs.
    fn beliefs(&self) -> Vec<Belief>;

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
