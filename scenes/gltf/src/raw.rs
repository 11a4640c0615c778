//! The part of glTF's JSON that is looked at. What is no key here is skipped, whatever it holds.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::lenient::{
    Blocks, Corner, Index, LevelIds, Numbers, Text, Whole, is_object, text_or_number,
};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Document<'a> {
    /// Which glTF it is.
    #[serde(borrow, default)]
    pub asset: Asset<'a>,
    /// The scene that is shown unless another one is asked for.
    pub scene: Option<Index>,
    /// The roots of scenes.
    #[serde(default)]
    pub scenes: Vec<SceneNodes>,
    /// Nodes.
    #[serde(borrow, default)]
    pub nodes: Blocks<Node<'a>>,
    /// Meshes.
    #[serde(borrow, default)]
    pub meshes: Blocks<Mesh<'a>>,
    /// Where numbers are.
    #[serde(default)]
    pub accessors: Blocks<Accessor>,
    /// Parts of buffers.
    #[serde(default)]
    pub buffer_views: Blocks<BufferView>,
    /// Bytes.
    #[serde(borrow, default)]
    pub buffers: Blocks<Buffer<'a>>,
    /// Skins.
    #[serde(default)]
    pub skins: Blocks<Skin>,
    /// Extensions without which the file says that it cannot be shown.
    #[serde(borrow, default)]
    pub extensions_required: Blocks<Text<'a>>,
}

/// Which glTF it is.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Asset<'a> {
    /// The version, as `2.0`.
    #[serde(borrow, default, deserialize_with = "text_or_number")]
    pub version: Text<'a>,
    /// The least version that a reader must know.
    #[serde(borrow, default, deserialize_with = "text_or_number")]
    pub min_version: Text<'a>,
}

/// The version of a file, wherever it stands, and what tells glTF 1.0 where there is none.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Stamp<'a> {
    /// Which glTF it is.
    #[serde(borrow, default)]
    pub asset: Asset<'a>,
    /// Whether `nodes` is an object, as in glTF 1.0, and not an array.
    #[serde(default, rename = "nodes", deserialize_with = "is_object")]
    pub has_keyed_nodes: bool,
}

/// The roots of a scene.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct SceneNodes {
    /// Nodes.
    #[serde(default)]
    pub nodes: Vec<Index>,
}

/// A node. There may be millions.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Node<'a> {
    /// Its name.
    #[serde(borrow, default)]
    pub name: Text<'a>,
    /// The nodes below it.
    #[serde(default)]
    pub children: Box<[Index]>,
    /// Its mesh.
    pub mesh: Option<Index>,
    /// The skin of its mesh.
    pub skin: Option<Index>,
    /// Its camera, whichever it is.
    pub camera: Option<IgnoredAny>,
    /// Its transform, column by column.
    pub matrix: Option<Box<Numbers<f32, 16>>>,
    /// Where it is, in metres.
    pub translation: Option<Numbers<f32, 3>>,
    /// How it is turned, a quaternion with the real part last.
    pub rotation: Option<Numbers<f32, 4>>,
    /// Its scale along each axis.
    pub scale: Option<Numbers<f32, 3>>,
    /// Its extensions.
    pub extensions: Option<Box<NodeExtensions>>,
}

/// The extensions of a node that are read.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct NodeExtensions {
    /// `MSFT_lod`.
    #[serde(rename = "MSFT_lod")]
    pub lod: Option<Levels>,
    /// `EXT_mesh_gpu_instancing`.
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub instancing: Option<Instancing>,
    /// `KHR_node_visibility`.
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Option<Visibility>,
}

/// `MSFT_lod`: the lower levels, the highest first.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Levels {
    /// The nodes that are the lower levels.
    #[serde(default)]
    pub ids: LevelIds,
}

/// `EXT_mesh_gpu_instancing`.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Instancing {
    /// Its attributes.
    #[serde(default)]
    pub attributes: InstanceAttributes,
}

/// The accessors of instances that move them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE", expecting = "an object")]
pub struct InstanceAttributes {
    /// Where it is, in metres.
    pub translation: Option<Index>,
    /// How it is turned, a quaternion with the real part last.
    pub rotation: Option<Index>,
    /// Its scale along each axis.
    pub scale: Option<Index>,
}

/// `KHR_node_visibility`.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Visibility {
    /// Whether it is shown.
    pub visible: Option<bool>,
}

/// A mesh.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Mesh<'a> {
    /// Its name.
    #[serde(borrow, default)]
    pub name: Text<'a>,
    /// Its parts.
    #[serde(default)]
    pub primitives: Box<[Primitive]>,
}

/// A part of a mesh.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct Primitive {
    /// Its attributes.
    #[serde(default)]
    pub attributes: Attributes,
    /// The accessor of indices of vertices.
    pub indices: Option<Index>,
    /// How vertices become triangles, lines or points.
    pub mode: Option<Whole>,
    /// Its extensions.
    pub extensions: Option<PrimitiveExtensions>,
}

/// The extensions of a primitive that are looked at.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub struct PrimitiveExtensions {
    /// `KHR_draco_mesh_compression`.
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<IgnoredAny>,
}

/// The accessors of a primitive that move or place its vertices.
#[derive(Debug, Default)]
pub struct Attributes {
    /// `POSITION`.
    pub position: Option<Index>,
    /// The joints of its vertices, if it has any.
    pub binding: Option<Box<Binding>>,
}

/// The accessors that bind vertices to joints.
#[derive(Debug, Default)]
pub struct Binding {
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

/// A key that is not copied where it need not be.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl Node<'_> {
    /// The lower levels that `MSFT_lod` lists, if the node has it.
    #[must_use]
    pub fn lod(&self) -> Option<&Levels> {
        self.extensions.as_ref()?.lod.as_ref()
    }

    /// How its mesh is drawn many times, if it is.
    #[must_use]
    pub fn instancing(&self) -> Option<&InstanceAttributes> {
        Some(&self.extensions.as_ref()?.instancing.as_ref()?.attributes)
    }

    /// Whether it and all below it is hidden.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|all| all.visibility.as_ref());
        visibility.is_some_and(|visibility| visibility.visible == Some(false))
    }
}

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
