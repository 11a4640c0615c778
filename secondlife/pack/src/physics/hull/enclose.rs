//! Polytopes of a few hundred corners around any number of points.

use glam::DVec3;

use crate::physics::hull::polytope::{Polytope, edges};
use crate::physics::hull::simplify::move_facets;
use crate::physics::hull::{HullPoint, nearest, real, simplex, thickened};

/// The limit of corners of a polytope before simplification; a larger hull is approximated from
/// outside.
pub(crate) const MAX_CORNERS: usize = 1024;

/// The limit of the distance of a point outside, in steps: half a 16-bit quantum.
const OUTSIDE: f64 = 1.0;

pub(crate) struct Enclosed {
    pub(crate) body: Polytope,
    pub(crate) volume: f64,
}

/// The hull of points, or a polytope of about `max` corners around it, thickened if flat. No point
/// is outside by more than a step. `None` only without points.
pub(crate) fn enclose(points: Vec<HullPoint>, max: usize) -> Option<Enclosed> {
    let mut points = thickened(points);
    let mut inner = Polytope::tetrahedron(simplex(&points)?)?;
    loop {
        let outliers = outliers(&inner, &mut points);
        if outliers.is_empty() {
            let body = Polytope::hull(&inner.corners())?;
            return Some(Enclosed { volume: body.volume(), body });
        }
        let room = max.saturating_sub(inner.corner_count());
        if room == 0 {
            break;
        }
        for point in outliers.into_iter().take(room) {
            inner.insert(point);
        }
    }
    let pushed = push_facets(&inner, &points).and_then(|pushed| scale_up(&pushed, &points));
    let bodies = pushed.into_iter().chain(scale_up(&inner, &points));
    let body = bodies.min_by(|a, b| a.volume().total_cmp(&b.volume()))?;
    Some(Enclosed { volume: inner.volume(), body })
}

/// The farthest point in front of each facet, farthest first. Removes inner points.
fn outliers(polytope: &Polytope, points: &mut Vec<HullPoint>) -> Vec<HullPoint> {
    let locator = FacetLocator::new(polytope);
    let facets = polytope.facets().map(|(id, _)| id as usize + 1).max().unwrap_or(0);
    let mut best: Vec<Option<(f64, HullPoint)>> = vec![None; facets];
    let mut at = 0;
    points.retain(|&point| {
        at = locator.facet(real(point), at);
        let found = (locator.distance(at, real(point)), point);
        if found.0 <= OUTSIDE {
            return false;
        }
        let best = &mut best[at as usize];
        if best.is_none_or(|best| found > best) {
            *best = Some(found);
        }
        true
    });
    let mut best: Vec<_> = best.into_iter().flatten().collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    best.into_iter().map(|(_, point)| point).collect()
}

/// The polytope with each facet pushed beyond the points in front of it and its neighbours.
fn push_facets(polytope: &Polytope, points: &[HullPoint]) -> Option<Polytope> {
    let locator = FacetLocator::new(polytope);
    let facets = polytope.facets().map(|(id, _)| id as usize + 1).max()?;
    let (mut at, mut far) = (0, vec![0.0_f64; facets]);
    for &point in points {
        at = locator.facet(real(point), at);
        far[at as usize] = far[at as usize].max(locator.distance(at, real(point)));
    }
    let mut through = vec![None; facets];
    for (id, facet) in polytope.facets() {
        let around = facet.corners.into_iter().flat_map(|corner| polytope.around(corner));
        let far = around.map(|&other| far[other as usize]).fold(0.0, f64::max);
        let (corner, normal) = (real(polytope.point(facet.corners[0])), facet.normal());
        through[id as usize] = Some(corner + normal * (far / normal.length()));
    }
    Polytope::hull(&move_facets(polytope, &through))
}

fn scale_up(polytope: &Polytope, points: &[HullPoint]) -> Option<Polytope> {
    let locator = FacetLocator::new(polytope);
    let (mut at, mut max) = (0, 1.0_f64);
    for &point in points {
        at = locator.facet(real(point), at);
        max = max.max(locator.reach(at, real(point)));
    }
    let middle = locator.middle();
    let grow = |corner: HullPoint| nearest(middle + (real(corner) - middle) * max);
    let corners: Vec<HullPoint> = polytope.corners().into_iter().map(grow).collect();
    Polytope::hull(&corners)
}

/// Locates the facet through which a ray from the centre of a polytope leaves: the one that a point
/// on the ray is farthest in front of, relative to the facet's distance from the centre.
pub(crate) struct FacetLocator<'a> {
    polytope: &'a Polytope,
    middle: DVec3,
    first: u32,
}

impl<'a> FacetLocator<'a> {
    pub(crate) fn new(polytope: &'a Polytope) -> Self {
        let first = polytope.facets().next().map_or(0, |(id, _)| id);
        Self { polytope, middle: polytope.middle(), first }
    }

    /// The facet of the ray through a point; fast if `start` is near it.
    pub(crate) fn facet(&self, point: DVec3, start: u32) -> u32 {
        /// Above this number of steps, rounding has made the walk endless.
        const MAX_STEPS: u32 = 512;
        let ray = point - self.middle;
        let known = self.polytope.facet(start).is_some();
        let mut at = if known { start } else { self.first };
        for _ in 0..MAX_STEPS {
            match self.next(at, ray) {
                Some(next) => at = next,
                None => return at,
            }
        }
        self.farthest_in_front(point)
    }

