//! Coverage of a surface by hulls, and the volume of a model on a voxel grid.

use glam::DVec3;
use lodger_quota::{Quota, QuotaExceeded};
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;

use crate::frame::ObjectFrame;
use crate::model::LodMesh;
use crate::physics::hull::block::on_lattice;
use crate::physics::hull::polytope::Polytope;
use crate::physics::hull::{HullPoint, STEPS, nearest, real};

/// The limit of the distance of a surface sample from a decomposition, as a ratio to the diagonal
/// of the object's box.
pub const COVERAGE: f64 = 0.01;
/// The limit of samples: half vertices, half points on triangles, in proportion to their areas.
const SAMPLES: usize = 8192;

pub(crate) fn samples(level: &LodMesh, frame: &ObjectFrame) -> Vec<HullPoint> {
    let step = level.vertex_count().div_ceil(SAMPLES / 2).max(1);
    let vertices = level.positions().step_by(step).map(|point| on_lattice(point, frame));
    vertices.chain(spread(level, frame)).collect()
}

/// Points on triangles, evenly by area, the same each time.
fn spread(level: &LodMesh, frame: &ObjectFrame) -> Vec<HullPoint> {
    /// Steps of an additive low-discrepancy sequence, from the plastic number.
    const STEP: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_3];
    let whole: f64 = level.corners().map(twice_area).sum();
    let (mut points, mut before, mut place) = (Vec::new(), 0.0, [0.5_f64; 2]);
    for corners in level.corners() {
        before += twice_area(corners);
        while points.len() < SAMPLES / 2 && next_at(points.len()) * whole < before {
            place = std::array::from_fn(|axis| (place[axis] + STEP[axis]).fract());
            let [u, v] = if place[0] + place[1] > 1.0 { place.map(|x| 1.0 - x) } else { place };
            let [a, b, c] = corners.map(|corner| real(on_lattice(corner, frame)));
            points.push(nearest(a + (b - a) * u + (c - a) * v));
        }
    }
    points
}

#[expect(clippy::cast_precision_loss, reason = "some thousand")]
fn next_at(sample: usize) -> f64 {
    (sample as f64 + 0.5) / (SAMPLES / 2) as f64
}

pub(crate) struct Cover<'a> {
    hulls: Vec<(&'a Polytope, [HullPoint; 2])>,
    metres: [f64; 3],
}

impl<'a> Cover<'a> {
    pub(crate) fn new(hulls: impl Iterator<Item = &'a Polytope>, frame: &ObjectFrame) -> Self {
        let hulls = hulls.map(|hull| (hull, extent(hull))).collect();
        Self { hulls, metres: frame.sides().map(|side| side / STEPS) }
    }

    /// The nearest hull and its distance in metres; 0 inside.
    pub(crate) fn nearest(&self, point: HullPoint) -> (usize, f64) {
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

    fn distance(&self, hull: &Polytope, point: HullPoint) -> f64 {
        let place = |point: HullPoint| {
            Vector::from_array(std::array::from_fn(|axis| {
                f64::from(point[axis]) * self.metres[axis]
            }))
        };
        let at = place(point);
        let visible = hull.facets().filter(|(_, facet)| facet.side(point) > 0);
        let distances = visible.map(|(_, facet)| {
            let [a, b, c] = facet.corners.map(|corner| place(hull.point(corner)));
            Triangle::new(a, b, c).distance_to_local_point(at, true)
        });
        distances.fold(f64::INFINITY, f64::min)
    }

    /// The greatest distance of points from the hulls, in metres.
    pub(crate) fn farthest(&self, points: &[HullPoint]) -> f64 {
        points.iter().map(|&point| self.nearest(point).1).fold(0.0, f64::max)
    }
}

fn extent(hull: &Polytope) -> [HullPoint; 2] {
    let corners = hull.corners();
    let bound = |pick: fn(i32, i32) -> i32| -> HullPoint {
        std::array::from_fn(|axis| {
            corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or(0)
        })
    };
    [bound(i32::min), bound(i32::max)]
}

const CELLS: usize = 64;
/// [`CELLS`] and a border cell at both ends, from which the outside is filled.
const ALL: usize = CELLS + 2;
const SPACING: f64 = 0.5;

const PER_CELL: u64 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voxel {
    Inside,
    Surface,
    Outside,
}

/// The cells inside and outside of a surface. Cells at the surface count neither way.
pub(crate) struct VoxelGrid {
    cells: Vec<Voxel>,
}

impl VoxelGrid {
    /// Marks the surface; cells reachable from the border are outside.
    pub(crate) fn new(
        level: &LodMesh,
        frame: &ObjectFrame,
        quota: &Quota,
    ) -> Result<Self, QuotaExceeded> {
        let mut solid = Self { cells: vec![Voxel::Inside; ALL * ALL * ALL] };
        quota.charge_work(PER_CELL * solid.cells.len() as u64)?;
        for corners in level.corners() {
            solid.mark(corners.map(|corner| in_cells(frame.to_unit(corner))), quota)?;
        }
        solid.fill();
        Ok(solid)
    }

    fn mark(&mut self, [a, b, c]: [DVec3; 3], quota: &Quota) -> Result<(), QuotaExceeded> {
        let (u, v) = (b - a, c - a);
        let longest = u.length().max(v.length()).max((c - b).length());
        let max = f64::from(u16::MAX);
        let pieces = (longest / SPACING).ceil().clamp(1.0, max);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let count = pieces as u32;
        quota.charge_work(PER_CELL * (u64::from(count) + 1) * (u64::from(count) + 2) / 2)?;
        for i in 0..=count {
            for j in 0..=count - i {
                let along = a + u * (f64::from(i) / pieces);
                let at = cell(along + v * (f64::from(j) / pieces));
                self.cells[at] = Voxel::Surface;
            }
        }
        Ok(())
    }

