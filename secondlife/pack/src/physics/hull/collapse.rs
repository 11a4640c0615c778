//! Giving up an edge of a polytope for one point.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::physics::hull::lattice::{Point, dot, is_near, length, minus, nearest, plus, real};
use crate::physics::hull::polytope::{Polytope, edges};
use crate::physics::hull::tighten::{HalfSpace, minimize};

/// The edges of a polytope, by the volume that giving up each adds.
pub(crate) struct CollapseQueue {
    offers: BinaryHeap<CollapseCandidate>,
}

/// An edge that might be given up.
struct CollapseCandidate {
    /// Six times the volume that it adds, or less.
    cost: f64,
    ends: [u32; 2],
    /// How often what is around its ends had changed.
    changes: [u32; 2],
}

/// What takes the place of an edge.
struct CollapseVertex {
    point: Point,
    visible: Vec<u32>,
    /// Six times the volume that it adds.
    cost: f64,
}

impl CollapseQueue {
    pub(crate) fn new(polytope: &Polytope) -> Self {
        let mut all = Self { offers: BinaryHeap::new() };
        all.offer_all(polytope);
        all
    }

    fn offer_all(&mut self, polytope: &Polytope) {
        for (_, facet) in polytope.facets() {
            for ends in edges(facet.corners) {
                if ends[0] < ends[1] {
                    self.offers.extend(CollapseCandidate::new(polytope, ends));
                }
            }
        }
    }

    /// Gives up the edge that adds the least volume. Whether there is one.
    pub(crate) fn collapse_one(&mut self, polytope: &mut Polytope) -> bool {
        if polytope.corner_count() <= 4 {
            return false;
        }
        let Some(collapse) = self.next(polytope).or_else(|| {
            // What could not be given up before may be now.
            self.offer_all(polytope);
            self.next(polytope)
        }) else {
            return false;
        };
        let apex = polytope.replace(&collapse.visible, collapse.point);
        for other in neighbours(polytope, apex) {
            self.offers.extend(CollapseCandidate::new(polytope, [apex, other]));
        }
        true
    }

    fn next(&mut self, polytope: &Polytope) -> Option<CollapseVertex> {
        while let Some(offer) = self.offers.pop() {
            if !offer.is_edge(polytope) {
                continue;
            }
            if offer.changes != changes(polytope, offer.ends) {
                self.offers.extend(CollapseCandidate::new(polytope, offer.ends));
                continue;
            }
            let Some(collapse) = collapse(polytope, offer.ends) else { continue };
            match self.offers.peek() {
                Some(next) if collapse.cost > next.cost && collapse.cost > offer.cost => {
                    self.offers.push(CollapseCandidate { cost: collapse.cost, ..offer });
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
    /// The cheapest is the greatest.
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

/// The facets at the ends of an edge.
fn ring(polytope: &Polytope, ends: [u32; 2]) -> Vec<u32> {
    let mut ring: Vec<u32> = ends.iter().flat_map(|&end| polytope.around(end)).copied().collect();
    ring.sort_unstable();
    ring.dedup();
    ring
}

/// The point in front of all facets at the ends of an edge that adds least, and six times the volume that it adds.
fn best_point(polytope: &Polytope, ends: [u32; 2]) -> Option<([f64; 3], f64)> {
    let [from, to] = ends.map(|end| real(polytope.point(end)));
    let middle: [f64; 3] = std::array::from_fn(|axis| f64::midpoint(from[axis], to[axis]));
    let (mut objective, mut least_volume, mut fronts) = ([0.0; 3], 0.0, Vec::new());
    for facet in ring(polytope, ends).into_iter().filter_map(|id| polytope.facet(id)) {
        let through = minus(real(polytope.point(facet.corners[0])), middle);
        objective = plus(objective, facet.normal(), 1.0);
        least_volume += dot(facet.normal(), through);
        fronts.push(HalfSpace::new(facet.normal(), through)?);
    }
    let point = minimize(&fronts, objective)?;
    let cost = (dot(objective, point) - least_volume).max(0.0);
    let point = plus(middle, point, 1.0);
    is_near(point).then_some((point, cost))
}

/// What takes the place of an edge: the best point, or one of the lattice little farther out that leaves nothing
/// of the ends.
fn collapse(polytope: &Polytope, ends: [u32; 2]) -> Option<CollapseVertex> {
    /// How far out a point is tried, in steps.
    const OUT: [f64; 6] = [0.0, 1.0, 2.0, 4.0, 8.0, 16.0];
    let (best, _) = best_point(polytope, ends)?;
    let ring = ring(polytope, ends);
    let out = outwards(polytope, &ring);
    OUT.into_iter().find_map(|far| {
        let point = nearest(plus(best, out, far));
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
fn outwards(polytope: &Polytope, facets: &[u32]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for facet in facets.iter().filter_map(|&id| polytope.facet(id)) {
        let normal = facet.normal();
        sum = plus(sum, normal, 1.0 / length(normal));
    }
    let long = length(sum);
    if long > 0.0 { sum.map(|x| x / long) } else { sum }
}
