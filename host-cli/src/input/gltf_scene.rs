//! Reads a glTF scene: every node with a mesh is an actor whose work is triangles.
//!
//! Only the JSON part is used and nothing in it is trusted: every index is looked up, nothing is
//! followed recursively, and buffers, images and materials are never touched.

mod document;
mod levels;
mod mesh;
mod names;
mod nodes;

use gltf::json::Root;

use super::{Loaded, ladder};
use crate::scene::{
    ActorDescription, BenefitSource, DistanceImportance, ModuleDescription, Overrides,
    SceneDescription, Weights,
};
use lodger_terminal::Source;
use lodger_terminal::{Diagnostic, Severity};
use mesh::MeshFacts;
use nodes::PlacedNode;

const DEFAULT_BUDGET_MS: f64 = 16.6;
const DEFAULT_UNIT_COST_NS: f64 = 1.0;
const DEFAULT_BENEFIT_VALUE: f64 = 1.0;
const MS_PER_NS: f64 = 1e-6;

/// What a glTF scene does not say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GltfConstants {
    /// Nanoseconds per triangle, from `--unit-cost-ns`.
    pub(crate) unit_cost_ns: Option<f64>,
    /// Milliseconds per unit of benefit, from `--benefit-value`.
    pub(crate) benefit_value: Option<f64>,
}

impl GltfConstants {
    /// Refuses constants for a scene that has its own.
    pub(super) fn refuse_for(self, name: &str) -> Result<(), Diagnostic> {
        let (option, key) = match (self.unit_cost_ns, self.benefit_value) {
            (Some(_), _) => ("--unit-cost-ns", "unit_cost_ms"),
            (None, Some(_)) => ("--benefit-value", "benefit_value"),
            (None, None) => return Ok(()),
        };
        Err(Diagnostic::error(format!("{option} is for glTF scenes, but `{name}` is TOML"))
            .help(format!("set `{key}` in each [[module]] instead")))
    }

    fn module(self) -> ModuleDescription {
        ModuleDescription {
            name: "triangles".to_owned(),
            unit_cost_ms: self.unit_cost_ns.unwrap_or(DEFAULT_UNIT_COST_NS) * MS_PER_NS,
            benefit_value: self.benefit_value.unwrap_or(DEFAULT_BENEFIT_VALUE),
            enabled: true,
            continuous: false,
            distance_importance: DistanceImportance::SolidAngle,
            weights: Weights::DISTANCE_ONLY,
            bias: 0.0,
            max_distance: None,
            max_age: None,
            max_speed: None,
        }
    }
}

/// Reads a scene from the bytes of a file.
pub(super) fn read(
    name: String,
    bytes: &[u8],
    constants: GltfConstants,
    overrides: Overrides,
) -> Result<Loaded, Diagnostic> {
    let source = Source { name, text: None };
    let in_file = |message: String| Diagnostic::error(message).in_source(&source);
    let root = document::parse(bytes).map_err(in_file)?;
    let nodes = nodes::place(&root).map_err(in_file)?;
    let module = constants.module();
    let actors = actors(&root, &nodes, module.unit_cost_ms).map_err(in_file)?;
    let eye = overrides.eye.or_else(|| nodes::first_camera(&root, &nodes));
    if eye.is_none() && !actors.is_empty() {
        return Err(in_file("the scene has no camera to see its nodes from".to_owned())
            .help("give the place of the eye in metres: --eye X,Y,Z"));
    }
    let remarks = remarks(&actors, &source);
    let scene = SceneDescription {
        budget_ms: overrides.budget_ms.unwrap_or(DEFAULT_BUDGET_MS),
        count_unmanaged: true,
        views: eye.into_iter().collect(),
        modules: vec![module],
        actors,
        source,
        overrides,
    };
    Ok((scene, remarks))
}

fn actors(
    root: &Root,
    nodes: &[PlacedNode],
    unit_cost_ms: f64,
) -> Result<Vec<ActorDescription>, String> {
    let meshes: Vec<_> = (0..root.meshes.len()).map(|m| MeshFacts::of(root, m)).collect();
    let drawn: Vec<_> = nodes
        .iter()
        .filter_map(|node| Some((node, root.nodes.get(node.index)?.mesh?.value())))
        .collect();
    let names = names::unique(root, drawn.iter().map(|(node, mesh)| (node.index, *mesh)));
    let mut actors = Vec::with_capacity(drawn.len());
    for ((node, mesh), name) in drawn.into_iter().zip(names) {
        let actor = actor(root, &meshes, node, mesh, unit_cost_ms, name.clone())
            .map_err(|message| format!("node {} `{name}`: {message}", node.index))?;
        actors.push(actor);
    }
    Ok(actors)
}

fn actor(
    root: &Root,
    meshes: &[Result<MeshFacts, String>],
    node: &PlacedNode,
    mesh: usize,
    unit_cost_ms: f64,
    name: String,
) -> Result<ActorDescription, String> {
    let facts = mesh::look_up(meshes, mesh)?;
    let work = levels::work(root, meshes, node.index, facts)?;
    ladder::check(&work, unit_cost_ms).map_err(|message| format!("its work {message}"))?;
    let sphere = facts.sphere_under(&node.world);
    if !sphere.radius.is_finite() {
        return Err("its bounding sphere is not finite: see its mesh and its scale".to_owned());
    }
    Ok(ActorDescription {
        name,
        module: 0,
        benefit: BenefitSource::Observed {
            position: sphere.centre.to_array(),
            radius: sphere.radius,
            age: 0.0,
            speed: 0.0,
        },
        work,
        lod_range: None,
        force_lod: None,
    })
}

fn remarks(actors: &[ActorDescription], source: &Source) -> Vec<Diagnostic> {
    let lost = |actor: &&ActorDescription| match actor.benefit {
        BenefitSource::Observed { position, .. } => !position.iter().all(|c| c.is_finite()),
        BenefitSource::Given(_) => false,
    };
    let warn = |actor: &ActorDescription| {
        let message = format!(
            "the position of `{}` is not finite: the actor is quarantined at its lowest LOD",
            actor.name
        );
        Diagnostic::new(Severity::Warning, message).in_source(source)
    };
    let mut lost_actors = actors.iter().filter(lost);
    let mut remarks: Vec<_> = lost_actors.by_ref().take(super::MOST_WARNINGS).map(warn).collect();
    let unsaid = lost_actors.count();
    if unsaid > 0 {
        remarks.push(super::unsaid_warnings(unsaid, source));
    }
    remarks
}
