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

/// The faces of a level of detail, or of a physics mesh.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, level of detail block and physics mesh block.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Face, Faces, Geometry, Quantized};
///
/// let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0]];
/// let triangle = Geometry::new(Quantized::from_points(&corners)?, &[[0, 1, 2]])?;
/// let lod = Faces::new([Face::NoGeometry, triangle.into()]);
/// assert_eq!((lod.faces().len(), lod.triangle_count(), lod.vertex_count()), (2, 1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faces<'a> {
    faces: Vec<Face<'a>>,
}

impl<'a> Faces<'a> {
    /// Collects faces in order.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(Faces::new([Face::NoGeometry, Face::NoGeometry]).faces().len(), 2);
    /// ```
    pub fn new(faces: impl IntoIterator<Item = Face<'a>>) -> Self {
        Self { faces: faces.into_iter().collect() }
    }

    /// Decodes an array of faces.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`] unless it is an array of maps; the errors of [`Face::from_map`], with the face.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowLod)?.ok_or("no low LOD")?;
    /// assert_eq!(Faces::from_value(&block.value()?)?.triangle_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_value(value: &LlsdValue<'a>) -> Result<Self, AssetError> {
        each(value, Face::from_map).map(|faces| Self { faces })
    }

    /// Encodes the faces as an array.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let lod = Faces::new([Face::NoGeometry]);
    /// assert_eq!(lod.to_value().to_bytes()?, b"[\0\0\0\x01{\0\0\0\x01k\0\0\0\x0aNoGeometry1}]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'_> {
        self.faces.iter().map(Face::to_value).collect()
    }

    /// The faces.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::HighLod)?.ok_or("no high LOD")?;
    /// assert_eq!(block.lod()?.faces()[1], Face::NoGeometry);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn faces(&self) -> &[Face<'a>] {
        &self.faces
    }

    /// The faces that have geometry, with their indices.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let empty = Geometry::new(Quantized::from_points(&[])?, &[])?;
    /// let lod = Faces::new([Face::NoGeometry, empty.into()]);
    /// assert!(lod.geometries().map(|(index, _)| index).eq([1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn geometries(&self) -> impl Iterator<Item = (usize, &Geometry<'a>)> {
        let faces = self.faces.iter().enumerate();
        faces.filter_map(|(index, face)| Some((index, face.geometry()?)))
    }

    /// The corners of all triangles in unit space.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0]];
    /// let triangle = Geometry::new(Quantized::from_points(&corners)?, &[[2, 1, 0]])?;
    /// let lod = Faces::new([triangle.into()]);
    /// assert_eq!(lod.triangles().next(), Some([[0.0, 0.25, 0.0], [0.5, 0.0, 0.0], [0.0; 3]]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

/// A face: the triangles with one material.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Face, Geometry, Quantized};
///
/// // "Each LOD must have the same number of faces as the highest LOD": an empty face keeps its index.
/// assert_eq!(Face::NoGeometry.geometry(), None);
/// let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0]];
/// let face = Face::from(Geometry::new(Quantized::from_points(&corners)?, &[[0, 1, 2]])?);
/// assert_eq!(face.geometry().map(Geometry::triangle_count), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// [`AssetErrorKind::Missing`] without `Position` or `TriangleList`; [`AssetErrorKind::Index`] for a triangle
    /// whose vertex does not exist; [`AssetErrorKind::WrongType`], [`AssetErrorKind::Length`],
    /// [`AssetErrorKind::Count`], [`AssetErrorKind::NotFinite`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// use lodger_mesh_asset::llsd::Map;
    ///
    /// let empty: Map = [("NoGeometry", true)].into_iter().collect();
    /// assert_eq!(Face::from_map(&empty)?, Face::NoGeometry);
    /// assert_eq!(Face::from_map(&Map::new()), Err(AssetErrorKind::Missing("Position")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_map(map: &Map<'a>) -> Result<Self, AssetErrorKind> {
        if has_geometry(map) {
            Geometry::from_map(map).map(Self::Geometry)
        } else {
            Ok(Self::NoGeometry)
        }
    }

    /// Encodes the face as a map.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let face = Face::from(Geometry::new(Quantized::from_points(&[[0.0; 3]])?, &[[0, 0, 0]])?);
    /// let value = face.to_value();
    /// let keys = value.as_map().into_iter().flat_map(|map| map.iter()).map(|(key, _)| key);
    /// assert!(keys.eq(["Position", "PositionDomain", "TriangleList"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'_> {
        LlsdValue::Map(match self {
            Self::NoGeometry => [("NoGeometry", true)].into_iter().collect(),
            Self::Geometry(geometry) => geometry.to_map(),
        })
    }

    /// The geometry, if there is any.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let geometry = Geometry::new(Quantized::from_points(&[[0.0; 3]])?, &[[0, 0, 0]])?;
    /// assert_eq!(Face::from(geometry.clone()).geometry(), Some(&geometry));
    /// assert_eq!(Face::NoGeometry.geometry(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

