//! The submeshes of a level as one mesh, and bent poses.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use lodger_mesh_asset::Influences;

use crate::frame::Aabb;
use crate::model::{LodMesh, ModelObject, Rig, Submesh};

/// The turn of each joint in radians, as of an elbow or a knee of a sitting avatar.
const ANGLE: f64 = 1.2;
/// The golden angle in radians: axes of successive joints differ.
const BETWEEN: f64 = 2.399_963;

pub(crate) struct Pose {
    joints: Vec<DAffine3>,
}

impl Pose {
    /// Turns each joint by 1.2 radians about an axis through its place, perpendicular to the
    /// direction of its vertices. `None` without joints.
    pub(crate) fn bent(object: &ModelObject) -> Option<Self> {
        let places = places(object.rig.as_ref()?);
        let mut sums = vec![(DVec3::ZERO, 0.0); places.len()];
        for face in &object.high.submeshes {
            for (position, influences) in face.positions.iter().zip(&face.influences) {
                for one in influences.as_slice() {
                    if let Some((sum, total)) = sums.get_mut(usize::from(one.joint)) {
                        let weight = f64::from(one.weight);
                        *sum += DVec3::from_array(position.map(f64::from)) * weight;
                        *total += weight;
                    }
                }
            }
        }
        let mut number = 0.0;
        let bend = |(place, (sum, total)): (DVec3, (DVec3, f64))| {
            let way = (sum / total - place).try_normalize().unwrap_or(DVec3::Z);
            let axis = DQuat::from_axis_angle(way, number * BETWEEN) * way.any_orthonormal_vector();
            number += 1.0;
            let turn = DAffine3::from_axis_angle(axis, ANGLE);
            DAffine3::from_translation(place) * turn * DAffine3::from_translation(-place)
        };
        Some(Self { joints: places.into_iter().zip(sums).map(bend).collect() })
    }

    #[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
    pub(crate) fn apply(&self, level: &LodMesh) -> LodMesh {
        let mut level = level.clone();
        for face in &mut level.submeshes {
            for (position, influences) in face.positions.iter_mut().zip(&face.influences) {
                let put = blend(&self.joints, influences);
                let point = put.transform_point3(DVec3::from_array(position.map(f64::from)));
                *position = point.to_array().map(|axis| axis as f32);
            }
        }
        level
    }
}

/// The weighted mean of matrices; the identity without weights.
fn blend(joints: &[DAffine3], influences: &Influences) -> DAffine3 {
    let mut sum = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
    let mut total = 0.0;
    for one in influences.as_slice() {
        let Some(joint) = joints.get(usize::from(one.joint)) else { continue };
        let weight = f64::from(one.weight);
        sum.matrix3 += joint.matrix3 * weight;
        sum.translation += joint.translation * weight;
        total += weight;
    }
    if total <= 0.0 {
        return DAffine3::IDENTITY;
    }
    DAffine3 { matrix3: sum.matrix3 * (1.0 / total), translation: sum.translation / total }
}

/// The places of joints at rest, which inverse bind matrices map to the origin.
fn places(rig: &Rig) -> Vec<DVec3> {
    let place = |bind: &[f64; 16]| {
        // Row by row for row vectors equals column by column for column vectors.
        let place = glam::DMat4::from_cols_array(bind).inverse().w_axis.truncate();
        if place.is_finite() { place } else { DVec3::ZERO }
    };
    rig.joints.iter().map(|joint| place(&joint.inverse_bind)).collect()
}

/// Returns a function to the weighted mean place of a vertex's joints.
pub(crate) fn means(rig: &Rig) -> impl Fn(&Influences) -> [f32; 3] + use<> {
    let places: Vec<DAffine3> = places(rig).into_iter().map(DAffine3::from_translation).collect();
    move |influences| blend(&places, influences).translation.as_vec3().to_array()
}

/// Floats of a vertex beside its position: normal, texture coordinates, and mean place of its
/// joints over the object's greatest side.
pub(crate) const ATTRIBUTES: usize = 8;

type Same = ([u32; 8], Influences);

#[derive(Debug)]
pub(crate) struct MergedMesh<'a> {
    level: &'a LodMesh,
    /// The vertices that triangles use, without duplicates, ordered by submesh.
    pub(crate) positions: Vec<[f32; 3]>,
    /// [`ATTRIBUTES`] floats for each vertex; 0 where the submesh has none.
    pub(crate) attributes: Vec<f32>,
    pub(crate) shared: Vec<bool>,
    pub(crate) is_rigged: bool,
    pub(crate) indices: Vec<u32>,
    original: Vec<u16>,
    ends: Vec<usize>,
}

