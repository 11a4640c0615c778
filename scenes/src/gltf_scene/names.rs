//! Names for actors that come from nodes.

use std::borrow::Cow;
use std::collections::HashMap;

use super::loose::Index;
use super::raw::Document;

/// The names of actors: unique, and not copied until one is given away.
pub(super) struct Names<'a> {
    document: &'a Document<'a>,
    /// The names that nodes want, and whether several want them.
    wanted: HashMap<Cow<'a, str>, bool>,
}

impl<'a> Names<'a> {
    /// Names for these nodes and no others.
    pub(super) fn new(document: &'a Document<'a>, nodes: impl Iterator<Item = Index>) -> Self {
        let mut wanted = HashMap::new();
        for node in nodes {
            wanted
                .entry(wanted_by(document, node))
                .and_modify(|by_several| *by_several = true)
                .or_insert(false);
        }
        Self { document, wanted }
    }

    /// The node's own name, else that of its mesh, else `node N`. Where several would be equal, each
    /// has its node's index behind a `#`.
    pub(super) fn of_node(&self, node: Index) -> String {
        let name = wanted_by(self.document, node);
        if self.wanted.get(&name) == Some(&true) {
            self.apart(name.into_owned(), node)
        } else {
            name.into_owned()
        }
    }

    /// The name of an instance of a node: `node[i]`.
    pub(super) fn of_instance(&self, of_node: &str, node: Index, instance: usize) -> String {
        self.apart(format!("{of_node}[{instance}]"), node)
    }

    /// A name that no other node wants. What a node adds, no other node adds.
    fn apart(&self, mut name: String, node: Index) -> String {
        while self.wanted.contains_key(name.as_str()) {
            name = format!("{name}#{}", node.0);
        }
        name
    }
}

fn wanted_by<'a>(document: &'a Document<'a>, node: Index) -> Cow<'a, str> {
    let of_node = document.nodes.get(node.get());
    let of_mesh = of_node
        .and_then(|node| document.meshes.get(node.mesh?.get()))
        .and_then(|mesh| mesh.name.get());
    let own = of_node.and_then(|node| node.name.get());
    let mut names = [own, of_mesh].into_iter().flatten();
    match names.find(|name| !name.is_empty()) {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(format!("node {}", node.0)),
    }
}
