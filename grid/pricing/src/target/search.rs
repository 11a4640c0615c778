//! The search for the greatest size within a limit.

use lodger_core::cost::land_impact::greatest_weight;
use lodger_core::cost::streaming::Reach;

use crate::error::Error;
use crate::sizes::{Sizes, largest};

/// Halvings after which no number is left between two others.
const HALVINGS: u32 = 64;
/// Metres: all sizes below this cost alike, for no area is less than 1 m².
const SMALLEST: f64 = 1e-6;

/// The search for the greatest size within a land impact.
///
/// Between two neighbours of the streaming curve's break points and the flip of the physics, either
/// weight is monotone: so what is within the limit is a range for each, and both begin or end there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    sizes: Sizes<'a>,
    limit: f64,
}

impl<'a> Search<'a> {
    /// The search for a land impact.
    pub(super) fn new(sizes: Sizes<'a>, land_impact: u32) -> Self {
        Self { sizes, limit: greatest_weight(land_impact) }
    }

    /// The greatest longest side in metres within the limit.
    pub(super) fn greatest(&self) -> Result<Reach<f64>, Error> {
        let mut upper = largest();
        if self.is_within(upper)? == [true; 3] {
            return Ok(Reach::Always);
        }
        for lower in self.turns() {
            if let Some(longest) = self.greatest_between(lower, upper)? {
                return Ok(Reach::UpTo(longest));
            }
            upper = lower;
        }
        Ok(Reach::Never)
    }

    /// Whether all sizes below one are within the limit: so they are if the turns are.
    pub(super) fn holds_below(&self, longest: f64) -> Result<bool, Error> {
        for turn in self.turns().into_iter().filter(|turn| *turn < longest) {
            if self.is_within(turn)? != [true; 3] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where either weight may turn, the greatest first; the last is the least size of all.
    fn turns(&self) -> Vec<f64> {
        let scale = self.sizes.usage.scale;
        let points = self.sizes.pricing.meshes().break_points();
        let radii = points.full.into_iter().chain(points.closed).chain(points.floor);
        let per_radius = scale.longest() / scale.radius();
        let flip = self.sizes.flip();
        let mut turns: Vec<_> = radii
            .map(|radius| radius * per_radius)
            .chain([flip, flip.next_down(), SMALLEST])
            .filter(|size| (SMALLEST..largest()).contains(size))
            .collect();
        turns.sort_by(|a, b| b.total_cmp(a));
        turns
    }

    /// Which of streaming, physics and server weight are within the limit.
    fn is_within(&self, longest: f64) -> Result<[bool; 3], Error> {
        let counted = self.sizes.price(longest)?.assessment;
        Ok([counted.streaming, counted.physics, counted.server].map(|weight| weight <= self.limit))
    }

    fn greatest_between(&self, lower: f64, upper: f64) -> Result<Option<f64>, Error> {
        let (at_lower, at_upper) = (self.is_within(lower)?, self.is_within(upper)?);
        let mut greatest = upper;
        for (weight, at_both) in at_lower.into_iter().zip(at_upper).enumerate() {
            match at_both {
                (_, true) => {}
                (true, false) => greatest = greatest.min(self.last(lower, upper, weight)?),
                (false, false) => return Ok(None),
            }
        }
        Ok((self.is_within(greatest)? == [true; 3]).then_some(greatest))
    }

    /// The end of the range that begins at `within` and holds what is within, which `beyond` is not.
    fn last(&self, mut within: f64, mut beyond: f64, weight: usize) -> Result<f64, Error> {
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(within, beyond);
            if !(within < middle && middle < beyond) {
                break;
            }
            if self.is_within(middle)?[weight] {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        Ok(within)
    }
}
