//! The levels of an actor: those of `MSFT_lod`, else shares of its triangles.

use lodger_gltf::raw::{Document, Node};
use lodger_gltf::{Index, LevelIds, MOST_LEVELS};

use super::subtrees::Subtrees;
use crate::gltf_error::NodeError;
use crate::ladder::{ASSUMED_SHARES, LadderSource};

/// The triangles of an actor at LOD 0, 1, 2…, and whose word that is.
#[derive(Debug)]
pub(super) struct Ladder {
    pub(super) work: Vec<u32>,
    pub(super) source: LadderSource,
}

/// The levels of a node with a mesh: each counts all below its node, as that is what is drawn in its place.
/// What is below the node itself are actors of their own.
pub(super) fn of_mesh(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    node: &Node<'_>,
    mesh: Index,
) -> Result<Ladder, NodeError> {
    let triangles = subtrees.mesh(mesh)?;
    match lower_levels(node)? {
        Some(ids) if ids.count() > 0 => climb(document, subtrees, ids, triangles),
        _ => {
            let work = ASSUMED_SHARES.map(|share| share_of(triangles, share.into())).into();
            Ok(Ladder { work, source: LadderSource::Assumed })
        }
    }
}

/// The levels of a node without a mesh: each counts all below its node, and so does the node itself.
pub(super) fn of_group(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    group: Index,
) -> Result<Ladder, NodeError> {
    let highest = below(subtrees, group)?;
    match document.nodes.get(group.get()).map_or(Ok(None), lower_levels)? {
        Some(ids) => climb(document, subtrees, ids, highest),
        None => Ok(Ladder { work: vec![highest], source: LadderSource::File }),
    }
}

/// The triangles of a node and all below it.
fn below(subtrees: &mut Subtrees<'_>, node: Index) -> Result<u32, NodeError> {
    let triangles = subtrees.triangles(node)?;
    u32::try_from(triangles).map_err(|_| NodeError::TooManyTriangles(triangles))
}

/// The extension lists the highest level first, and the node itself is higher still.
fn climb(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    ids: &LevelIds,
    highest: u32,
) -> Result<Ladder, NodeError> {
    let nodes = ids.0.as_deref().unwrap_or_default();
    let mut work = Vec::with_capacity(nodes.len() + 1);
    for (at, &node) in nodes.iter().enumerate().rev() {
        if let Some(other) = ids.other(at) {
            return Err(NodeError::NoSuchLevel(other.to_owned()));
        }
        if node.get() >= document.nodes.len() {
            return Err(NodeError::NoSuchLevel(node.0.to_string()));
        }
        work.push(below(subtrees, node)?);
    }
    work.push(highest);
    Ok(Ladder { work, source: LadderSource::File })
}

/// The lower levels that a node lists, if it means to.
fn lower_levels<'n>(node: &'n Node<'_>) -> Result<Option<&'n LevelIds>, NodeError> {
    let Some(lod) = node.lod() else { return Ok(None) };
    if lod.ids.0.is_none() {
        return Err(NodeError::NoLevels);
    }
    if lod.ids.count() >= MOST_LEVELS {
        return Err(NodeError::TooManyLevels(lod.ids.count() + 1));
    }
    Ok(Some(&lod.ids))
}

fn share_of(triangles: u32, thousandths: u64) -> u32 {
    let share = (u64::from(triangles) * thousandths).div_ceil(1000);
    u32::try_from(share).unwrap_or(triangles)
}
