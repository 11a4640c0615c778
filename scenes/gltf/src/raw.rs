//! The parsed part of glTF's JSON, with the names of glTF 2.0. Unknown keys are skipped with any value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::lenient::{
    BoundsCorner, ChunkedVec, FixedArray, Index, LenientText, LenientUint, LevelIds, is_object,
    text_or_number,
};

/// The JSON of a file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Document<'a> {
    /// The version of the file.
    #[serde(borrow, default)]
    pub asset: RawAsset<'a>,
    /// The default scene.
    pub scene: Option<Index>,
    /// Scenes of the file.
    #[serde(default)]
    pub scenes: Vec<SceneNodes>,
    /// Nodes of all scenes.
    #[serde(borrow, default)]
    pub nodes: ChunkedVec<RawNode<'a>>,
    /// Cameras of nodes.
    #[serde(default)]
    pub cameras: ChunkedVec<RawCamera>,
    /// Meshes of nodes.
    #[serde(borrow, default)]
    pub meshes: ChunkedVec<RawMesh<'a>>,
    /// Accessors of buffer views.
    #[serde(default)]
    pub accessors: ChunkedVec<Accessor>,
    /// Views of buffers.
    #[serde(default)]
    pub buffer_views: ChunkedVec<BufferView>,
    /// Buffers of bytes.
    #[serde(borrow, default)]
    pub buffers: ChunkedVec<Buffer<'a>>,
    /// Skins of nodes.
    #[serde(default)]
    pub skins: ChunkedVec<RawSkin>,
    /// Extensions without which the file cannot be read.
    #[serde(borrow, default)]
    pub extensions_required: ChunkedVec<LenientText<'a>>,
}

/// The version of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct RawAsset<'a> {
    /// The version, for example `2.0`.
    #[serde(borrow, default, deserialize_with = "text_or_number")]
    pub version: LenientText<'a>,
    /// The minimum version of a reader.
    #[serde(borrow, default, deserialize_with = "text_or_number")]
    pub min_version: LenientText<'a>,
}

/// The version of a file, and a sign of glTF 1.0.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Stamp<'a> {
    /// The version of the file.
    #[serde(borrow, default)]
    pub asset: RawAsset<'a>,
    /// Whether `nodes` is an object, as in glTF 1.0.
    #[serde(default, rename = "nodes", deserialize_with = "is_object")]
    pub has_keyed_nodes: bool,
}

/// The roots of a scene.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct SceneNodes {
    /// Root nodes.
    #[serde(default)]
    pub nodes: Vec<Index>,
}

/// A node; a file may have millions.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct RawNode<'a> {
    /// The name of the node.
    #[serde(borrow, default)]
    pub name: LenientText<'a>,
    /// Child nodes.
    #[serde(default)]
    pub children: Box<[Index]>,
    /// The mesh at the node.
    pub mesh: Option<Index>,
    /// The skin of the mesh.
    pub skin: Option<Index>,
    /// The camera at the node.
    pub camera: Option<Index>,
    /// The transform, in columns.
    pub matrix: Option<Box<FixedArray<f32, 16>>>,
    /// The translation, in metres.
    pub translation: Option<FixedArray<f32, 3>>,
    /// The rotation, a quaternion with the real part last.
    pub rotation: Option<FixedArray<f32, 4>>,
    /// The scale along each axis.
    pub scale: Option<FixedArray<f32, 3>>,
    /// Extensions of the node.
    pub extensions: Option<Box<NodeExtensions>>,
}

/// Extensions of a node.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct NodeExtensions {
    /// `MSFT_lod`.
    #[serde(rename = "MSFT_lod")]
    pub lod: Option<RawLevels>,
    /// `EXT_mesh_gpu_instancing`.
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub instancing: Option<Instancing>,
    /// `KHR_node_visibility`.
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Option<Visibility>,
}

/// The lower levels of a node (`MSFT_lod`).
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct RawLevels {
    /// The nodes of the lower levels, from the highest on.
    #[serde(default)]
    pub ids: LevelIds,
}

/// Instances of a node's mesh (`EXT_mesh_gpu_instancing`).
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Instancing {
    /// Transforms of the instances.
    #[serde(default)]
    pub attributes: InstanceAttributes,
}

/// Accessors of instances' transforms.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE", expecting = "an object")]
pub struct InstanceAttributes {
    /// Translations, in metres.
    pub translation: Option<Index>,
    /// Rotations, quaternions with the real part last.
    pub rotation: Option<Index>,
    /// Scales along each axis.
    pub scale: Option<Index>,
}

/// The visibility of a node (`KHR_node_visibility`).
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Visibility {
    /// Whether the node is visible.
    pub visible: Option<bool>,
}

/// A camera.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct RawCamera {
    /// The projection of a perspective camera.
    pub perspective: Option<RawPerspective>,
}

/// The projection of a perspective camera.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct RawPerspective {
    /// The vertical field of view, in radians.
    pub yfov: Option<f64>,
    /// The width of the picture divided by its height.
    #[serde(rename = "aspectRatio")]
    pub aspect_ratio: Option<f64>,
}

/// A mesh.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct RawMesh<'a> {
    /// The name of the mesh.
    #[serde(borrow, default)]
    pub name: LenientText<'a>,
    /// Primitives of the mesh.
    #[serde(default)]
    pub primitives: Box<[RawPrimitive]>,
}

