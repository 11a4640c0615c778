//! The best point in front of some planes.

use super::lattice::{cross, dot, length, minus};

/// A half-space: points x with normal·x ≥ offset, the normal of length 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    normal: [f64; 3],
    offset: f64,
}

impl Front {
    /// In front of a plane through a point; `None` without a normal.
    pub(super) fn new(normal: [f64; 3], through: [f64; 3]) -> Option<Self> {
        let long = length(normal);
        let normal = normal.map(|x| x / long);
        (long > 0.0).then(|| Self { normal, offset: dot(normal, through) })
    }
}

/// More planes than that at an edge are not tried: there are corners enough with fewer.
const MOST_PLANES: usize = 24;
/// How far behind a plane a point may be for rounding.
const BEHIND: f64 = 1e-6;

/// The point in front of all planes that has the least product with a vector, which is a sum of their normals with
/// factors above 0, so that there is one wherever there is a point at all. `None` if there is none, or it is not
/// determined.
pub(super) fn least(fronts: &[Front], objective: [f64; 3]) -> Option<[f64; 3]> {
    let planes = distinct(fronts);
    if planes.len() > MOST_PLANES {
        return None;
    }
    let mut best: Option<(f64, [f64; 3])> = None;
    for (i, a) in planes.iter().enumerate() {
        for (j, b) in planes[..i].iter().enumerate() {
            let line = cross(a.normal, b.normal);
            for c in &planes[..j] {
                let Some(point) = corner([a, b, c], line) else { continue };
                let value = dot(objective, point);
                if best.is_none_or(|(least, _)| value < least) && is_in_front(&planes, point) {
                    best = Some((value, point));
                }
            }
        }
    }
    best.map(|(_, point)| point)
}

/// Where three planes meet; the line is the product of the first two normals.
fn corner([a, b, c]: [&Front; 3], line: [f64; 3]) -> Option<[f64; 3]> {
    const FLATTEST: f64 = 1e-9;
    let volume = dot(line, c.normal);
    if volume.abs() < FLATTEST {
        return None;
    }
    let (u, v) = (cross(b.normal, c.normal), cross(c.normal, a.normal));
    let sum = |axis: usize| a.offset * u[axis] + b.offset * v[axis] + c.offset * line[axis];
    Some(std::array::from_fn(|axis| sum(axis) / volume))
}

fn is_in_front(planes: &[Front], point: [f64; 3]) -> bool {
    planes.iter().all(|plane| dot(plane.normal, point) >= plane.offset - BEHIND)
}

/// The planes, of parallel ones the foremost.
fn distinct(fronts: &[Front]) -> Vec<Front> {
    const PARALLEL: f64 = 1e-14;
    let mut planes: Vec<Front> = Vec::with_capacity(fronts.len());
    for front in fronts {
        let apart = |plane: &Front| {
            let apart = minus(plane.normal, front.normal);
            dot(apart, apart)
        };
        match planes.iter_mut().find(|plane| apart(plane) < PARALLEL) {
            Some(plane) => plane.offset = plane.offset.max(front.offset),
            None => planes.push(*front),
        }
    }
    planes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(normal: [f64; 3], offset: f64) -> Front {
        let long = length(normal);
        Front::new(normal, normal.map(|x| x * offset / (long * long))).unwrap()
    }

    #[test]
    fn the_corner_of_a_room_is_least() {
        let walls = [
            front([1.0, 0.0, 0.0], 1.0),
            front([0.0, 2.0, 0.0], 4.0),
            front([0.0, 0.0, 1.0], 3.0),
            front([1.0, 1.0, 1.0], 0.0),
            front([1.0, 0.0, 0.0], 0.5),
        ];
        let point = least(&walls, [1.0, 2.0, 3.0]).unwrap();
        for (found, expected) in point.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_is_in_front_of_planes_that_face_each_other() {
        let sides = [
            front([1.0, 0.0, 0.0], 1.0),
            front([-1.0, 0.0, 0.0], 1.0),
            front([0.0, 1.0, 0.0], 0.0),
            front([0.0, 0.0, 1.0], 0.0),
        ];
        assert!(least(&sides, [0.0, 1.0, 1.0]).is_none());
        assert!(least(&sides[2..], [0.0, 1.0, 1.0]).is_none());
        assert!(Front::new([0.0; 3], [0.0; 3]).is_none());
    }
}
