//! Triangles to collide with, in unit space, to be measured at any scale.

use lodger_core::Real;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::TriangleMesh;

use crate::error::{Error, Problem};
use crate::geometry::{Faces, Group};
use crate::inflate::inflate;
use crate::limits::Limits;
use crate::llsd::Value;

/// A physics mesh: at least one triangle, decoded once, to be measured at as many scales as are asked
/// for.
///
/// Up to [`MOST_KEPT_APART`](Self::MOST_KEPT_APART) triangles are kept as they are, and measured one by
/// one. Of more, equal ones are kept once with their number: those with the same corners in the same
/// order, of faces with the same points. So measuring costs what is different in a file, at most one
/// triangle for six bytes of the inflated block, and the mesh takes at most twice the bytes of that.
#[derive(Debug, Clone, PartialEq)]
pub struct PhysicsMesh {
    faces: Vec<Face>,
    triangles: usize,
}

/// The triangles of a face, or of all faces with the same points. Every index is that of a point.
#[derive(Debug, Clone, PartialEq)]
struct Face {
    points: Vec<[f32; 3]>,
    triangles: Vec<[u16; 3]>,
    /// How often each triangle is there; empty where each is there once.
    times: Vec<u32>,
}

impl PhysicsMesh {
    /// The most triangles of a mesh whose equal ones are not looked for: more than uploads have.
    pub const MOST_KEPT_APART: usize = 1 << 16;

    /// The triangles of some geometry; `None` if it has none.
    #[must_use]
    pub fn new(lod: &Faces<'_>) -> Option<Self> {
        Self::merged_above(lod, Self::MOST_KEPT_APART)
    }

    /// The triangles of a block as a file has it, compressed; `None` if it has none.
    ///
    /// # Errors
    /// Those of [`Asset::inflate`](crate::Asset::inflate) and [`Inflated::lod`](crate::Inflated::lod); places
    /// count from the start of the block.
    pub fn of_block(block: &[u8], limits: Limits) -> Result<Option<Self>, Error> {
        let bytes = inflate(block, limits.block_bytes)?;
        let (value, _) = Value::read(&bytes, limits.values)?;
        Ok(Self::new(&Faces::from_value(&value)?))
    }

    fn merged_above(lod: &Faces<'_>, apart: usize) -> Option<Self> {
        let groups = lod.groups(apart).groups.into_iter();
        let faces = groups.filter(|group| !group.triangles.is_empty()).map(Face::from);
        let faces: Vec<_> = faces.collect();
        (!faces.is_empty()).then_some(Self { faces, triangles: lod.triangle_count() })
    }

    /// How many triangles there are.
    #[must_use]
    pub const fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// How many triangles measuring looks at: those that are different, where equal ones are kept once.
    #[must_use]
    pub fn measured_count(&self) -> usize {
        self.faces.iter().map(|face| face.triangles.len()).sum()
    }

    /// Whether equal triangles are kept once.
    #[must_use]
    pub const fn is_merged(&self) -> bool {
        self.triangles > Self::MOST_KEPT_APART
    }

    /// The triangles in unit space, three corners each, with how often each is there.
    pub fn triangles(&self) -> impl Iterator<Item = ([[f32; 3]; 3], u32)> {
        self.faces.iter().flat_map(|face| {
            let point = |index: u16| face.points.get(usize::from(index)).copied();
            let corners = move |indices: &[u16; 3]| indices.map(|i| point(i).unwrap_or_default());
            let times = |index: usize| face.times.get(index).copied().unwrap_or(1);
            let triangles = face.triangles.iter().enumerate();
            triangles.map(move |(index, indices)| (corners(indices), times(index)))
        })
    }

