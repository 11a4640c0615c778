//! What a glTF file may say and an asset cannot: each is named once.

use lodger_gltf::Parts;
use lodger_gltf::raw::Node;
use serde_json::value::RawValue;

use super::notes::Notes;
use super::skin::SkinChoice;
use super::written::Primitive;

/// What a file has as a whole.
pub(super) fn of_file(parts: &Parts<'_>, file: &str, notes: &mut Notes) {
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
pub(super) fn of_node(node: &Node<'_>, file: &str, notes: &mut Notes) {
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
pub(super) fn of_skin(
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
pub(super) fn of_primitive(part: &Primitive, file: &str, notes: &mut Notes) {
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
