//! Names, spheres and levels of actors.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use lodger_core::error::Quantity;
use lodger_core::units::UnitCost;
use lodger_gltf::raw::{Document, RawNode};
use lodger_gltf::{FileQuota, Index, LevelIds, MAX_LEVELS, PlacedNode, ellipsized};
use lodger_scheduler::{Actor, ModuleId};

use super::mesh::{MeshCache, MeshSphere, too_many_triangles};
use super::shapes::{Skins, SphereCache, Spheres, instance_count};
use crate::builder::{ActorLevels, Builder};
use crate::error::{SceneFileError, Warning};
use crate::numbers::{CostUnit, narrow, place, refused_work};
use crate::scene_file::{ASSUMED_SHARES, LadderSource};
use crate::spans::Subject;

const MS_PER_NS: f64 = 1e-6;
/// A list that doubles exists twice while it is copied.
const GROWTH: usize = 3;

pub(super) struct Spawner<'a, 'b> {
    pub(super) builder: &'b mut Builder<'a>,
    pub(super) document: &'a Document<'a>,
    pub(super) meshes: &'a MeshCache<'a>,
    /// Nodes by rising index.
    pub(super) nodes: &'a [PlacedNode],
    pub(super) module: ModuleId,
    pub(super) unit_cost: UnitCost,
    pub(super) file_quota: &'a FileQuota<'a>,
}

/// A visible node with a mesh.
#[derive(Clone, Copy)]
struct MeshNode<'a> {
    placed: &'a PlacedNode,
    node: &'a RawNode<'a>,
    mesh: Index,
}

