//! A threshold moved by feedback.
//!
//! What viewers of 3D Tiles do with the maximum screen space error (`CesiumJS` moves its own by 2 % while
//! memory is over or under what it may be), and Second Life's `AutoTune` with its factors of detail: whoever
//! would miss more than the threshold gets more detail, and the threshold follows the time of the frame.

use lodger_scheduler::SceneError;

use super::{TUNED_TO, Tuning, each};
use crate::cast::Ladder;
use crate::decide::{Belief, Choice, Decide, Frame, Why};

/// How much the threshold moves in a frame.
const STEP: f64 = 1.02;
/// It stands while the smoothed time is so close to the aim, as a part of the budget.
const DEAD_ZONE: f64 = 0.03;
/// The part of the way to a new time, which smooths over a fifth of a second.
const GAIN: f64 = 1.0 / 12.0;
/// Times beyond so much of the budget count as that.
const LONGEST: f64 = 1.5;

pub(crate) struct Threshold {
    /// One over what may be missed.
    detail: f64,
    /// The smoothed time, as a part of the budget.
    load: f64,
}

impl Threshold {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let levels = |detail: f64| {
            each(tuning.cast, tuning.benefits, |ladder, benefit| level(ladder, benefit * detail))
        };
        Self { detail: tuning.knob(levels), load: TUNED_TO }
    }
}

/// The lowest level that misses no more than 1.
fn level(ladder: &Ladder, benefit: f64) -> u8 {
    let mut levels = ladder.levels();
    let enough = levels.find(|level| benefit * (1.0 - ladder.quality(*level)) <= 1.0);
    enough.unwrap_or(ladder.highest())
}

impl Decide for Threshold {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        choice.levels = each(frame.cast, frame.benefits, |ladder, benefit| {
            level(ladder, benefit * self.detail)
        });
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn learn(&mut self, frame: &Frame<'_>, _: &Choice, took_ns: &[f64]) -> Result<(), SceneError> {
        let load = frame.cast.paid(took_ns) / frame.cast.budget_ns;
        self.load += GAIN * (load.min(LONGEST) - self.load);
        if self.load > TUNED_TO + DEAD_ZONE {
            self.detail /= STEP;
        } else if self.load < TUNED_TO - DEAD_ZONE {
            self.detail *= STEP;
        }
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        Vec::new()
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("what it would miss, against the threshold"))
    }
}
