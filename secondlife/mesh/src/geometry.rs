//! Geometry of a level of detail or a physics mesh: faces of triangles, and their counts.

mod merged;
mod triangles;

pub(crate) use merged::{FaceGroup, FaceGroups};
pub use triangles::Geometry;
pub(crate) use triangles::NAMEABLE;

use std::ops::Add;

use crate::error::{AssetError, AssetErrorKind};
use crate::fields;
use crate::geometry::triangles::TRIANGLE;
use crate::llsd::{LlsdValue, Map};

/// Faces of a level of detail, or of a physics mesh.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, level of detail block and physics mesh block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faces<'a> {
    faces: Vec<Face<'a>>,
}

impl<'a> Faces<'a> {
    /// Collects faces in order.
    pub fn new(faces: impl IntoIterator<Item = Face<'a>>) -> Self {
        Self { faces: faces.into_iter().collect() }
    }

    /// Decodes an array of faces.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`] unless it is an array of maps; the errors of [`Face::from_map`], with the face.
    pub fn from_value(value: &LlsdValue<'a>) -> Result<Self, AssetError> {
        each(value, Face::from_map).map(|faces| Self { faces })
    }

    /// Encodes the faces as an array.
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'_> {
        self.faces.iter().map(Face::to_value).collect()
    }

    /// The faces.
    #[must_use]
    pub fn faces(&self) -> &[Face<'a>] {
        &self.faces
    }

    /// Faces that have geometry, with their indices.
    pub fn geometries(&self) -> impl Iterator<Item = (usize, &Geometry<'a>)> {
        let faces = self.faces.iter().enumerate();
        faces.filter_map(|(index, face)| Some((index, face.geometry()?)))
    }

    /// Corners of all triangles in unit space.
    pub fn triangles(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        self.geometries().flat_map(|(_, face)| face.corners())
    }

    /// Number of triangles of all faces.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.geometries().map(|(_, face)| face.triangle_count()).sum()
    }

    /// Number of vertices of all faces.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.geometries().map(|(_, face)| face.positions().len()).sum()
    }
}

/// A face: the triangles with one material.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most faces have geometry, and there are few of them"
)]
pub enum Face<'a> {
    /// `NoGeometry`: the face keeps its index, but is empty at this level.
    NoGeometry,
    /// Triangles.
    Geometry(Geometry<'a>),
}

impl<'a> Face<'a> {
    /// Decodes a face, which is empty unless `NoGeometry` is missing or false.
    ///
    /// # Errors
    /// [`AssetErrorKind::Missing`] without `Position` or `TriangleList`; [`AssetErrorKind::Index`] for a triangle whose vertex does not
    /// exist; [`AssetErrorKind::WrongType`], [`AssetErrorKind::Length`], [`AssetErrorKind::Count`], [`AssetErrorKind::NotFinite`].
    pub fn from_map(map: &Map<'a>) -> Result<Self, AssetErrorKind> {
        if has_geometry(map) {
            Geometry::from_map(map).map(Self::Geometry)
        } else {
            Ok(Self::NoGeometry)
        }
    }

    /// Encodes the face as a map.
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'_> {
        LlsdValue::Map(match self {
            Self::NoGeometry => [("NoGeometry", true)].into_iter().collect(),
            Self::Geometry(geometry) => geometry.to_map(),
        })
    }

    /// The geometry, if there is any.
    #[must_use]
    pub const fn geometry(&self) -> Option<&Geometry<'a>> {
        match self {
            Self::NoGeometry => None,
            Self::Geometry(geometry) => Some(geometry),
        }
    }
}

impl<'a> From<Geometry<'a>> for Face<'a> {
    fn from(geometry: Geometry<'a>) -> Self {
        Self::Geometry(geometry)
    }
}

/// Whether a face has geometry: `NoGeometry` is missing or false.
fn has_geometry(map: &Map<'_>) -> bool {
    matches!(map.get("NoGeometry"), None | Some(LlsdValue::Boolean(false)))
}

/// Reads each map of an array of faces.
pub(crate) fn each<'a, T>(
    value: &LlsdValue<'a>,
    read: impl Fn(&Map<'a>) -> Result<T, AssetErrorKind>,
) -> Result<Vec<T>, AssetError> {
    let wrong = || AssetErrorKind::WrongType { field: "geometry", expected: "an array of maps" };
    let one = |(index, value): (usize, &LlsdValue<'a>)| {
        let map = value.as_map().ok_or_else(wrong);
        map.and_then(&read).map_err(|problem| AssetError::from(problem).in_face(index))
    };
    let values = value.as_array().ok_or_else(wrong)?;
    let mut faces = Vec::with_capacity(values.len());
    for value in values.iter().enumerate() {
        faces.push(one(value)?);
    }
    Ok(faces)
}

