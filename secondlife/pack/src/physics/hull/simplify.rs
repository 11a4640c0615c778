//! Simplification of hulls: tightening around a body by a small linear program for each corner, and
//! edge collapses.
//!
//! For tightening, each facet gets a parallel plane that touches the body. A corner moves to the
//! point in front of the planes of all its facets that minimises the volume. All three corners of a
//! facet are then in front of its plane, so that the body stays inside although all corners move at
//! once.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;

use crate::physics::hull::polytope::{Facet, Polytope, edges};
use crate::physics::hull::{HullPoint, is_near, nearest, real};

/// A half-space of points x with normal·x ≥ offset; the normal has length 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// The half-space in front of a plane through a point; `None` without a normal.
    pub(crate) fn new(normal: DVec3, through: DVec3) -> Option<Self> {
        let long = normal.length();
        let normal = normal / long;
        (long > 0.0).then(|| Self { normal, offset: normal.dot(through) })
    }
}

/// Edges with more planes are not collapsed.
const MAX_PLANES: usize = 24;
const BEHIND: f64 = 1e-6;

/// The point in all half-spaces with the least product with `objective`, which must be a positive
/// combination of the normals. `None` if there is no point or no unique one.
pub(crate) fn minimize(fronts: &[HalfSpace], objective: DVec3) -> Option<DVec3> {
    let planes = distinct(fronts);
    if planes.len() > MAX_PLANES {
        return None;
    }
    let mut best: Option<(f64, DVec3)> = None;
    for (i, a) in planes.iter().enumerate() {
        for (j, b) in planes[..i].iter().enumerate() {
            let line = a.normal.cross(b.normal);
            for c in &planes[..j] {
                let Some(point) = corner([a, b, c], line) else { continue };
                let value = objective.dot(point);
                if best.is_none_or(|(min, _)| value < min) && is_in_front(&planes, point) {
                    best = Some((value, point));
                }
            }
        }
    }
    best.map(|(_, point)| point)
}

/// The intersection of three planes; `line` is the cross product of the first two normals.
fn corner([a, b, c]: [&HalfSpace; 3], line: DVec3) -> Option<DVec3> {
    const MIN_VOLUME: f64 = 1e-9;
    let volume = line.dot(c.normal);
    if volume.abs() < MIN_VOLUME {
        return None;
    }
    let (u, v) = (b.normal.cross(c.normal), c.normal.cross(a.normal));
    Some((a.offset * u + b.offset * v + c.offset * line) / volume)
}

fn is_in_front(planes: &[HalfSpace], point: DVec3) -> bool {
    planes.iter().all(|plane| plane.normal.dot(point) >= plane.offset - BEHIND)
}

fn distinct(fronts: &[HalfSpace]) -> Vec<HalfSpace> {
    const PARALLEL: f64 = 1e-14;
    let mut planes: Vec<HalfSpace> = Vec::with_capacity(fronts.len());
    for front in fronts {
        let apart = |plane: &HalfSpace| (plane.normal - front.normal).length_squared();
        match planes.iter_mut().find(|plane| apart(plane) < PARALLEL) {
            Some(plane) => plane.offset = plane.offset.max(front.offset),
            None => planes.push(*front),
        }
    }
    planes
}

/// A polytope around the body with no more corners and less volume; `None` if tightening finds
/// none.
pub(crate) fn tighten(polytope: &Polytope, body: &Polytope) -> Option<Polytope> {
    let drawn = Polytope::hull(&move_facets(polytope, &touching(polytope, body)))?;
    let no_more = drawn.corner_count() <= polytope.corner_count();
    let less = drawn.volume() < polytope.volume() * MIN_GAIN;
    (no_more && less && is_around(&drawn, body)).then_some(drawn)
}

/// The ratio of volumes above which another round is not worth its time.
const MIN_GAIN: f64 = 0.9995;

fn is_around(polytope: &Polytope, body: &Polytope) -> bool {
    let mut at = None;
    polytope.facets().all(|(_, facet)| {
        let point = foremost(body, facet, at);
        at = point;
        point.is_some_and(|id| facet.side(body.point(id)) <= 0)
    })
}

