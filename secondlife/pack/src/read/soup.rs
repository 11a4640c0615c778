//! Triangle soups: triangles by the mode of a primitive, and missing normals.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec3};
use lodger_mesh_asset::Influences;

use crate::model::Submesh;
use crate::read::ReadFailure;

/// Vertices and triangles, in metres, Z up. Each list of attributes is as long as the positions, or
/// empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct TriangleSoup {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tex_coords: Vec<[f32; 2]>,
    pub(crate) influences: Vec<Influences>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl TriangleSoup {
    /// Appends another soup. `None` if the vertices exceed 32-bit indices.
    pub(crate) fn append(&mut self, other: Self) -> Option<()> {
        let first = u32::try_from(self.positions.len()).ok()?;
        let all = self.positions.len().checked_add(other.positions.len())?;
        u32::try_from(all).ok()?;
        if !self.tex_coords.is_empty() || !other.tex_coords.is_empty() {
            self.tex_coords.resize(self.positions.len(), [0.0; 2]);
            self.tex_coords.extend(other.tex_coords);
            self.tex_coords.resize(all, [0.0; 2]);
        }
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.influences.extend(other.influences);
        self.triangles.extend(other.triangles.into_iter().map(|t| t.map(|index| index + first)));
        Some(())
    }

    pub(crate) fn remove_duplicates(&mut self) -> usize {
        let mut equal = HashMap::new();
        let firsts: Vec<u32> = (0..self.positions.len())
            .zip(0..)
            .map(|(index, vertex)| *equal.entry(self.same(index)).or_insert(vertex))
            .collect();
        let before = self.triangles.len();
        let mut known = HashSet::with_capacity(before);
        self.triangles.retain(|triangle| {
            let mut firsts = triangle.map(|index| firsts[index as usize]);
            let min = (0..3).min_by_key(|&corner| firsts[corner]).unwrap_or(0);
            firsts.rotate_left(min);
            known.insert(firsts)
        });
        before - self.triangles.len()
    }

    /// All data of a vertex, bit by bit.
    fn same(&self, vertex: usize) -> ([u32; 8], Influences) {
        let [x, y, z] = self.positions[vertex];
        let [nx, ny, nz] = self.normals.get(vertex).copied().unwrap_or_default();
        let [u, v] = self.tex_coords.get(vertex).copied().unwrap_or_default();
        let influences = self.influences.get(vertex).copied().unwrap_or_default();
        ([x, y, z, nx, ny, nz, u, v].map(f32::to_bits), influences)
    }

    pub(crate) fn corners(&self, triangle: [u32; 3]) -> [[f32; 3]; 3] {
        triangle.map(|index| self.positions[index as usize])
    }
}

#[derive(Debug)]
pub(crate) struct FaceExtractor<'a> {
    soup: &'a TriangleSoup,
    places: Vec<u32>,
    used: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> FaceExtractor<'a> {
    pub(crate) fn new(soup: &'a TriangleSoup) -> Self {
        Self { soup, places: vec![NOWHERE; soup.positions.len()], used: Vec::new() }
    }

    pub(crate) fn vertices(&mut self, triangles: &[[u32; 3]]) -> usize {
        self.pick(triangles);
        let count = self.used.len();
        self.clear();
        count
    }

    /// A submesh of some triangles, vertices in their order; `None` if they exceed 16-bit indices.
    pub(crate) fn face(&mut self, triangles: &[[u32; 3]]) -> Option<Submesh> {
        self.pick(triangles);
        self.used.sort_unstable();
        for (&index, place) in self.used.iter().zip(0..) {
            self.places[index as usize] = place;
        }
        let place = |index: u32| u16::try_from(self.places[index as usize]).ok();
        let triangles = triangles
            .iter()
            .map(|&[a, b, c]| Some([place(a)?, place(b)?, place(c)?]))
            .collect::<Option<Vec<_>>>();
        let face = triangles.map(|triangles| Submesh {
            positions: of(&self.used, &self.soup.positions),
            normals: of(&self.used, &self.soup.normals),
            tex_coords: of(&self.used, &self.soup.tex_coords),
            influences: of(&self.used, &self.soup.influences),
            triangles,
        });
        self.clear();
        face
    }

    fn pick(&mut self, triangles: &[[u32; 3]]) {
        for &index in triangles.as_flattened() {
            let place = &mut self.places[index as usize];
            if *place == NOWHERE {
                *place = 0;
                self.used.push(index);
            }
        }
    }

    fn clear(&mut self) {
        for &index in &self.used {
            self.places[index as usize] = NOWHERE;
        }
        self.used.clear();
    }
}

fn of<T: Copy>(used: &[u32], all: &[T]) -> Vec<T> {
    if all.is_empty() {
        return Vec::new();
    }
    used.iter().map(|&index| all[index as usize]).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Points or lines, which assets cannot show.
    Thin,
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    pub(crate) fn from_code(code: u64) -> Option<Self> {
        Some(match code {
            0..=3 => Self::Thin,
            4 => Self::Triangles,
            5 => Self::Strip,
            6 => Self::Fan,
            _ => return None,
        })
    }

    pub(crate) const fn count(self, indices: usize) -> usize {
        match self {
            Self::Thin => 0,
            Self::Triangles => indices / 3,
            Self::Strip | Self::Fan => indices.saturating_sub(2),
        }
    }
}

