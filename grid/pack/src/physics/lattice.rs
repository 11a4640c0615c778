//! Points in unit space on a lattice so fine that no asset can tell, on which hulls are exact.

/// Steps of the lattice to a side of an object: about half the 16-bit quantum of a block of that size.
pub(super) const STEPS: f64 = 131_072.0;

/// How far from the middle a point of a hull may be, in steps: four sides. The greatest number that
/// [`Facet::side`](super::polytope::Facet::side) comes to is then 6·2²⁰·2²⁰·2²⁰, below 2⁶³.
pub(super) const REACH: i32 = 1 << 19;

/// A point of the lattice.
pub(super) type Point = [i32; 3];

/// The nearest point of the lattice, within [`REACH`].
#[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
pub(super) fn nearest(steps: [f64; 3]) -> Point {
    let most = f64::from(REACH);
    steps.map(|x| x.round().clamp(-most, most) as i32)
}

/// Whether a place is within reach of the lattice.
pub(super) fn is_near(steps: [f64; 3]) -> bool {
    steps.iter().all(|x| x.abs() < f64::from(REACH))
}

/// A point's coordinates as numbers.
pub(super) fn real(point: Point) -> [f64; 3] {
    point.map(f64::from)
}

pub(super) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// a + b·s.
pub(super) fn plus(a: [f64; 3], b: [f64; 3], s: f64) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] + b[axis] * s)
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_off_goes_to_the_border() {
        assert_eq!(nearest([1e12, -1e12, 0.4]), [REACH, -REACH, 0]);
        assert!(!is_near([1e12, 0.0, 0.0]));
        assert!(is_near([STEPS, -STEPS, 0.0]));
    }
}