impl<'a> MergedMesh<'a> {
    pub(crate) fn new(level: &'a LodMesh, rig: Option<&Rig>) -> Self {
        let mean = rig.map(means);
        let side = Aabb::around(level.positions()).greatest_side();
        let mut this = Self {
            level,
            positions: Vec::new(),
            attributes: Vec::new(),
            shared: Vec::new(),
            is_rigged: rig.is_some(),
            indices: Vec::new(),
            original: Vec::new(),
            ends: Vec::new(),
        };
        for face in &level.submeshes {
            this.add(face, |influences| match &mean {
                Some(mean) if side > 0.0 => mean(influences).map(|axis| axis / side),
                _ => [0.0; 3],
            });
            this.ends.push(this.positions.len());
        }
        this.shared = this.shared();
        this
    }

    fn add(&mut self, face: &Submesh, pull: impl Fn(&Influences) -> [f32; 3]) {
        let mut vertices: Vec<Option<u32>> = vec![None; face.positions.len()];
        let mut equal: HashMap<Same, u32> = HashMap::new();
        for &index in face.triangles.iter().flatten() {
            let place = &mut vertices[usize::from(index)];
            let vertex = *place.get_or_insert_with(|| {
                let next = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
                let (position, attributes) = vertex(face, index);
                let known = *equal.entry(same(face, index)).or_insert(next);
                if known == next {
                    self.positions.push(position);
                    self.attributes.extend(attributes);
                    let influences = face.influences.get(usize::from(index)).copied();
                    self.attributes.extend(pull(&influences.unwrap_or_default()));
                    self.original.push(index);
                }
                known
            });
            self.indices.push(vertex);
        }
    }

    fn shared(&self) -> Vec<bool> {
        let mut faces: HashMap<[u32; 3], Option<usize>> = HashMap::new();
        for (face, range) in self.ranges().enumerate() {
            for position in &self.positions[range] {
                let only = faces.entry(place(*position)).or_insert(Some(face));
                if *only != Some(face) {
                    *only = None;
                }
            }
        }
        self.positions.iter().map(|&position| faces[&place(position)].is_none()).collect()
    }

    /// Whether meshopt, which compares all pairs of triangles at a place, would take too long: by
    /// the mean square of their numbers, which are about six in most meshes.
    pub(crate) fn is_crowded(&self) -> bool {
        const FEW: u64 = 1 << 23;
        const EACH: u64 = 256;
        let mut around: HashMap<[u32; 3], u64> = HashMap::new();
        for &vertex in &self.indices {
            *around.entry(place(self.positions[vertex as usize])).or_default() += 1;
        }
        let pairs: u64 = around.values().map(|count| count * count).sum();
        pairs > FEW.max(EACH * (self.indices.len() as u64 / 3))
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start..end)
    }

    /// The greatest side of the box around all texture coordinates; 0 without any.
    pub(crate) fn texture_size(&self) -> f32 {
        let side = |axis: usize| {
            let all = self.attributes.iter().skip(axis).step_by(ATTRIBUTES);
            let (min, max) = all.fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), &x| {
                (min.min(x), max.max(x))
            });
            max - min
        };
        side(3).max(side(4)).max(0.0)
    }

    /// Copies triangles to a level, without unused vertices. Triangles are ordered for the vertex
    /// cache, which also compresses better, and vertices by first use.
    pub(crate) fn level_of(&self, indices: &[u32]) -> LodMesh {
        let ranges = self.ranges().zip(&self.level.submeshes);
        LodMesh {
            submeshes: ranges.map(|(range, face)| self.face(&range, face, indices)).collect(),
        }
    }

    fn face(&self, range: &std::ops::Range<usize>, face: &Submesh, indices: &[u32]) -> Submesh {
        let start = range.start;
        let inside = |&vertex: &u32| range.contains(&(vertex as usize));
        let corners = indices.as_chunks::<3>().0.iter().filter(|corners| inside(&corners[0]));
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^16 of a face")]
        let local: Vec<u32> = corners.flatten().map(|&vertex| vertex - start as u32).collect();
        let local = meshopt::optimize_vertex_cache(&local, range.len());
        let mut places: Vec<Option<u16>> = vec![None; range.len()];
        let mut kept: Vec<usize> = Vec::new();
        let mut place = |vertex: u32| {
            *places[vertex as usize].get_or_insert_with(|| {
                kept.push(usize::from(self.original[start + vertex as usize]));
                u16::try_from(kept.len() - 1).unwrap_or(u16::MAX)
            })
        };
        let triangles = local.as_chunks::<3>().0.iter().map(|corners| corners.map(&mut place));
        let triangles = triangles.collect();
        face.extract(&kept, triangles)
    }
}

