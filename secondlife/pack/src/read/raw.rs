//! The JSON of a glTF file that lodger-pack reads, and notes on unsupported features.

use std::collections::BTreeMap;

use lodger_gltf::raw::RawNode;
use lodger_gltf::{FileQuota, Index, JsonError, LenientUint, RawSections};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;

use crate::read::{Notes, ReadFailure};

#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct MeshJson {
    #[serde(default)]
    pub(crate) primitives: Vec<PrimitiveJson>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct PrimitiveJson {
    #[serde(default)]
    pub(crate) attributes: BTreeMap<String, Index>,
    pub(crate) indices: Option<Index>,
    pub(crate) material: Option<Index>,
    pub(crate) mode: Option<LenientUint>,
    pub(crate) targets: Option<IgnoredAny>,
    #[serde(default)]
    pub(crate) extensions: PrimitiveExtensionsJson,
}

#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct PrimitiveExtensionsJson {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(crate) draco: Option<IgnoredAny>,
}

/// Bytes for an object, a list and a list element.
const OBJECT: u64 = 800;
const LIST: u64 = 400;
const ENTRY: u64 = 120;
/// Units of work for each byte.
const WORK: u64 = 8;

/// Reads a list of the file, charged to the quota; empty if absent.
pub(crate) fn list<T: DeserializeOwned>(
    what: &str,
    raw: Option<&RawValue>,
    file_quota: &FileQuota<'_>,
) -> Result<Vec<T>, ReadFailure> {
    let Some(text) = raw.map(RawValue::get) else { return Ok(Vec::new()) };
    let count = |bytes: &[u8]| text.bytes().filter(|byte| bytes.contains(byte)).count() as u64;
    file_quota.charge_work(WORK * text.len() as u64)?;
    file_quota.charge(
        OBJECT * count(b"{") + LIST * count(b"[") + ENTRY * count(b",") + 2 * text.len() as u64,
    )?;
    serde_json::from_str(text).map_err(|error| {
        // Lines count from the beginning of the list, not of the file.
        let path = JsonError::new(error).to_string();
        let said = path.rsplit_once(" (line").map_or(path.as_str(), |(said, _)| said);
        ReadFailure::new(format!("its list of {what} is broken: {said}"))
    })
}

/// Whether assets keep the skins of their meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinChoice {
    /// Keeps skins. Every joint in use must be one of the avatar's skeleton.
    #[default]
    Keep,
    /// Takes meshes in their rest pose, without skins. Joints may have any names.
    Rest,
}

pub(crate) fn of_file(parts: &RawSections<'_>, file: &str, notes: &mut Notes) {
    let extensions = parts.extensions.map(RawValue::get);
    let has_lights = extensions.is_some_and(|all| all.contains("\"KHR_lights_punctual\""));
    let animations = "animations are left out: the model is taken at rest";
    notes.once_if(has_any(parts.animations), "animations-dropped", file, animations);
    notes.once_if(has_any(parts.cameras), "cameras-dropped", file, "cameras are left out");
    notes.once_if(has_lights, "lights-dropped", file, "lights are left out");
}

pub(crate) fn of_node(node: &RawNode<'_>, file: &str, notes: &mut Notes) {
    let text = "EXT_mesh_gpu_instancing is left out: a mesh is there once, where its node is";
    notes.once_if(node.instancing().is_some(), "instances-dropped", file, text);
    let text = "MSFT_lod is left out: levels go by the names of nodes, meshes or files";
    notes.once_if(node.lod().is_some(), "lod-extension-dropped", file, text);
}

/// Notes on a skin that is left out, has no weights, or is missing. `skin` is set for a skin with
/// weights.
pub(crate) fn of_skin(
    node: &RawNode<'_>,
    primitives: &[PrimitiveJson],
    skin: Option<SkinChoice>,
    file: &str,
    notes: &mut Notes,
) {
    let has_joints = |part: &PrimitiveJson| part.attributes.contains_key("JOINTS_0");
    let (code, text) = match skin {
        Some(SkinChoice::Rest) => {
            ("skin-left-out", "skins are left out: meshes are in their rest pose")
        }
        None if node.skin.is_some() => {
            ("skin-dropped", "skins of meshes without JOINTS_0 and WEIGHTS_0 are left out")
        }
        None if primitives.iter().any(has_joints) => {
            ("weights-dropped", "joints and weights of meshes without a skin are left out")
        }
        Some(SkinChoice::Keep) | None => return,
    };
    notes.once(code, file, text);
}

pub(crate) fn of_primitive(part: &PrimitiveJson, file: &str, notes: &mut Notes) {
    let is_thin = part.mode.is_some_and(|mode| mode.0 < 4);
    notes.once_if(is_thin, "lines-dropped", file, "points and lines are left out");
    let has_targets = part.targets.is_some();
    notes.once_if(has_targets, "morph-targets-dropped", file, "morph targets are left out");
    for name in part.attributes.keys() {
        let (code, text) = match name.split_once('_').unwrap_or((name, "")) {
            ("POSITION" | "NORMAL" | "JOINTS" | "WEIGHTS", _) | ("TEXCOORD", "0") => continue,
            ("TEXCOORD", _) => {
                ("uv-sets-dropped", "texture coordinates beyond the first set are left out")
            }
            ("COLOR", _) => ("colours-dropped", "colours of vertices are left out"),
            ("TANGENT", _) => ("tangents-dropped", "tangents are left out: a viewer makes its own"),
            _ => ("attributes-dropped", "attributes of the file's own are left out"),
        };
        notes.once(code, file, text);
    }
}

fn has_any(list: Option<&RawValue>) -> bool {
    let inside = list.and_then(|list| list.get().strip_prefix('['));
    inside.is_some_and(|inside| !inside.trim_start().starts_with(']'))
}
