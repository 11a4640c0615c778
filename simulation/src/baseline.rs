//! What engines do today.
//!
//! Each has one knob, which its users turn once at the start until what they see fits: here until the work
//! of the first frame truly takes [`TUNED_TO`] of the budget. Where a shape is to be chosen too, that one is
//! taken which shows most.

mod bands;
mod greedy;
mod round_robin;
mod threshold;

pub(crate) use bands::Bands;
pub(crate) use greedy::Greedy;
pub(crate) use round_robin::RoundRobin;
pub(crate) use threshold::Threshold;

use crate::cast::{Cast, Ladder};
use crate::truth::Truth;

/// The part of the budget that a careful user aims at.
const TUNED_TO: f64 = 0.9;
/// Between what a knob is turned, and how often: it moves in equal factors.
const KNOB: (f64, f64) = (1e-12, 1e12);
const TURNS: u32 = 24;

/// What is known while a knob is turned.
#[derive(Clone, Copy)]
pub(crate) struct Tuning<'a> {
    pub(crate) cast: &'a Cast,
    pub(crate) benefits: &'a [f64],
    pub(crate) truth: &'a Truth,
}

impl Tuning<'_> {
    /// The highest setting of a knob with which the first frame fits: higher settings take more.
    fn knob(self, mut levels: impl FnMut(f64) -> Vec<u8>) -> f64 {
        let limit = TUNED_TO * self.cast.budget_ns;
        let (mut low, mut high) = KNOB;
        for _ in 0..TURNS {
            let middle = (low * high).sqrt();
            if self.takes(&levels(middle)) <= limit {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The shape that shows most in the first frame, with its knob.
    fn shape<S: Copy>(
        self,
        shapes: impl IntoIterator<Item = S>,
        levels: impl Fn(S, f64) -> Vec<u8>,
    ) -> Option<(S, f64)> {
        let turned = shapes.into_iter().map(|shape| (shape, self.knob(|knob| levels(shape, knob))));
        let worth =
            |&(shape, knob): &(S, f64)| self.cast.value(self.benefits, &levels(shape, knob));
        turned.max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }

    /// What the levels take in truth, in nanoseconds.
    fn takes(self, levels: &[u8]) -> f64 {
        self.cast.paid(&self.truth.takes(&self.cast.units(levels)))
    }
}

/// The levels by a rule for each actor alone.
fn each(cast: &Cast, benefits: &[f64], level: impl Fn(&Ladder, f64) -> u8) -> Vec<u8> {
    cast.roles.iter().zip(benefits).map(|(role, benefit)| level(&role.ladder, *benefit)).collect()
}

/// The actors by falling benefit.
fn by_significance(benefits: &[f64]) -> Vec<usize> {
    let mut order: Vec<_> = (0..benefits.len()).collect();
    order.sort_by(|a, b| benefits[*b].total_cmp(&benefits[*a]).then(a.cmp(b)));
    order
}
