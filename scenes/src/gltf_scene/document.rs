//! From bytes to the JSON of a glTF file.

use gltf::Glb;
use gltf::json::Root;

use crate::gltf_error::GltfError;

/// The header of a .glb file: magic, version, length.
const GLB_HEADER: usize = 12;

/// Parses a .glb or .gltf file. Nothing is validated beyond the types of its values.
pub(super) fn parse(bytes: &[u8]) -> Result<Root, GltfError> {
    if !bytes.starts_with(b"glTF") {
        return Root::from_slice(bytes).map_err(GltfError::NotGltf);
    }
    check_length(bytes)?;
    let glb = Glb::from_slice(bytes).map_err(GltfError::NotGlb)?;
    Root::from_slice(&glb.json).map_err(GltfError::Json)
}

/// Refuses a length below that of the header, from which the crate would subtract the header.
fn check_length(bytes: &[u8]) -> Result<(), GltfError> {
    let length: Option<[u8; 4]> = bytes.get(8..GLB_HEADER).and_then(|b| b.try_into().ok());
    match length.map(u32::from_le_bytes) {
        Some(length) if length as usize >= GLB_HEADER => Ok(()),
        Some(bytes) => Err(GltfError::Length { bytes }),
        None => Err(GltfError::Cut),
    }
}