/// The corner of a body farthest in the direction of a facet, by hill climbing.
fn foremost(body: &Polytope, facet: &Facet, from: Option<u32>) -> Option<u32> {
    let normal = facet.normal();
    let far = |id: u32| normal.dot(real(body.point(id)));
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

/// The point of the body that the plane of each facet touches, by facet index.
fn touching(polytope: &Polytope, body: &Polytope) -> Vec<Option<DVec3>> {
    let mut points = Vec::new();
    let mut at = None;
    for (id, facet) in polytope.facets() {
        at = foremost(body, facet, at);
        points.resize(id as usize + 1, None);
        points[id as usize] = at.map(|at| real(body.point(at)));
    }
    points
}

/// The corners of a polytope whose facets moved to other points, by facet index.
pub(crate) fn move_facets(polytope: &Polytope, through: &[Option<DVec3>]) -> Vec<HullPoint> {
    polytope.corner_ids().map(|corner| drawn_corner(polytope, through, corner)).collect()
}

fn drawn_corner(polytope: &Polytope, through: &[Option<DVec3>], corner: u32) -> HullPoint {
    /// Steps farther out, for rounding to the lattice.
    const OUT: f64 = 1.0;
    let from = real(polytope.point(corner));
    let (mut objective, mut out, mut fronts) = (DVec3::ZERO, DVec3::ZERO, Vec::new());
    for &id in polytope.around(corner) {
        let (Some(facet), Some(touch)) = (polytope.facet(id), through[id as usize]) else {
            continue;
        };
        let normal = facet.normal();
        objective += normal;
        out += normal * (1.0 / normal.length());
        fronts.extend(HalfSpace::new(normal, touch - from));
    }
    let out = out / out.length().max(f64::MIN_POSITIVE);
    match minimize(&fronts, objective) {
        Some(way) => nearest(from + way + out * OUT),
        None => polytope.point(corner),
    }
}

pub(crate) struct CollapseQueue {
    candidates: BinaryHeap<CollapseCandidate>,
}

struct CollapseCandidate {
    /// A lower bound of six times the added volume.
    cost: f64,
    ends: [u32; 2],
    changes: [u32; 2],
}

struct CollapseVertex {
    point: HullPoint,
    visible: Vec<u32>,
    /// Six times the added volume.
    cost: f64,
}

impl CollapseQueue {
    pub(crate) fn new(polytope: &Polytope) -> Self {
        let mut all = Self { candidates: BinaryHeap::new() };
        all.add_all(polytope);
        all
    }

    fn add_all(&mut self, polytope: &Polytope) {
        for (_, facet) in polytope.facets() {
            for ends in edges(facet.corners) {
                if ends[0] < ends[1] {
                    self.candidates.extend(CollapseCandidate::new(polytope, ends));
                }
            }
        }
    }

    pub(crate) fn collapse_one(&mut self, polytope: &mut Polytope) -> bool {
        if polytope.corner_count() <= 4 {
            return false;
        }
        let Some(collapse) = self.next(polytope).or_else(|| {
            // An edge that could not collapse before may collapse now.
            self.add_all(polytope);
            self.next(polytope)
        }) else {
            return false;
        };
        let apex = polytope.replace(&collapse.visible, collapse.point);
        for other in neighbours(polytope, apex) {
            self.candidates.extend(CollapseCandidate::new(polytope, [apex, other]));
        }
        true
    }

    fn next(&mut self, polytope: &Polytope) -> Option<CollapseVertex> {
        while let Some(candidate) = self.candidates.pop() {
            if !candidate.is_edge(polytope) {
                continue;
            }
            if candidate.changes != changes(polytope, candidate.ends) {
                self.candidates.extend(CollapseCandidate::new(polytope, candidate.ends));
                continue;
            }
            let Some(collapse) = collapse(polytope, candidate.ends) else { continue };
            match self.candidates.peek() {
                Some(next) if collapse.cost > next.cost && collapse.cost > candidate.cost => {
                    self.candidates.push(CollapseCandidate { cost: collapse.cost, ..candidate });
                }
                _ => return Some(collapse),
            }
        }
        None
    }
}

impl CollapseCandidate {
    fn new(polytope: &Polytope, ends: [u32; 2]) -> Option<Self> {
        let (_, cost) = best_point(polytope, ends)?;
        Some(Self { cost, ends, changes: changes(polytope, ends) })
    }

    fn is_edge(&self, polytope: &Polytope) -> bool {
        let [from, to] = self.ends;
        let facets = polytope.around(from).iter().filter_map(|&id| polytope.facet(id));
        facets.into_iter().any(|facet| facet.corners.contains(&to))
    }
}

impl Ord for CollapseCandidate {
    /// Reverses the order of costs, for a max-heap.
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.ends.cmp(&self.ends))
    }
}

