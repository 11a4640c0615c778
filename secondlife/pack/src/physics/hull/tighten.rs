//! Drawing a polytope tight around a body, by a small linear program for each corner.
//!
//! Each facet has a plane beside it that just touches the body. A corner goes to the point in front of the planes of
//! all facets around it that makes the volume least. All three corners of a facet are then in front of its plane,
//! and so the body stays inside, although every corner moves at once.

use crate::physics::hull::lattice::{Point, cross, dot, length, minus, nearest, plus, real};
use crate::physics::hull::polytope::{Facet, Polytope};

/// A half-space: points x with normal·x ≥ offset, the normal of length 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    normal: [f64; 3],
    offset: f64,
}

impl HalfSpace {
    /// In front of a plane through a point; `None` without a normal.
    pub(crate) fn new(normal: [f64; 3], through: [f64; 3]) -> Option<Self> {
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
pub(crate) fn minimize(fronts: &[HalfSpace], objective: [f64; 3]) -> Option<[f64; 3]> {
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
fn corner([a, b, c]: [&HalfSpace; 3], line: [f64; 3]) -> Option<[f64; 3]> {
    const FLATTEST: f64 = 1e-9;
    let volume = dot(line, c.normal);
    if volume.abs() < FLATTEST {
        return None;
    }
    let (u, v) = (cross(b.normal, c.normal), cross(c.normal, a.normal));
    let sum = |axis: usize| a.offset * u[axis] + b.offset * v[axis] + c.offset * line[axis];
    Some(std::array::from_fn(|axis| sum(axis) / volume))
}

fn is_in_front(planes: &[HalfSpace], point: [f64; 3]) -> bool {
    planes.iter().all(|plane| dot(plane.normal, point) >= plane.offset - BEHIND)
}

/// The planes, of parallel ones the foremost.
fn distinct(fronts: &[HalfSpace]) -> Vec<HalfSpace> {
    const PARALLEL: f64 = 1e-14;
    let mut planes: Vec<HalfSpace> = Vec::with_capacity(fronts.len());
    for front in fronts {
        let apart = |plane: &HalfSpace| {
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

/// A polytope with no more corners and less volume around a body that this one is around; `None` if drawing it tight
/// leads to none.
pub(crate) fn tighten(polytope: &Polytope, body: &Polytope) -> Option<Polytope> {
    let drawn = Polytope::hull(&drawn(polytope, &touching(polytope, body)))?;
    let no_more = drawn.corner_count() <= polytope.corner_count();
    let less = drawn.volume() < polytope.volume() * LEAST_GAIN;
    (no_more && less && is_around(&drawn, body)).then_some(drawn)
}

/// A volume that is hardly less is not worth another round.
const LEAST_GAIN: f64 = 0.9995;

/// Whether all of the body is behind all facets.
fn is_around(polytope: &Polytope, body: &Polytope) -> bool {
    let mut at = None;
    polytope.facets().all(|(_, facet)| {
        let point = foremost(body, facet, at);
        at = point;
        point.is_some_and(|id| facet.side(body.point(id)) <= 0)
    })
}

/// The corner of a body that is farthest in the direction of a facet, climbed to from another.
fn foremost(body: &Polytope, facet: &Facet, from: Option<u32>) -> Option<u32> {
    let normal = facet.normal();
    let far = |id: u32| dot(normal, real(body.point(id)));
    let mut at = from.or_else(|| body.corner_ids().next())?;
    loop {
        let facets = body.around(at).iter().filter_map(|&id| body.facet(id));
        let next =
            facets.flat_map(|facet| facet.corners).max_by(|&a, &b| far(a).total_cmp(&far(b)));
        match next {
            Some(next) if far(next) > far(at) => at = next,
            _ => return Some(at),
        }
    }
}

/// For each facet, by its number, the point at which its plane touches the body.
fn touching(polytope: &Polytope, body: &Polytope) -> Vec<Option<[f64; 3]>> {
    let mut points = Vec::new();
    let mut at = None;
    for (id, facet) in polytope.facets() {
        at = foremost(body, facet, at);
        points.resize(id as usize + 1, None);
        points[id as usize] = at.map(|at| real(body.point(at)));
    }
    points
}

/// Where the corners of a polytope go if its facets, by their numbers, have planes beside them through other points.
pub(crate) fn drawn(polytope: &Polytope, through: &[Option<[f64; 3]>]) -> Vec<Point> {
    polytope.corner_ids().map(|corner| drawn_corner(polytope, through, corner)).collect()
}

fn drawn_corner(polytope: &Polytope, through: &[Option<[f64; 3]>], corner: u32) -> Point {
    /// So many steps farther out, for what rounding to the lattice takes.
    const OUT: f64 = 1.0;
    let from = real(polytope.point(corner));
    let (mut objective, mut out, mut fronts) = ([0.0; 3], [0.0; 3], Vec::new());
    for &id in polytope.around(corner) {
        let (Some(facet), Some(touch)) = (polytope.facet(id), through[id as usize]) else {
            continue;
        };
        let normal = facet.normal();
        objective = plus(objective, normal, 1.0);
        out = plus(out, normal, 1.0 / length(normal));
        fronts.extend(HalfSpace::new(normal, minus(touch, from)));
    }
    let out = out.map(|x| x / length(out).max(f64::MIN_POSITIVE));
    match minimize(&fronts, objective) {
        Some(way) => nearest(plus(plus(from, way, 1.0), out, OUT)),
        None => polytope.point(corner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(normal: [f64; 3], offset: f64) -> HalfSpace {
        let long = length(normal);
        HalfSpace::new(normal, normal.map(|x| x * offset / (long * long))).unwrap()
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
        let point = minimize(&walls, [1.0, 2.0, 3.0]).unwrap();
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
        assert!(minimize(&sides, [0.0, 1.0, 1.0]).is_none());
        assert!(minimize(&sides[2..], [0.0, 1.0, 1.0]).is_none());
        assert!(HalfSpace::new([0.0; 3], [0.0; 3]).is_none());
    }

    #[test]
    fn a_loose_box_is_drawn_tight() {
        let cube = |half: i32| -> Vec<Point> {
            let sign = |bit: i32| if bit == 0 { -half } else { half };
            (0..8).map(|i| [sign(i & 1), sign(i & 2), sign(i & 4)]).collect()
        };
        let body = Polytope::hull(&cube(30_000)).unwrap();
        let tight = tighten(&Polytope::hull(&cube(50_000)).unwrap(), &body).unwrap();
        assert!(is_around(&tight, &body));
        assert!(tight.volume() < 1.001 * body.volume());
        assert!(tighten(&tight, &body).is_none());
        assert!(!is_around(&body, &tight));
    }
}
