//! Geometry: faces of triangles, at one level of detail or for physics.

mod counts;
mod degenerate;
mod face;
mod merged;
mod triangles;

pub use counts::Counts;
pub use face::Face;
pub(crate) use merged::{Group, Groups};
pub use triangles::Geometry;
pub(crate) use triangles::NAMEABLE;

use crate::error::Error;
use crate::llsd::Value;
use face::each;

/// The faces of a level of detail, or of a physics mesh.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, level of detail block and physics mesh block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faces<'a> {
    faces: Vec<Face<'a>>,
}

impl<'a> Faces<'a> {
    /// These faces, in this order.
    pub fn new(faces: impl IntoIterator<Item = Face<'a>>) -> Self {
        Self { faces: faces.into_iter().collect() }
    }

    /// Decodes an array of faces.
    ///
    /// # Errors
    /// [`Problem::WrongType`](crate::Problem::WrongType) if it is no array of maps; what
    /// [`Face::from_map`] gives, with the face.
    pub fn from_value(value: &Value<'a>) -> Result<Self, Error> {
        each(value, Face::from_map).map(|faces| Self { faces })
    }

    /// The array of faces that [`from_value`](Self::from_value) reads.
    #[must_use]
    pub fn to_value(&self) -> Value<'_> {
        self.faces.iter().map(Face::to_value).collect()
    }

    /// The faces.
    #[must_use]
    pub fn faces(&self) -> &[Face<'a>] {
        &self.faces
    }

    /// The faces that have geometry, with their indices.
    pub fn geometries(&self) -> impl Iterator<Item = (usize, &Geometry<'a>)> {
        let faces = self.faces.iter().enumerate();
        faces.filter_map(|(index, face)| Some((index, face.geometry()?)))
    }

    /// The triangles of all faces in unit space, three corners each.
    pub fn triangles(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        self.geometries().flat_map(|(_, face)| face.corners())
    }

    /// The number of triangles of all faces.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.geometries().map(|(_, face)| face.triangle_count()).sum()
    }

    /// The number of vertices of all faces.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.geometries().map(|(_, face)| face.positions().len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantized::Quantized;

    fn triangle() -> Geometry<'static> {
        let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0]];
        Geometry::new(Quantized::from_points(&corners).unwrap(), &[[0, 1, 2]]).unwrap()
    }

    #[test]
    fn faces_without_geometry_count_as_faces() {
        let lod = Faces::new([Face::NoGeometry, triangle().into(), triangle().into()]);
        let value = lod.to_value();
        let again = Faces::from_value(&value).unwrap();
        assert_eq!(again, lod);
        assert_eq!(again.faces().len(), 3);
        assert_eq!((again.triangle_count(), again.vertex_count()), (2, 6));
        let [_, [x, ..], [_, y, _]] = again.triangles().next().unwrap();
        assert!((x - 0.5).abs() < 1e-6 && (y - 0.25).abs() < 1e-6);
    }

    #[test]
    fn an_error_names_the_face() {
        let value: Value = [Face::NoGeometry.to_value(), 7.into()].into_iter().collect();
        let error = Faces::from_value(&value).unwrap_err();
        assert_eq!(error.face(), Some(1));
        assert!(Faces::from_value(&Value::Undef).is_err());
    }
}
