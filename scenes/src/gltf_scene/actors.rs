//! From nodes to actors.

use std::collections::HashMap;

use lodger_core::error::Quantity;
use lodger_core::units::UnitCost;
use lodger_gltf::raw::{Document, Node};
use lodger_gltf::{Index, PlacedNode, Purse};
use lodger_scheduler::{Actor, ActorId, ModuleId, Scene, SceneError};

use super::levels::{self, Ladder};
use super::mesh::Meshes;
use super::names::Names;
use super::shapes::{Shapes, Spheres};
use super::skin::Skins;
use super::space::Sphere;
use super::subtrees::Subtrees;
use crate::error::{Error, ErrorKind};
use crate::gltf_error::{GltfError, NodeError, SkinError};
use crate::limits::Limits;
use crate::memory::Memory;
use crate::number::{narrow, place};
use crate::place::Subject;
use crate::scene_file::{NamedActor, SceneFile};
use crate::unit::Unit;
use crate::warning::{Warning, WarningKind};
use crate::work::WorkError;

const MS_PER_NS: f64 = 1e-6;
/// The bytes of a group, in a table that grows to twice its length.
const GROUP: u64 = 256;
/// A list that grows to twice its length has the old one beside it while it is copied.
const GROWTH: usize = 3;

/// What actors are made from, and where they go.
pub(super) struct Stage<'a> {
    pub(super) file: &'a mut SceneFile,
    pub(super) document: &'a Document<'a>,
    pub(super) meshes: &'a Meshes<'a>,
    /// The nodes of the scene, by rising index.
    pub(super) nodes: &'a [PlacedNode],
    pub(super) module: ModuleId,
    pub(super) unit_cost: UnitCost,
    pub(super) limits: Limits,
    pub(super) memory: Memory<'a>,
    pub(super) purse: &'a Purse<'a>,
}

/// A node that is seen and has a mesh.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    placed: &'a PlacedNode,
    node: &'a Node<'a>,
    mesh: Index,
}

impl<'a> Stage<'a> {
    /// Spawns an actor for each node that is seen and has a mesh, for each of its instances, and for
    /// each group, by rising index of the nodes.
    pub(super) fn spawn_all(mut self) -> Result<(), Error> {
        let shapes = Shapes {
            meshes: self.meshes,
            skins: Skins::new(self.document, self.meshes, self.nodes),
        };
        let mut subtrees = Subtrees::new(self.document, self.meshes);
        let names = Names::new(self.document, self.wanted(), self.purse)?;
        // How many instances there are is known when they are read.
        let count = self.wanted().count();
        if !self.document.nodes.iter().any(|node| node.instancing().is_some()) {
            self.memory.reserve(self.file, self.module, count)?;
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
            let shape = shape.map_err(|error| in_node(placed.index, name(), error))?;
            if let Some(error) = shape.unskinned {
                self.warn_unskinned(Subject::File, placed.index, name(), error);
            }
            let made = match &shape.spheres {
                Spheres::One(_) => 1,
                Spheres::Instances(instances) => instances.len(),
            };
            self.purse.keep(GROUP)?;
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
        let ladder = match levels::of_group(self.document, subtrees, group) {
            Ok(ladder) => ladder,
            Err(error) => return Err(in_node(group, name, error)),
        };
        match Sphere::around(spheres) {
            Some(sphere) => self.spawn(group, name, &ladder, sphere),
            None if ladder.work.iter().all(|&triangles| triangles == 0) => Ok(()),
            None => Err(in_node(group, name, NodeError::NothingBelow)),
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
        let (ladder, shape) = match found {
            Ok(found) => found,
            Err(error) => return Err(in_node(placed.index, name, error)),
        };
        if let Some(error) = shape.unskinned {
            let subject = Subject::Actor(self.file.actors.len());
            self.warn_unskinned(subject, placed.index, name.clone(), error);
        }
        match shape.spheres {
            Spheres::One(sphere) => self.spawn(placed.index, name, &ladder, sphere)?,
            Spheres::Instances(spheres) => {
                for (instance, sphere) in spheres.into_iter().enumerate() {
                    let name = names.of_instance(&name, placed.index, instance);
                    self.spawn(placed.index, name, &ladder, sphere)?;
                }
            }
        }
        Ok(())
    }

    fn spawn(
        &mut self,
        node: Index,
        name: String,
        Ladder { work, source }: &Ladder,
        sphere: Sphere,
    ) -> Result<(), Error> {
        if !sphere.radius.is_finite() {
            return Err(in_node(node, name, NodeError::NoSphere));
        }
        let subject = Subject::Actor(self.file.actors.len());
        let shared = self.memory.actor(&name)?;
        self.memory.ladder(work.len(), work)?;
        let id = match spawn(&mut self.file.scene, self.module, work, sphere) {
            Ok(id) => id,
            Err(error) => return Err(self.refused(node, name, work, error)),
        };
        if !sphere.centre.is_finite() {
            let kind = WarningKind::NoPlace { name };
            self.file.warn(Warning::new(kind, subject), self.limits.warnings);
        }
        let (module, ladder) = (self.module, *source);
        self.file.actors.push(NamedActor { id, module, name: shared, ladder, file_levels: None });
        Ok(())
    }

    fn refused(&self, node: Index, name: String, work: &[u32], error: SceneError) -> Error {
        let unit_cost_ms = self.unit_cost.ns() * MS_PER_NS;
        let about_work = |refusal| WorkError::find(refusal, work, &Unit::Time, unit_cost_ms);
        if let Some(error) = error.refused().and_then(about_work) {
            return in_node(node, name, NodeError::Work(error));
        }
        let subject = Subject::Actor(self.file.actors.len());
        Error::refused(subject, format!("actor `{name}`"), error)
    }

    fn warn_unskinned(&mut self, subject: Subject, node: Index, name: String, error: SkinError) {
        let kind = WarningKind::NotSkinned { node: node.get(), name, error };
        self.file.warn(Warning::new(kind, subject), self.limits.warnings);
    }
}

fn in_node(node: Index, name: String, error: NodeError) -> Error {
    let index = node.get();
    Error::of_file(ErrorKind::Gltf(GltfError::Node { index, name, error }))
}

fn spawn(
    scene: &mut Scene<f32>,
    module: ModuleId,
    work: &[u32],
    sphere: Sphere,
) -> Result<ActorId, SceneError> {
    let radius = narrow(sphere.radius, Quantity::Radius)?;
    scene.spawn(module, Actor::seen(place(sphere.centre.to_array())?, radius, work))
}
