//! Simplified hulls around a body, by the number of their corners.
//!
//! The edge whose collapse adds the least volume goes first; it collapses into a point in front of
//! all facets at its ends. A hull only grows by a point, so the body stays inside despite rounding.
//! For smooth bodies such hulls add three to four times less volume than boxes cut by planes.

use lodger_core::cost::physics::ConvexHull;

use crate::physics::hull::polytope::Polytope;
use crate::physics::hull::simplify::CollapseQueue;
use crate::physics::hull::simplify::tighten;
use crate::physics::hull::{HullPoint, REACH};
use crate::physics::keep_pareto;

/// The simplest shapes around points, which collapses do not reach from hulls with parallel faces:
/// a box, the best of twelve wedges of six corners, and the best of eight tetrahedra, each with
/// faces along the axes and a slanted one. Shapes out of reach are left out.
pub(crate) fn plain(points: &[HullPoint]) -> Vec<Polytope> {
    let cuts = |axes: usize| (0..8_usize).filter_map(move |signs| cut_box(points, axes, signs));
    let wedges = [0b011, 0b101, 0b110].into_iter().flat_map(cuts);
    [boxed(points), smallest_of(wedges), smallest_of(cuts(0b111))].into_iter().flatten().collect()
}

/// The box around points along the axes; `None` if flat.
pub(crate) fn boxed(points: &[HullPoint]) -> Option<Polytope> {
    cut_box(points, 0, 0)
}

fn smallest_of(polytopes: impl Iterator<Item = Polytope>) -> Option<Polytope> {
    polytopes.min_by(|a, b| a.volume().total_cmp(&b.volume()))
}

/// The box around points, with the axes in a set cut by one slanted plane from the corner that the
/// signs choose.
fn cut_box(points: &[HullPoint], axes: usize, signs: usize) -> Option<Polytope> {
    let is_in = |set: usize, axis: usize| set >> axis & 1 == 1;
    let sign = |axis: usize| if is_in(signs, axis) { -1 } else { 1 };
    let signed =
        |point: &HullPoint| -> HullPoint { std::array::from_fn(|axis| sign(axis) * point[axis]) };
    let min = |axis: usize| points.iter().map(|point| signed(point)[axis]).min();
    let min = [min(0)?, min(1)?, min(2)?];
    let way = |axis: usize| points.iter().map(|point| signed(point)[axis] - min[axis]).max();
    let way = [way(0)?, way(1)?, way(2)?];
    let slanted = |point: &HullPoint| {
        let ways = (0..3).filter(|&axis| is_in(axes, axis));
        ways.map(|axis| signed(point)[axis] - min[axis]).sum::<i32>()
    };
    let slant = points.iter().map(slanted).max()?;
    let ends = (0..8_usize).filter(|ends| (ends & axes).count_ones() < 2);
    let corner = |ends: usize| -> HullPoint {
        std::array::from_fn(|axis| {
            let way = if is_in(axes, axis) { slant } else { way[axis] };
            sign(axis) * (min[axis] + if is_in(ends, axis) { way } else { 0 })
        })
    };
    let corners: Vec<HullPoint> = ends.map(corner).collect();
    let near = corners.iter().flatten().all(|x| x.abs() <= REACH);
    near.then(|| Polytope::hull(&corners)).flatten()
}

#[derive(Clone, Debug)]
pub(crate) struct HullLevel {
    pub(crate) corners: Vec<HullPoint>,
    pub(crate) volume: f64,
}

impl HullLevel {
    pub(crate) fn from_polytope(polytope: &Polytope) -> Self {
        Self { corners: polytope.corners(), volume: polytope.volume() }
    }

    /// The number of corners; saturates.
    pub(crate) fn vertices(&self) -> u16 {
        u16::try_from(self.corners.len()).unwrap_or(u16::MAX)
    }
}

/// Hulls of 4 to 256 corners around a body, the fewest corners and the greatest volume first.
pub(crate) fn hull_levels(body: &Polytope) -> Vec<HullLevel> {
    let mut levels = vec![HullLevel::from_polytope(body)];
    for shape in plain(&body.corners()) {
        levels.push(HullLevel::from_polytope(&drawn_tight(shape, body)));
    }
    let mut polytope = body.clone();
    loop {
        let fewer = collapsed(&mut polytope);
        polytope = drawn_tight(polytope, body);
        if !fewer {
            break;
        }
        if polytope.corner_count() <= usize::from(ConvexHull::MAX_VERTICES) {
            levels.push(HullLevel::from_polytope(&polytope));
        }
    }
    levels.retain(|level| level.corners.len() <= usize::from(ConvexHull::MAX_VERTICES));
    keep_pareto(&mut levels, |level| (f64::from(level.vertices()), level.volume));
    levels
}

