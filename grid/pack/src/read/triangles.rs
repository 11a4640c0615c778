//! From indices and modes to triangles.

use super::failure::Failure;

/// How vertices are joined, by glTF's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Points or lines: nothing that an asset could show.
    Thin,
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    pub(super) fn from_code(code: u64) -> Option<Self> {
        Some(match code {
            0..=3 => Self::Thin,
            4 => Self::Triangles,
            5 => Self::Strip,
            6 => Self::Fan,
            _ => return None,
        })
    }

    /// How many triangles so many indices are.
    pub(super) const fn count(self, indices: usize) -> usize {
        match self {
            Self::Thin => 0,
            Self::Triangles => indices / 3,
            Self::Strip | Self::Fan => indices.saturating_sub(2),
        }
    }
}

/// The triangles of a primitive, each counter-clockwise seen from outside. Those of strips and fans that name a vertex
/// twice are left out: they only join parts. Every index is below the number of vertices.
pub(super) fn triangles(
    mode: Mode,
    indices: &[u32],
    vertices: usize,
) -> Result<Vec<[u32; 3]>, Failure> {
    if let Some(index) = indices.iter().find(|&&index| index as usize >= vertices) {
        return Err(Failure::new(format!("index {index} is none of its {vertices} vertices")));
    }
    let joined = |&[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
    Ok(match mode {
        Mode::Thin => Vec::new(),
        Mode::Triangles => indices.as_chunks().0.to_vec(),
        Mode::Strip => {
            let turned = |(at, three): (usize, &[u32])| match at % 2 {
                0 => [three[0], three[1], three[2]],
                _ => [three[1], three[0], three[2]],
            };
            indices.windows(3).enumerate().map(turned).filter(joined).collect()
        }
        Mode::Fan => {
            let around = |pair: &[u32]| [indices[0], pair[0], pair[1]];
            indices.get(1..).unwrap_or_default().windows(2).map(around).filter(joined).collect()
        }
    })
}

/// Whether a triangle has an area that is more than what rounding makes.
pub(super) fn has_area(corners: [[f32; 3]; 3]) -> bool {
    /// Height over longest side below which corners are in a line.
    const FLAT: f64 = 1e-10;
    let [a, b, c] = corners.map(|corner| glam::DVec3::from_array(corner.map(f64::from)));
    let longest =
        (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    (b - a).cross(c - a).length() > FLAT * longest
}

#[cfg(test)]
mod tests {
    use super::{Mode, has_area, triangles};

    #[test]
    fn strips_and_fans_become_triangles() {
        let read = |mode, indices: &[u32]| triangles(mode, indices, 9).expect("they are there");
        assert_eq!(read(Mode::Triangles, &[0, 1, 2, 3, 4, 5, 6, 7]), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(read(Mode::Strip, &[0, 1, 2, 3, 4]), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
        assert_eq!(read(Mode::Strip, &[0, 1, 2, 2, 5, 5, 6, 7]), [[0, 1, 2], [6, 5, 7]]);
        assert_eq!(read(Mode::Fan, &[8, 1, 2, 3]), [[8, 1, 2], [8, 2, 3]]);
        for mode in [Mode::Strip, Mode::Fan, Mode::Triangles] {
            assert!(read(mode, &[0, 1]).is_empty() && read(mode, &[]).is_empty());
        }
        assert!(triangles(Mode::Triangles, &[0, 1, 9], 9).is_err());
    }

    #[test]
    fn corners_in_a_line_have_no_area() {
        assert!(has_area([[0.0; 3], [1e-20, 0.0, 0.0], [0.0, 1e-20, 0.0]]));
        assert!(!has_area([[1.0; 3], [2.0; 3], [3.0; 3]]));
        assert!(!has_area([[1.0; 3], [1.0; 3], [3.0, 0.0, 0.0]]));
    }
}
