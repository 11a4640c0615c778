//! Where sizes and weights are in the picture.

use lodger_opensim::pricing::SweepPoint;

use crate::axis::Axis;
use crate::canvas::INSIDE;

/// Where sizes and weights are in the picture.
pub(super) struct Map {
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Map {
    /// The picture that holds all points.
    pub(super) fn new(points: &[SweepPoint]) -> Self {
        let sizes = points.iter().map(|point| point.size);
        let weights = points.iter().flat_map(|point| {
            let counted = &point.price.assessment;
            let impact = f64::from(point.land_impact());
            [counted.streaming, counted.physics, counted.server, impact]
        });
        let (least, most) = ends(weights.filter(|weight| *weight > 0.0));
        let (first, last) = ends(sizes);
        Self {
            x: Axis::new((first, last), (INSIDE.left, INSIDE.right)),
            y: Axis::new(
                (least.clamp(0.01, 0.5) / 1.25, most.max(2.0) * 1.4),
                (INSIDE.bottom, INSIDE.top),
            ),
        }
    }

    /// Where a weight at a size is.
    pub(super) fn at(&self, size: f64, weight: f64) -> (i32, i32) {
        (self.x.pixel(size), self.y.pixel(weight))
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| (least.min(value), most.max(value)))
}
