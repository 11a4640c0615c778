//! Extensions without which a file says that it cannot be shown.

use crate::warning::WarningKind;
use lodger_gltf::clipped;

/// Those that are read.
const READ: [&str; 4] =
    ["EXT_mesh_gpu_instancing", "KHR_mesh_quantization", "KHR_node_visibility", "MSFT_lod"];
/// Those that hold the data of meshes in a form that is not read.
const COMPRESSED: [&str; 3] =
    ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "KHR_meshopt_compression"];
/// How those begin that are about the look of a surface, about lights, sound and behaviour, or about
/// what things mean. None of them adds, removes or moves a triangle of a scene at rest.
const HARMLESS: [&str; 26] = [
    "ADOBE_materials_",
    "AGI_articulations",
    "EXT_feature_metadata",
    "EXT_instance_features",
    "EXT_lights_",
    "EXT_materials_",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_property_",
    "EXT_structural_metadata",
    "EXT_texture_",
    "GOOGLE_texture_",
    "KHR_animation_pointer",
    "KHR_audio",
    "KHR_environment_map",
    "KHR_interactivity",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_techniques_webgl",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_packing_",
    "MSFT_texture_",
    "NV_materials_",
];

/// What is odd about requiring an extension.
pub(super) fn remark(name: &str) -> Option<WarningKind> {
    let extension = clipped(name).into_owned();
    if COMPRESSED.contains(&name) {
        return Some(WarningKind::Compressed { extension });
    }
    let is_known = READ.contains(&name) || HARMLESS.iter().any(|h| name.starts_with(h));
    (!is_known).then_some(WarningKind::NotRead { extension })
}
