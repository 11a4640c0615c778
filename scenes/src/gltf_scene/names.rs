//! Names for actors that come from nodes.

use std::collections::{HashMap, HashSet};

use gltf::json::Root;

/// A unique name for each (node, mesh): the node's, else the mesh's, else `node N`. Where several
/// would be equal, each gets its node's index behind a `#`.
pub(super) fn unique(root: &Root, drawn: impl Iterator<Item = (usize, usize)>) -> Vec<String> {
    let wanted: Vec<_> = drawn.map(|(node, mesh)| (node, wanted(root, node, mesh))).collect();
    let mut uses = HashMap::new();
    for (_, name) in &wanted {
        *uses.entry(name.clone()).or_insert(0_usize) += 1;
    }
    let mut taken: HashSet<String> = uses.keys().cloned().collect();
    let settle = |(node, mut name): (usize, String)| {
        if uses.get(&name).is_some_and(|&uses| uses > 1) {
            while !taken.insert(name.clone()) {
                name = format!("{name}#{node}");
            }
        }
        name
    };
    wanted.into_iter().map(settle).collect()
}

fn wanted(root: &Root, node: usize, mesh: usize) -> String {
    let own = root.nodes.get(node).and_then(|n| n.name.as_ref());
    let of_mesh = root.meshes.get(mesh).and_then(|m| m.name.as_ref());
    [own, of_mesh]
        .into_iter()
        .flatten()
        .find(|name| !name.is_empty())
        .cloned()
        .unwrap_or_else(|| format!("node {node}"))
}
