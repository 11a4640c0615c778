//! Joints of a rigged mesh, and joint weights of its vertices.

use std::borrow::Cow;

use crate::error::{AssetError, AssetErrorKind};
use crate::fields;
use crate::llsd::{LlsdValue, Map};

/// Joints of a rigged mesh.
///
/// Matrices have 16 numbers in row-major order for row vectors, so the translation comes last. Lengths are in metres. No
/// cost depends on a skin.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, skin block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skin<'a> {
    /// `joint_names`: joint names, by the indices of the weights.
    pub joint_names: Vec<Cow<'a, str>>,
    /// `bind_shape_matrix`: from unit space to joint space.
    pub bind_shape_matrix: Option<[f64; 16]>,
    /// `inverse_bind_matrix`: one for each joint.
    pub inverse_bind_matrix: Vec<[f64; 16]>,
    /// `alt_inverse_bind_matrix`: joint positions that replace the avatar's; may be empty.
    pub alt_inverse_bind_matrix: Vec<[f64; 16]>,
    /// `pelvis_offset`: metres.
    pub pelvis_offset: Option<f64>,
    /// `lock_scale_if_joint_position`: whether replaced joints ignore the avatar's shape.
    pub lock_scale_if_joint_position: Option<bool>,
}

impl<'a> Skin<'a> {
    /// Decodes a skin. Numbers are not validated, and lists may differ in length, as in files.
    ///
    /// # Errors
    /// [`AssetErrorKind::WrongType`].
    pub fn from_value(value: &LlsdValue<'a>) -> Result<Self, AssetError> {
        let map =
            value.as_map().ok_or(AssetErrorKind::WrongType { field: "skin", expected: "a map" })?;
        let matrices = |name| fields::lists(map, name, "an array of arrays of 16 reals");
        Ok(Self {
            joint_names: fields::strings(map, "joint_names")?.unwrap_or_default(),
            bind_shape_matrix: fields::reals(map, "bind_shape_matrix", "an array of 16 reals")?,
            inverse_bind_matrix: matrices("inverse_bind_matrix")?.unwrap_or_default(),
            alt_inverse_bind_matrix: matrices("alt_inverse_bind_matrix")?.unwrap_or_default(),
            pelvis_offset: fields::real(map, "pelvis_offset")?,
            lock_scale_if_joint_position: fields::boolean(map, "lock_scale_if_joint_position")?,
        })
    }

    /// Encodes the skin as a map.
    #[must_use]
    pub fn to_value(&self) -> LlsdValue<'_> {
        let list =
            |matrix: &[f64; 16]| -> LlsdValue { matrix.map(LlsdValue::Real).into_iter().collect() };
        let lists = |matrices: &[[f64; 16]]| -> LlsdValue { matrices.iter().map(list).collect() };
        let names = self.joint_names.iter().map(|name| LlsdValue::from(&**name));
        let mut map = Map::new();
        if !self.alt_inverse_bind_matrix.is_empty() {
            map.insert("alt_inverse_bind_matrix", lists(&self.alt_inverse_bind_matrix));
        }
        if let Some(matrix) = &self.bind_shape_matrix {
            map.insert("bind_shape_matrix", list(matrix));
        }
        map.insert("inverse_bind_matrix", lists(&self.inverse_bind_matrix));
        map.insert("joint_names", names.collect::<LlsdValue>());
        if let Some(lock) = self.lock_scale_if_joint_position {
            map.insert("lock_scale_if_joint_position", lock);
        }
        if let Some(offset) = self.pelvis_offset {
            map.insert("pelvis_offset", offset);
        }
        LlsdValue::Map(map)
    }
}

/// Maximum number of joints that move a vertex.
const MAX_INFLUENCES: usize = 4;

/// The joint that ends a list of fewer than four influences.
const END: u8 = 0xff;

/// Influence of one joint on a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Influence {
    /// Index of the joint name in the skin, below 255.
    pub joint: u8,
    /// Weight in 65535ths. The weights of a vertex need not sum to 1.
    pub weight: u16,
}

/// Up to four influences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Influences {
    list: [Influence; MAX_INFLUENCES],
    count: usize,
}

impl Influences {
    /// Takes the first four influences of joints below 255, which would end the list.
    #[must_use]
    pub fn new(influences: impl IntoIterator<Item = Influence>) -> Self {
        let mut this = Self::default();
        let valid = influences.into_iter().filter(|one| one.joint != END);
        for (place, influence) in this.list.iter_mut().zip(valid) {
            *place = influence;
            this.count += 1;
        }
        this
    }

    /// Influences in file order.
    #[must_use]
    pub fn as_slice(&self) -> &[Influence] {
        &self.list[..self.count]
    }
}

