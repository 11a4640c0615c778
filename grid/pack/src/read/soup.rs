//! Triangles of one material, of any number.

use std::collections::{HashMap, HashSet};

use lodger_mesh_asset::Influences;

use crate::model::Face;

/// Vertices and triangles, in metres, Z up. Each list of attributes is as long as the positions, or empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) tex_coords: Vec<[f32; 2]>,
    pub(super) influences: Vec<Influences>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// Puts another one behind this. None of both are so large that their vertices could not be numbered.
    pub(super) fn append(&mut self, other: Self) -> Option<()> {
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

    /// Leaves out triangles of which another one has the same corners with the same attributes, the same way round, and
    /// returns how many there were.
    pub(super) fn drop_doubles(&mut self) -> usize {
        let mut equal = HashMap::new();
        let firsts: Vec<u32> = (0..self.positions.len())
            .zip(0..)
            .map(|(index, vertex)| *equal.entry(self.same(index)).or_insert(vertex))
            .collect();
        let before = self.triangles.len();
        let mut known = HashSet::with_capacity(before);
        self.triangles.retain(|triangle| {
            let mut firsts = triangle.map(|index| firsts[index as usize]);
            let least = (0..3).min_by_key(|&corner| firsts[corner]).unwrap_or(0);
            firsts.rotate_left(least);
            known.insert(firsts)
        });
        before - self.triangles.len()
    }

    /// All that a vertex has, bit by bit.
    fn same(&self, vertex: usize) -> ([u32; 8], Influences) {
        let [x, y, z] = self.positions[vertex];
        let [nx, ny, nz] = self.normals.get(vertex).copied().unwrap_or_default();
        let [u, v] = self.tex_coords.get(vertex).copied().unwrap_or_default();
        let influences = self.influences.get(vertex).copied().unwrap_or_default();
        ([x, y, z, nx, ny, nz, u, v].map(f32::to_bits), influences)
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, triangle: [u32; 3]) -> [[f32; 3]; 3] {
        triangle.map(|index| self.positions[index as usize])
    }
}

/// Picks triangles out of a soup, with the vertices that they need.
#[derive(Debug)]
pub(super) struct Picker<'a> {
    soup: &'a Soup,
    /// Where each vertex is among those that are picked.
    places: Vec<u32>,
    /// The vertices that are picked.
    used: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl<'a> Picker<'a> {
    pub(super) fn new(soup: &'a Soup) -> Self {
        Self { soup, places: vec![NOWHERE; soup.positions.len()], used: Vec::new() }
    }

    /// How many vertices some triangles need.
    pub(super) fn vertices(&mut self, triangles: &[[u32; 3]]) -> usize {
        self.pick(triangles);
        let count = self.used.len();
        self.clear();
        count
    }

    /// A face of some triangles, vertices in their order; none if it needs more than indices can number.
    pub(super) fn face(&mut self, triangles: &[[u32; 3]]) -> Option<Face> {
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
        let face = triangles.map(|triangles| Face {
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

/// The attributes of some vertices; none if there are none.
fn of<T: Copy>(used: &[u32], all: &[T]) -> Vec<T> {
    if all.is_empty() {
        return Vec::new();
    }
    used.iter().map(|&index| all[index as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::{Picker, Soup};

    fn soup(positions: u8, triangles: &[[u32; 3]]) -> Soup {
        let positions = (0..positions).map(|i| [f32::from(i), 0.0, 0.0]).collect();
        Soup { positions, triangles: triangles.to_vec(), ..Soup::default() }
    }

    #[test]
    fn a_face_has_the_vertices_that_it_needs_in_their_order() {
        let soup = soup(9, &[[7, 2, 5], [2, 7, 8]]);
        let mut picker = Picker::new(&soup);
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
    fn what_is_there_twice_is_left_out() {
        let mut twice = soup(4, &[[0, 1, 2], [2, 0, 1], [0, 2, 1], [1, 2, 3]]);
        twice.append(soup(4, &[[1, 2, 0], [3, 2, 1]])).expect("they are few");
        let mut other = soup(3, &[[0, 1, 2]]);
        other.tex_coords = vec![[0.5; 2]; 3];
        twice.append(other).expect("they are few");
        assert_eq!(twice.drop_doubles(), 2);
        assert_eq!(twice.triangles, [[0, 1, 2], [0, 2, 1], [1, 2, 3], [7, 6, 5], [8, 9, 10]]);
    }

    #[test]
    fn what_is_joined_keeps_its_own_vertices() {
        let mut whole = soup(3, &[[0, 1, 2]]);
        let more = Soup { tex_coords: vec![[0.5; 2]; 3], ..soup(3, &[[2, 1, 0]]) };
        whole.append(more).expect("they are few");
        assert_eq!(whole.triangles, [[0, 1, 2], [5, 4, 3]]);
        assert_eq!(whole.tex_coords[2..4], [[0.0; 2], [0.5; 2]]);
    }
}
