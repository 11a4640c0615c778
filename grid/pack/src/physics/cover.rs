//! Whether hulls together cover a surface.

use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;

use crate::frame::Frame;
use crate::model::Level;

use super::block::on_lattice;
use super::lattice::{Point, STEPS, cross, length, minus, plus, real};
use super::polytope::Polytope;

/// How far from a decomposition a sample of the surface may be, in parts of the diagonal of the object's box.
pub const COVERAGE: f64 = 0.01;
/// So many samples at most: vertices, and as many points on triangles, in proportion to their areas.
const SAMPLES: usize = 8192;

/// Samples of a surface, on the lattice.
pub(super) fn samples(level: &Level, frame: &Frame) -> Vec<Point> {
    let step = level.vertex_count().div_ceil(SAMPLES / 2).max(1);
    let vertices = level.positions().step_by(step).map(|point| on_lattice(point, frame));
    vertices.chain(spread(level, frame)).collect()
}

/// Points on triangles, evenly by area, the same each time.
fn spread(level: &Level, frame: &Frame) -> Vec<Point> {
    /// Parts of 1 that are spread evenly when they are added up: the plastic number's.
    const STEP: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];
    let area = |corners: &[[f32; 3]; 3]| {
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        length(cross(minus(b, a), minus(c, a)))
    };
    let whole: f64 = level.corners().map(|corners| area(&corners)).sum();
    let (mut points, mut before, mut place) = (Vec::new(), 0.0, [0.5_f64; 2]);
    for corners in level.corners() {
        before += area(&corners);
        while points.len() < SAMPLES / 2 && next_at(points.len()) * whole < before {
            place = std::array::from_fn(|axis| (place[axis] + STEP[axis]).fract());
            let [u, v] = if place[0] + place[1] > 1.0 { place.map(|x| 1.0 - x) } else { place };
            let [a, b, c] = corners.map(|corner| real(on_lattice(corner, frame)));
            points.push(super::lattice::nearest(plus(plus(a, minus(b, a), u), minus(c, a), v)));
        }
    }
    points
}

#[expect(clippy::cast_precision_loss, reason = "some thousand")]
fn next_at(sample: usize) -> f64 {
    (sample as f64 + 0.5) / (SAMPLES / 2) as f64
}

/// Hulls, and the box of each, by which most are told apart from a point.
pub(super) struct Cover<'a> {
    hulls: Vec<(&'a Polytope, [Point; 2])>,
    metres: [f64; 3],
}

impl<'a> Cover<'a> {
    pub(super) fn new(hulls: impl Iterator<Item = &'a Polytope>, frame: &Frame) -> Self {
        let hulls = hulls.map(|hull| (hull, extent(hull))).collect();
        Self { hulls, metres: frame.sides().map(|side| side / STEPS) }
    }

    /// The nearest hull and how far it is, in metres; 0 inside.
    pub(super) fn nearest(&self, point: Point) -> (usize, f64) {
        let inside = self.hulls.iter().position(|(hull, [min, max])| {
            let within = |axis: usize| (min[axis]..=max[axis]).contains(&point[axis]);
            (0..3).all(within) && hull.facets().all(|(_, facet)| facet.side(point) <= 0)
        });
        if let Some(inside) = inside {
            return (inside, 0.0);
        }
        let distances = self.hulls.iter().map(|(hull, _)| self.distance(hull, point));
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.unwrap_or((0, f64::INFINITY))
    }

    fn distance(&self, hull: &Polytope, point: Point) -> f64 {
        let place = |point: Point| {
            Vector::from_array(std::array::from_fn(|axis| {
                f64::from(point[axis]) * self.metres[axis]
            }))
        };
        let at = place(point);
        let seen = hull.facets().filter(|(_, facet)| facet.side(point) > 0);
        let distances = seen.map(|(_, facet)| {
            let [a, b, c] = facet.corners.map(|corner| place(hull.point(corner)));
            Triangle::new(a, b, c).distance_to_local_point(at, true)
        });
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The farthest of points, in metres.
    pub(super) fn farthest(&self, points: &[Point]) -> f64 {
        points.iter().map(|&point| self.nearest(point).1).fold(0.0, f64::max)
    }
}

fn extent(hull: &Polytope) -> [Point; 2] {
    let corners = hull.corners();
    let bound = |pick: fn(i32, i32) -> i32| -> Point {
        std::array::from_fn(|axis| {
            corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or(0)
        })
    };
    [bound(i32::min), bound(i32::max)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Face;

    fn triangle() -> Level {
        let positions = vec![[0.0; 3], [4.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        Level { faces: vec![Face { positions, triangles: vec![[0, 1, 2]], ..Face::default() }] }
    }

    #[test]
    fn samples_are_all_over_a_triangle() {
        let level = triangle();
        let samples = samples(&level, &Frame::of(&level));
        assert_eq!(samples.len(), 3 + SAMPLES / 2);
        // In unit space its corners are at (±½, ±½, 0), the right angle at the lower ones.
        let half = STEPS / 2.0;
        assert!(samples.iter().all(|point| f64::from(point[0]) + f64::from(point[1]) <= 1.0));
        let quarter = samples.iter().filter(|point| f64::from(point[0]) > 0.0).count();
        let expected = SAMPLES / 2 / 4;
        assert!(quarter.abs_diff(expected) < expected / 20, "{quarter}");
        assert!(samples.iter().all(|point| f64::from(point[0]) >= -half && point[2] == 0));
    }

    #[test]
    fn distances_are_metres() {
        let level = triangle();
        let frame = Frame::of(&level);
        let half = 65_536;
        let cube: Vec<Point> = (0..8)
            .map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| if bit == 0 { -half } else { half }))
            .collect();
        let hull = Polytope::hull(&cube).unwrap();
        let cover = Cover::new([&hull].into_iter(), &frame);
        assert_eq!(cover.nearest([3, 4, half]), (0, 0.0));
        // A whole side of 4 m, and of 2 m.
        assert!((cover.nearest([3 * half, 0, 0]).1 - 4.0).abs() < 1e-9);
        let corner = cover.farthest(&[[0; 3], [3 * half, 3 * half, 0]]);
        assert!((corner - 20.0_f64.sqrt()).abs() < 1e-9);
        assert!(Cover::new([].into_iter(), &frame).nearest([0; 3]).1.is_infinite());
    }
}
