//! From nodes to actors: which there are, and their names.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use lodger_core::error::Quantity;
use lodger_core::units::UnitCost;
use lodger_gltf::raw::{Document, Node};
use lodger_gltf::{Index, PlacedNode, Purse, ellipsized};
use lodger_scheduler::{Actor, ModuleId};

use super::levels::{self, Ladder, Subtrees};
use super::mesh::{Meshes, Sphere};
use super::shapes::{Shapes, Skins, Spheres};
use crate::builder::{Builder, Levels};
use crate::error::{Error, Warning};
use crate::numbers::{narrow, place, refused_work};
use crate::place::Subject;
use crate::unit::Unit;

const MS_PER_NS: f64 = 1e-6;
/// A list that grows to twice its length has the old one beside it while it is copied.
const GROWTH: usize = 3;

/// Spawns the actors of a document into a builder.
pub(super) struct Spawner<'a, 'b> {
    pub(super) builder: &'b mut Builder<'a>,
    pub(super) document: &'a Document<'a>,
    pub(super) meshes: &'a Meshes<'a>,
    /// The nodes of the scene, by rising index.
    pub(super) nodes: &'a [PlacedNode],
    pub(super) module: ModuleId,
    pub(super) unit_cost: UnitCost,
    pub(super) purse: &'a Purse<'a>,
}

/// A node that is seen and has a mesh.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    placed: &'a PlacedNode,
    node: &'a Node<'a>,
    mesh: Index,
}

