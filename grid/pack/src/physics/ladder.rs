//! Hulls of fewer and fewer corners, each around the one before.
//!
//! An edge of a hull is given up for one point: the point in front of all facets at its ends that adds the least
//! volume. The edge that adds least goes first. Nothing that was inside comes to be outside, whatever is rounded,
//! because a hull only grows by a point. Of hulls with as many corners those with triangles around a smooth body add
//! least: three to four times less than what is cut from a box by planes.

use lodger_core::cost::physics::Hull;

use super::collapse::Collapses;
use super::lattice::Point;
use super::plain::plain;
use super::polytope::Polytope;
use super::tighten::tighten;

/// A hull, and its volume, the unit cube being 1.
#[derive(Clone, Debug)]
pub(super) struct Rung {
    pub(super) corners: Vec<Point>,
    pub(super) volume: f64,
}

impl Rung {
    pub(super) fn of(polytope: &Polytope) -> Self {
        Self { corners: polytope.corners(), volume: polytope.volume() }
    }
}

/// Hulls around a body, the fewest corners and the greatest volume first, of 4 to 256 corners: none of them has more
/// corners than another and no less volume.
pub(super) fn ladder(body: &Polytope) -> Vec<Rung> {
    let mut rungs = vec![Rung::of(body)];
    for shape in plain(&body.corners()) {
        rungs.push(Rung::of(&drawn_tight(shape, body)));
    }
    let mut polytope = body.clone();
    loop {
        let fewer = collapsed(&mut polytope);
        polytope = drawn_tight(polytope, body);
        if !fewer {
            break;
        }
        if polytope.corner_count() <= usize::from(Hull::MOST_VERTICES) {
            rungs.push(Rung::of(&polytope));
        }
    }
    pareto(rungs)
}

/// Takes a part of the corners away, one at least. Whether there was one to take.
fn collapsed(polytope: &mut Polytope) -> bool {
    /// A sixteenth; an eighth from [`SOME`] on; a quarter while there are more than a hull may have.
    const PART: usize = 16;
    const PART_OF_SOME: usize = 8;
    const PART_OF_MANY: usize = 4;
    let before = polytope.corner_count();
    let many = before > usize::from(Hull::MOST_VERTICES);
    let part = match before {
        _ if many => PART_OF_MANY,
        SOME.. => PART_OF_SOME,
        _ => PART,
    };
    let most = before - (before / part).max(1);
    let most = if many { most.max(usize::from(Hull::MOST_VERTICES)) } else { most };
    let mut collapses = Collapses::new(polytope);
    while polytope.corner_count() > most && collapses.collapse_one(polytope) {}
    polytope.corner_count() < before
}

/// With so many corners hardly any object can pay a hull, and it takes longest: there is less of a choice.
const SOME: usize = 64;

/// Drawn tight around a body, again and again while that gains something.
fn drawn_tight(mut polytope: Polytope, body: &Polytope) -> Polytope {
    const MOST_ROUNDS: usize = 24;
    const ROUNDS_OF_SOME: usize = 6;
    let many = polytope.corner_count() >= SOME;
    for _ in 0..if many { ROUNDS_OF_SOME } else { MOST_ROUNDS } {
        match tighten(&polytope, body) {
            Some(tight) => polytope = tight,
            None => break,
        }
    }
    polytope
}

fn pareto(mut rungs: Vec<Rung>) -> Vec<Rung> {
    let most = usize::from(Hull::MOST_VERTICES);
    rungs.retain(|rung| rung.corners.len() <= most);
    let corners = |rung: &Rung| rung.corners.len();
    rungs.sort_by(|a, b| corners(a).cmp(&corners(b)).then(a.volume.total_cmp(&b.volume)));
    let mut best = f64::INFINITY;
    rungs.retain(|rung| {
        let better = rung.volume < best;
        best = best.min(rung.volume);
        better
    });
    rungs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(points: &[Point], rungs: &[Rung]) {
        assert!(rungs[0].corners.len() == 4);
        for rung in rungs {
            let hull = Polytope::hull(&rung.corners).unwrap();
            assert!((hull.volume() - rung.volume).abs() <= 1e-9 * rung.volume);
            assert!(points.iter().all(|&point| hull.visible(point).is_empty()));
        }
        for pair in rungs.windows(2) {
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
                check(&points, &ladder(&hull));
            }
        }

        #[test]
        fn points_on_few_planes_too(
            points in prop::collection::vec(prop::array::uniform3(-3_i32..3), 4..40)
        ) {
            let points: Vec<Point> = points.iter().map(|point| point.map(|x| 9_000 * x)).collect();
            if let Some(hull) = Polytope::hull(&points) {
                check(&points, &ladder(&hull));
            }
        }
    }

    #[test]
    fn a_cylinder_keeps_its_flat_ends() {
        let ring = (0..64).map(|i| f64::from(i) / 64.0 * std::f64::consts::TAU);
        let points: Vec<Point> = ring
            .flat_map(|turn| {
                [-60_000.0, 60_000.0].map(|z| {
                    super::super::lattice::nearest([
                        60_000.0 * turn.cos(),
                        60_000.0 * turn.sin(),
                        z,
                    ])
                })
            })
            .collect();
        let rungs = ladder(&Polytope::hull(&points).unwrap());
        check(&points, &rungs);
        let exact = rungs.last().unwrap().volume;
        let with = |corners: usize| {
            let fits = |rung: &&Rung| rung.corners.len() <= corners;
            rungs.iter().rev().find(fits).unwrap().volume / exact
        };
        // Around a circle, a regular polygon of n corners has n·tan(π/n)/π of its area: 1.013 for 16 and 1.05 for 8.
        assert!(with(32) < 1.03, "{}", with(32));
        assert!(with(16) < 1.12, "{}", with(16));
    }
}
