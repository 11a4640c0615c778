//! The facet of a polytope in a direction.

use crate::physics::hull::lattice::{cross, dot, length, minus, real};
use crate::physics::hull::polytope::{Polytope, edges};

/// Finds the facet that a ray from the middle of a polytope goes through: of all facets the one which a point on
/// the ray is farthest in front of, in parts of the way from the middle.
pub(crate) struct FacetLocator<'a> {
    polytope: &'a Polytope,
    middle: [f64; 3],
    first: u32,
}

impl<'a> FacetLocator<'a> {
    pub(crate) fn new(polytope: &'a Polytope) -> Self {
        let first = polytope.facets().next().map_or(0, |(id, _)| id);
        Self { polytope, middle: polytope.middle(), first }
    }

    /// The facet where the ray through a point comes out, looked for from another one on, for which that of a
    /// point near by is good.
    pub(crate) fn facet(&self, point: [f64; 3], start: u32) -> u32 {
        /// Steps after which a walk is not believed to end, as rounding could have it.
        const MOST_STEPS: u32 = 512;
        let ray = minus(point, self.middle);
        let known = self.polytope.facet(start).is_some();
        let mut at = if known { start } else { self.first };
        for _ in 0..MOST_STEPS {
            match self.next(at, ray) {
                Some(next) => at = next,
                None => return at,
            }
        }
        self.farthest_in_front(point)
    }

    /// The facet beyond an edge that the ray is outside of.
    fn next(&self, at: u32, ray: [f64; 3]) -> Option<u32> {
        let corners = self.polytope.facet(at)?.corners;
        let out = |&[from, to]: &[u32; 2]| {
            let [u, v] = [from, to].map(|id| minus(real(self.polytope.point(id)), self.middle));
            dot(cross(u, v), ray) < 0.0
        };
        let [from, to] = edges(corners).into_iter().find(out)?;
        let around = self.polytope.around(to).iter().copied();
        let mut around = around.filter(|&id| id != at);
        around.find(|&id| {
            self.polytope.facet(id).is_some_and(|facet| edges(facet.corners).contains(&[to, from]))
        })
    }

    fn farthest_in_front(&self, point: [f64; 3]) -> u32 {
        let ids = self.polytope.facets().map(|(id, _)| id);
        let far = |id: u32| self.reach(id, point);
        ids.max_by(|&a, &b| far(a).total_cmp(&far(b))).unwrap_or(self.first)
    }

    /// How far a point is in the direction of a facet, the facet itself being at 1.
    pub(crate) fn reach(&self, facet: u32, point: [f64; 3]) -> f64 {
        let Some(facet) = self.polytope.facet(facet) else { return 0.0 };
        let normal = facet.normal();
        let corner = real(self.polytope.point(facet.corners[0]));
        let depth = dot(normal, minus(corner, self.middle));
        dot(normal, minus(point, self.middle)) / depth
    }

    /// How far a point is in front of a facet.
    pub(crate) fn distance(&self, facet: u32, point: [f64; 3]) -> f64 {
        let Some(facet) = self.polytope.facet(facet) else { return 0.0 };
        let normal = facet.normal();
        let corner = real(self.polytope.point(facet.corners[0]));
        dot(normal, minus(point, corner)) / length(normal)
    }

    pub(crate) const fn middle(&self) -> [f64; 3] {
        self.middle
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_walk_ends_where_a_point_is_farthest_in_front(
            points in prop::collection::vec(prop::array::uniform3(-900_i32..900), 4..80),
            asked in prop::array::uniform3(-2000.0_f64..2000.0),
        ) {
            if let Some(hull) = Polytope::hull(&points) {
                let locator = FacetLocator::new(&hull);
                let walked = locator.reach(locator.facet(asked, 0), asked);
                let best = locator.reach(locator.farthest_in_front(asked), asked);
                prop_assert!((walked - best).abs() <= 1e-9 * best.abs().max(1.0));
            }
        }
    }
}