impl<'a> Spawner<'a, '_> {
    /// Spawns an actor for each node that is seen and has a mesh, for each of its instances, and for
    /// each group, by rising index of the nodes.
    pub(super) fn spawn_all(mut self) -> Result<(), Error> {
        let shapes = Shapes {
            meshes: self.meshes,
            skins: Skins::new(self.document, self.meshes, self.nodes),
        };
        let mut subtrees = Subtrees::new(self.document, self.meshes);
        let names = Names::new(self.document, self.wanted());
        // How many instances there are is known when they are read.
        let count = self.wanted().count();
        if !self.document.nodes.iter().any(|node| node.instancing().is_some()) {
            self.builder.reserve(self.module, count)?;
        }
        let mut groups = self.groups(&shapes, &names)?;
        for placed in self.nodes.iter().filter(|placed| !placed.is_hidden) {
            match placed.group {
                Some(group) if group == placed.index => {
                    let spheres = groups.remove(&group).unwrap_or_default();
                    self.spawn_group(group, &spheres, &mut subtrees, &names)?;
                }
                Some(_) => {}
                None => {
                    if let Some(drawn) = self.drawn(placed) {
                        self.spawn_node(drawn, &shapes, &mut subtrees, &names)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The nodes that actors are named after.
    fn wanted(&self) -> impl Iterator<Item = Index> + Clone {
        let nodes: &'a [PlacedNode] = self.nodes;
        let is_actor = |placed: &&'a PlacedNode| match placed.group {
            Some(group) => group == placed.index,
            None => self.drawn(placed).is_some(),
        };
        nodes.iter().filter(|placed| !placed.is_hidden).filter(is_actor).map(|node| node.index)
    }

    fn drawn(&self, placed: &'a PlacedNode) -> Option<Drawn<'a>> {
        let node = self.document.nodes.get(placed.index.get())?;
        Some(Drawn { placed, node, mesh: node.mesh? })
    }

    /// The spheres of all that is seen below each group.
    fn groups(
        &mut self,
        shapes: &Shapes<'_>,
        names: &Names<'_>,
    ) -> Result<HashMap<Index, Vec<Sphere>>, Error> {
        let mut groups: HashMap<Index, Vec<Sphere>> = HashMap::new();
        for placed in self.nodes.iter().filter(|placed| !placed.is_hidden) {
            let (Some(group), Some(drawn)) = (placed.group, self.drawn(placed)) else { continue };
            let name = || names.of_node(placed.index);
            let shape = shapes.of(placed, drawn.node, drawn.mesh);
            let shape = shape.map_err(|error| in_node(placed.index, &name(), &error))?;
            if let Some(error) = shape.unskinned {
                self.warn_unskinned(Subject::File, placed.index, &name(), &error);
            }
            let made = match &shape.spheres {
                Spheres::One(_) => 1,
                Spheres::Instances(instances) => instances.len(),
            };
            self.purse.keep_all::<[Sphere; GROWTH]>(made)?;
            let spheres = groups.entry(group).or_default();
            match shape.spheres {
                Spheres::One(sphere) => spheres.push(sphere),
                Spheres::Instances(instances) => spheres.extend(instances),
            }
        }
        Ok(groups)
    }

    fn spawn_group(
        &mut self,
        group: Index,
        spheres: &[Sphere],
        subtrees: &mut Subtrees<'_>,
        names: &Names<'_>,
    ) -> Result<(), Error> {
        let name = names.of_node(group);
        let ladder = levels::of_group(self.document, subtrees, group);
        let ladder = ladder.map_err(|error| in_node(group, &name, &error))?;
        match Sphere::around(spheres) {
            Some(sphere) => self.spawn(group, &name, &ladder, sphere),
            None if ladder.work.iter().all(|&triangles| triangles == 0) => Ok(()),
            None => {
                let why = "it has lower LODs, but nothing to be seen at its highest, which is all below it";
                Err(in_node(group, &name, why))
            }
        }
    }

    fn spawn_node(
        &mut self,
        Drawn { placed, node, mesh }: Drawn<'_>,
        shapes: &Shapes<'_>,
        subtrees: &mut Subtrees<'_>,
        names: &Names<'_>,
    ) -> Result<(), Error> {
        let name = names.of_node(placed.index);
        let found = levels::of_mesh(self.document, subtrees, node, mesh)
            .and_then(|ladder| Ok((ladder, shapes.of(placed, node, mesh)?)));
        let (ladder, shape) = found.map_err(|error| in_node(placed.index, &name, &error))?;
        if let Some(error) = shape.unskinned {
            self.warn_unskinned(self.next_actor(), placed.index, &name, &error);
        }
        match shape.spheres {
            Spheres::One(sphere) => self.spawn(placed.index, &name, &ladder, sphere)?,
            Spheres::Instances(spheres) => {
                for (instance, sphere) in spheres.into_iter().enumerate() {
                    let name = names.of_instance(&name, placed.index, instance);
                    self.spawn(placed.index, &name, &ladder, sphere)?;
                }
            }
        }
        Ok(())
    }

    fn next_actor(&self) -> Subject {
        Subject::Actor(self.builder.file.actors.len())
    }

    fn spawn(
        &mut self,
        node: Index,
        name: &str,
        Ladder { work, source }: &Ladder,
        sphere: Sphere,
    ) -> Result<(), Error> {
        if !sphere.radius.is_finite() {
            let why = "its bounding sphere is not finite: see its mesh and its scale";
            return Err(in_node(node, name, why));
        }
        let subject = self.next_actor();
        let shared = self.builder.actor_name(name)?;
        let actor = narrow(sphere.radius, Quantity::Radius)
            .and_then(|radius| Ok(Actor::seen(place(sphere.centre.to_array())?, radius, work)));
        let levels = Levels { work, qualities: None, range: None, source: *source, in_file: None };
        let unit_cost_ms = self.unit_cost.ns() * MS_PER_NS;
        self.builder.spawn(self.module, shared, actor, levels, |_, error| {
            let about_work = |refusal| refused_work(refusal, work, &Unit::Time, unit_cost_ms);
            match error.refused().and_then(about_work) {
                Some(error) => in_node(node, name, &format!("its work {error}")),
                None => Error::refused(subject, format_args!("actor `{name}`"), error),
            }
        })?;
        if !sphere.centre.is_finite() {
            self.builder.warn(Warning::no_place(name, subject));
        }
        Ok(())
    }

    fn warn_unskinned(&mut self, subject: Subject, node: Index, name: &str, error: &str) {
        let node = node.get();
        let place = "stands where its mesh does without one";
        let message = format!("node {node} `{name}` has a skin, but {place}: {error}");
        self.builder.warn(Warning::new(message, subject));
    }
}

fn in_node(node: Index, name: &str, error: &str) -> Error {
    Error::of_file(format!("node {} `{name}`: {error}", node.get()))
}

/// The names of actors: unique, and not copied until one is given away.
struct Names<'a> {
    document: &'a Document<'a>,
    /// The hashes of the names that nodes want, in order. Where two names have the same one, a name is told
    /// apart that need not be.
    wanted: Vec<u64>,
}

impl<'a> Names<'a> {
    /// Names for these nodes and no others.
    fn new(document: &'a Document<'a>, nodes: impl Iterator<Item = Index> + Clone) -> Self {
        let mut wanted = Vec::with_capacity(nodes.clone().count());
        wanted.extend(nodes.map(|node| hash(&wanted_by(document, node))));
        wanted.sort_unstable();
        Self { document, wanted }
    }

    /// The node's own name, else that of its mesh, else `node N`. Where several would be equal, each
    /// has its node's index behind a `#`.
    fn of_node(&self, node: Index) -> String {
        let name = wanted_by(self.document, node);
        if self.wanting(&name) > 1 {
            self.apart(name.into_owned(), node)
        } else {
            name.into_owned()
        }
    }

    /// The name of an instance of a node: `node[i]`.
    fn of_instance(&self, of_node: &str, node: Index, instance: usize) -> String {
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
        Some(name) => ellipsized(name),
        None => Cow::Owned(format!("node {}", node.0)),
    }
}
