//! The levels of an actor: those of `MSFT_lod`, else shares of its triangles.

use std::collections::HashMap;

use lodger_gltf::raw::{Document, Node};
use lodger_gltf::{Index, LevelIds, MOST_LEVELS};

use super::mesh::{Meshes, too_many_triangles};
use super::shapes::instance_count;
use crate::scene_file::{ASSUMED_SHARES, LadderSource};

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
) -> Result<Ladder, String> {
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
) -> Result<Ladder, String> {
    let highest = below(subtrees, group)?;
    match document.nodes.get(group.get()).map_or(Ok(None), lower_levels)? {
        Some(ids) => climb(document, subtrees, ids, highest),
        None => Ok(Ladder { work: vec![highest], source: LadderSource::File }),
    }
}

/// The triangles of a node and all below it.
fn below(subtrees: &mut Subtrees<'_>, node: Index) -> Result<u32, String> {
    let triangles = subtrees.triangles(node)?;
    u32::try_from(triangles).map_err(|_| too_many_triangles(triangles))
}

/// The extension lists the highest level first, and the node itself is higher still.
fn climb(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    ids: &LevelIds,
    highest: u32,
) -> Result<Ladder, String> {
    let nodes = ids.0.as_deref().unwrap_or_default();
    let mut work = Vec::with_capacity(nodes.len() + 1);
    for (at, &node) in nodes.iter().enumerate().rev() {
        if let Some(other) = ids.other(at) {
            return Err(no_such_level(other));
        }
        if node.get() >= document.nodes.len() {
            return Err(no_such_level(&node.0.to_string()));
        }
        work.push(below(subtrees, node)?);
    }
    work.push(highest);
    Ok(Ladder { work, source: LadderSource::File })
}

fn no_such_level(id: &str) -> String {
    format!("MSFT_lod lists node {id}, but there is no such node")
}

/// The lower levels that a node lists, if it means to.
fn lower_levels<'n>(node: &'n Node<'_>) -> Result<Option<&'n LevelIds>, String> {
    let Some(lod) = node.lod() else { return Ok(None) };
    if lod.ids.0.is_none() {
        return Err("MSFT_lod has no array `ids`".to_owned());
    }
    if lod.ids.count() >= MOST_LEVELS {
        let levels = lod.ids.count() + 1;
        return Err(format!("MSFT_lod lists {levels} LODs, but at most 256 are possible"));
    }
    Ok(Some(&lod.ids))
}

fn share_of(triangles: u32, thousandths: u64) -> u32 {
    let share = (u64::from(triangles) * thousandths).div_ceil(1000);
    u32::try_from(share).unwrap_or(triangles)
}

/// The triangles of whole trees of nodes. Levels may share trees: each is counted once.
pub(super) struct Subtrees<'a> {
    document: &'a Document<'a>,
    meshes: &'a Meshes<'a>,
    /// The triangles below those that are counted; none for those that are being counted.
    counted: HashMap<Index, Option<u64>>,
}

/// The bytes of a node that is counted: in a table and in a list, which grow to twice their length.
const COUNTED: u64 = 224;

/// A node that is being counted.
struct Open<'a> {
    index: Index,
    children: &'a [Index],
    triangles: u64,
}

impl<'a> Subtrees<'a> {
    pub(super) fn new(document: &'a Document<'a>, meshes: &'a Meshes<'a>) -> Self {
        Self { document, meshes, counted: HashMap::new() }
    }

    /// How many triangles a mesh has.
    pub(super) fn mesh(&self, mesh: Index) -> Result<u32, String> {
        self.meshes.triangles(mesh)
    }

    /// How many triangles a node and all below it draws, as often as it is there. What is hidden draws
    /// none. There may be any number of nodes in a row.
    pub(super) fn triangles(&mut self, root: Index) -> Result<u64, String> {
        let mut open: Vec<Open<'a>> = Vec::new();
        let mut next = Some(root);
        let mut last = 0;
        while let Some(index) = next.take() {
            match self.counted.get(&index) {
                Some(Some(triangles)) => last = *triangles,
                Some(None) => {
                    let node = index.get();
                    return Err(format!("node {node} is below itself: nodes must form trees"));
                }
                None => {
                    open.push(self.open(index)?);
                    self.counted.insert(index, None);
                    last = 0;
                }
            }
            // What is counted is added to what is above it, until there is a child that is not.
            while let Some(top) = open.last_mut() {
                top.triangles = top.triangles.saturating_add(last);
                last = 0;
                if let Some((&child, others)) = top.children.split_first() {
                    top.children = others;
                    next = Some(child);
                    break;
                }
                last = top.triangles;
                self.counted.insert(top.index, Some(last));
                open.pop();
            }
        }
        Ok(last)
    }

    fn open(&self, index: Index) -> Result<Open<'a>, String> {
        self.meshes.data.purse.keep(COUNTED).map_err(|spent| spent.to_string())?;
        let node = self.document.nodes.get(index.get()).ok_or_else(|| {
            format!("node {} is below one of its levels, but there is no such node", index.get())
        })?;
        if node.is_hidden() {
            return Ok(Open { index, children: &[], triangles: 0 });
        }
        Ok(Open { index, children: &node.children, triangles: self.own(node)? })
    }

    /// The triangles of a node alone, at all its instances.
    fn own(&self, node: &Node<'_>) -> Result<u64, String> {
        let Some(mesh) = node.mesh else { return Ok(0) };
        let triangles = u64::from(self.meshes.triangles(mesh)?);
        match node.instancing() {
            Some(attributes) => {
                let instances = instance_count(self.meshes.data, attributes)?;
                Ok(triangles.saturating_mul(instances))
            }
            None => Ok(triangles),
        }
    }
}
