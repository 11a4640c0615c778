//! One face, with geometry or without.

use super::triangles::Geometry;
use crate::error::{Error, Problem};
use crate::llsd::{Map, Value};

/// A face: what has one material.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most faces have geometry, and there are few of them"
)]
pub enum Face<'a> {
    /// `NoGeometry`: the face keeps its number, and shows nothing at this level.
    NoGeometry,
    /// Triangles.
    Geometry(Geometry<'a>),
}

impl<'a> Face<'a> {
    /// Decodes a face. `NoGeometry` counts if it is there and not false.
    ///
    /// # Errors
    /// [`Problem::Missing`] without `Position` or `TriangleList`; [`Problem::WrongType`],
    /// [`Problem::Length`], [`Problem::Count`], [`Problem::NotFinite`], and [`Problem::Index`] for a
    /// triangle whose vertex does not exist.
    pub fn from_map(map: &Map<'a>) -> Result<Self, Problem> {
        if has_geometry(map) {
            Geometry::from_map(map).map(Self::Geometry)
        } else {
            Ok(Self::NoGeometry)
        }
    }

    /// The map that [`from_map`](Self::from_map) reads.
    #[must_use]
    pub fn to_value(&self) -> Value<'_> {
        Value::Map(match self {
            Self::NoGeometry => [("NoGeometry", true)].into_iter().collect(),
            Self::Geometry(geometry) => geometry.to_map(),
        })
    }

    /// The triangles, if there are any.
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

/// Whether a face shows anything: `NoGeometry` is missing or false.
pub(super) fn has_geometry(map: &Map<'_>) -> bool {
    matches!(map.get("NoGeometry"), None | Some(Value::Boolean(false)))
}

/// Reads each face of an array of faces.
pub(super) fn each<'a, T>(
    value: &Value<'a>,
    read: impl Fn(&Map<'a>) -> Result<T, Problem>,
) -> Result<Vec<T>, Error> {
    let wrong = || Problem::WrongType { field: "geometry", expected: "an array of maps" };
    let one = |(index, value): (usize, &Value<'a>)| {
        let map = value.as_map().ok_or_else(wrong);
        map.and_then(&read).map_err(|problem| Error::from(problem).in_face(index))
    };
    let values = value.as_array().ok_or_else(wrong)?;
    let mut faces = Vec::with_capacity(values.len());
    for value in values.iter().enumerate() {
        faces.push(one(value)?);
    }
    Ok(faces)
}