fn has_geometry(map: &Map<'_>) -> bool {
    matches!(map.get("NoGeometry"), None | Some(LlsdValue::Boolean(false)))
}

pub(crate) fn each<'a, T>(
    value: &LlsdValue<'a>,
    read: impl Fn(&Map<'a>) -> Result<T, AssetErrorKind>,
) -> Result<Vec<T>, AssetError> {
    let wrong = || AssetErrorKind::WrongType { field: "geometry", expected: "an array of maps" };
    let one = |(index, value): (usize, &LlsdValue<'a>)| {
        let map = value.as_map().ok_or_else(wrong);
        map.and_then(&read).map_err(|kind| AssetError::from(kind).in_face(index))
    };
    let values = value.as_array().ok_or_else(wrong)?;
    let mut faces = Vec::with_capacity(values.len());
    for value in values.iter().enumerate() {
        faces.push(one(value)?);
    }
    Ok(faces)
}

const POSITION: usize = 6;

/// The numbers of triangles and vertices of a level of detail, or of a physics mesh.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetBlock, GeometryCounts};
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let asset = Asset::parse(&file)?;
/// let mut sum = GeometryCounts::default();
/// for block in AssetBlock::LODS {
///     sum = sum + asset.counts(block)?.unwrap_or_default();
/// }
/// assert_eq!((sum.triangles, sum.vertices), (2 + 4 + 8 + 16, 4 + 6 + 10 + 18));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let block = Asset::parse(&file)?.inflate(AssetBlock::LowLod)?.ok_or("no low LOD")?;
    /// assert_eq!(GeometryCounts::from_faces(&block.lod()?).triangles, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_faces(faces: &Faces<'_>) -> Self {
        Self { triangles: faces.triangle_count(), vertices: faces.vertex_count() }
    }

    /// Counts an array of faces by the lengths of their fields. If [`Faces::from_value`] succeeds, the counts agree
    /// with it; indices, normals and weights are not checked.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`] unless it is an array of maps; [`AssetErrorKind::Missing`] for a face without
    /// `Position` or `TriangleList`; [`AssetErrorKind::Length`] for a partial position.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::GeometryCounts;
    /// use lodger_mesh_asset::llsd::{LlsdValue, Map};
    ///
    /// let fields = [("Position", vec![0; 18]), ("TriangleList", vec![0; 12])];
    /// let face: Map = fields.into_iter().collect();
    /// let counts = GeometryCounts::from_value(&[LlsdValue::Map(face)].into_iter().collect())?;
    /// assert_eq!((counts.triangles, counts.vertices), (2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_value(value: &LlsdValue<'_>) -> Result<Self, AssetError> {
        let faces = each(value, Self::from_face)?;
        Ok(faces.into_iter().fold(Self::default(), Add::add))
    }

    fn from_face(map: &Map<'_>) -> Result<Self, AssetErrorKind> {
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
