//! Scenes in glTF: every node with a mesh is an actor whose work is triangles.
//!
//! Only what is needed is looked at: anything else, broken or not, is skipped. Nothing is trusted: every
//! index is looked up, nothing is followed recursively, and buffers are read where something is to be
//! measured.

mod actors;
mod levels;
mod mesh;
mod shapes;

#[cfg(test)]
mod tests;

use std::io;

use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_gltf::raw::Document;
use lodger_gltf::{
    Buffers, Data, GltfFileError, Outside, PlacedNode, Purse, Text, ellipsized, first_camera,
};
use lodger_quota::Quota;
use lodger_scheduler::{Module, View};

use crate::builder::{Builder, refused_view};
use crate::error::{Error, Warning};
use crate::numbers::place;
use crate::place::Subject;
use crate::scene_file::SceneFile;
use crate::settings::{FilePolicy, Limits, PolicyName, Settings};
use crate::unit::Unit;
use actors::Spawner;
use mesh::Meshes;

/// The extensions that are read.
const READ: [&str; 4] =
    ["EXT_mesh_gpu_instancing", "KHR_mesh_quantization", "KHR_node_visibility", "MSFT_lod"];
/// Those that hold the data of meshes in a form that is not read.
const COMPRESSED: [&str; 3] =
    ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "KHR_meshopt_compression"];
/// How those begin that are about the look of a surface, about lights, sound and behaviour, or about
/// what things mean. None of them adds, removes or moves a triangle of a scene at rest.
const HARMLESS: [&str; 26] = [
    "ADOBE_materials_",
    "AGI_articulations",
    "EXT_feature_metadata",
    "EXT_instance_features",
    "EXT_lights_",
    "EXT_materials_",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_property_",
    "EXT_structural_metadata",
    "EXT_texture_",
    "GOOGLE_texture_",
    "KHR_animation_pointer",
    "KHR_audio",
    "KHR_environment_map",
    "KHR_interactivity",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_techniques_webgl",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_packing_",
    "MSFT_texture_",
    "NV_materials_",
];
/// The one module of a glTF scene.
const MODULE: &str = "triangles";
/// 16.6 ms.
const BUDGET: Budget = Budget::from_ns(16_600_000);
/// 1 ns, in 2⁻³² ns.
const UNIT_COST: UnitCost = UnitCost::from_bits(1 << 32).expect("it is above 0");
/// 1 ms.
const BENEFIT_VALUE: BenefitValue = BenefitValue::from_ns(1_000_000);

impl SceneFile {
    /// Reads a .glb or .gltf file that needs no other: as [`from_gltf_with`](Self::from_gltf_with), with
    /// an error where another file would be needed.
    ///
    /// # Errors
    /// Those of [`from_gltf_with`](Self::from_gltf_with).
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::{Quota, QuotaLimits};
    /// use lodger_scenes::{Limits, SceneFile, Settings};
    ///
    /// let empty = br#"{"asset": {"version": "2.0"}}"#;
    /// let quota = Quota::new(QuotaLimits::default());
    /// let file = SceneFile::from_gltf(empty, &Settings::default(), Limits::default(), &quota)?;
    /// assert_eq!(&*file.modules[0].name, "triangles");
    /// assert!(file.scene.is_empty());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_gltf(
        bytes: &[u8],
        settings: &Settings,
        limits: Limits,
        quota: &Quota,
    ) -> Result<Self, Error> {
        let unsupported =
            |_: &str, _| Err(io::Error::new(io::ErrorKind::Unsupported, "no other files are read"));
        Self::from_gltf_with(bytes, unsupported, settings, limits, quota)
    }

    /// Reads a .glb or .gltf file: every node with a mesh is an actor of one module, whose unit of work
    /// is a triangle. The scene is seen from its first camera.
    ///
    /// - *Levels* are those of `MSFT_lod`, else [`ASSUMED_SHARES`](crate::ASSUMED_SHARES) of the
    ///   triangles. A level counts all that is below its node. A node without a mesh that lists levels is one
    ///   actor with all that is below it.
    /// - *Spheres* are around the boxes of meshes, which are measured where the file does not say them; a
    ///   skinned mesh is where its joints put it. Morph targets and animations do not count: a scene is
    ///   taken at rest.
    /// - Each instance of `EXT_mesh_gpu_instancing` is an actor, named `node[i]`.
    /// - What `KHR_node_visibility` hides is no actor, but a camera there is one.
    /// - All else is skipped. That the file requires what is not read is a warning.
    ///
    /// `outside` gives the first bytes, at most so many, of another file that the glTF file names by a
    /// relative URI; it is asked once for each buffer that is needed, when those bytes are paid.
    ///
    /// # Errors
    /// [`ErrorKind::QuotaExceeded`](crate::ErrorKind::QuotaExceeded), [`ErrorKind::NoCamera`](crate::ErrorKind::NoCamera), and
    /// errors for a file that is broken, and for a node or camera that is beyond what a scene computes with.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::{Quota, QuotaLimits};
    /// use lodger_scenes::{Limits, SceneFile, Settings};
    /// use lodger_scheduler::View;
    ///
    /// let point = br#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
    ///     "nodes": [{"name": "point", "mesh": 0}],
    ///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    ///     "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 1}],
    ///     "bufferViews": [{"buffer": 0, "byteLength": 12}],
    ///     "buffers": [{"uri": "point.bin", "byteLength": 12}]}"#;
    /// let outside = |uri: &str, most: u64| {
    ///     assert_eq!((uri, most), ("point.bin", 12));
    ///     Ok([7.0_f32, 8.0, 9.0].into_iter().flat_map(f32::to_le_bytes).collect())
    /// };
    /// let settings = Settings { view: Some(View::eye([0.0; 3])?), ..Settings::default() };
    /// let (limits, quota) = (Limits::default(), Quota::new(QuotaLimits::default()));
    /// let file = SceneFile::from_gltf_with(point, outside, &settings, limits, &quota)?;
    /// assert_eq!(file.scene.position(file.actors[0].id), Some([7.0, 8.0, 9.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_gltf_with(
        bytes: &[u8],
        mut outside: impl FnMut(&str, u64) -> io::Result<Vec<u8>>,
        settings: &Settings,
        limits: Limits,
        quota: &Quota,
    ) -> Result<Self, Error> {
        let purse = &Purse::new(quota);
        let read = read(bytes, &mut outside, settings, (limits.warnings, quota), purse);
        // What is not read for that reason may be told as something else that is wrong, or odd.
        purse.spent().map_or(read, |spent| Err(spent.into()))
    }
}

