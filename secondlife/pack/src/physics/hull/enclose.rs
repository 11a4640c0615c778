//! A polytope of some hundred corners around any number of points.

use crate::physics::hull::facet_locator::FacetLocator;
use crate::physics::hull::lattice::{
    Point, length, minus, nearest, plus, real, simplex, thickened,
};
use crate::physics::hull::polytope::Polytope;
use crate::physics::hull::tighten::drawn;

/// The most corners of a polytope from which simpler ones of 256 corners are made. Points that have more are
/// enclosed by a polytope of about as many.
pub(crate) const MOST_CORNERS: usize = 1024;

/// How far a point may be outside, in steps: half a 16-bit quantum.
const OUTSIDE: f64 = 1.0;

/// A polytope around points.
pub(crate) struct Enclosed {
    pub(crate) body: Polytope,
    /// The volume of the hull of the points, or hardly less: of that of the most important of them.
    pub(crate) volume: f64,
}

/// The hull of points, or one of about so many corners around it where that has more; made thick where it were flat.
/// No point is outside by more than a step. `None` only without points.
pub(crate) fn enclose(points: Vec<Point>, most: usize) -> Option<Enclosed> {
    let mut points = thickened(points);
    let mut inner = Polytope::tetrahedron(simplex(&points)?)?;
    loop {
        let outliers = outliers(&inner, &mut points);
        if outliers.is_empty() {
            let body = Polytope::hull(&inner.corners())?;
            return Some(Enclosed { volume: body.volume(), body });
        }
        let room = most.saturating_sub(inner.corner_count());
        if room == 0 {
            break;
        }
        for point in outliers.into_iter().take(room) {
            inner.insert(point);
        }
    }
    let pushed = pushed(&inner, &points).and_then(|pushed| grown(&pushed, &points));
    let bodies = pushed.into_iter().chain(grown(&inner, &points));
    let body = bodies.min_by(|a, b| a.volume().total_cmp(&b.volume()))?;
    Some(Enclosed { volume: inner.volume(), body })
}

/// For each facet the point that is farthest in front of it, farthest first. Only points outside are kept.
fn outliers(polytope: &Polytope, points: &mut Vec<Point>) -> Vec<Point> {
    let locator = FacetLocator::new(polytope);
    let facets = polytope.facets().map(|(id, _)| id as usize + 1).max().unwrap_or(0);
    let mut best: Vec<Option<(f64, Point)>> = vec![None; facets];
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

/// The polytope, each of its facets pushed out by as much as points are in front of it and those around it.
fn pushed(polytope: &Polytope, points: &[Point]) -> Option<Polytope> {
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
        through[id as usize] = Some(plus(corner, normal, far / length(normal)));
    }
    Polytope::hull(&drawn(polytope, &through))
}

/// The polytope, grown from its middle until it holds all points.
fn grown(polytope: &Polytope, points: &[Point]) -> Option<Polytope> {
    let locator = FacetLocator::new(polytope);
    let (mut at, mut most) = (0, 1.0_f64);
    for &point in points {
        at = locator.facet(real(point), at);
        most = most.max(locator.reach(at, real(point)));
    }
    let middle = locator.middle();
    let grow = |corner: Point| nearest(plus(middle, minus(real(corner), middle), most));
    let corners: Vec<Point> = polytope.corners().into_iter().map(grow).collect();
    Polytope::hull(&corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::hull::lattice::LEAST_THICKNESS;

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
            let hull = enclose(points.clone(), MOST_CORNERS).unwrap().body;
            assert!(hull.volume() > 0.0);
            for point in points {
                assert!(is_within(&hull, point), "{point:?}");
            }
            let least = hull.facets().map(|(_, facet)| {
                let deep = thick.iter().map(|&point| -facet.side(point)).max().unwrap();
                deep as f64 / length(facet.normal())
            });
            assert!(least.fold(f64::INFINITY, f64::min) >= LEAST_THICKNESS - 2.0);
        }
    }

    fn is_within(hull: &Polytope, point: Point) -> bool {
        let locator = FacetLocator::new(hull);
        locator.distance(locator.facet(real(point), 0), real(point)) <= OUTSIDE
    }

    /// Points all over a sphere of a side, on a spiral.
    fn sphere(count: u32) -> Vec<Point> {
        let at = |i: u32| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let (s, turn) = ((1.0 - z * z).sqrt(), 2.399_963 * f64::from(i));
            nearest([s * turn.cos(), s * turn.sin(), z].map(|x| 65_536.0 * x))
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn few_points_have_their_hull() {
        let points = sphere(300);
        let hull = enclose(points.clone(), MOST_CORNERS).unwrap().body;
        assert_eq!(hull.corner_count(), 300);
        assert!(points.iter().all(|&point| is_within(&hull, point)));
    }

    #[test]
    fn many_points_are_enclosed_by_little_more() {
        let points = sphere(20_000);
        let hull = enclose(points.clone(), MOST_CORNERS).unwrap().body;
        assert!(hull.corner_count() <= MOST_CORNERS);
        let ball = std::f64::consts::PI / 6.0;
        assert!(hull.volume() > 0.999 * ball && hull.volume() < 1.01 * ball, "{}", hull.volume());
        assert!(points.iter().all(|&point| is_within(&hull, point)));
    }
}
