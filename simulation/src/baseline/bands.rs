//! Fixed bands of distance.
//!
//! The oldest and still the most common way: Unity's `LODGroup` (parts of the screen's height), Unreal's
//! screen sizes of static meshes, Godot's and Bevy's visibility ranges. A level is a band of apparent size,
//! and nobody asks what all of them cost together. Here apparent size is the benefit; the bands are the
//! same for all, each so many times as far as the last, and which factor is found at the start.

use lodger_scheduler::SceneError;

use super::{Tuning, each};
use crate::cast::Ladder;
use crate::decide::{Belief, Choice, Decide, Frame, Why};

/// How many bands there are but for the farthest.
const BANDS: u8 = 4;
/// By which factor the benefits of two bands may differ.
const RATIOS: [f64; 6] = [1.2, 1.5, 2.0, 3.0, 4.0, 8.0];

pub(crate) struct Bands {
    ratio: f64,
    scale: f64,
}

impl Bands {
    pub(crate) fn new(tuning: Tuning<'_>) -> Self {
        let levels = |ratio, scale| {
            each(tuning.cast, tuning.benefits, |ladder, benefit| {
                level(ladder, benefit * scale, ratio)
            })
        };
        let (ratio, scale) = tuning.shape(RATIOS, levels).unwrap_or((2.0, 1.0));
        Self { ratio, scale }
    }
}

/// The level of a size, of which 1 is where the nearest band ends.
fn level(ladder: &Ladder, size: f64, ratio: f64) -> u8 {
    let (mut passed, mut border) = (BANDS, 1.0);
    while passed > 0 && size < border {
        passed -= 1;
        border /= ratio;
    }
    let steps = u16::from(ladder.highest() - ladder.lowest());
    let climbed = (u16::from(passed) * steps).div_ceil(u16::from(BANDS));
    ladder.lowest().saturating_add(u8::try_from(climbed).unwrap_or(u8::MAX))
}

impl Decide for Bands {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        choice.levels = each(frame.cast, frame.benefits, |ladder, benefit| {
            level(ladder, benefit * self.scale, self.ratio)
        });
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn learn(&mut self, _: &Frame<'_>, _: &Choice, _: &[f64]) -> Result<(), SceneError> {
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        Vec::new()
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("the band of its size"))
    }
}
