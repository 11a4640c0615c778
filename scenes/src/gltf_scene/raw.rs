//! The part of glTF's JSON that is looked at. What is no key here is skipped, whatever it holds.

mod data;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::blocks::Blocks;
use super::extensions::Required;
use super::lists::LevelIds;
use super::loose::{Index, Text, Whole};
use crate::numbers::Numbers;

pub(super) use data::{Accessor, Arity, Buffer, BufferView, Skin, Sparse, SparsePart};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Document<'a> {
    #[serde(borrow, default)]
    pub(super) asset: Asset<'a>,
    pub(super) scene: Option<Index>,
    #[serde(default)]
    pub(super) scenes: Vec<SceneNodes>,
    #[serde(borrow, default)]
    pub(super) nodes: Blocks<Node<'a>>,
    #[serde(borrow, default)]
    pub(super) meshes: Blocks<Mesh<'a>>,
    #[serde(default)]
    pub(super) accessors: Blocks<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Blocks<BufferView>,
    #[serde(borrow, default)]
    pub(super) buffers: Vec<Buffer<'a>>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) extensions_required: Required,
}

/// Which glTF it is.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Asset<'a> {
    #[serde(borrow, default)]
    pub(super) version: Text<'a>,
    #[serde(borrow, default)]
    pub(super) min_version: Text<'a>,
}

/// A file of which nothing but its version is looked at.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Stamp<'a> {
    #[serde(borrow, default)]
    pub(super) asset: Asset<'a>,
}

/// The roots of a scene.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct SceneNodes {
    #[serde(default)]
    pub(super) nodes: Vec<Index>,
}

/// A node. There may be millions.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Node<'a> {
    #[serde(borrow, default)]
    pub(super) name: Text<'a>,
    #[serde(default)]
    pub(super) children: Box<[Index]>,
    pub(super) mesh: Option<Index>,
    pub(super) skin: Option<Index>,
    pub(super) camera: Option<IgnoredAny>,
    pub(super) matrix: Option<Box<Numbers<f32, 16>>>,
    pub(super) translation: Option<Numbers<f32, 3>>,
    pub(super) rotation: Option<Numbers<f32, 4>>,
    pub(super) scale: Option<Numbers<f32, 3>>,
    pub(super) extensions: Option<Box<NodeExtensions>>,
}

/// The extensions of a node that are read.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct NodeExtensions {
    #[serde(rename = "MSFT_lod")]
    pub(super) lod: Option<Levels>,
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
}

/// `MSFT_lod`: the lower levels, the highest first.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Levels {
    #[serde(default)]
    pub(super) ids: LevelIds,
}

/// `EXT_mesh_gpu_instancing`.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Instancing {
    #[serde(default)]
    pub(super) attributes: InstanceAttributes,
}

/// The accessors of instances that move them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE", expecting = "an object")]
pub(super) struct InstanceAttributes {
    pub(super) translation: Option<Index>,
    pub(super) rotation: Option<Index>,
    pub(super) scale: Option<Index>,
}

/// `KHR_node_visibility`.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Visibility {
    pub(super) visible: Option<bool>,
}

/// A mesh.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Mesh<'a> {
    #[serde(borrow, default)]
    pub(super) name: Text<'a>,
    #[serde(default)]
    pub(super) primitives: Box<[Primitive]>,
}

/// A part of a mesh.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<Index>,
    pub(super) mode: Option<Whole>,
    pub(super) extensions: Option<PrimitiveExtensions>,
}

/// The extensions of a primitive that are looked at.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<IgnoredAny>,
}

/// The accessors of a primitive that move or place its vertices.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) position: Option<Index>,
    /// `JOINTS_n`, by n.
    pub(super) joints: BTreeMap<u8, Index>,
    /// `WEIGHTS_n`, by n.
    pub(super) weights: BTreeMap<u8, Index>,
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
                attributes.joints.insert(set, map.next_value()?);
            } else if let Some(set) = set("WEIGHTS_") {
                attributes.weights.insert(set, map.next_value()?);
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
    pub(super) fn lod(&self) -> Option<&Levels> {
        self.extensions.as_ref()?.lod.as_ref()
    }

    /// How its mesh is drawn many times, if it is.
    pub(super) fn instancing(&self) -> Option<&InstanceAttributes> {
        Some(&self.extensions.as_ref()?.instancing.as_ref()?.attributes)
    }

    /// Whether it and all below it is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        let visibility = self.extensions.as_ref().and_then(|all| all.visibility.as_ref());
        visibility.is_some_and(|visibility| visibility.visible == Some(false))
    }
}
