//! Triangles to collide with, in unit space, to be measured at any scale.

use lodger_core::Real;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::TriangleMesh;

use crate::error::Problem;
use crate::geometry::Faces;

/// A physics mesh: at least one triangle, decoded once, to be measured at as many scales as are asked
/// for.
#[derive(Debug, Clone, PartialEq)]
pub struct PhysicsMesh {
    faces: Vec<Face>,
}

/// The triangles of a face. Every index is that of a point.
#[derive(Debug, Clone, PartialEq)]
struct Face {
    points: Vec<[f32; 3]>,
    triangles: Vec<[u16; 3]>,
}

impl PhysicsMesh {
    /// The triangles of some geometry; `None` if it has none.
    #[must_use]
    pub fn new(lod: &Faces<'_>) -> Option<Self> {
        let with_triangles = lod.geometries().filter(|(_, face)| face.triangle_count() > 0);
        let faces = with_triangles.map(|(_, face)| Face {
            points: face.positions().iter().collect(),
            triangles: face.triangles().collect(),
        });
        let faces: Vec<_> = faces.collect();
        (!faces.is_empty()).then_some(Self { faces })
    }

    /// The triangles in unit space, three corners each.
    pub fn triangles(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        self.faces.iter().flat_map(|face| {
            let point = |index: u16| face.points.get(usize::from(index)).copied();
            let corners = move |indices: &[u16; 3]| indices.map(|i| point(i).unwrap_or_default());
            face.triangles.iter().map(corners)
        })
    }

    /// The mesh at that scale.
    ///
    /// # Errors
    /// [`Problem::Refused`] for a corner beyond core's reach.
    pub fn measure<N: Real>(&self, scale: ObjectScale<N>) -> Result<TriangleMesh<N>, Problem> {
        let measured = TriangleMesh::measure(self.triangles().map(corners), scale);
        measured.map_err(Problem::Refused)?.ok_or(Problem::Missing("a triangle"))
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

    #[test]
    fn it_is_measured_as_the_geometry_it_was_made_of() {
        let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0], [0.1, 0.2, 0.3]];
        let face = |triangles: &[[u16; 3]]| {
            Face::from(Geometry::new(Quantized::from_points(&corners).unwrap(), triangles).unwrap())
        };
        let faces =
            [face(&[[0, 1, 2], [3, 2, 1]]), Face::NoGeometry, face(&[]), face(&[[1, 2, 3]])];
        let lod = Faces::new(faces);
        let mesh = PhysicsMesh::new(&lod).unwrap();
        assert!(mesh.triangles().eq(lod.triangles()));
        for sides in [[1.0, 1.0, 1.0], [0.5, 8.0, 0.0]] {
            let scale = ObjectScale::<f64>::new(sides).unwrap();
            let (again, measured) = (mesh.measure(scale), lod.measure(scale));
            let (again, measured) = (again.unwrap(), measured.unwrap().unwrap());
            assert_eq!(again.cost().to_bits(), measured.cost().to_bits());
            assert_eq!(again.triangles(), 3);
        }
        assert_eq!(PhysicsMesh::new(&Faces::new([face(&[])])), None);
    }
}