/// Bytes of a position: three 16-bit coordinates.
const POSITION: usize = 6;

/// Numbers of triangles and vertices of a level of detail, or of a physics mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct GeometryCounts {
    /// Triangles of all faces, without partial ones.
    pub triangles: usize,
    /// Vertices of all faces.
    pub vertices: usize,
}

impl GeometryCounts {
    /// Counts decoded faces.
    #[must_use]
    pub fn of(faces: &Faces<'_>) -> Self {
        Self { triangles: faces.triangle_count(), vertices: faces.vertex_count() }
    }

    /// Counts an array of faces by the lengths of their fields.
    ///
    /// If [`Faces::from_value`] succeeds, the counts agree with it. Indices, normals and weights are not checked.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`] unless it is an array of maps; [`AssetErrorKind::Missing`] for a face without `Position` or
    /// `TriangleList`; [`AssetErrorKind::Length`] for a partial position.
    pub fn from_value(value: &LlsdValue<'_>) -> Result<Self, AssetError> {
        let faces = each(value, Self::of_face)?;
        Ok(faces.into_iter().fold(Self::default(), Add::add))
    }

    fn of_face(map: &Map<'_>) -> Result<Self, AssetErrorKind> {
        if !has_geometry(map) {
            return Ok(Self::default());
        }
        let bytes = |field| {
            let bytes = fields::binary(map, field)?.ok_or(AssetErrorKind::Missing(field))?;
            Ok::<_, AssetErrorKind>(bytes.len())
        };
        let (positions, triangles) = (bytes("Position")?, bytes("TriangleList")?);
        if !positions.is_multiple_of(POSITION) {
            let (field, element) = ("Position", POSITION);
            return Err(AssetErrorKind::Length { field, bytes: positions, element });
        }
        Ok(Self { triangles: triangles / TRIANGLE, vertices: positions / POSITION })
    }
}

impl Add for GeometryCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            triangles: self.triangles.saturating_add(other.triangles),
            vertices: self.vertices.saturating_add(other.vertices),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    /// A face with fields of these sizes in bytes.
    fn face(positions: usize, triangles: usize, no_geometry: bool) -> LlsdValue<'static> {
        let mut map = Map::new();
        map.insert("Position", vec![0; positions]);
        map.insert("TriangleList", vec![0; triangles]);
        map.insert("NoGeometry", no_geometry);
        map.into()
    }

    proptest! {
        #[test]
        fn counts_agree_with_decoding(
            faces in prop::collection::vec((0_usize..40, 0_usize..200, any::<bool>()), 0..6),
            odd in 0_usize..12,
        ) {
            let bytes = |points: usize| points * POSITION + odd / 11;
            let value: LlsdValue =
                faces.iter().map(|&(points, list, none)| face(bytes(points), list, none)).collect();
            let counts = GeometryCounts::from_value(&value);
            match Faces::from_value(&value) {
                Ok(faces) => {
                    let counts = counts.unwrap();
                    prop_assert_eq!(counts.triangles, faces.triangle_count());
                    prop_assert_eq!(counts.vertices, faces.vertex_count());
                }
                // Indices are not checked.
                Err(error) if matches!(error.kind(), AssetErrorKind::Index { .. }) => {}
                Err(error) => prop_assert_eq!(counts, Err(error)),
            }
        }
    }

    #[test]
    fn invalid_geometry_is_named() {
        let value: LlsdValue = [Face::NoGeometry.to_value(), 7.into()].into_iter().collect();
        assert_eq!(GeometryCounts::from_value(&value).unwrap_err().face(), Some(1));
        assert_eq!(Faces::from_value(&value).unwrap_err().face(), Some(1));
        assert!(GeometryCounts::from_value(&LlsdValue::Undef).is_err());
        assert!(Faces::from_value(&LlsdValue::Undef).is_err());
        let bare: LlsdValue = [LlsdValue::from(Map::new())].into_iter().collect();
        let error = GeometryCounts::from_value(&bare).unwrap_err();
        assert_eq!(error.kind(), &AssetErrorKind::Missing("Position"));
    }
}
