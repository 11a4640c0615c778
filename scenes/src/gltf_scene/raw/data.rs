//! Where the numbers of a glTF file are.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::gltf_scene::lists::Corner;
use crate::gltf_scene::loose::{Index, Text, Whole};

/// Where numbers of one kind are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(in crate::gltf_scene) struct Accessor {
    pub(in crate::gltf_scene) buffer_view: Option<Index>,
    #[serde(default)]
    pub(in crate::gltf_scene) byte_offset: Whole,
    pub(in crate::gltf_scene) component_type: Option<Whole>,
    #[serde(default)]
    pub(in crate::gltf_scene) normalized: bool,
    pub(in crate::gltf_scene) count: Option<Whole>,
    #[serde(rename = "type", default)]
    pub(in crate::gltf_scene) arity: Arity,
    #[serde(default)]
    pub(in crate::gltf_scene) min: Corner,
    #[serde(default)]
    pub(in crate::gltf_scene) max: Corner,
    pub(in crate::gltf_scene) sparse: Option<Box<Sparse>>,
}

/// How many numbers an element has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub(in crate::gltf_scene) enum Arity {
    #[serde(rename = "VEC3")]
    Three,
    #[serde(rename = "VEC4")]
    Four,
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
pub(in crate::gltf_scene) struct Sparse {
    pub(in crate::gltf_scene) count: Whole,
    pub(in crate::gltf_scene) indices: SparsePart,
    pub(in crate::gltf_scene) values: SparsePart,
}

/// Where the indices or the values of a sparse accessor are.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(in crate::gltf_scene) struct SparsePart {
    pub(in crate::gltf_scene) buffer_view: Index,
    #[serde(default)]
    pub(in crate::gltf_scene) byte_offset: Whole,
    pub(in crate::gltf_scene) component_type: Option<Whole>,
}

/// A part of a buffer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(in crate::gltf_scene) struct BufferView {
    #[serde(default)]
    pub(in crate::gltf_scene) buffer: Index,
    #[serde(default)]
    pub(in crate::gltf_scene) byte_offset: Whole,
    #[serde(default)]
    pub(in crate::gltf_scene) byte_length: Whole,
    #[serde(default)]
    pub(in crate::gltf_scene) byte_stride: Whole,
    pub(in crate::gltf_scene) extensions: Option<ViewExtensions>,
}

/// The extensions of a buffer view that are looked at.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(in crate::gltf_scene) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(in crate::gltf_scene) meshopt: Option<IgnoredAny>,
}

/// Bytes, here or elsewhere.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(in crate::gltf_scene) struct Buffer<'a> {
    #[serde(borrow, default)]
    pub(in crate::gltf_scene) uri: Text<'a>,
    #[serde(default)]
    pub(in crate::gltf_scene) byte_length: Whole,
}

/// Joints, and how they lay when their mesh was bound to them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(in crate::gltf_scene) struct Skin {
    #[serde(default)]
    pub(in crate::gltf_scene) joints: Vec<Index>,
    pub(in crate::gltf_scene) inverse_bind_matrices: Option<Index>,
}
