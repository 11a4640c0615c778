//! The triangles of a node with all that is below it, in the scene or not.

use std::collections::HashMap;

use lodger_gltf::Index;
use lodger_gltf::raw::{Document, Node};

use super::instances;
use super::mesh::Meshes;
use crate::gltf_error::NodeError;

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
    pub(super) fn mesh(&self, mesh: Index) -> Result<u32, NodeError> {
        self.meshes.triangles(mesh)
    }

    /// How many triangles a node and all below it draws, as often as it is there. What is hidden draws
    /// none. There may be any number of nodes in a row.
    pub(super) fn triangles(&mut self, root: Index) -> Result<u64, NodeError> {
        let mut open: Vec<Open<'a>> = Vec::new();
        let mut next = Some(root);
        let mut last = 0;
        while let Some(index) = next.take() {
            match self.counted.get(&index) {
                Some(Some(triangles)) => last = *triangles,
                Some(None) => return Err(NodeError::Circle(index.get())),
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

    fn open(&self, index: Index) -> Result<Open<'a>, NodeError> {
        self.meshes.data.purse.keep(COUNTED)?;
        let missing = NodeError::NoSuchChild(index.get());
        let node = self.document.nodes.get(index.get()).ok_or(missing)?;
        if node.is_hidden() {
            return Ok(Open { index, children: &[], triangles: 0 });
        }
        Ok(Open { index, children: &node.children, triangles: self.own(node)? })
    }

    /// The triangles of a node alone, at all its instances.
    fn own(&self, node: &Node<'_>) -> Result<u64, NodeError> {
        let Some(mesh) = node.mesh else { return Ok(0) };
        let triangles = u64::from(self.meshes.triangles(mesh)?);
        match node.instancing() {
            Some(attributes) => {
                let instances = instances::count(self.meshes.data, attributes)?;
                Ok(triangles.saturating_mul(instances))
            }
            None => Ok(triangles),
        }
    }
}
