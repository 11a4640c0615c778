//! Where the numbers of a glTF file are.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::lists::Corner;
use crate::loose::{Index, Text, Whole};

/// Where numbers of one kind are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Accessor {
    /// The buffer view.
    pub buffer_view: Option<Index>,
    /// Where it begins in that, in bytes.
    #[serde(default)]
    pub byte_offset: Whole,
    /// The code of the type of its numbers.
    pub component_type: Option<Whole>,
    /// Whether whole numbers stand for -1 to 1, or 0 to 1.
    #[serde(default)]
    pub normalized: bool,
    /// How many elements there are.
    pub count: Option<Whole>,
    /// How many numbers an element has.
    #[serde(rename = "type", default)]
    pub arity: Arity,
    /// The least of each number, if it is said.
    #[serde(default)]
    pub min: Corner,
    /// The greatest of each number, if it is said.
    #[serde(default)]
    pub max: Corner,
    /// Elements that differ.
    pub sparse: Option<Box<Sparse>>,
}

/// How many numbers an element has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Arity {
    /// One.
    #[serde(rename = "SCALAR")]
    One,
    /// Two.
    #[serde(rename = "VEC2")]
    Two,
    /// Three.
    #[serde(rename = "VEC3")]
    Three,
    /// Four.
    #[serde(rename = "VEC4")]
    Four,
    /// Four times four, column by column.
    #[serde(rename = "MAT4")]
    Sixteen,
    /// A shape that nothing here needs.
    #[default]
    #[serde(other)]
    Other,
}

/// Elements that differ from those of a buffer view, or from zeros.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Sparse {
    /// How many elements there are.
    pub count: Whole,
    /// Which elements differ.
    pub indices: SparsePart,
    /// What they are.
    pub values: SparsePart,
}

/// Where the indices or the values of a sparse accessor are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct SparsePart {
    /// The buffer view.
    pub buffer_view: Index,
    /// Where it begins in that, in bytes.
    #[serde(default)]
    pub byte_offset: Whole,
    /// The code of the type of its numbers.
    pub component_type: Option<Whole>,
}

/// A part of a buffer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct BufferView {
    /// The buffer.
    #[serde(default)]
    pub buffer: Index,
    /// Where it begins in that, in bytes.
    #[serde(default)]
    pub byte_offset: Whole,
    /// How long it is, in bytes.
    #[serde(default)]
    pub byte_length: Whole,
    /// From the beginning of an element to that of the next, in bytes; 0 if nothing is between them.
    #[serde(default)]
    pub byte_stride: Whole,
    /// Its extensions.
    pub extensions: Option<ViewExtensions>,
}

/// The extensions of a buffer view that are looked at.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct ViewExtensions {
    /// `EXT_meshopt_compression`.
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub meshopt: Option<IgnoredAny>,
}

/// Bytes, here or elsewhere.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Buffer<'a> {
    /// Where they are.
    #[serde(borrow, default)]
    pub uri: Text<'a>,
    /// How long it is, in bytes.
    #[serde(default)]
    pub byte_length: Whole,
}

/// Joints, and how they lay when their mesh was bound to them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Skin {
    /// The nodes that are its joints.
    #[serde(default)]
    pub joints: Vec<Index>,
    /// The accessor of matrices, from the space of the mesh to that of each joint.
    pub inverse_bind_matrices: Option<Index>,
}