impl<'a> Spawner<'a, '_> {
    /// Spawns actors of visible nodes with meshes, of their instances, and of groups, by rising index.
    pub(super) fn spawn_all(mut self) -> Result<(), SceneFileError> {
        let shapes = SphereCache {
            meshes: self.meshes,
            skins: Skins::new(self.document, self.meshes, self.nodes),
        };
        let mut subtrees = Subtrees::new(self.document, self.meshes);
        let names = Names::new(self.document, self.actor_nodes());
        // The number of instances is known only after they are read.
        let count = self.actor_nodes().count();
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
                    if let Some(mesh_node) = self.mesh_node(placed) {
                        self.spawn_node(mesh_node, &shapes, &mut subtrees, &names)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn actor_nodes(&self) -> impl Iterator<Item = Index> + Clone {
        let nodes: &'a [PlacedNode] = self.nodes;
        let is_actor = |placed: &&'a PlacedNode| match placed.group {
            Some(group) => group == placed.index,
            None => self.mesh_node(placed).is_some(),
        };
        nodes.iter().filter(|placed| !placed.is_hidden).filter(is_actor).map(|node| node.index)
    }

    fn mesh_node(&self, placed: &'a PlacedNode) -> Option<MeshNode<'a>> {
        let node = self.document.nodes.get(placed.index.get())?;
        Some(MeshNode { placed, node, mesh: node.mesh? })
    }

    fn groups(
        &mut self,
        shapes: &SphereCache<'_>,
        names: &Names<'_>,
    ) -> Result<HashMap<Index, Vec<MeshSphere>>, SceneFileError> {
        let mut groups: HashMap<Index, Vec<MeshSphere>> = HashMap::new();
        for placed in self.nodes.iter().filter(|placed| !placed.is_hidden) {
            let (Some(group), Some(mesh_node)) = (placed.group, self.mesh_node(placed)) else {
                continue;
            };
            let name = || names.of_node(placed.index);
            let shape = shapes.of(placed, mesh_node.node, mesh_node.mesh);
            let shape = shape.map_err(|error| in_node(placed.index, &name(), &error))?;
            if let Some(error) = shape.unskinned {
                self.warn_unskinned(Subject::File, placed.index, &name(), &error);
            }
            let made = match &shape.spheres {
                Spheres::One(_) => 1,
                Spheres::Instances(instances) => instances.len(),
            };
            self.file_quota.charge_array::<[MeshSphere; GROWTH]>(made)?;
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
        spheres: &[MeshSphere],
        subtrees: &mut Subtrees<'_>,
        names: &Names<'_>,
    ) -> Result<(), SceneFileError> {
        let name = names.of_node(group);
        let ladder = ladder_of_group(self.document, subtrees, group);
        let ladder = ladder.map_err(|error| in_node(group, &name, &error))?;
        match MeshSphere::around(spheres) {
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
        MeshNode { placed, node, mesh }: MeshNode<'_>,
        shapes: &SphereCache<'_>,
        subtrees: &mut Subtrees<'_>,
        names: &Names<'_>,
    ) -> Result<(), SceneFileError> {
        let name = names.of_node(placed.index);
        let found = ladder_of_mesh(self.document, subtrees, node, mesh)
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
        TriangleLadder { work, source }: &TriangleLadder,
        sphere: MeshSphere,
    ) -> Result<(), SceneFileError> {
        if !sphere.radius.is_finite() {
            let why = "its bounding sphere is not finite: see its mesh and its scale";
            return Err(in_node(node, name, why));
        }
        let subject = self.next_actor();
        let shared = self.builder.actor_name(name)?;
        let actor = narrow(sphere.radius, Quantity::Radius)
            .and_then(|radius| Ok(Actor::at(place(sphere.centre.to_array())?, radius, work)));
        let levels =
            ActorLevels { work, qualities: None, range: None, source: *source, in_file: None };
        let unit_cost_ms = self.unit_cost.ns() * MS_PER_NS;
        self.builder.spawn(self.module, shared, actor, levels, |_, error| {
            let about_work = |refusal| refused_work(refusal, work, &CostUnit::Time, unit_cost_ms);
            match error.value_error().and_then(about_work) {
                Some(error) => in_node(node, name, &format!("its work {error}")),
                None => SceneFileError::refused(subject, format_args!("actor `{name}`"), error),
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

fn in_node(node: Index, name: &str, error: &str) -> SceneFileError {
    SceneFileError::for_file(format!("node {} `{name}`: {error}", node.get()))
}

/// Unique names of actors, copied on access.
struct Names<'a> {
    document: &'a Document<'a>,
    /// Sorted hashes of nodes' base names. A collision only adds a suffix that is not needed.
    hashes: Vec<u64>,
}

impl<'a> Names<'a> {
    fn new(document: &'a Document<'a>, nodes: impl Iterator<Item = Index> + Clone) -> Self {
        let mut hashes = Vec::with_capacity(nodes.clone().count());
        hashes.extend(nodes.map(|node| hash(&base_name(document, node))));
        hashes.sort_unstable();
        Self { document, hashes }
    }

    /// Returns the name of the node, else of its mesh, else `node N`; equal names get the suffix `#` and the node's
    /// index.
    fn of_node(&self, node: Index) -> String {
        let name = base_name(self.document, node);
        if self.count(&name) > 1 { self.unique(name.into_owned(), node) } else { name.into_owned() }
    }

    fn of_instance(&self, of_node: &str, node: Index, instance: usize) -> String {
        self.unique(format!("{of_node}[{instance}]"), node)
    }

    /// Adds suffixes of the node until no node has the name. No other node adds the same suffix.
    fn unique(&self, mut name: String, node: Index) -> String {
        while self.count(&name) > 0 {
            name = format!("{name}#{}", node.0);
        }
        name
    }

    /// The number of nodes with a base name, at most 2.
    fn count(&self, name: &str) -> usize {
        let hash = hash(name);
        let below = self.hashes.partition_point(|&other| other < hash);
        self.hashes[below..].iter().take(2).filter(|&&other| other == hash).count()
    }
}

/// A hash that is equal on every machine.
fn hash(name: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(name)
}

fn base_name<'a>(document: &'a Document<'a>, node: Index) -> Cow<'a, str> {
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

#[derive(Debug)]
struct TriangleLadder {
    work: Vec<u32>,
    source: LadderSource,
}

/// The ladder of a mesh. Each lower level counts its node and all descendants; descendants of the node itself are
/// actors of their own.
fn ladder_of_mesh(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    node: &RawNode<'_>,
    mesh: Index,
) -> Result<TriangleLadder, String> {
    let triangles = subtrees.mesh(mesh)?;
    match lower_levels(node)? {
        Some(ids) if ids.count() > 0 => ladder_of_levels(document, subtrees, ids, triangles),
        _ => {
            let work = ASSUMED_SHARES.map(|share| share_of(triangles, share.into())).into();
            Ok(TriangleLadder { work, source: LadderSource::Assumed })
        }
    }
}

/// The ladder of a group: each level, and the node itself, counts all descendants.
fn ladder_of_group(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    group: Index,
) -> Result<TriangleLadder, String> {
    let highest = subtree_triangles(subtrees, group)?;
    match document.nodes.get(group.get()).map_or(Ok(None), lower_levels)? {
        Some(ids) => ladder_of_levels(document, subtrees, ids, highest),
        None => Ok(TriangleLadder { work: vec![highest], source: LadderSource::File }),
    }
}

fn subtree_triangles(subtrees: &mut Subtrees<'_>, node: Index) -> Result<u32, String> {
    let triangles = subtrees.triangles(node)?;
    u32::try_from(triangles).map_err(|_| too_many_triangles(triangles))
}

/// The ladder of a node and its lower levels; `MSFT_lod` lists these from the highest on.
fn ladder_of_levels(
    document: &Document<'_>,
    subtrees: &mut Subtrees<'_>,
    ids: &LevelIds,
    highest: u32,
) -> Result<TriangleLadder, String> {
    let nodes = ids.0.as_deref().unwrap_or_default();
    let mut work = Vec::with_capacity(nodes.len() + 1);
    for (at, &node) in nodes.iter().enumerate().rev() {
        if let Some(other) = ids.other(at) {
            return Err(no_such_level(other));
        }
        if node.get() >= document.nodes.len() {
            return Err(no_such_level(&node.0.to_string()));
        }
        work.push(subtree_triangles(subtrees, node)?);
    }
    work.push(highest);
    Ok(TriangleLadder { work, source: LadderSource::File })
}

fn no_such_level(id: &str) -> String {
    format!("MSFT_lod lists node {id}, but there is no such node")
}

fn lower_levels<'n>(node: &'n RawNode<'_>) -> Result<Option<&'n LevelIds>, String> {
    let Some(lod) = node.lod() else { return Ok(None) };
    if lod.ids.0.is_none() {
        return Err("MSFT_lod has no array `ids`".to_owned());
    }
    if lod.ids.count() >= MAX_LEVELS {
        let levels = lod.ids.count() + 1;
        return Err(format!("MSFT_lod lists {levels} LODs, but at most 256 are possible"));
    }
    Ok(Some(&lod.ids))
}

fn share_of(triangles: u32, thousandths: u64) -> u32 {
    let share = (u64::from(triangles) * thousandths).div_ceil(1000);
    u32::try_from(share).unwrap_or(triangles)
}

/// Triangles of whole trees of nodes. Levels may share trees; each is counted once.
struct Subtrees<'a> {
    document: &'a Document<'a>,
    meshes: &'a MeshCache<'a>,
    /// Triangles of counted trees; `None` while a tree is counted.
    counted: HashMap<Index, Option<u64>>,
}

/// Bytes of a counted node, in a table and in a list that double.
const COUNTED_NODE: u64 = 224;

struct OpenNode<'a> {
    index: Index,
    children: &'a [Index],
    triangles: u64,
}

impl<'a> Subtrees<'a> {
    fn new(document: &'a Document<'a>, meshes: &'a MeshCache<'a>) -> Self {
        Self { document, meshes, counted: HashMap::new() }
    }

    fn mesh(&self, mesh: Index) -> Result<u32, String> {
        self.meshes.triangles(mesh)
    }

    /// The triangles of a node and its visible descendants, with repetitions. The depth is not limited.
    fn triangles(&mut self, root: Index) -> Result<u64, String> {
        let mut open: Vec<OpenNode<'a>> = Vec::new();
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
            // Add counted nodes to their parents, up to a child that is not counted yet.
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

    fn open(&self, index: Index) -> Result<OpenNode<'a>, String> {
        self.meshes
            .data
            .file_quota
            .charge(COUNTED_NODE)
            .map_err(|exceeded| exceeded.to_string())?;
        let node = self.document.nodes.get(index.get()).ok_or_else(|| {
            format!("node {} is below one of its levels, but there is no such node", index.get())
        })?;
        if node.is_hidden() {
            return Ok(OpenNode { index, children: &[], triangles: 0 });
        }
        Ok(OpenNode { index, children: &node.children, triangles: self.own(node)? })
    }

    /// The triangles of a node alone, in all its instances.
    fn own(&self, node: &RawNode<'_>) -> Result<u64, String> {
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