/// The bits of a position; −0 equals 0.
fn place(position: [f32; 3]) -> [u32; 3] {
    position.map(|x| (x + 0.0).to_bits())
}

fn vertex(face: &Submesh, index: u16) -> ([f32; 3], [f32; 5]) {
    let index = usize::from(index);
    let [x, y, z] = face.normals.get(index).copied().unwrap_or_default();
    let [u, v] = face.tex_coords.get(index).copied().unwrap_or_default();
    (face.positions[index], [x, y, z, u, v])
}

fn same(face: &Submesh, index: u16) -> Same {
    let ([x, y, z], [nx, ny, nz, u, v]) = vertex(face, index);
    let influences = face.influences.get(usize::from(index)).copied().unwrap_or_default();
    ([x, y, z, nx, ny, nz, u, v].map(f32::to_bits), influences)
}

#[cfg(test)]
mod tests {
    use crate::lod_chain::merged_mesh::*;
    use crate::test_meshes::level;

    /// Two adjacent unit squares, a submesh each; the first has six separate vertices.
    fn squares() -> LodMesh {
        let soup = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let grid = [[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [7.0, 7.0]];
        let flat = |points: &[[f32; 2]]| points.iter().map(|[x, y]| [*x, *y, 0.0]).collect();
        let first = Submesh {
            positions: flat(&soup),
            tex_coords: soup.to_vec(),
            triangles: vec![[0, 1, 2], [3, 4, 5]],
            ..Submesh::default()
        };
        let second = Submesh {
            positions: flat(&grid),
            normals: vec![[0.0, 0.0, 1.0]; 5],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            ..Submesh::default()
        };
        LodMesh { submeshes: vec![first, second] }
    }

    #[test]
    fn equal_vertices_are_one_and_unused_ones_none() {
        let level = squares();
        let joined = MergedMesh::new(&level, None);
        assert_eq!(joined.positions.len(), 8);
        assert_eq!(joined.indices, [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
        assert!((joined.texture_size() - 1.0).abs() < 1e-6);
        let shared: Vec<usize> = (0..8).filter(|&vertex| joined.shared[vertex]).collect();
        assert_eq!(shared, [1, 2, 4, 7]);
    }

    #[test]
    fn only_very_many_triangles_at_one_place_are_crowded() {
        let fan = |triangles: u16| {
            let rim = (0..=triangles).map(|i| [f32::from(i), 1.0, 0.0]);
            let positions: Vec<_> = std::iter::once([0.0; 3]).chain(rim).collect();
            let triangles: Vec<_> = (1..=triangles).map(|i| [0, i, i + 1]).collect();
            level(&positions, &triangles)
        };
        assert!(!MergedMesh::new(&fan(2_000), None).is_crowded());
        assert!(MergedMesh::new(&fan(20_000), None).is_crowded());
    }

    #[test]
    fn a_level_keeps_used_vertices_and_all_submeshes() {
        let level = squares();
        let joined = MergedMesh::new(&level, None);
        let one = joined.level_of(&[4, 6, 7]);
        assert_eq!(one.submeshes[0], Submesh::default());
        let face = &one.submeshes[1];
        assert_eq!((face.positions.len(), face.normals.len(), face.tex_coords.len()), (3, 3, 0));
        let corners: Vec<_> = one.corners().collect();
        let wanted = [[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        assert_eq!(corners.len(), 1);
        // With the same winding, from any corner.
        assert!((0..3).any(|by| [0, 1, 2].map(|i| wanted[(i + by) % 3]) == corners[0]));
        let all = joined.level_of(&joined.indices);
        assert_eq!((all.triangle_count(), all.vertex_count()), (4, 8));
        assert_eq!(all.submeshes[0].tex_coords.len(), 4);
    }
}
