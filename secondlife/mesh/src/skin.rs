//! Joints of a rigged mesh, and joint weights of its vertices.

use std::borrow::Cow;

use crate::error::{AssetError, AssetErrorKind};
use crate::fields;
use crate::llsd::{LlsdValue, Map};

/// The joints of a rigged mesh.
///
/// Matrices have 16 numbers in row-major order for row vectors, so the translation comes last. Lengths are in metres.
/// No cost depends on a skin.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, skin block.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Asset, AssetBlock};
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let block = Asset::parse(&file)?.inflate(AssetBlock::Skin)?.ok_or("no skin")?;
/// let skin = block.skin()?;
/// assert_eq!((skin.joint_names.len(), skin.inverse_bind_matrix[1]), (2, [2.0; 16]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Skin;
    /// use lodger_mesh_asset::llsd::{LlsdValue, Map};
    ///
    /// let map: Map = [("pelvis_offset", 0.1)].into_iter().collect();
    /// assert_eq!(Skin::from_value(&LlsdValue::Map(map))?.pelvis_offset, Some(0.1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::Skin;
    /// let skin = Skin { lock_scale_if_joint_position: Some(true), ..Skin::default() };
    /// let value = skin.to_value();
    /// let lock = value.as_map().and_then(|map| map.get("lock_scale_if_joint_position"));
    /// assert_eq!(lock, Some(&true.into()));
    /// ```
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

const MAX_INFLUENCES: usize = 4;

/// The joint that ends a shorter list.
const END: u8 = 0xff;

/// The influence of one joint on a vertex.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Influence, Influences, VertexWeights};
///
/// let half = |joint| Influence { joint, weight: 32_767 };
/// let weights = VertexWeights::new(&[Influences::new([half(0), half(3)])]);
/// assert_eq!(weights.bytes(), [0, 0xff, 0x7f, 3, 0xff, 0x7f, 0xff]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Influence {
    /// Index of the joint name in the skin, below 255.
    pub joint: u8,
    /// Weight in 65535ths. The weights of a vertex need not sum to 1.
    pub weight: u16,
}

/// Up to four influences on a vertex.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::{Influence, Influences};
///
/// let five = (0..5).map(|joint| Influence { joint, weight: 13_107 });
/// assert_eq!(Influences::new(five).as_slice().len(), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Influences {
    list: [Influence; MAX_INFLUENCES],
    count: usize,
}

impl Influences {
    /// Takes the first four influences of joints below 255, which would end the list.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let influence = |joint| Influence { joint, weight: 65_535 };
    /// assert_eq!(Influences::new([influence(255), influence(7)]).as_slice(), [influence(7)]);
    /// ```
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

    /// The influences in file order.
    #[must_use]
    pub fn as_slice(&self) -> &[Influence] {
        &self.list[..self.count]
    }
}

/// The influences of every vertex of a face.
///
/// A vertex has up to four entries: one byte for the joint and two, little-endian, for the weight. A joint of 0xFF
/// ends a shorter list.
///
/// Source: Second Life wiki, Mesh/Mesh Asset Format, vertex weight encoding.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::VertexWeights;
///
/// let bytes = [1, 0xff, 0xff, 0xff, 0xff];
/// let weights = VertexWeights::from_bytes(&bytes[..], 2)?;
/// let vertices: Vec<_> = weights.iter().collect();
/// assert_eq!(vertices[0].as_slice()[0].joint, 1);
/// assert!(vertices[1].as_slice().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(VertexWeights::from_bytes(&[0xff; 3][..], 3)?.len(), 3);
    /// let expected = AssetErrorKind::Count { field: "Weights", found: 3, expected: 2 };
    /// assert_eq!(VertexWeights::from_bytes(&[0xff; 3][..], 2), Err(expected));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(VertexWeights::new(&[Influences::default(); 2]).bytes(), [0xff, 0xff]);
    /// ```
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

    /// The number of vertices.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// assert_eq!(VertexWeights::new(&[Influences::default(); 5]).len(), 5);
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.vertices
    }

    /// Whether there are no vertices.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.vertices == 0
    }

    /// The encoded bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The influences of every vertex, in the order of its positions.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::*;
    /// let one = Influences::new([Influence { joint: 2, weight: 0x1234 }]);
    /// let vertices = [Influences::default(), one];
    /// assert!(VertexWeights::new(&vertices).iter().eq(vertices));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Influences> + '_ {
        Cursor { bytes: &self.bytes }
    }
}

/// Reads the influences of one vertex at a time; a partial vertex at the end counts as one.
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
    fn another_number_of_vertices_is_rejected() {
        let weights = VertexWeights::new(&[vertex(1), vertex(2)]);
        for vertices in [1, 3] {
            let result = VertexWeights::from_bytes(weights.bytes(), vertices);
            assert!(matches!(result, Err(AssetErrorKind::Count { found: 2, .. })));
        }
    }
}
