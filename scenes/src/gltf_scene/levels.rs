//! The levels of an actor: those of `MSFT_lod`, else shares of its triangles.

use gltf::json::{Root, Value};

use super::mesh::{MeshFacts, look_up};
use crate::gltf_error::{MeshError, NodeError};

/// The shares, in thousandths, of the levels of a mesh that has none of its own; 0 is not drawn.
const DEFAULT_SHARES: [u64; 5] = [0, 15, 60, 250, 1000];
/// More levels than this are refused before their meshes are looked up.
const MOST_LEVELS: usize = 256;

/// The triangles of a node at LOD 0, 1, 2…
pub(super) fn work(
    root: &Root,
    meshes: &[Result<MeshFacts, MeshError>],
    node: usize,
    facts: &MeshFacts,
) -> Result<Vec<u32>, NodeError> {
    let ids = lower_levels(root, node)?;
    if ids.is_empty() {
        return Ok(DEFAULT_SHARES.map(|share| share_of(facts.triangles, share)).into());
    }
    if ids.len() >= MOST_LEVELS {
        return Err(NodeError::TooManyLevels(ids.len() + 1));
    }
    // The extension lists the highest level first, and the node itself is the highest.
    let mut work = ids
        .into_iter()
        .rev()
        .map(|id| triangles_of_level(root, meshes, id))
        .collect::<Result<Vec<_>, _>>()?;
    work.push(facts.triangles);
    Ok(work)
}

fn lower_levels(root: &Root, node: usize) -> Result<Vec<&Value>, NodeError> {
    let extension =
        root.nodes.get(node).and_then(|node| node.extensions.as_ref()?.others.get("MSFT_lod"));
    match extension.map(|lod| lod.get("ids").and_then(Value::as_array)) {
        None => Ok(Vec::new()),
        Some(Some(ids)) => Ok(ids.iter().collect()),
        Some(None) => Err(NodeError::NoLevels),
    }
}

fn triangles_of_level(
    root: &Root,
    meshes: &[Result<MeshFacts, MeshError>],
    id: &Value,
) -> Result<u32, NodeError> {
    let level = id
        .as_u64()
        .and_then(|id| root.nodes.get(usize::try_from(id).ok()?))
        .ok_or_else(|| NodeError::NoSuchLevel(id.to_string()))?;
    match level.mesh {
        Some(mesh) => Ok(look_up(meshes, mesh.value())?.triangles),
        None => Ok(0),
    }
}

fn share_of(triangles: u32, thousandths: u64) -> u32 {
    let share = (u64::from(triangles) * thousandths).div_ceil(1000);
    u32::try_from(share).unwrap_or(triangles)
}
