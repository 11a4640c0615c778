//! How many triangles and vertices there are, without decoding them.

use std::ops::Add;

use super::Faces;
use super::face::{each, has_geometry};
use super::triangles::TRIANGLE;
use crate::error::{Error, Problem};
use crate::fields;
use crate::llsd::{Map, Value};

/// Bytes of a position: three coordinates of 16 bits.
const POSITION: usize = 6;

/// The triangles and vertices of a level of detail, or of a physics mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Triangles of all faces; what is not a whole triangle does not count.
    pub triangles: usize,
    /// Vertices of all faces.
    pub vertices: usize,
}

impl Counts {
    /// Counts what is decoded.
    #[must_use]
    pub fn of(faces: &Faces<'_>) -> Self {
        Self { triangles: faces.triangle_count(), vertices: faces.vertex_count() }
    }

    /// Counts an array of faces by the lengths of their fields. Where
    /// [`Faces::from_value`](crate::Faces::from_value) decodes it, the counts are those of what it
    /// decodes; indices, normals and weights are not looked at.
    ///
    /// # Errors
    /// [`Problem::WrongType`] if it is no array of maps; [`Problem::Missing`] for a face without
    /// `Position` or `TriangleList`; [`Problem::Length`] for a part of a position.
    pub fn from_value(value: &Value<'_>) -> Result<Self, Error> {
        let faces = each(value, Self::of_face)?;
        Ok(faces.into_iter().fold(Self::default(), Add::add))
    }

    fn of_face(map: &Map<'_>) -> Result<Self, Problem> {
        if !has_geometry(map) {
            return Ok(Self::default());
        }
        let bytes = |field| {
            let bytes = fields::binary(map, field)?.ok_or(Problem::Missing(field))?;
            Ok::<_, Problem>(bytes.len())
        };
        let (positions, triangles) = (bytes("Position")?, bytes("TriangleList")?);
        if !positions.is_multiple_of(POSITION) {
            let (field, element) = ("Position", POSITION);
            return Err(Problem::Length { field, bytes: positions, element });
        }
        Ok(Self { triangles: triangles / TRIANGLE, vertices: positions / POSITION })
    }
}

impl Add for Counts {
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

    /// The map of a face with fields of so many bytes.
    fn face(positions: usize, triangles: usize, no_geometry: bool) -> Value<'static> {
        let mut map = Map::new();
        map.insert("Position", vec![0; positions]);
        map.insert("TriangleList", vec![0; triangles]);
        map.insert("NoGeometry", no_geometry);
        map.into()
    }

    proptest! {
        #[test]
        fn they_are_those_of_what_is_decoded(
            faces in prop::collection::vec((0_usize..40, 0_usize..200, any::<bool>()), 0..6),
            odd in 0_usize..12,
        ) {
            let bytes = |points: usize| points * POSITION + odd / 11;
            let value: Value =
                faces.iter().map(|&(points, list, none)| face(bytes(points), list, none)).collect();
            let counts = Counts::from_value(&value);
            match Faces::from_value(&value) {
                Ok(faces) => {
                    let counts = counts.unwrap();
                    prop_assert_eq!(counts.triangles, faces.triangle_count());
                    prop_assert_eq!(counts.vertices, faces.vertex_count());
                }
                // Only an index is not looked at.
                Err(error) if matches!(error.problem(), Problem::Index { .. }) => {}
                Err(error) => prop_assert_eq!(counts, Err(error)),
            }
        }
    }

    #[test]
    fn what_is_not_geometry_is_said() {
        let value: Value = [face(6, 6, false), 7.into()].into_iter().collect();
        assert_eq!(Counts::from_value(&value).unwrap_err().face(), Some(1));
        assert!(Counts::from_value(&Value::Undef).is_err());
        let bare: Value = [Value::from(Map::new())].into_iter().collect();
        let error = Counts::from_value(&bare).unwrap_err();
        assert_eq!(error.problem(), &Problem::Missing("Position"));
    }
}