fn read(
    bytes: &[u8],
    outside: Outside<'_>,
    settings: &Settings,
    kept: (usize, &Quota),
    purse: &Purse<'_>,
) -> Result<SceneFile, Error> {
    let of_file = |error: GltfFileError| Error::of_file(error.to_string()).caused_by(error);
    let gltf = lodger_gltf::parse(bytes, purse).map_err(of_file)?;
    let document = &gltf.document;
    let nodes = &lodger_gltf::place(document, settings.scene, purse).map_err(of_file)?;
    let budget = settings.budget_in(&Unit::Time)?.unwrap_or(BUDGET);
    let policy = FilePolicy::unsaid(PolicyName::Proportional);
    let mut builder = Builder::new((budget, Unit::Time), policy, settings, kept)?;
    note(&mut builder, document);
    let unit_cost = settings.unit_cost.unwrap_or(UNIT_COST);
    let benefit_value = settings.benefit_value.unwrap_or(BENEFIT_VALUE);
    let module = Module::new(MODULE, unit_cost, benefit_value);
    let module = builder.add_module(MODULE, Ok(module), |error| {
        Error::refused(Subject::Module(0), format_args!("module `{MODULE}`"), error)
    })?;
    let buffers = Buffers::new(&document.buffers, gltf.bin, outside, purse);
    let data = Data::new(document, buffers, purse);
    let meshes = &Meshes::new(document, &data, purse)?;
    let builder_mut = &mut builder;
    let spawner =
        Spawner { builder: builder_mut, document, meshes, nodes, module, unit_cost, purse };
    spawner.spawn_all()?;
    let view = settings.view.map_or_else(|| camera(document, nodes), |view| Ok(Some(view)))?;
    builder.look_from(view)?;
    Ok(builder.file)
}

/// Notes warnings about the file as a whole.
fn note(builder: &mut Builder<'_>, document: &Document<'_>) {
    let nodes = document.nodes.len();
    let unseen = (document.scenes.is_empty() && nodes > 0)
        .then(|| format!("the file has {nodes} nodes, but no scene that shows any of them"));
    let required = document.extensions_required.iter().filter_map(Text::get);
    for message in unseen.into_iter().chain(required.filter_map(remark)) {
        builder.warn(Warning::new(message, Subject::File));
    }
}

/// The warning about a required extension.
fn remark(name: &str) -> Option<String> {
    let consequence = if COMPRESSED.contains(&name) {
        "triangles and boxes are those that the file declares"
    } else if READ.contains(&name) || HARMLESS.iter().any(|h| name.starts_with(h)) {
        return None;
    } else {
        "its triangles and places may be others"
    };
    let name = ellipsized(name);
    Some(format!("the file requires {name}, which lodger does not read: {consequence}"))
}

/// The view of the first camera.
fn camera(document: &Document<'_>, nodes: &[PlacedNode]) -> Result<Option<View<f32>>, Error> {
    let view = first_camera(document, nodes).map(|eye| place(eye).and_then(View::eye));
    view.transpose().map_err(|error| refused_view(0, error).about("eye"))
}
