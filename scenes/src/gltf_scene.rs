//! Scenes in glTF: every node with a mesh is an actor whose work is triangles.
//!
//! Only the JSON part is used and nothing in it is trusted: every index is looked up, nothing is
//! followed recursively, and buffers, images and materials are never touched.

mod document;
mod levels;
mod mesh;
mod names;
mod nodes;

#[cfg(test)]
mod tests;

use gltf::json::Root;
use lodger_core::error::Quantity;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::{Actor, ActorId, Module, ModuleId, Scene, SceneError, View};

use crate::error::{Error, ErrorKind};
use crate::gltf_error::{GltfError, MeshError, NodeError};
use crate::limits::Limits;
use crate::number::{narrow, place};
use crate::place::Subject;
use crate::scene_file::{NamedActor, NamedModule, SceneFile};
use crate::settings::Settings;
use crate::text::check_length;
use crate::warning::{Warning, WarningKind};
use crate::work::WorkError;
use mesh::{MeshFacts, Sphere};
use nodes::PlacedNode;

/// The one module of a glTF scene.
const MODULE: &str = "triangles";
/// 16.6 ms.
const BUDGET: Budget = Budget::from_ns(16_600_000);
/// 1 ns, in 2⁻³² ns.
const UNIT_COST: UnitCost = UnitCost::from_bits(1 << 32).expect("it is above 0");
/// 1 ms.
const BENEFIT_VALUE: BenefitValue = BenefitValue::from_ns(1_000_000);
const MS_PER_NS: f64 = 1e-6;

impl SceneFile {
    /// Reads a .glb or .gltf file: every node with a mesh is an actor of one module, whose unit of work
    /// is a triangle. Its levels are those of `MSFT_lod`, else shares of its triangles. The scene is
    /// seen from its first camera.
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`], [`ErrorKind::Gltf`], [`ErrorKind::NoCamera`], and
    /// [`ErrorKind::Refused`] for a node or camera that is beyond what a scene computes with.
    ///
    /// # Examples
    /// ```
    /// use lodger_scenes::{Limits, SceneFile, Settings};
    ///
    /// let empty = br#"{"asset": {"version": "2.0"}}"#;
    /// let file = SceneFile::from_gltf(empty, &Settings::default(), Limits::default())?;
    /// assert_eq!(file.modules[0].name, "triangles");
    /// assert!(file.scene.is_empty());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_gltf(bytes: &[u8], settings: &Settings, limits: Limits) -> Result<Self, Error> {
        check_length(bytes, limits)?;
        let of_file = |error| Error::of_file(ErrorKind::Gltf(error));
        let root = document::parse(bytes).map_err(of_file)?;
        let nodes = nodes::place(&root).map_err(of_file)?;
        let mut file = Self::new(Scene::new(settings.budget.unwrap_or(BUDGET)));
        let unit_cost = settings.unit_cost.unwrap_or(UNIT_COST);
        let module =
            Module::new(MODULE, unit_cost, settings.benefit_value.unwrap_or(BENEFIT_VALUE));
        let id = file.scene.add_module(module).map_err(|error| {
            Error::refused(Subject::Module(0), format!("module `{MODULE}`"), error)
        })?;
        file.modules.push(NamedModule { id, name: MODULE.to_owned() });
        spawn_all(&mut file, &root, &nodes, (id, unit_cost), limits)?;
        match settings.view.map_or_else(|| camera(&root, &nodes), |view| Ok(Some(view)))? {
            Some(view) => drop(file.scene.add_view(view).map_err(view_refused)?),
            None if file.actors.is_empty() => {}
            None => return Err(Error::of_file(ErrorKind::NoCamera)),
        }
        Ok(file)
    }
}

fn view_refused(error: SceneError) -> Error {
    Error::refused(Subject::View(0), "view 1".to_owned(), error).about("eye")
}

/// The view of the first camera.
fn camera(root: &Root, nodes: &[PlacedNode]) -> Result<Option<View<f32>>, Error> {
    let view = nodes::first_camera(root, nodes).map(|eye| place(eye).and_then(View::eye));
    view.transpose().map_err(|error| view_refused(error.into()))
}

fn spawn_all(
    file: &mut SceneFile,
    root: &Root,
    nodes: &[PlacedNode],
    (module, unit_cost): (ModuleId, UnitCost),
    limits: Limits,
) -> Result<(), Error> {
    let meshes: Vec<_> = (0..root.meshes.len()).map(|m| MeshFacts::of(root, m)).collect();
    let drawn: Vec<_> = nodes
        .iter()
        .filter_map(|node| Some((node, root.nodes.get(node.index)?.mesh?.value())))
        .collect();
    let names = names::unique(root, drawn.iter().map(|(node, mesh)| (node.index, *mesh)));
    for (number, ((node, mesh), name)) in drawn.into_iter().zip(names).enumerate() {
        let subject = Subject::Actor(number);
        let in_node = |name: &str, error| {
            let index = node.index;
            Error::of_file(ErrorKind::Gltf(GltfError::Node { index, name: name.to_owned(), error }))
        };
        let (work, sphere) =
            look_at(root, &meshes, node, mesh).map_err(|error| in_node(&name, error))?;
        let spawned = spawn(&mut file.scene, module, &work, sphere);
        let id = spawned.map_err(|error| {
            let unit_cost_ms = unit_cost.ns() * MS_PER_NS;
            let about_work = |refusal| WorkError::find(refusal, &work, unit_cost_ms);
            match error.refused().and_then(about_work) {
                Some(error) => in_node(&name, NodeError::Work(error)),
                None => Error::refused(subject, format!("actor `{name}`"), error),
            }
        })?;
        if !sphere.centre.is_finite() {
            let kind = WarningKind::NoPlace { name: name.clone() };
            file.warn(Warning::new(kind, subject), limits.warnings);
        }
        file.actors.push(NamedActor { id, module, name });
    }
    Ok(())
}

/// The levels of a node, and what is around it.
fn look_at(
    root: &Root,
    meshes: &[Result<MeshFacts, MeshError>],
    node: &PlacedNode,
    mesh: usize,
) -> Result<(Vec<u32>, Sphere), NodeError> {
    let facts = mesh::look_up(meshes, mesh)?;
    let work = levels::work(root, meshes, node.index, facts)?;
    let sphere = facts.sphere_under(&node.world);
    if sphere.radius.is_finite() { Ok((work, sphere)) } else { Err(NodeError::NoSphere) }
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
