//! The levels of an actor: those of `MSFT_lod`, else shares of its triangles.

use super::loose::{Index, LevelId};
use super::raw::{Document, Node};
use super::subtrees::Subtrees;
use crate::gltf_error::NodeError;
use crate::ladder::{ASSUMED_SHARES, LadderSource};

/// More levels than this are refused before their meshes are looked up.
const MOST_LEVELS: usize = 256;

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
    let ids = lower_levels(node)?;
    if ids.is_empty() {
        let work = ASSUMED_SHARES.map(|share| share_of(triangles, share.into())).into();
        return Ok(Ladder { work, source: LadderSource::Assumed });
    }
    climb(ids, |id| below(subtrees, level(document, id)?), triangles)
}

/// The levels of a node without a mesh: each counts all below its node, and so does the node itself.
pub(super) fn of_group(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    group: Index,
) -> Result<Ladder, NodeError> {
    let highest = below(subtrees, group)?;
    let ids = document.nodes.get(group.get()).map_or(Ok(&[][..]), lower_levels)?;
    climb(ids, |id| below(subtrees, level(document, id)?), highest)
}

/// The triangles of a node and all below it.
fn below(subtrees: &mut Subtrees<'_>, node: Index) -> Result<u32, NodeError> {
    let triangles = subtrees.triangles(node)?;
    u32::try_from(triangles).map_err(|_| NodeError::TooManyTriangles(triangles))
}

/// The extension lists the highest level first, and the node itself is higher still.
fn climb(
    ids: &[LevelId],
    of_level: impl FnMut(&LevelId) -> Result<u32, NodeError>,
    highest: u32,
) -> Result<Ladder, NodeError> {
    let mut work = ids.iter().rev().map(of_level).collect::<Result<Vec<_>, _>>()?;
    work.push(highest);
    Ok(Ladder { work, source: LadderSource::File })
}

fn lower_levels<'n>(node: &'n Node<'_>) -> Result<&'n [LevelId], NodeError> {
    let Some(lod) = node.lod() else { return Ok(&[]) };
    let ids = lod.ids.0.as_deref().ok_or(NodeError::NoLevels)?;
    if ids.len() >= MOST_LEVELS {
        return Err(NodeError::TooManyLevels(ids.len() + 1));
    }
    Ok(ids)
}

/// The node of a level.
fn level(document: &Document<'_>, id: &LevelId) -> Result<Index, NodeError> {
    match id {
        LevelId::Node(node) if node.get() < document.nodes.len() => Ok(*node),
        LevelId::Node(node) => Err(NodeError::NoSuchLevel(node.0.to_string())),
        LevelId::Other(what) => Err(NodeError::NoSuchLevel(what.to_string())),
    }
}

fn share_of(triangles: u32, thousandths: u64) -> u32 {
    let share = (u64::from(triangles) * thousandths).div_ceil(1000);
    u32::try_from(share).unwrap_or(triangles)
}