/// The triangles of a primitive, counter-clockwise seen from outside, without degenerate ones,
/// which only connect parts of strips and fans.
///
/// # Errors
///
/// An index that is none of the vertices.
pub(crate) fn triangles(
    mode: Mode,
    indices: &[u32],
    vertices: usize,
) -> Result<Vec<[u32; 3]>, ReadFailure> {
    if let Some(index) = indices.iter().find(|&&index| index as usize >= vertices) {
        return Err(ReadFailure::new(format!("index {index} is none of its {vertices} vertices")));
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

/// Whether the area of a triangle exceeds rounding errors.
pub(crate) fn has_area(corners: [[f32; 3]; 3]) -> bool {
    /// The ratio of height and longest side below which corners are collinear.
    const FLAT: f64 = 1e-10;
    let [a, b, c] = corners.map(|corner| glam::DVec3::from_array(corner.map(f64::from)));
    let longest =
        (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
    (b - a).cross(c - a).length() > FLAT * longest
}

/// The matrix for normals of a transformed surface: a positive multiple of the inverse transpose.
pub(crate) fn turning(surface: DMat3) -> DMat3 {
    let [x, y, z] = [surface.x_axis, surface.y_axis, surface.z_axis];
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    if surface.determinant() < 0.0 { -cofactors } else { cofactors }
}

/// A direction of length 1; `None` for zero or not finite vectors.
pub(crate) fn direction(vector: DVec3) -> Option<DVec3> {
    // Scales first, as squares of tiny and huge numbers lose accuracy.
    let vector = vector / vector.abs().max_element();
    let length = vector.length();
    (length.is_finite() && length > 0.0).then(|| vector / length)
}

/// Replaces zero normals by the area-weighted mean of adjacent triangles; returns the number of
/// replaced normals.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
pub(crate) fn make_missing(soup: &mut TriangleSoup) -> usize {
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

    use super::{
        FaceExtractor, Mode, TriangleSoup, direction, has_area, make_missing, triangles, turning,
    };

    fn soup(positions: u8, triangles: &[[u32; 3]]) -> TriangleSoup {
        let positions = (0..positions).map(|i| [f32::from(i), 0.0, 0.0]).collect();
        TriangleSoup { positions, triangles: triangles.to_vec(), ..TriangleSoup::default() }
    }

    #[test]
    fn a_face_has_the_vertices_that_it_needs_in_their_order() {
        let soup = soup(9, &[[7, 2, 5], [2, 7, 8]]);
        let mut picker = FaceExtractor::new(&soup);
        for _ in 0..2 {
            assert_eq!(picker.vertices(&soup.triangles), 4);
            let face = picker.face(&soup.triangles).expect("a small face");
            assert_eq!(
                face.positions.iter().map(|p| p[0]).collect::<Vec<_>>(),
                [2.0, 5.0, 7.0, 8.0]
            );
            assert_eq!(face.triangles, [[2, 0, 1], [0, 2, 3]]);
            assert!(face.normals.is_empty());
        }
    }

    #[test]
    fn duplicate_triangles_are_left_out() {
        let mut twice = soup(4, &[[0, 1, 2], [2, 0, 1], [0, 2, 1], [1, 2, 3]]);
        twice.append(soup(4, &[[1, 2, 0], [3, 2, 1]])).expect("they are few");
        let mut other = soup(3, &[[0, 1, 2]]);
        other.tex_coords = vec![[0.5; 2]; 3];
        twice.append(other).expect("they are few");
        assert_eq!(twice.remove_duplicates(), 2);
        assert_eq!(twice.triangles, [[0, 1, 2], [0, 2, 1], [1, 2, 3], [7, 6, 5], [8, 9, 10]]);
    }

    #[test]
    fn appended_soups_keep_their_own_vertices() {
        let mut whole = soup(3, &[[0, 1, 2]]);
        let more = TriangleSoup { tex_coords: vec![[0.5; 2]; 3], ..soup(3, &[[2, 1, 0]]) };
        whole.append(more).expect("they are few");
        assert_eq!(whole.triangles, [[0, 1, 2], [5, 4, 3]]);
        assert_eq!(whole.tex_coords[2..4], [[0.0; 2], [0.5; 2]]);
    }

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

    #[test]
    fn normals_stay_upright_on_their_surface() {
        let squeezed = DMat3::from_diagonal(DVec3::new(4.0, 1.0, 1.0));
        let sheared = DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z);
        for surface in [squeezed, sheared, squeezed * sheared, -squeezed, sheared * -squeezed] {
            let (along, across) = (DVec3::new(1.0, -1.0, 0.0), DVec3::new(0.5, 0.5, 2.0));
            let normal = turning(surface) * along.cross(across);
            assert!(normal.dot(surface * along).abs() < 1e-12);
            assert!(normal.dot(surface * across).abs() < 1e-12);
            // The outside stays the outside.
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
        let mut soup = TriangleSoup { positions, triangles, ..TriangleSoup::default() };
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