/// A primitive of a mesh.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct RawPrimitive {
    /// Accessors of the vertices.
    #[serde(default)]
    pub attributes: Attributes,
    /// The accessor of indices of vertices.
    pub indices: Option<Index>,
    /// The topology of the vertices.
    pub mode: Option<LenientUint>,
    /// Extensions of the primitive.
    pub extensions: Option<PrimitiveExtensions>,
}

/// Extensions of a primitive.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct PrimitiveExtensions {
    /// `KHR_draco_mesh_compression`.
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<IgnoredAny>,
}

/// Accessors of a primitive's positions and joints.
#[derive(Debug, Default)]
pub struct Attributes {
    /// `POSITION`.
    pub position: Option<Index>,
    /// Joints of the vertices.
    pub binding: Option<Box<VariantBinding>>,
}

/// Accessors that bind vertices to joints.
#[derive(Debug, Default)]
pub struct VariantBinding {
    /// `JOINTS_n`, by n.
    pub joints: BTreeMap<u8, Index>,
    /// `WEIGHTS_n`, by n.
    pub weights: BTreeMap<u8, Index>,
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AttributesVisitor)
    }
}

struct AttributesVisitor;

impl<'de> Visitor<'de> for AttributesVisitor {
    type Value = Attributes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of accessors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
        let mut attributes = Attributes::default();
        while let Some(Key(name)) = map.next_key()? {
            let set = |prefix| name.strip_prefix(prefix).and_then(|set| set.parse().ok());
            if name == "POSITION" {
                attributes.position = map.next_value()?;
            } else if let Some(set) = set("JOINTS_") {
                let index = map.next_value()?;
                attributes.binding.get_or_insert_default().joints.insert(set, index);
            } else if let Some(set) = set("WEIGHTS_") {
                let index = map.next_value()?;
                attributes.binding.get_or_insert_default().weights.insert(set, index);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(attributes)
    }
}

/// A key, copied only if it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl RawNode<'_> {
    /// Returns the lower levels of `MSFT_lod`.
    #[must_use]
    pub fn lod(&self) -> Option<&RawLevels> {
        self.extensions.as_ref()?.lod.as_ref()
    }

    /// Returns the accessors of instances' transforms.
    #[must_use]
    pub fn instancing(&self) -> Option<&InstanceAttributes> {
        Some(&self.extensions.as_ref()?.instancing.as_ref()?.attributes)
    }

    /// Whether the node and its descendants are hidden.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|all| all.visibility.as_ref());
        visibility.is_some_and(|visibility| visibility.visible == Some(false))
    }
}

/// An accessor.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Accessor {
    /// The buffer view of the elements.
    pub buffer_view: Option<Index>,
    /// The offset in the buffer view, in bytes.
    #[serde(default)]
    pub byte_offset: LenientUint,
    /// The code of the component type.
    pub component_type: Option<LenientUint>,
    /// Whether integers mean -1 to 1, or 0 to 1.
    #[serde(default)]
    pub normalized: bool,
    /// The number of elements.
    pub count: Option<LenientUint>,
    /// The number of components of an element.
    #[serde(rename = "type", default)]
    pub arity: Arity,
    /// The minimum of each component.
    #[serde(default)]
    pub min: BoundsCorner,
    /// The maximum of each component.
    #[serde(default)]
    pub max: BoundsCorner,
    /// Elements that replace others.
    pub sparse: Option<Box<Sparse>>,
}

/// The number of components of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Arity {
    /// `SCALAR`.
    #[serde(rename = "SCALAR")]
    One,
    /// `VEC2`.
    #[serde(rename = "VEC2")]
    Two,
    /// `VEC3`.
    #[serde(rename = "VEC3")]
    Three,
    /// `VEC4`.
    #[serde(rename = "VEC4")]
    Four,
    /// `MAT4`, in columns.
    #[serde(rename = "MAT4")]
    Sixteen,
    /// Another type.
    #[default]
    #[serde(other)]
    Other,
}

/// Elements that replace elements of a buffer view, or zeros.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Sparse {
    /// The number of replaced elements.
    pub count: LenientUint,
    /// The indices of replaced elements.
    pub indices: SparsePart,
    /// The values of replaced elements.
    pub values: SparsePart,
}

/// The indices or the values of a sparse accessor.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct SparsePart {
    /// The buffer view of the numbers.
    pub buffer_view: Index,
    /// The offset in the buffer view, in bytes.
    #[serde(default)]
    pub byte_offset: LenientUint,
    /// The code of the component type.
    pub component_type: Option<LenientUint>,
}

/// A buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct BufferView {
    /// The buffer of the view.
    #[serde(default)]
    pub buffer: Index,
    /// The offset in the buffer, in bytes.
    #[serde(default)]
    pub byte_offset: LenientUint,
    /// The length in bytes.
    #[serde(default)]
    pub byte_length: LenientUint,
    /// Bytes between the starts of elements; 0 if they are contiguous.
    #[serde(default)]
    pub byte_stride: LenientUint,
    /// Extensions of the buffer view.
    pub extensions: Option<ViewExtensions>,
}

/// Extensions of a buffer view.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct ViewExtensions {
    /// `EXT_meshopt_compression`.
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub meshopt: Option<IgnoredAny>,
}

/// A buffer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Buffer<'a> {
    /// The location of the bytes.
    #[serde(borrow, default)]
    pub uri: LenientText<'a>,
    /// The length in bytes.
    #[serde(default)]
    pub byte_length: LenientUint,
}

/// A skin: joints and their bind pose.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct RawSkin {
    /// Joints, which are nodes.
    #[serde(default)]
    pub joints: Vec<Index>,
    /// The accessor of matrices from the mesh to each joint.
    pub inverse_bind_matrices: Option<Index>,
}
