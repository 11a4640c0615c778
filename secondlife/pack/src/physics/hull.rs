//! Convex hulls in integer coordinates: a lattice, exact polytopes and their simplification.

pub(super) mod block;
pub(super) mod enclose;
pub(super) mod levels;
pub(super) mod polytope;
pub(super) mod simplify;

use glam::{DVec3, I64Vec3};

/// Lattice steps along a side of an object: a step is about half the 16-bit quantum of a block.
pub(crate) const STEPS: f64 = 131_072.0;

/// The limit of hull coordinates in steps: four sides.
///
/// [`Facet::side`](crate::physics::hull::polytope::Facet::side) is then at most 6·2²⁰·2²⁰·2²⁰,
/// below 2⁶³.
pub(crate) const REACH: i32 = 1 << 19;

pub(crate) type HullPoint = [i32; 3];

/// The nearest lattice point within [`REACH`].
#[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
pub(crate) fn nearest(steps: DVec3) -> HullPoint {
    let max = f64::from(REACH);
    steps.to_array().map(|x| x.round().clamp(-max, max) as i32)
}

pub(crate) fn is_near(steps: DVec3) -> bool {
    steps.abs().cmplt(DVec3::splat(REACH.into())).all()
}

pub(crate) fn real(point: HullPoint) -> DVec3 {
    point.map(f64::from).into()
}

pub(crate) fn whole(point: HullPoint) -> I64Vec3 {
    point.map(i64::from).into()
}

/// The minimum thickness of a hull in steps: 1/512 of a side. Thinner objects, such as tilted
/// sheets and wires, are thickened.
pub(crate) const MIN_THICKNESS: f64 = 256.0;

/// Four points that span much; `None` if all lie in a plane.
pub(crate) fn simplex(points: &[HullPoint]) -> Option<[HullPoint; 4]> {
    let [a, b, c, d] = spread(points)?;
    let [u, v, w] = [b, c, d].map(|point| whole(point) - whole(a));
    (u.cross(v).dot(w) != 0).then_some([a, b, c, d])
}

/// The first point, and those farthest from it, from the line of both, and from the plane of all
/// three.
fn spread(points: &[HullPoint]) -> Option<[HullPoint; 4]> {
    let &a = points.iter().min()?;
    let from = |point: HullPoint| real(point) - real(a);
    let b = farthest(points, |point| from(point).length_squared())?;
    let line = from(b);
    let c = farthest(points, |point| line.cross(from(point)).length_squared())?;
    let normal = line.cross(from(c));
    let d = farthest(points, |point| normal.dot(from(point)).abs())?;
    Some([a, b, c, d])
}

fn farthest(points: &[HullPoint], far: impl Fn(HullPoint) -> f64) -> Option<HullPoint> {
    points.iter().copied().max_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)))
}

/// The points, or copies at both sides if they are too thin for a hull.
pub(crate) fn thickened(points: Vec<HullPoint>) -> Vec<HullPoint> {
    let Some(spread) = spread(&points) else { return points };
    let offsets = offsets(spread);
    if offsets.is_empty() {
        return points;
    }
    let copies = |point: &HullPoint| {
        let point = real(*point);
        offsets.clone().into_iter().map(move |offset| nearest(point + offset * 0.5))
    };
    points.iter().flat_map(copies).collect()
}

/// Twice the offsets of the copies; none if the points are thick enough.
fn offsets([a, b, c, d]: [HullPoint; 4]) -> Vec<DVec3> {
    let [along, aside, above] = [b, c, d].map(|point| real(point) - real(a));
    let Some(line) = direction(along, MIN_THICKNESS) else {
        return signs(DVec3::AXES);
    };
    let aside = aside + line * -aside.dot(line);
    let Some(aside) = direction(aside, MIN_THICKNESS) else {
        let axis = if line.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
        let one = direction(line.cross(axis), 0.0).unwrap_or(axis);
        return signs([one, line.cross(one), DVec3::ZERO]);
    };
    let normal = line.cross(aside);
    if normal.dot(above).abs() < MIN_THICKNESS {
        return signs([normal, DVec3::ZERO, DVec3::ZERO]);
    }
    Vec::new()
}

fn direction(vector: DVec3, min: f64) -> Option<DVec3> {
    let long = vector.length();
    (long >= min && long > 0.0).then(|| vector / long)
}

/// All sums of the vectors with either sign, times the thickness.
fn signs(vectors: [DVec3; 3]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO];
    for vector in vectors.into_iter().filter(|vector| vector.length() > 0.0) {
        let both = |sum: DVec3| [1.0, -1.0].map(|s| sum + vector * (s * MIN_THICKNESS));
        sums = sums.into_iter().flat_map(both).collect();
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_points_are_clamped() {
        assert_eq!(nearest(DVec3::new(1e12, -1e12, 0.4)), [REACH, -REACH, 0]);
        assert!(!is_near(DVec3::X * 1e12));
        assert!(is_near(DVec3::new(STEPS, -STEPS, 0.0)));
    }

    #[test]
    fn thick_point_sets_stay() {
        let points = vec![[0, 0, 0], [9_000, 0, 0], [0, 9_000, 0], [0, 0, 9_000]];
        assert_eq!(thickened(points.clone()), points);
    }
}