/// Influences of every vertex of a face.
///
/// A vertex has up to four entries: one byte for the joint and two, little-endian, for the weight. A joint of 0xFF ends a
/// shorter list.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, vertex weight encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexWeights<'a> {
    bytes: Cow<'a, [u8]>,
    vertices: usize,
}

impl<'a> VertexWeights<'a> {
    /// Reads the influences of `vertices` vertices.
    ///
    /// # Errors
    /// [`AssetErrorKind::Count`] if the bytes have another number of vertices.
    pub fn from_bytes(
        bytes: impl Into<Cow<'a, [u8]>>,
        vertices: usize,
    ) -> Result<Self, AssetErrorKind> {
        let bytes = bytes.into();
        let found = Cursor { bytes: &bytes }.count();
        if found == vertices {
            return Ok(Self { bytes, vertices });
        }
        Err(AssetErrorKind::Count { field: "Weights", found, expected: vertices })
    }

    /// Encodes the influences of every vertex.
    #[must_use]
    pub fn new(vertices: &[Influences]) -> VertexWeights<'static> {
        let mut bytes = Vec::new();
        for influences in vertices {
            for influence in influences.as_slice() {
                bytes.push(influence.joint);
                bytes.extend(influence.weight.to_le_bytes());
            }
            if influences.count < MAX_INFLUENCES {
                bytes.push(END);
            }
        }
        VertexWeights { bytes: bytes.into(), vertices: vertices.len() }
    }

    /// Number of vertices.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.vertices
    }

    /// Whether there are no vertices.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Influences of every vertex, in the order of its positions.
    pub fn iter(&self) -> impl Iterator<Item = Influences> + '_ {
        Cursor { bytes: &self.bytes }
    }
}

/// Reads one vertex at a time; a partial one at the end counts as one.
struct Cursor<'b> {
    bytes: &'b [u8],
}

impl Iterator for Cursor<'_> {
    type Item = Influences;

    fn next(&mut self) -> Option<Influences> {
        if self.bytes.is_empty() {
            return None;
        }
        let mut influences = Influences::default();
        while influences.count < MAX_INFLUENCES {
            match *self.bytes {
                [END, ref rest @ ..] => {
                    self.bytes = rest;
                    break;
                }
                [joint, low, high, ref rest @ ..] => {
                    let weight = u16::from_le_bytes([low, high]);
                    influences.list[influences.count] = Influence { joint, weight };
                    influences.count += 1;
                    self.bytes = rest;
                }
                _ => {
                    self.bytes = &[];
                    break;
                }
            }
        }
        Some(influences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skin_comes_back() {
        let skin = Skin {
            joint_names: vec!["mPelvis".into(), "mTorso".into()],
            bind_shape_matrix: Some([0.5; 16]),
            inverse_bind_matrix: vec![[1.0; 16], [2.0; 16]],
            alt_inverse_bind_matrix: vec![[3.0; 16]],
            pelvis_offset: Some(-0.1),
            lock_scale_if_joint_position: Some(true),
        };
        assert_eq!(Skin::from_value(&skin.to_value()).unwrap(), skin);
        let bare = Skin::default();
        assert_eq!(Skin::from_value(&bare.to_value()).unwrap(), bare);
    }

    #[test]
    fn a_matrix_has_sixteen_numbers() {
        let short: LlsdValue = [1.0; 15].map(LlsdValue::Real).into_iter().collect();
        let map: Map = [("bind_shape_matrix", short)].into_iter().collect();
        let error = Skin::from_value(&map.into()).unwrap_err();
        assert!(matches!(
            error.kind(),
            AssetErrorKind::WrongType { field: "bind_shape_matrix", .. }
        ));
    }

    fn vertex(count: u8) -> Influences {
        Influences::new((0..count).map(|joint| Influence { joint, weight: 0x1234 }))
    }

    #[test]
    fn lists_of_every_length_come_back() {
        let vertices: Vec<_> = [0, 1, 4, 3, 2, 4].map(vertex).into();
        let weights = VertexWeights::new(&vertices);
        assert_eq!(weights.bytes().len(), 3 * 14 + 4, "four need no end");
        let again = VertexWeights::from_bytes(weights.bytes(), 6).unwrap();
        assert_eq!(again.iter().collect::<Vec<_>>(), vertices);
    }

    #[test]
    fn a_fifth_influence_and_joint_255_are_left_out() {
        assert_eq!(vertex(9).as_slice().len(), 4);
        let end = Influence { joint: END, weight: 1 };
        assert_eq!(Influences::new([end]), Influences::default());
    }

    #[test]
    fn another_number_of_vertices_is_rejected() {
        let weights = VertexWeights::new(&[vertex(1), vertex(2)]);
        for vertices in [1, 3] {
            let result = VertexWeights::from_bytes(weights.bytes(), vertices);
            assert!(matches!(result, Err(AssetErrorKind::Count { found: 2, .. })));
        }
    }
}
