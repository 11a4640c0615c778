//! Groups of faces with the same points, in which equal triangles are merged.

use std::collections::HashMap;

use super::triangles::NAMEABLE;
use super::{Faces, Geometry};

#[derive(Debug)]
pub(crate) struct FaceGroup<'f, 'a> {
    pub(crate) geometry: &'f Geometry<'a>,
    /// Vertex indices, sorted if merged.
    pub(crate) triangles: Vec<[u16; 3]>,
    /// Multiplicity of each triangle; empty if not merged.
    pub(crate) times: Vec<u32>,
}

#[derive(Debug)]
pub(crate) struct FaceGroups<'f, 'a> {
    pub(crate) groups: Vec<FaceGroup<'f, 'a>>,
    /// Index and group of each face with geometry.
    pub(crate) faces: Vec<(usize, usize)>,
}

impl FaceGroups<'_, '_> {
    pub(crate) fn corners(
        &self,
        wanted: impl Fn(bool) -> bool + Copy,
    ) -> impl Iterator<Item = ([[f32; 3]; 3], u32)> {
        self.groups.iter().flat_map(move |group| {
            let wanted =
                group.repeated().filter(move |(indices, _)| wanted(group.is_degenerate(*indices)));
            let corners = group.corners();
            wanted.map(move |(indices, times)| (corners(indices), times))
        })
    }
}

impl<'a> Faces<'a> {
    /// Makes each face a group. Above `max_separate` triangles, faces with the same points share a group, and
    /// triangles with the same indices in the same order are merged.
    ///
    /// A group takes the bytes of its triangles in the block, and four for each different triangle.
    pub(crate) fn groups(&self, max_separate: usize) -> FaceGroups<'_, 'a> {
        if self.triangle_count() > max_separate { self.merged() } else { self.separate() }
    }

    fn separate(&self) -> FaceGroups<'_, 'a> {
        let groups = self.geometries().map(|(_, geometry)| FaceGroup {
            geometry,
            triangles: geometry.triangles().collect(),
            times: Vec::new(),
        });
        let groups = groups.collect();
        let faces = self.geometries().enumerate().map(|(group, (face, _))| (face, group));
        FaceGroups { groups, faces: faces.collect() }
    }

    fn merged(&self) -> FaceGroups<'_, 'a> {
        let mut found = HashMap::new();
        let mut sizes: Vec<(&Geometry<'a>, usize)> = Vec::new();
        let mut faces = Vec::new();
        for (face, geometry) in self.geometries() {
            let group = *found.entry(Points::new(geometry)).or_insert_with(|| {
                sizes.push((geometry, 0));
                sizes.len() - 1
            });
            sizes[group].1 += geometry.triangle_count();
            faces.push((face, group));
        }
        let group = |&(geometry, size)| FaceGroup {
            geometry,
            triangles: Vec::with_capacity(size),
            times: Vec::new(),
        };
        let mut groups: Vec<_> = sizes.iter().map(group).collect();
        for ((_, geometry), (_, group)) in self.geometries().zip(&faces) {
            groups[*group].triangles.extend(geometry.triangles());
        }
        groups.iter_mut().for_each(FaceGroup::merge);
        FaceGroups { groups, faces }
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Points<'f> {
    domain: [[u32; 3]; 2],
    bytes: &'f [u8],
}

impl<'f> Points<'f> {
    fn new(geometry: &'f Geometry<'_>) -> Self {
        let points = geometry.positions();
        let (min, max) = (points.domain().min(), points.domain().max());
        Self { domain: [min, max].map(|corner| corner.map(f32::to_bits)), bytes: points.bytes() }
    }
}

impl FaceGroup<'_, '_> {
    pub(crate) fn repeated(&self) -> impl Iterator<Item = ([u16; 3], u32)> {
        let times = |index: usize| self.times.get(index).copied().unwrap_or(1);
        self.triangles.iter().enumerate().map(move |(index, triangle)| (*triangle, times(index)))
    }

    pub(crate) fn corners(&self) -> impl Fn([u16; 3]) -> [[f32; 3]; 3] + use<> {
        let points = self.points();
        let point = move |index: u16| points.get(usize::from(index)).copied().unwrap_or_default();
        move |indices| indices.map(&point)
    }

    pub(crate) fn points(&self) -> Vec<[f32; 3]> {
        self.geometry.positions().iter().take(NAMEABLE).collect()
    }

    pub(crate) fn is_degenerate(&self, indices: [u16; 3]) -> bool {
        self.geometry.is_degenerate(indices)
    }

    fn merge(&mut self) {
        self.triangles.sort_unstable_by_key(|triangle| as_number(*triangle));
        let runs = || self.triangles.chunk_by(|a, b| a == b);
        let mut times = Vec::with_capacity(runs().count());
        times.extend(runs().map(|run| u32::try_from(run.len()).unwrap_or(u32::MAX)));
        self.times = times;
        self.triangles.dedup();
        self.triangles.shrink_to_fit();
    }
}

fn as_number([a, b, c]: [u16; 3]) -> u64 {
    u64::from(a) << 32 | u64::from(b) << 16 | u64::from(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Face;
    use crate::quantized::Quantized;

    fn face(offset: f32, triangles: &[[u16; 3]]) -> Face<'static> {
        let points = [[0.0; 3], [0.5 + offset, 0.0, 0.0], [0.0, 0.25, 0.0], [0.1, 0.2, 0.3]];
        Geometry::new(Quantized::from_points(&points).unwrap(), triangles).unwrap().into()
    }

    fn lod() -> Faces<'static> {
        let (first, second) = ([[0, 1, 2], [1, 2, 0], [0, 1, 2]], [[3, 2, 1], [0, 1, 2]]);
        Faces::new([face(0.0, &first), Face::NoGeometry, face(0.1, &second), face(0.0, &second)])
    }

    #[test]
    fn few_triangles_stay_separate() {
        let lod = lod();
        let groups = lod.groups(7);
        assert_eq!(groups.faces, [(0, 0), (2, 1), (3, 2)]);
        let triangles: Vec<_> = groups.groups.iter().flat_map(FaceGroup::repeated).collect();
        assert!(triangles.iter().all(|(_, times)| *times == 1));
        assert!(
            lod.geometries()
                .flat_map(|(_, face)| face.triangles())
                .eq(triangles.into_iter().map(|(triangle, _)| triangle))
        );
    }

    #[test]
    fn many_equal_triangles_are_merged() {
        let lod = lod();
        let groups = lod.groups(6);
        assert_eq!(groups.faces, [(0, 0), (2, 1), (3, 0)]);
        let repeated = |group: usize| groups.groups[group].repeated().collect::<Vec<_>>();
        assert_eq!(repeated(0), [([0, 1, 2], 3), ([1, 2, 0], 1), ([3, 2, 1], 1)]);
        assert_eq!(repeated(1), [([0, 1, 2], 1), ([3, 2, 1], 1)]);
    }
}
