//! Normals: turned with their surface, or made of it.

use glam::{DMat3, DVec3};

use super::soup::Soup;

/// The matrix that turns normals as another one turns surfaces: the inverse transposed, times any number above 0.
pub(super) fn turning(surface: DMat3) -> DMat3 {
    let [x, y, z] = [surface.x_axis, surface.y_axis, surface.z_axis];
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    if surface.determinant() < 0.0 { -cofactors } else { cofactors }
}

/// A direction of length 1; none of zero or of what is not finite.
pub(super) fn direction(vector: DVec3) -> Option<DVec3> {
    // Lengths of what is very small or large are off by what squares cannot hold.
    let vector = vector / vector.abs().max_element();
    let length = vector.length();
    (length.is_finite() && length > 0.0).then(|| vector / length)
}

/// Makes normals that are zero anew: the mean of those of the triangles at a vertex, weighed by their areas. Returns how
/// many were made; a vertex without triangles is not counted.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
pub(super) fn make_missing(soup: &mut Soup) -> usize {
    soup.normals.resize(soup.positions.len(), [0.0; 3]);
    let mut sums = vec![DVec3::ZERO; soup.positions.len()];
    for &triangle in &soup.triangles {
        let [a, b, c] = soup.corners(triangle).map(|p| DVec3::from_array(p.map(f64::from)));
        let area = (b - a).cross(c - a);
        for index in triangle {
            sums[index as usize] += area;
        }
    }
    let mut made = 0;
    for (normal, sum) in soup.normals.iter_mut().zip(sums) {
        if normal.iter().all(|axis| *axis == 0.0) {
            made += usize::from(sum != DVec3::ZERO);
            *normal = direction(sum).unwrap_or(DVec3::Z).to_array().map(|axis| axis as f32);
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::{direction, make_missing, turning};
    use crate::read::soup::Soup;

    #[test]
    fn normals_stay_upright_on_their_surface() {
        let squeezed = DMat3::from_diagonal(DVec3::new(4.0, 1.0, 1.0));
        let sheared = DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z);
        for surface in [squeezed, sheared, squeezed * sheared, -squeezed, sheared * -squeezed] {
            let (along, across) = (DVec3::new(1.0, -1.0, 0.0), DVec3::new(0.5, 0.5, 2.0));
            let normal = turning(surface) * along.cross(across);
            assert!(normal.dot(surface * along).abs() < 1e-12);
            assert!(normal.dot(surface * across).abs() < 1e-12);
            // What was outside of the surface is outside of it still.
            assert!(normal.dot(surface * along.cross(across)) > 0.0);
        }
    }

    #[test]
    fn directions_are_of_length_1_or_none() {
        for length in [1e-300, 1.0, 1e300] {
            assert!((direction(DVec3::splat(length)).expect("one").length() - 1.0).abs() < 1e-12);
        }
        for none in [DVec3::ZERO, DVec3::splat(f64::NAN), DVec3::X * f64::INFINITY] {
            assert_eq!(direction(none), None);
        }
    }

    #[test]
    fn missing_normals_are_weighed_by_area() {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0], [9.0; 3]];
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        let mut soup = Soup { positions, triangles, ..Soup::default() };
        soup.normals = vec![[0.0; 3], [0.0, 1.0, 0.0], [0.0; 3], [0.0; 3]];
        assert_eq!(make_missing(&mut soup), 3);
        let root = 10_f32.sqrt();
        assert_eq!(soup.normals[1..2], [[0.0, 1.0, 0.0]]);
        assert_eq!(soup.normals[3..4], [[1.0, 0.0, 0.0]]);
        let expected = [3.0 / root, 0.0, 1.0 / root];
        assert!(soup.normals[0].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6));
        assert_eq!(soup.normals[4..5], [[0.0, 0.0, 1.0]]);
    }
}