impl PartialOrd for CollapseCandidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for CollapseCandidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for CollapseCandidate {}

fn changes(polytope: &Polytope, ends: [u32; 2]) -> [u32; 2] {
    ends.map(|end| polytope.changes(end))
}

fn neighbours(polytope: &Polytope, of: u32) -> Vec<u32> {
    let facets = polytope.around(of).iter().filter_map(|&id| polytope.facet(id));
    let mut corners: Vec<u32> = facets.flat_map(|facet| facet.corners).collect();
    corners.sort_unstable();
    corners.dedup();
    corners.retain(|&corner| corner != of);
    corners
}

fn ring(polytope: &Polytope, ends: [u32; 2]) -> Vec<u32> {
    let mut ring: Vec<u32> = ends.iter().flat_map(|&end| polytope.around(end)).copied().collect();
    ring.sort_unstable();
    ring.dedup();
    ring
}

/// The point in front of all facets at the ends of an edge that adds the least volume, and six
/// times that volume.
fn best_point(polytope: &Polytope, ends: [u32; 2]) -> Option<(DVec3, f64)> {
    let [from, to] = ends.map(|end| real(polytope.point(end)));
    let middle = from.midpoint(to);
    let (mut objective, mut least_volume, mut fronts) = (DVec3::ZERO, 0.0, Vec::new());
    for facet in ring(polytope, ends).into_iter().filter_map(|id| polytope.facet(id)) {
        let through = real(polytope.point(facet.corners[0])) - middle;
        objective += facet.normal();
        least_volume += facet.normal().dot(through);
        fronts.push(HalfSpace::new(facet.normal(), through)?);
    }
    let point = minimize(&fronts, objective)?;
    let cost = (objective.dot(point) - least_volume).max(0.0);
    let point = middle + point;
    is_near(point).then_some((point, cost))
}

/// The point that replaces an edge: the best one, or a lattice point slightly farther out.
fn collapse(polytope: &Polytope, ends: [u32; 2]) -> Option<CollapseVertex> {
    /// Distances farther out to try, in steps.
    const OUT: [f64; 6] = [0.0, 1.0, 2.0, 4.0, 8.0, 16.0];
    let (best, _) = best_point(polytope, ends)?;
    let ring = ring(polytope, ends);
    let out = outwards(polytope, &ring);
    OUT.into_iter().find_map(|far| {
        let point = nearest(best + out * far);
        let side = |id: &u32| polytope.facet(*id).map_or(0, |facet| facet.side(point));
        if ring.iter().any(|id| side(id) < 0) || !is_near(real(point)) {
            return None;
        }
        let mut visible = polytope.visible(point);
        let edge_on: Vec<u32> = ring.iter().copied().filter(|id| side(id) == 0).collect();
        visible.extend(&edge_on);
        if !edge_on.is_empty() && !polytope.stays_convex(&visible, point) {
            return None;
        }
        let cost = polytope.growth(&visible, point);
        Some(CollapseVertex { point, visible, cost })
    })
}

/// The mean direction of facets, of a length near 1.
fn outwards(polytope: &Polytope, facets: &[u32]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for facet in facets.iter().filter_map(|&id| polytope.facet(id)) {
        let normal = facet.normal();
        sum += normal * (1.0 / normal.length());
    }
    let long = sum.length();
    if long > 0.0 { sum / long } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(normal: [f64; 3], offset: f64) -> HalfSpace {
        let normal = DVec3::from(normal);
        HalfSpace::new(normal, normal * offset / normal.length_squared()).unwrap()
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
        let point = minimize(&walls, DVec3::new(1.0, 2.0, 3.0)).unwrap();
        assert!(point.abs_diff_eq(DVec3::new(1.0, 2.0, 3.0), 1e-12), "{point}");
    }

    #[test]
    fn nothing_is_in_front_of_planes_that_face_each_other() {
        let sides = [
            front([1.0, 0.0, 0.0], 1.0),
            front([-1.0, 0.0, 0.0], 1.0),
            front([0.0, 1.0, 0.0], 0.0),
            front([0.0, 0.0, 1.0], 0.0),
        ];
        assert!(minimize(&sides, DVec3::Y + DVec3::Z).is_none());
        assert!(minimize(&sides[2..], DVec3::Y + DVec3::Z).is_none());
        assert!(HalfSpace::new(DVec3::ZERO, DVec3::ZERO).is_none());
    }

    #[test]
    fn a_loose_box_is_drawn_tight() {
        let cube = |half: i32| -> Vec<HullPoint> {
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
