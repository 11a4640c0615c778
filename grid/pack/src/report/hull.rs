//! The faces of a convex hull, to be drawn.

use glam::DVec3;

/// How far outside of a face a point must be to be seen from there, relative to the extent of all points.
const OUTSIDE: f64 = 1e-7;

/// Triangles around points, counter-clockwise seen from outside; none of points that lie in a plane. Corners
/// that are nearly within a face may be left out.
pub(super) fn triangles(points: &[[f32; 3]]) -> Vec<[usize; 3]> {
    let points: Vec<_> = points.iter().map(|point| DVec3::from(point.map(f64::from))).collect();
    let Some(first) = tetrahedron(&points) else { return Vec::new() };
    let inside = first.iter().map(|&index| points[index]).sum::<DVec3>() / 4.0;
    let extent = points.iter().map(|point| point.distance(inside)).fold(0.0, f64::max);
    let [a, b, c, d] = first;
    let mut faces: Vec<Face> = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]]
        .into_iter()
        .map(|corners| Face::away(corners, &points, inside))
        .collect();
    for (index, &point) in points.iter().enumerate().filter(|(index, _)| !first.contains(index)) {
        add(&mut faces, &points, index, inside, |face: &Face| face.above(point) > extent * OUTSIDE);
    }
    faces.into_iter().map(|face| face.corners).collect()
}

/// Replaces the faces that see a point by those from their border to it.
fn add(
    faces: &mut Vec<Face>,
    points: &[DVec3],
    index: usize,
    inside: DVec3,
    sees: impl Fn(&Face) -> bool,
) {
    let (seen, kept): (Vec<_>, Vec<_>) = std::mem::take(faces).into_iter().partition(sees);
    let edges: Vec<_> = seen.iter().flat_map(Face::edges).collect();
    *faces = kept;
    for &[from, to] in edges.iter().filter(|[from, to]| !edges.contains(&[*to, *from])) {
        faces.push(Face::away([from, to, index], points, inside));
    }
}

/// Four points that are not in a plane: far apart, so that all others are near.
fn tetrahedron(points: &[DVec3]) -> Option<[usize; 4]> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = points.iter().map(|point| measure(*point)).enumerate();
        measured.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, most)| *most > 0.0)
    };
    let first = *points.first()?;
    let (b, length) = farthest(&|point| point.distance(first))?;
    let line = points[b] - first;
    let (c, _) = farthest(&|point| (point - first).cross(line).length())?;
    let normal = (points[c] - first).cross(line).normalize_or_zero();
    let (d, height) = farthest(&|point| (point - first).dot(normal).abs())?;
    (height > length * OUTSIDE).then_some([0, b, c, d])
}

/// A face of a hull in the making.
struct Face {
    corners: [usize; 3],
    normal: DVec3,
    on: DVec3,
}

impl Face {
    /// The face of three points that looks away from a point inside.
    fn away(corners: [usize; 3], points: &[DVec3], inside: DVec3) -> Self {
        let [a, b, c] = corners.map(|index| points[index]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal.dot(inside - a) > 0.0 {
            let [a, b, c] = corners;
            return Self { corners: [a, c, b], normal: -normal, on: points[a] };
        }
        Self { corners, normal, on: a }
    }

    fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.on)
    }

    fn edges(&self) -> [[usize; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_has_twelve_triangles_that_look_outside() {
        let mut points: Vec<[f32; 3]> =
            (0..8_u8).map(|bits| [bits & 1, bits >> 1 & 1, bits >> 2].map(f32::from)).collect();
        points.push([0.5; 3]);
        let faces = triangles(&points);
        assert_eq!(faces.len(), 12);
        let mut volume = 0.0;
        for face in &faces {
            let [a, b, c] = face.map(|index| DVec3::from(points[index].map(f64::from)) - 0.5);
            volume += a.dot(b.cross(c)) / 6.0;
        }
        assert!((volume - 1.0).abs() < 1e-9, "{volume}");
    }

    #[test]
    fn all_points_of_a_sphere_are_corners() {
        let points: Vec<[f32; 3]> = (0..200_u16)
            .map(|index| {
                let (turn, z) = (f32::from(index) * 2.4, 1.0 - (f32::from(index) + 0.5) / 100.0);
                let round = (1.0 - z * z).sqrt();
                [turn.cos() * round, turn.sin() * round, z]
            })
            .collect();
        let faces = triangles(&points);
        assert_eq!(faces.len(), 2 * 200 - 4, "as Euler says");
        assert!((0..200).all(|index| faces.iter().any(|face| face.contains(&index))));
    }

    #[test]
    fn what_is_flat_or_nothing_has_no_hull() {
        for points in [
            vec![],
            vec![[0.0; 3]; 9],
            vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        ] {
            assert!(triangles(&points).is_empty(), "{points:?}");
        }
    }
}
