//! Drawing a polytope tight around a body.
//!
//! Each facet has a plane beside it that just touches the body. A corner goes to the point in front of the planes of
//! all facets around it that makes the volume least. All three corners of a facet are then in front of its plane,
//! and so the body stays inside, although every corner moves at once.

use super::lattice::{Point, dot, length, minus, nearest, plus, real};
use super::least::{Front, least};
use super::polytope::{Facet, Polytope};

/// A polytope with no more corners and less volume around a body that this one is around; `None` if drawing it tight
/// leads to none.
pub(super) fn tighten(polytope: &Polytope, body: &Polytope) -> Option<Polytope> {
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
pub(super) fn drawn(polytope: &Polytope, through: &[Option<[f64; 3]>]) -> Vec<Point> {
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
        fronts.extend(Front::new(normal, minus(touch, from)));
    }
    let out = out.map(|x| x / length(out).max(f64::MIN_POSITIVE));
    match least(&fronts, objective) {
        Some(way) => nearest(plus(plus(from, way, 1.0), out, OUT)),
        None => polytope.point(corner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
