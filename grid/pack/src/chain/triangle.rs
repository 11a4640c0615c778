//! One triangle: its area, and how far a point is from it.

use glam::DVec3;

/// Its corners as vectors.
#[inline]
pub(super) fn vectors([a, b, c]: [[f32; 3]; 3]) -> [DVec3; 3] {
    let vector = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
    [vector(a), vector(b), vector(c)]
}

/// Perpendicular to it, and twice as long as its area is large.
pub(super) fn normal(corners: [[f32; 3]; 3]) -> DVec3 {
    let [a, b, c] = vectors(corners);
    (b - a).cross(c - a)
}

/// The square of the distance from a point to the nearest point of a triangle, which may be a line or a point; or
/// infinite if it is clearly more than `most`, as the triangle's plane is so far.
pub(super) fn distance_sq(point: DVec3, corners: [[f32; 3]; 3], most: f64) -> f64 {
    /// More than rounding takes from the normal of a sliver.
    const CLEARLY: f64 = 1.001;
    let [a, b, c] = vectors(corners);
    let normal = (b - a).cross(c - a);
    let (height, length_sq) = ((point - a).dot(normal), normal.length_squared());
    if height * height > CLEARLY * most * length_sq {
        return f64::INFINITY;
    }
    let within = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) > 0.0;
    if within(a, b) && within(b, c) && within(c, a) {
        return height * height / length_sq;
    }
    let sides = [(a, b), (b, c), (c, a)];
    sides.into_iter().map(|(from, to)| from_side(point, from, to)).fold(f64::INFINITY, f64::min)
}

fn from_side(point: DVec3, from: DVec3, to: DVec3) -> f64 {
    let (side, way) = (to - from, point - from);
    let length_sq = side.length_squared();
    let part = if length_sq > 0.0 { (way.dot(side) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (way - side * part).length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_to_the_face_the_sides_and_the_corners() {
        let right = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let cases = [
            ([1.0, 1.0, -3.0], 9.0),
            ([2.0, -2.0, 0.0], 4.0),
            ([-3.0, -4.0, 12.0], 169.0),
            ([4.0, 4.0, 0.0], 8.0),
            ([5.0, 0.0, 0.0], 1.0),
        ];
        for (point, expected) in cases {
            let found = distance_sq(DVec3::from_array(point), right, f64::INFINITY);
            assert!((found - expected).abs() < 1e-12, "{point:?}: {found}");
        }
    }

    #[test]
    fn a_triangle_without_area_is_a_line_or_a_point() {
        let line = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let distance_sq =
            |[x, y, z]: [f64; 3], corners| distance_sq(DVec3::new(x, y, z), corners, 99.0);
        assert!((distance_sq([1.5, 3.0, 0.0], line) - 9.0).abs() < 1e-12);
        assert!((distance_sq([0.0, 3.0, 4.0], [[0.0; 3]; 3]) - 25.0).abs() < 1e-12);
        assert_eq!(normal(line), DVec3::ZERO);
    }
}
