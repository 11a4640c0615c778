//! The part of a glTF file that a packer looks at, and what it does not support.

use std::collections::BTreeMap;

use lodger_gltf::raw::Node;
use lodger_gltf::{Index, JsonError, Parts, Purse, Whole};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;

use crate::read::failure::{Failure, Notes};

/// A mesh.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct Mesh {
    #[serde(default)]
    pub(crate) primitives: Vec<Primitive>,
}

/// A part of a mesh.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct Primitive {
    #[serde(default)]
    pub(crate) attributes: BTreeMap<String, Index>,
    pub(crate) indices: Option<Index>,
    pub(crate) material: Option<Index>,
    pub(crate) mode: Option<Whole>,
    pub(crate) targets: Option<IgnoredAny>,
    #[serde(default)]
    pub(crate) extensions: PrimitiveExtensions,
}

/// The extensions of a primitive that are looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(crate) draco: Option<IgnoredAny>,
}

/// The bytes that an object of any kind may take, a list, and what is between two commas.
const OBJECT: u64 = 800;
const LIST: u64 = 400;
const ENTRY: u64 = 120;
/// Units of work for each byte.
const WORK: u64 = 8;

/// The elements of a list of the file, paid; none if there is no list.
pub(crate) fn list<T: DeserializeOwned>(
    what: &str,
    raw: Option<&RawValue>,
    purse: &Purse<'_>,
) -> Result<Vec<T>, Failure> {
    let Some(text) = raw.map(RawValue::get) else { return Ok(Vec::new()) };
    let count = |bytes: &[u8]| text.bytes().filter(|byte| bytes.contains(byte)).count() as u64;
    purse.work(WORK * text.len() as u64)?;
    purse.keep(
        OBJECT * count(b"{") + LIST * count(b"[") + ENTRY * count(b",") + 2 * text.len() as u64,
    )?;
    serde_json::from_str(text).map_err(|error| {
        // Lines count from the beginning of the list, not of the file.
        let path = JsonError::new(error).to_string();
        let said = path.rsplit_once(" (line").map_or(path.as_str(), |(said, _)| said);
        Failure::new(format!("its list of {what} is broken: {said}"))
    })
}

/// Whether an asset keeps the skin of its mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinChoice {
    /// The asset keeps the skin. Every joint that a vertex hangs on must be one of the avatar's skeleton.
    #[default]
    Keep,
    /// The asset has the mesh in its rest pose, and no skin. Joints may have any names.
    Rest,
}

/// What a file has as a whole.
pub(crate) fn of_file(parts: &Parts<'_>, file: &str, notes: &mut Notes) {
    if has_any(parts.animations) {
        notes.once(
            "animations-dropped",
            file,
            "animations are left out: the model is taken at rest",
        );
    }
    if has_any(parts.cameras) {
        notes.once("cameras-dropped", file, "cameras are left out");
    }
    if parts.extensions.is_some_and(|all| all.get().contains("\"KHR_lights_punctual\"")) {
        notes.once("lights-dropped", file, "lights are left out");
    }
}

/// What a node has.
pub(crate) fn of_node(node: &Node<'_>, file: &str, notes: &mut Notes) {
    if node.instancing().is_some() {
        let text = "EXT_mesh_gpu_instancing is left out: a mesh is there once, where its node is";
        notes.once("instances-dropped", file, text);
    }
    if node.lod().is_some() {
        let text = "MSFT_lod is left out: levels go by the names of nodes, meshes or files";
        notes.once("lod-extension-dropped", file, text);
    }
}

/// A skin that is left out, has no weights, or is missing. `skin` is the choice for one that has weights.
pub(crate) fn of_skin(
    node: &Node<'_>,
    primitives: &[Primitive],
    skin: Option<SkinChoice>,
    file: &str,
    notes: &mut Notes,
) {
    if let Some(choice) = skin {
        if choice == SkinChoice::Rest {
            notes.once("skin-left-out", file, "skins are left out: meshes are in their rest pose");
        }
    } else if node.skin.is_some() {
        notes.once(
            "skin-dropped",
            file,
            "skins of meshes without JOINTS_0 and WEIGHTS_0 are left out",
        );
    } else if primitives.iter().any(|part| part.attributes.contains_key("JOINTS_0")) {
        notes.once(
            "weights-dropped",
            file,
            "joints and weights of meshes without a skin are left out",
        );
    }
}

/// What a primitive has.
pub(crate) fn of_primitive(part: &Primitive, file: &str, notes: &mut Notes) {
    if part.mode.is_some_and(|mode| mode.0 < 4) {
        notes.once("lines-dropped", file, "points and lines are left out");
    }
    if part.targets.is_some() {
        notes.once("morph-targets-dropped", file, "morph targets are left out");
    }
    for name in part.attributes.keys() {
        match name.split_once('_').unwrap_or((name, "")) {
            ("POSITION" | "NORMAL" | "JOINTS" | "WEIGHTS", _) | ("TEXCOORD", "0") => {}
            ("TEXCOORD", _) => {
                notes.once(
                    "uv-sets-dropped",
                    file,
                    "texture coordinates beyond the first set are left out",
                );
            }
            ("COLOR", _) => notes.once("colours-dropped", file, "colours of vertices are left out"),
            ("TANGENT", _) => {
                notes.once(
                    "tangents-dropped",
                    file,
                    "tangents are left out: a viewer makes its own",
                );
            }
            _ => {
                notes.once("attributes-dropped", file, "attributes of the file's own are left out");
            }
        }
    }
}

/// Whether a list has an element.
fn has_any(list: Option<&RawValue>) -> bool {
    let inside = list.and_then(|list| list.get().strip_prefix('['));
    inside.is_some_and(|inside| !inside.trim_start().starts_with(']'))
}
