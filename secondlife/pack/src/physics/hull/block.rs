//! What an asset keeps of points: 16 bits of each coordinate.

use lodger_mesh_asset::{Domain, Problem};

use crate::frame::Frame;
use crate::physics::hull::facet_locator::FacetLocator;
use crate::physics::hull::lattice::{Point, STEPS, dot, length, minus, nearest, real};
use crate::physics::hull::polytope::Polytope;

/// How far outside of the written hull a vertex may be: so many 16-bit steps of the block, along the diagonal of
/// what the block spans. Truncation takes one of them, a corner that falls together with another one more, and the
/// lattice on which hulls are made at most one.
pub const TOLERANCE: f64 = 3.0 / 65_535.0;

/// A point of the lattice in metres.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest float of a model")]
pub(crate) fn in_metres(point: Point, frame: &Frame) -> [f32; 3] {
    let (centre, sides) = (frame.centre(), frame.sides());
    std::array::from_fn(|axis| (centre[axis] + f64::from(point[axis]) / STEPS * sides[axis]) as f32)
}

/// The nearest point of the lattice to one in metres.
pub(crate) fn on_lattice(point: [f32; 3], frame: &Frame) -> Point {
    let (centre, sides) = (frame.centre(), frame.sides());
    nearest(std::array::from_fn(|axis| {
        (f64::from(point[axis]) - centre[axis]) / sides[axis] * STEPS
    }))
}

/// The domain of points in unit space, and the steps in it that each of them is truncated to.
pub(crate) struct Written {
    domain: Domain<3>,
    pub(crate) steps: Vec<Point>,
}

impl Written {
    /// Points as [`Domain::truncate`] and the blocks of an asset have them.
    pub(crate) fn new(points: &[[f32; 3]]) -> Result<Self, Problem> {
        let domain = Domain::of(points)?;
        let steps = points.iter().map(|&point| domain.truncate(point).map(i32::from)).collect();
        Ok(Self { domain, steps })
    }

    /// How far the farthest of some points, in metres, is outside of the hull of the first written points, and how
    /// far it may be; `None` if that hull is flat.
    pub(crate) fn outside(
        &self,
        hull: usize,
        points: impl Iterator<Item = [f32; 3]>,
        frame: &Frame,
    ) -> Option<(f64, f64)> {
        let hull = Polytope::hull(self.steps.get(..hull)?)?;
        let extent = self.domain.extent();
        let metres: [f64; 3] =
            std::array::from_fn(|axis| f64::from(extent[axis]) * frame.sides()[axis]);
        let locator = FacetLocator::new(&hull);
        let (mut at, mut most) = (0, 0.0_f64);
        for point in points {
            let point = place(frame.to_unit(point), &self.domain);
            at = locator.facet(point, at);
            let Some(facet) = hull.facet(at) else { continue };
            let front = dot(facet.normal(), minus(point, real(hull.point(facet.corners[0]))));
            let normal = facet.normal();
            let gradient = std::array::from_fn(|axis| normal[axis] * LAST / metres[axis]);
            most = most.max(front / length(gradient));
        }
        Some((most, TOLERANCE * length(metres)))
    }
}

/// The greatest step.
const LAST: f64 = 65_535.0;

/// Where a point is in a domain, in steps.
fn place(point: [f32; 3], domain: &Domain<3>) -> [f64; 3] {
    let (min, extent) = (domain.min(), domain.extent());
    std::array::from_fn(|axis| {
        let part = (f64::from(point[axis]) - f64::from(min[axis])) / f64::from(extent[axis]);
        if part.is_finite() { part * LAST } else { 0.0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Face, Level};

    #[test]
    fn written_points_are_below_by_less_than_a_step() {
        let points = [[-0.5, -0.5, 0.1], [0.5, 0.3, 0.1], [0.123, -0.2, 0.1]];
        let written = Written::new(&points).unwrap();
        for (steps, point) in written.steps.iter().zip(points) {
            let again = written.domain.decode(steps.map(|step| u16::try_from(step).unwrap()));
            for axis in 0..2 {
                let below = point[axis] - again[axis];
                assert!((-1e-7..1.0 / 65_535.0).contains(&below), "{again:?}");
            }
            assert_eq!(again[2].to_bits(), 0.1_f32.to_bits());
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "whole metres of a cube of 4 m are exact")]
    fn what_is_outside_is_measured_in_metres() {
        let corners: Vec<[f32; 3]> =
            (0..8_u8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|x| f32::from(x) * 4.0)).collect();
        let face = Face { positions: corners.clone(), ..Face::default() };
        let frame = Frame::of(&Level { faces: vec![face] });
        let unit: Vec<_> = corners.iter().map(|&corner| frame.to_unit(corner)).collect();
        let written = Written::new(&unit).unwrap();
        let outside = |point| written.outside(8, [point].into_iter(), &frame).unwrap();
        let (far, most) = outside([2.0, 4.5, 2.0]);
        assert!((far - 0.5).abs() < 1e-6, "{far}");
        assert!((most - TOLERANCE * 48.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(outside([1.0, 2.0, 3.0]).0, 0.0);
        assert_eq!(in_metres(on_lattice([4.0, 0.0, 1.0], &frame), &frame), [4.0, 0.0, 1.0]);
        assert!(written.outside(3, corners.into_iter(), &frame).is_none(), "flat");
    }
}
