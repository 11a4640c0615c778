//! The levels of an actor: those of `MSFT_lod`, else shares of its triangles.

use gltf::json::{Root, Value};

use super::mesh::{MeshFacts, look_up};

/// The shares, in thousandths, of the levels of a mesh that has none of its own; 0 is not drawn.
const DEFAULT_SHARES: [u64; 5] = [0, 15, 60, 250, 1000];
/// More levels than this are refused before their meshes are looked up.
const MOST_LEVELS: usize = 256;

/// The triangles of a node at LOD 0, 1, 2…
pub(super) fn work(
    root: &Root,
    meshes: &[Result<MeshFacts, String>],
    node: usize,
    facts: &MeshFacts,
) -> Result<Vec<u32>, String> {
    let ids = lower_levels(root, node)?;
    if ids.is_empty() {
        return Ok(DEFAULT_SHARES.map(|share| share_of(facts.triangles, share)).into());
    }
    if ids.len() >= MOST_LEVELS {
        return Err(format!(
            "MSFT_lod lists {} LODs, but at most {MOST_LEVELS} are possible",
            ids.len() + 1
        ));
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

fn lower_levels(root: &Root, node: usize) -> Result<Vec<&Value>, String> {
    let extension =
        root.nodes.get(node).and_then(|node| node.extensions.as_ref()?.others.get("MSFT_lod"));
    match extension.map(|lod| lod.get("ids").and_then(Value::as_array)) {
        None => Ok(Vec::new()),
        Some(Some(ids)) => Ok(ids.iter().collect()),
        Some(None) => Err("MSFT_lod has no array `ids`".to_owned()),
    }
}

fn triangles_of_level(
    root: &Root,
    meshes: &[Result<MeshFacts, String>],
    id: &Value,
) -> Result<u32, String> {
    let level = id
        .as_u64()
        .and_then(|id| root.nodes.get(usize::try_from(id).ok()?))
        .ok_or_else(|| format!("MSFT_lod lists node {id}, but there is no such node"))?;
    match level.mesh {
        Some(mesh) => Ok(look_up(meshes, mesh.value())?.triangles),
        None => Ok(0),
    }
}

fn share_of(triangles: u32, thousandths: u64) -> u32 {
    let share = (u64::from(triangles) * thousandths).div_ceil(1000);
    u32::try_from(share).unwrap_or(triangles)
}