    fn next(&self, at: u32, ray: DVec3) -> Option<u32> {
        let corners = self.polytope.facet(at)?.corners;
        let out = |&[from, to]: &[u32; 2]| {
            let [u, v] = [from, to].map(|id| real(self.polytope.point(id)) - self.middle);
            u.cross(v).dot(ray) < 0.0
        };
        let [from, to] = edges(corners).into_iter().find(out)?;
        let around = self.polytope.around(to).iter().copied();
        let mut around = around.filter(|&id| id != at);
        around.find(|&id| {
            self.polytope.facet(id).is_some_and(|facet| edges(facet.corners).contains(&[to, from]))
        })
    }

    fn farthest_in_front(&self, point: DVec3) -> u32 {
        let ids = self.polytope.facets().map(|(id, _)| id);
        let far = |id: u32| self.reach(id, point);
        ids.max_by(|&a, &b| far(a).total_cmp(&far(b))).unwrap_or(self.first)
    }

    /// The distance of a point in the direction of a facet, the facet being at 1.
    pub(crate) fn reach(&self, facet: u32, point: DVec3) -> f64 {
        let Some(facet) = self.polytope.facet(facet) else { return 0.0 };
        let normal = facet.normal();
        let corner = real(self.polytope.point(facet.corners[0]));
        normal.dot(point - self.middle) / normal.dot(corner - self.middle)
    }

    pub(crate) fn distance(&self, facet: u32, point: DVec3) -> f64 {
        let Some(facet) = self.polytope.facet(facet) else { return 0.0 };
        let normal = facet.normal();
        let corner = real(self.polytope.point(facet.corners[0]));
        normal.dot(point - corner) / normal.length()
    }

    pub(crate) const fn middle(&self) -> DVec3 {
        self.middle
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::physics::hull::MIN_THICKNESS;

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "a thickness to 2⁻⁵³")]
    fn points_lines_and_sheets_become_thick() {
        let tilted = |u: i32, v: i32| [u, v, u + 2 * v];
        let cases = [
            vec![[7, 8, 9]; 3],
            vec![[0, 0, 0], [10_000, 20_000, 30_000], [5_000, 10_000, 15_000]],
            vec![tilted(0, 0), tilted(90_000, 0), tilted(0, 90_000), tilted(90_000, 90_000)],
            vec![[0, 0, 0], [90_000, 0, 0], [0, 90_000, 0], [90_000, 90_000, 3]],
        ];
        for points in cases {
            let thick = thickened(points.clone());
            let hull = enclose(points.clone(), MAX_CORNERS).unwrap().body;
            assert!(hull.volume() > 0.0);
            for point in points {
                assert!(is_within(&hull, point), "{point:?}");
            }
            let min = hull.facets().map(|(_, facet)| {
                let deep = thick.iter().map(|&point| -facet.side(point)).max().unwrap();
                deep as f64 / facet.normal().length()
            });
            assert!(min.fold(f64::INFINITY, f64::min) >= MIN_THICKNESS - 2.0);
        }
    }

    fn is_within(hull: &Polytope, point: HullPoint) -> bool {
        let locator = FacetLocator::new(hull);
        locator.distance(locator.facet(real(point), 0), real(point)) <= OUTSIDE
    }

    fn sphere(count: u32) -> Vec<HullPoint> {
        let at = |i: u32| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let (s, turn) = ((1.0 - z * z).sqrt(), 2.399_963 * f64::from(i));
            nearest(DVec3::new(s * turn.cos(), s * turn.sin(), z) * 65_536.0)
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn few_points_have_their_hull() {
        let points = sphere(300);
        let hull = enclose(points.clone(), MAX_CORNERS).unwrap().body;
        assert_eq!(hull.corner_count(), 300);
        assert!(points.iter().all(|&point| is_within(&hull, point)));
    }

    #[test]
    fn many_points_are_enclosed_by_little_more() {
        let points = sphere(20_000);
        let hull = enclose(points.clone(), MAX_CORNERS).unwrap().body;
        assert!(hull.corner_count() <= MAX_CORNERS);
        let ball = std::f64::consts::PI / 6.0;
        assert!(hull.volume() > 0.999 * ball && hull.volume() < 1.01 * ball, "{}", hull.volume());
        assert!(points.iter().all(|&point| is_within(&hull, point)));
    }

    proptest! {
        #[test]
        fn the_locator_finds_the_facet_farthest_below_a_point(
            points in prop::collection::vec(prop::array::uniform3(-900_i32..900), 4..80),
            point in prop::array::uniform3(-2000.0_f64..2000.0),
        ) {
            if let Some(hull) = Polytope::hull(&points) {
                let (locator, point) = (FacetLocator::new(&hull), DVec3::from(point));
                let found = locator.reach(locator.facet(point, 0), point);
                let best = locator.reach(locator.farthest_in_front(point), point);
                prop_assert!((found - best).abs() <= 1e-9 * best.abs().max(1.0));
            }
        }
    }
}
