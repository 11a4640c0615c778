//! Names for actors that come from nodes.

use std::borrow::Cow;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use lodger_allowance::Spent;
use lodger_gltf::raw::Document;
use lodger_gltf::{Index, Purse};

use lodger_gltf::clipped;

/// The names of actors: unique, and not copied until one is given away.
pub(super) struct Names<'a> {
    document: &'a Document<'a>,
    /// The hashes of the names that nodes want, in order. Where two names have the same one, a name is told
    /// apart that need not be.
    wanted: Vec<u64>,
}

impl<'a> Names<'a> {
    /// Names for these nodes and no others.
    pub(super) fn new(
        document: &'a Document<'a>,
        nodes: impl Iterator<Item = Index> + Clone,
        purse: &Purse<'_>,
    ) -> Result<Self, Spent> {
        let count = nodes.clone().count();
        purse.keep_all::<u64>(count)?;
        let mut wanted = Vec::with_capacity(count);
        wanted.extend(nodes.map(|node| hash(&wanted_by(document, node))));
        wanted.sort_unstable();
        Ok(Self { document, wanted })
    }

    /// The node's own name, else that of its mesh, else `node N`. Where several would be equal, each
    /// has its node's index behind a `#`.
    pub(super) fn of_node(&self, node: Index) -> String {
        let name = wanted_by(self.document, node);
        if self.wanting(&name) > 1 {
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
        while self.wanting(&name) > 0 {
            name = format!("{name}#{}", node.0);
        }
        name
    }

    /// How many nodes want a name, 2 for several.
    fn wanting(&self, name: &str) -> usize {
        let hash = hash(name);
        let below = self.wanted.partition_point(|&other| other < hash);
        self.wanted[below..].iter().take(2).filter(|&&other| other == hash).count()
    }
}

/// The same on every machine.
fn hash(name: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(name)
}

fn wanted_by<'a>(document: &'a Document<'a>, node: Index) -> Cow<'a, str> {
    let of_node = document.nodes.get(node.get());
    let of_mesh = of_node
        .and_then(|node| document.meshes.get(node.mesh?.get()))
        .and_then(|mesh| mesh.name.get());
    let own = of_node.and_then(|node| node.name.get());
    let mut names = [own, of_mesh].into_iter().flatten();
    match names.find(|name| !name.is_empty()) {
        Some(name) => clipped(name),
        None => Cow::Owned(format!("node {}", node.0)),
    }
}