    fn fill(&mut self) {
        let mut next = vec![0];
        self.cells[0] = Voxel::Outside;
        while let Some(at) = next.pop() {
            for step in [1, ALL, ALL * ALL] {
                let place = at / step % ALL;
                let before = (place > 0).then(|| at - step);
                let after = (place + 1 < ALL).then(|| at + step);
                for other in before.into_iter().chain(after) {
                    if self.cells[other] == Voxel::Inside {
                        self.cells[other] = Voxel::Outside;
                        next.push(other);
                    }
                }
            }
        }
    }

    /// The volume of the difference between hulls and model, as a ratio to the model's box.
    #[expect(clippy::cast_precision_loss, reason = "some hundred thousand")]
    pub(crate) fn difference<'a>(&self, hulls: impl Iterator<Item = &'a Polytope>) -> f64 {
        let mut covered = vec![false; self.cells.len()];
        for hull in hulls {
            cover(hull, &mut covered);
        }
        let wrong = self.cells.iter().zip(covered).filter(|(cell, covered)| match cell {
            Voxel::Inside => !covered,
            Voxel::Outside => *covered,
            Voxel::Surface => false,
        });
        wrong.count() as f64 / (CELLS * CELLS * CELLS) as f64
    }
}

fn cover(hull: &Polytope, covered: &mut [bool]) {
    let planes: Vec<(DVec3, f64)> = hull
        .facets()
        .map(|(_, facet)| {
            let normal = facet.normal();
            let corner = to_cells(real(hull.point(facet.corners[0])));
            (normal, normal.dot(corner))
        })
        .collect();
    for row in 0..ALL * ALL {
        let (y, z) = (middle(row % ALL), middle(row / ALL));
        let (mut from, mut to) = (0.0_f64, middle(ALL));
        for (normal, offset) in &planes {
            let left = offset - normal[1] * y - normal[2] * z;
            if normal[0] > 0.0 {
                to = to.min(left / normal[0]);
            } else if normal[0] < 0.0 {
                from = from.max(left / normal[0]);
            } else if left < 0.0 {
                to = -1.0;
            }
        }
        for x in 0..ALL {
            if (from..=to).contains(&middle(x)) {
                covered[row * ALL + x] = true;
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "below 100")]
fn middle(at: usize) -> f64 {
    at as f64 + 0.5
}

fn to_cells(steps: DVec3) -> DVec3 {
    middle(ALL / 2) - 0.5 + steps / STEPS * (middle(CELLS) - 0.5)
}

fn in_cells(unit: [f32; 3]) -> DVec3 {
    to_cells(DVec3::from(unit.map(f64::from)) * STEPS)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn cell(place: DVec3) -> usize {
    let [x, y, z] = place.to_array().map(|x| x.clamp(0.0, middle(ALL - 1)) as usize);
    (z * ALL + y) * ALL + x
}

/// The area in square metres.
pub(crate) fn area(level: &LodMesh) -> f64 {
    level.corners().map(twice_area).sum::<f64>() / 2.0
}

fn twice_area(corners: [[f32; 3]; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| DVec3::from(corner.map(f64::from)));
    (b - a).cross(c - a).length()
}

#[cfg(test)]
mod tests {
    use lodger_quota::QuotaLimits;

    use super::*;
    use crate::model::Submesh;
    use crate::physics::hull::block::on_lattice;
    use crate::test_meshes::{cuboid, level};

    fn triangle() -> LodMesh {
        level(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 2.0, 0.0]], &[[0, 1, 2]])
    }

    #[test]
    fn samples_are_all_over_a_triangle() {
        let level = triangle();
        let samples = samples(&level, &ObjectFrame::from_mesh(&level));
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
        let frame = ObjectFrame::from_mesh(&level);
        let half = 65_536;
        let cube: Vec<HullPoint> = (0..8)
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

    fn hull(face: &Submesh, frame: &ObjectFrame) -> Polytope {
        let points: Vec<_> = face.positions.iter().map(|&point| on_lattice(point, frame)).collect();
        Polytope::hull(&points).unwrap()
    }

    #[test]
    fn the_empty_part_of_a_corner_is_counted() {
        // Two boxes in the shape of an L leave a quarter of the whole box empty.
        let level = LodMesh {
            submeshes: vec![cuboid([0.0; 3], [4.0, 2.0, 2.0]), cuboid([0.0; 3], [2.0, 4.0, 2.0])],
        };
        let frame = ObjectFrame::from_mesh(&level);
        assert!((area(&level) - 80.0).abs() < 1e-9);
        let quota = Quota::new(QuotaLimits::default());
        let solid = VoxelGrid::new(&level, &frame, &quota).unwrap();
        let parts: Vec<_> = level.submeshes.iter().map(|face| hull(face, &frame)).collect();
        assert!(solid.difference(parts.iter()) < 1e-9);
        let whole = hull(&cuboid([0.0; 3], [4.0, 4.0, 2.0]), &frame);
        let too_much = solid.difference([&whole].into_iter());
        // Cells at the surface do not count.
        assert!((0.22..=0.25).contains(&too_much), "{too_much}");
        let too_little = solid.difference(parts[..1].iter());
        assert!((0.22..=0.25).contains(&too_little), "{too_little}");
        assert!(solid.difference([].into_iter()) > 0.65);
    }
}
