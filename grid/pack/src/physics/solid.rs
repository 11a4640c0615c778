//! What space a model fills, in a grid of cells.

use lodger_allowance::{Allowance, Spent};

use crate::frame::Frame;
use crate::model::Level;

use super::lattice::{STEPS, cross, dot, length, minus, plus, real};
use super::polytope::Polytope;

/// Cells along each side of the box of a model.
const CELLS: usize = 64;
/// The same with a cell all around, from which the outside is filled.
const ALL: usize = CELLS + 2;
/// Samples of a triangle are at most so many cells apart.
const SPACING: f64 = 0.5;

/// Units of work for a cell that is looked at.
const PER_CELL: u64 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Inside,
    Surface,
    Outside,
}

/// The cells that are inside of a surface, and those outside. A cell with a part of the surface counts neither way.
pub(super) struct Solid {
    cells: Vec<Cell>,
}

impl Solid {
    /// The cells of a surface; outside is what can be reached from around it.
    pub(super) fn new(level: &Level, frame: &Frame, allowance: &Allowance) -> Result<Self, Spent> {
        let mut solid = Self { cells: vec![Cell::Inside; ALL * ALL * ALL] };
        allowance.work(PER_CELL * solid.cells.len() as u64)?;
        for corners in level.corners() {
            solid.mark(corners.map(|corner| in_cells(frame.to_unit(corner))), allowance)?;
        }
        solid.fill();
        Ok(solid)
    }

    fn mark(&mut self, [a, b, c]: [[f64; 3]; 3], allowance: &Allowance) -> Result<(), Spent> {
        let (u, v) = (minus(b, a), minus(c, a));
        let longest = length(u).max(length(v)).max(length(minus(c, b)));
        let most = f64::from(u16::MAX);
        let pieces = (longest / SPACING).ceil().clamp(1.0, most);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let count = pieces as u32;
        // Half a square of samples.
        allowance.work(PER_CELL * (u64::from(count) + 1) * (u64::from(count) + 2) / 2)?;
        for i in 0..=count {
            for j in 0..=count - i {
                let along = plus(a, u, f64::from(i) / pieces);
                let at = cell(plus(along, v, f64::from(j) / pieces));
                self.cells[at] = Cell::Surface;
            }
        }
        Ok(())
    }

    /// Fills the outside, from a corner.
    fn fill(&mut self) {
        let mut next = vec![0];
        self.cells[0] = Cell::Outside;
        while let Some(at) = next.pop() {
            for step in [1, ALL, ALL * ALL] {
                let place = at / step % ALL;
                let before = (place > 0).then(|| at - step);
                let after = (place + 1 < ALL).then(|| at + step);
                for other in before.into_iter().chain(after) {
                    if self.cells[other] == Cell::Inside {
                        self.cells[other] = Cell::Outside;
                        next.push(other);
                    }
                }
            }
        }
    }

    /// The volume of what is in the hulls but not in the model and the other way round, in parts of the box of the
    /// model.
    #[expect(clippy::cast_precision_loss, reason = "some hundred thousand")]
    pub(super) fn difference<'a>(&self, hulls: impl Iterator<Item = &'a Polytope>) -> f64 {
        let mut covered = vec![false; self.cells.len()];
        for hull in hulls {
            cover(hull, &mut covered);
        }
        let wrong = self.cells.iter().zip(covered).filter(|(cell, covered)| match cell {
            Cell::Inside => !covered,
            Cell::Outside => *covered,
            Cell::Surface => false,
        });
        wrong.count() as f64 / (CELLS * CELLS * CELLS) as f64
    }
}

/// Marks the cells whose middle is in a hull.
fn cover(hull: &Polytope, covered: &mut [bool]) {
    let planes: Vec<([f64; 3], f64)> = hull
        .facets()
        .map(|(_, facet)| {
            let normal = facet.normal();
            let corner = real(hull.point(facet.corners[0])).map(to_cells);
            (normal, dot(normal, corner))
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

/// From the lattice to cells.
fn to_cells(steps: f64) -> f64 {
    middle(ALL / 2) - 0.5 + steps / STEPS * (middle(CELLS) - 0.5)
}

fn in_cells(unit: [f32; 3]) -> [f64; 3] {
    unit.map(|x| to_cells(f64::from(x) * STEPS))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn cell(place: [f64; 3]) -> usize {
    let [x, y, z] = place.map(|x| x.clamp(0.0, middle(ALL - 1)) as usize);
    (z * ALL + y) * ALL + x
}

/// The area of a surface, in square metres.
pub(super) fn area(level: &Level) -> f64 {
    let twice = level.corners().map(|corners| {
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        length(cross(minus(b, a), minus(c, a)))
    });
    twice.sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use lodger_allowance::Limits;

    use super::super::block::on_lattice;
    use super::*;
    use crate::model::Face;

    /// A box of twelve triangles between two corners.
    fn cuboid(min: [f32; 3], max: [f32; 3]) -> Face {
        let corner = |i: usize| {
            std::array::from_fn(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] })
        };
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Face {
            positions: (0..8).map(corner).collect(),
            triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
            ..Face::default()
        }
    }

    fn hull(face: &Face, frame: &Frame) -> Polytope {
        let points: Vec<_> = face.positions.iter().map(|&point| on_lattice(point, frame)).collect();
        Polytope::hull(&points).unwrap()
    }

    #[test]
    fn the_empty_part_of_a_corner_is_counted() {
        // Two boxes that make an L: a quarter of the whole box is empty.
        let level = Level {
            faces: vec![cuboid([0.0; 3], [4.0, 2.0, 2.0]), cuboid([0.0; 3], [2.0, 4.0, 2.0])],
        };
        let frame = Frame::of(&level);
        assert!((area(&level) - 80.0).abs() < 1e-9);
        let allowance = Allowance::new(Limits::default());
        let solid = Solid::new(&level, &frame, &allowance).unwrap();
        let parts: Vec<_> = level.faces.iter().map(|face| hull(face, &frame)).collect();
        assert!(solid.difference(parts.iter()) < 1e-9);
        let whole = hull(&cuboid([0.0; 3], [4.0, 4.0, 2.0]), &frame);
        let too_much = solid.difference([&whole].into_iter());
        // A layer of cells at the surface is left out.
        assert!((0.22..=0.25).contains(&too_much), "{too_much}");
        let too_little = solid.difference(parts[..1].iter());
        assert!((0.22..=0.25).contains(&too_little), "{too_little}");
        assert!(solid.difference([].into_iter()) > 0.65);
    }
}
