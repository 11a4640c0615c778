//! Convex hulls in integer coordinates: a lattice, exact polytopes and their simplification.

pub(super) mod block;
pub(super) mod enclose;
pub(super) mod levels;
pub(super) mod polytope;
pub(super) mod simplify;

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
pub(crate) fn nearest(steps: [f64; 3]) -> HullPoint {
    let max = f64::from(REACH);
    steps.map(|x| x.round().clamp(-max, max) as i32)
}

pub(crate) fn is_near(steps: [f64; 3]) -> bool {
    steps.iter().all(|x| x.abs() < f64::from(REACH))
}

pub(crate) fn real(point: HullPoint) -> [f64; 3] {
    point.map(f64::from)
}

pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn plus(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis] * s)
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// The minimum thickness of a hull in steps: 1/512 of a side. Thinner objects, such as tilted
/// sheets and wires, are thickened.
pub(crate) const MIN_THICKNESS: f64 = 256.0;

/// Four points that span much; `None` if all lie in a plane.
pub(crate) fn simplex(points: &[HullPoint]) -> Option<[HullPoint; 4]> {
    let [a, b, c, d] = spread(points)?;
    let [u, v, w] = [b, c, d].map(|point| wide(point, a));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    if normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2] != 0 {
        return Some([a, b, c, d]);
    }
    None
}

fn wide(point: HullPoint, from: HullPoint) -> [i64; 3] {
    std::array::from_fn(|axis| i64::from(point[axis]) - i64::from(from[axis]))
}

/// The first point, and those farthest from it, from the line of both, and from the plane of all
/// three.
fn spread(points: &[HullPoint]) -> Option<[HullPoint; 4]> {
    let &a = points.iter().min()?;
    let from = |point: HullPoint| minus(real(point), real(a));
    let b = farthest(points, |point| dot(from(point), from(point)))?;
    let line = from(b);
    let c = farthest(points, |point| {
        let across = cross(line, from(point));
        dot(across, across)
    })?;
    let normal = cross(line, from(c));
    let d = farthest(points, |point| dot(normal, from(point)).abs())?;
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
        offsets.clone().into_iter().map(move |offset| nearest(plus(point, offset, 0.5)))
    };
    points.iter().flat_map(copies).collect()
}

/// Twice the offsets of the copies; none if the points are thick enough.
fn offsets([a, b, c, d]: [HullPoint; 4]) -> Vec<[f64; 3]> {
    let [along, aside, above] = [b, c, d].map(|point| minus(real(point), real(a)));
    let Some(line) = direction(along, MIN_THICKNESS) else {
        return signs([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    };
    let aside = plus(aside, line, -dot(aside, line));
    let Some(aside) = direction(aside, MIN_THICKNESS) else {
        let axis = if line[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let one = direction(cross(line, axis), 0.0).unwrap_or(axis);
        return signs([one, cross(line, one), [0.0; 3]]);
    };
    let normal = cross(line, aside);
    if dot(normal, above).abs() < MIN_THICKNESS {
        return signs([normal, [0.0; 3], [0.0; 3]]);
    }
    Vec::new()
}

fn direction(vector: [f64; 3], min: f64) -> Option<[f64; 3]> {
    let long = length(vector);
    (long >= min && long > 0.0).then(|| vector.map(|x| x / long))
}

/// All sums of the vectors with either sign, times the thickness.
fn signs(vectors: [[f64; 3]; 3]) -> Vec<[f64; 3]> {
    let mut sums = vec![[0.0; 3]];
    for vector in vectors.into_iter().filter(|&vector| length(vector) > 0.0) {
        let both = |sum: [f64; 3]| [1.0, -1.0].map(|s| plus(sum, vector, s * MIN_THICKNESS));
        sums = sums.into_iter().flat_map(both).collect();
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distant_points_are_clamped() {
        assert_eq!(nearest([1e12, -1e12, 0.4]), [REACH, -REACH, 0]);
        assert!(!is_near([1e12, 0.0, 0.0]));
        assert!(is_near([STEPS, -STEPS, 0.0]));
    }

    #[test]
    fn thick_point_sets_stay() {
        let points = vec![[0, 0, 0], [9_000, 0, 0], [0, 9_000, 0], [0, 0, 9_000]];
        assert_eq!(thickened(points.clone()), points);
    }
}