/// Removes a share of the corners, at least one; returns whether there was one.
fn collapsed(polytope: &mut Polytope) -> bool {
    /// A sixteenth; an eighth from [`SOME`] on; a quarter above the limit of a hull.
    const PART: usize = 16;
    const PART_OF_SOME: usize = 8;
    const PART_OF_MANY: usize = 4;
    let before = polytope.corner_count();
    let many = before > usize::from(ConvexHull::MAX_VERTICES);
    let part = match before {
        _ if many => PART_OF_MANY,
        SOME.. => PART_OF_SOME,
        _ => PART,
    };
    let max = before - (before / part).max(1);
    let max = if many { max.max(usize::from(ConvexHull::MAX_VERTICES)) } else { max };
    let mut collapses = CollapseQueue::new(polytope);
    while polytope.corner_count() > max && collapses.collapse_one(polytope) {}
    polytope.corner_count() < before
}

/// From this number of corners on, hulls are rarely affordable, and fewer levels are made.
const SOME: usize = 64;

/// Tightens a hull around a body while that gains volume.
fn drawn_tight(mut polytope: Polytope, body: &Polytope) -> Polytope {
    const MAX_ROUNDS: usize = 24;
    const ROUNDS_OF_SOME: usize = 6;
    let many = polytope.corner_count() >= SOME;
    for _ in 0..if many { ROUNDS_OF_SOME } else { MAX_ROUNDS } {
        match tighten(&polytope, body) {
            Some(tight) => polytope = tight,
            None => break,
        }
    }
    polytope
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cube_has_all_three() {
        let points: Vec<HullPoint> =
            (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|x| 600 * x)).collect();
        let found: Vec<_> =
            plain(&points).iter().map(|shape| (shape.corner_count(), shape.volume())).collect();
        let box_volume = found[0].1;
        let expected = [(8, 1.0), (6, 2.0), (4, 4.5)];
        for ((corners, volume), (other, ratio)) in found.into_iter().zip(expected) {
            assert_eq!(corners, other);
            assert!((volume / box_volume - ratio).abs() < 1e-9);
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same corners in the same order")]
    fn a_tetrahedron_is_its_own() {
        let points = [[50, 50, -50], [-250, 50, -50], [50, -250, -50], [50, 50, 250]];
        let found = plain(&points);
        assert_eq!(found[2].volume(), Polytope::hull(&points).unwrap().volume());
    }

    fn check(points: &[HullPoint], levels: &[HullLevel]) {
        assert!(levels[0].corners.len() == 4);
        for level in levels {
            let hull = Polytope::hull(&level.corners).unwrap();
            assert!((hull.volume() - level.volume).abs() <= 1e-9 * level.volume);
            assert!(points.iter().all(|&point| hull.visible(point).is_empty()));
        }
        for pair in levels.windows(2) {
            assert!(pair[0].corners.len() < pair[1].corners.len());
            assert!(pair[0].volume > pair[1].volume);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn every_hull_holds_all_points(
            points in prop::collection::vec(prop::array::uniform3(-60_000_i32..60_000), 4..90)
        ) {
            if let Some(hull) = Polytope::hull(&points) {
                check(&points, &hull_levels(&hull));
            }
        }

        #[test]
        fn points_on_few_planes_too(
            points in prop::collection::vec(prop::array::uniform3(-3_i32..3), 4..40)
        ) {
            let points: Vec<HullPoint> = points.iter().map(|point| point.map(|x| 9_000 * x)).collect();
            if let Some(hull) = Polytope::hull(&points) {
                check(&points, &hull_levels(&hull));
            }
        }
    }

    #[test]
    fn a_cylinder_keeps_its_flat_ends() {
        let ring = (0..64).map(|i| f64::from(i) / 64.0 * std::f64::consts::TAU);
        let points: Vec<HullPoint> = ring
            .flat_map(|turn| {
                [-60_000.0, 60_000.0].map(|z| {
                    let (x, y) = (60_000.0 * turn.cos(), 60_000.0 * turn.sin());
                    super::super::nearest(glam::DVec3::new(x, y, z))
                })
            })
            .collect();
        let levels = hull_levels(&Polytope::hull(&points).unwrap());
        check(&points, &levels);
        let exact = levels.last().unwrap().volume;
        let with = |corners: usize| {
            let fits = |level: &&HullLevel| level.corners.len() <= corners;
            levels.iter().rev().find(fits).unwrap().volume / exact
        };
        // Around a circle, a regular polygon of n corners has n·tan(π/n)/π of its area: 1.013 for 16 and 1.05 for 8.
        assert!(with(32) < 1.03, "{}", with(32));
        assert!(with(16) < 1.12, "{}", with(16));
    }
}