    /// The mesh at that scale. How long this takes depends on
    /// [`measured_count`](Self::measured_count) alone.
    ///
    /// # Errors
    /// [`Problem::Refused`] for a corner beyond core's reach.
    pub fn measure<N: Real>(&self, scale: ObjectScale<N>) -> Result<TriangleMesh<N>, Problem> {
        let triangles = self.triangles().map(|(triangle, times)| (corners(triangle), times));
        let measured = TriangleMesh::measure_repeated(triangles, scale);
        measured.map_err(Problem::Refused)?.ok_or(Problem::Missing("a triangle"))
    }
}

impl From<Group<'_, '_>> for Face {
    fn from(group: Group<'_, '_>) -> Self {
        let points = group.points();
        Self { points, triangles: group.triangles, times: group.times }
    }
}

impl Faces<'_> {
    /// The triangles as a physics mesh of that scale; `None` if there are none.
    ///
    /// # Errors
    /// [`Problem::Refused`] for a corner beyond core's reach.
    pub fn measure<N: Real>(
        &self,
        scale: ObjectScale<N>,
    ) -> Result<Option<TriangleMesh<N>>, Problem> {
        let triangles = self.triangles().map(corners);
        TriangleMesh::measure(triangles, scale).map_err(Problem::Refused)
    }
}

/// The corners of a triangle on any number type; what it has no room for is beyond core's reach.
pub(crate) fn corners<N: Real>(triangle: [[f32; 3]; 3]) -> [[N; 3]; 3] {
    triangle.map(|corner| corner.map(|x| N::from_f64(x.into()).unwrap_or(N::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Face, Geometry};
    use crate::quantized::Quantized;

    fn lod() -> Faces<'static> {
        let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0], [0.1, 0.2, 0.3]];
        let face = |triangles: &[[u16; 3]]| {
            Face::from(Geometry::new(Quantized::from_points(&corners).unwrap(), triangles).unwrap())
        };
        let faces =
            [face(&[[0, 1, 2], [3, 2, 1]]), Face::NoGeometry, face(&[]), face(&[[1, 2, 3]])];
        Faces::new(faces)
    }

    #[test]
    fn it_is_measured_as_the_geometry_it_was_made_of() {
        let lod = lod();
        let mesh = PhysicsMesh::new(&lod).unwrap();
        assert!(mesh.triangles().eq(lod.triangles().map(|triangle| (triangle, 1))));
        for sides in [[1.0, 1.0, 1.0], [0.5, 8.0, 0.0]] {
            let scale = ObjectScale::<f64>::new(sides).unwrap();
            let (again, measured) = (mesh.measure(scale), lod.measure(scale));
            let (again, measured) = (again.unwrap(), measured.unwrap().unwrap());
            assert_eq!(again.cost().to_bits(), measured.cost().to_bits());
            assert_eq!(again.triangles(), 3);
        }
        assert_eq!(PhysicsMesh::new(&Faces::new([Face::NoGeometry])), None);
        let empty = Geometry::new(Quantized::from_points(&[]).unwrap(), &[]).unwrap();
        assert_eq!(PhysicsMesh::merged_above(&Faces::new([empty.into()]), 0), None);
    }

    #[test]
    fn merged_it_costs_the_same() {
        let faces = lod();
        let lod = Faces::new(std::iter::repeat_n(faces.faces(), 100).flatten().cloned());
        let apart = PhysicsMesh::merged_above(&lod, 300).unwrap();
        let merged = PhysicsMesh::merged_above(&lod, 299).unwrap();
        assert_eq!((apart.measured_count(), merged.measured_count()), (300, 3));
        assert_eq!(apart.triangle_count(), merged.triangle_count());
        for sides in [[1.0, 1.0, 1.0], [0.5, 8.0, 0.0], [0.03, 20.0, 7.0]] {
            let scale = ObjectScale::<f64>::new(sides).unwrap();
            let (apart, merged) = (apart.measure(scale).unwrap(), merged.measure(scale).unwrap());
            assert!((apart.cost() - merged.cost()).abs() <= 1e-12 * apart.cost());
            assert_eq!(apart.triangles(), merged.triangles());
            assert_eq!(apart.degenerate(), merged.degenerate());
        }
    }
}
