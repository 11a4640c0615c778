//! Scenes in glTF: every node with a mesh is an actor whose work is triangles.

use std::io;

use actors::Spawner;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::view::DEFAULT_MARGIN;
use lodger_gltf::raw::Document;
use lodger_gltf::{
    AccessorReader, Buffers, ExternalFiles, FileQuota, GltfFileError, LenientText, PlacedNode,
    ellipsized, first_camera,
};
use lodger_quota::Quota;
use lodger_scheduler::{Module, OutsideFactor};
use mesh::MeshCache;

use crate::builder::{Builder, refused_view};
use crate::camera_lens::CameraLens;
use crate::error::{SceneFileError, Warning};
use crate::numbers::CostUnit;
use crate::scene_file::{FilePolicy, PolicyName, SceneFile, SceneLimits, SceneOverrides};
use crate::spans::Subject;

mod actors;
mod mesh;
mod shapes;

#[cfg(test)]
mod tests;

const SUPPORTED: [&str; 4] =
    ["EXT_mesh_gpu_instancing", "KHR_mesh_quantization", "KHR_node_visibility", "MSFT_lod"];
const COMPRESSED: [&str; 3] =
    ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "KHR_meshopt_compression"];
/// Prefixes of extensions that add, remove and move no triangle of a scene at rest.
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
const MODULE: &str = "triangles";
/// 16.6 ms.
const BUDGET: Budget = Budget::from_ns(16_600_000);
/// 1 ns, in 2⁻³² ns.
const UNIT_COST: UnitCost = UnitCost::from_bits(1 << 32).expect("it is above 0");
/// 1 ms.
const BENEFIT_VALUE: BenefitValue = BenefitValue::from_ns(1_000_000);

impl SceneFile {
    /// Reads a .glb or .gltf file without external files, otherwise as [`from_gltf_with`](Self::from_gltf_with).
    ///
    /// # Errors
    /// The errors of [`from_gltf_with`](Self::from_gltf_with), and an error if the file needs an external file.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::Quota;
    /// use lodger_scenes::{SceneLimits, SceneFile, SceneOverrides};
    ///
    /// let empty = br#"{"asset": {"version": "2.0"}}"#;
    /// let quota = Quota::default();
    /// let file = SceneFile::from_gltf(empty, &SceneOverrides::default(), SceneLimits::default(), &quota)?;
    /// assert_eq!(&*file.modules[0].name, "triangles");
    /// assert!(file.scene.is_empty());
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    pub fn from_gltf(
        bytes: &[u8],
        overrides: &SceneOverrides,
        limits: SceneLimits,
        quota: &Quota,
    ) -> Result<Self, SceneFileError> {
        let unsupported =
            |_: &str, _| Err(io::Error::new(io::ErrorKind::Unsupported, "no other files are read"));
        Self::from_gltf_with(bytes, unsupported, overrides, limits, quota)
    }

    /// Reads a .glb or .gltf file: every node with a mesh is an actor of one module, whose unit of work is a
    /// triangle. The view is the file's first camera, with its direction and its perspective; a camera without one counts
    /// as a position, with a warning.
    ///
    /// - *Levels* are from `MSFT_lod`, else [`ASSUMED_SHARES`](crate::ASSUMED_SHARES) of the triangles. A level
    ///   counts the triangles of its node and all its descendants. A node with levels and without a mesh is one actor
    ///   with all its descendants.
    /// - *Spheres* enclose the boxes of meshes, measured if the file does not state them. Joints place a skinned
    ///   mesh. Morph targets and animations do not count.
    /// - *Instances* of `EXT_mesh_gpu_instancing` are actors named `node[i]`.
    /// - *Hidden nodes* (`KHR_node_visibility`) are not actors; their cameras count.
    /// - *Required extensions* that are not supported cause a warning.
    ///
    /// `external` takes a relative URI and returns at most the given number of first bytes of that file. It is called
    /// once for each needed buffer, after its bytes are charged.
    ///
    /// # Errors
    /// [`QuotaExceeded`](crate::SceneFileErrorKind::QuotaExceeded), [`NoCamera`](crate::SceneFileErrorKind::NoCamera), and errors
    /// for an invalid file, and for a node or a camera beyond the range of a scene.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::Quota;
    /// use lodger_scenes::{SceneLimits, SceneFile, SceneOverrides};
    /// use lodger_scheduler::View;
    ///
    /// let point = br#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
    ///     "nodes": [{"name": "point", "mesh": 0}],
    ///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    ///     "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 1}],
    ///     "bufferViews": [{"buffer": 0, "byteLength": 12}],
    ///     "buffers": [{"uri": "point.bin", "byteLength": 12}]}"#;
    /// let external = |uri: &str, max: u64| {
    ///     assert_eq!((uri, max), ("point.bin", 12));
    ///     Ok([7.0_f32, 8.0, 9.0].into_iter().flat_map(f32::to_le_bytes).collect())
    /// };
    /// let overrides = SceneOverrides { view: Some(View::from_position([0.0; 3])?), ..SceneOverrides::default() };
    /// let (limits, quota) = (SceneLimits::default(), Quota::default());
    /// let file = SceneFile::from_gltf_with(point, external, &overrides, limits, &quota)?;
    /// assert_eq!(file.scene.position(file.actors[0].id), Some([7.0, 8.0, 9.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_gltf_with(
        bytes: &[u8],
        mut external: impl FnMut(&str, u64) -> io::Result<Vec<u8>>,
        overrides: &SceneOverrides,
        limits: SceneLimits,
        quota: &Quota,
    ) -> Result<Self, SceneFileError> {
        let file_quota = &FileQuota::new(quota);
        let read = read(bytes, &mut external, overrides, (limits.warnings, quota), file_quota);
        // An exceeded quota may cause another error or warning: report the quota.
        file_quota.exceeded().map_or(read, |exceeded| Err(exceeded.into()))
    }
}

fn read(
    bytes: &[u8],
    external: ExternalFiles<'_>,
    overrides: &SceneOverrides,
    kept: (usize, &Quota),
    file_quota: &FileQuota<'_>,
) -> Result<SceneFile, SceneFileError> {
    let file_error =
        |error: GltfFileError| SceneFileError::for_file(error.to_string()).caused_by(error);
    let gltf = lodger_gltf::parse(bytes, file_quota).map_err(file_error)?;
    let document = &gltf.document;
    let nodes =
        &lodger_gltf::place_nodes(document, overrides.scene, file_quota).map_err(file_error)?;
    let budget = overrides.budget_in(&CostUnit::Time)?.unwrap_or(BUDGET);
    let policy = FilePolicy::unsaid(PolicyName::Proportional);
    let mut builder = Builder::new((budget, CostUnit::Time), policy, overrides, kept)?;
    add_warnings(&mut builder, document);
    let unit_cost = overrides.unit_cost.unwrap_or(UNIT_COST);
    let benefit_value = overrides.benefit_value.unwrap_or(BENEFIT_VALUE);
    let outside = overrides.outside.unwrap_or_default();
    let module = Module::new(MODULE, unit_cost).benefit_value(benefit_value).outside(outside);
    let module = builder.add_module(MODULE, Ok(module), |error| {
        SceneFileError::refused(Subject::Module(0), format_args!("module `{MODULE}`"), error)
    })?;
    let buffers = Buffers::new(&document.buffers, gltf.bin, external, file_quota);
    let data = AccessorReader::new(document, buffers, file_quota);
    let meshes = &MeshCache::new(document, &data, file_quota)?;
    let builder_mut = &mut builder;
    let spawner =
        Spawner { builder: builder_mut, document, meshes, nodes, module, unit_cost, file_quota };
    spawner.spawn_all()?;
    match overrides.view {
        Some(view) => builder.add_view(Some(view))?,
        None => add_camera(&mut builder, document, nodes, overrides.outside)?,
    }
    Ok(builder.file)
}

fn add_warnings(builder: &mut Builder<'_>, document: &Document<'_>) {
    let nodes = document.nodes.len();
    let unseen = (document.scenes.is_empty() && nodes > 0)
        .then(|| format!("the file has {nodes} nodes, but no scene that shows any of them"));
    let required = document.extensions_required.iter().filter_map(LenientText::get);
    for message in unseen.into_iter().chain(required.filter_map(extension_warning)) {
        builder.warn(Warning::new(message, Subject::File));
    }
}

fn extension_warning(name: &str) -> Option<String> {
    let consequence = if COMPRESSED.contains(&name) {
        "triangles and boxes are as the file declares them"
    } else if SUPPORTED.contains(&name) || HARMLESS.iter().any(|h| name.starts_with(h)) {
        return None;
    } else {
        "its triangles and places may be others"
    };
    let name = ellipsized(name);
    Some(format!("the file requires {name}, which lodger does not read: {consequence}"))
}

/// Adds the view of the file's first camera. `outside` tests its frustum.
fn add_camera(
    builder: &mut Builder<'_>,
    document: &Document<'_>,
    nodes: &[PlacedNode],
    outside: Option<OutsideFactor>,
) -> Result<(), SceneFileError> {
    let Some((index, world)) = first_camera(document, nodes) else { return builder.add_view(None) };
    let camera = document.cameras.get(index.get());
    let perspective = camera.and_then(|camera| camera.perspective);
    let aspect = perspective.and_then(|perspective| perspective.aspect_ratio);
    let aspect = aspect.unwrap_or(CameraLens::ASPECT);
    let fov = perspective.and_then(|perspective| perspective.yfov).map(f64::to_degrees);
    let fov =
        fov.filter(|fov| CameraLens::FOVS.contains(fov) && CameraLens::ASPECTS.contains(&aspect));
    let lens = CameraLens {
        fov,
        aspect,
        up: world.matrix3.y_axis.to_array(),
        margin: fov.and(outside).map(|_| DEFAULT_MARGIN),
        ..CameraLens::default()
    };
    if fov.is_none() {
        let consequence = "it counts as a position, and nothing is outside of its view";
        let message = format!("camera {} has no valid perspective: {consequence}", index.get());
        builder.warn(Warning::new(message, Subject::File));
    }
    let direction = -world.matrix3.z_axis;
    let view = lens.view(world.translation.to_array(), Some(direction.to_array()));
    let view = view.map_err(|error| refused_view(0, error).with_key("eye"))?;
    builder.file.lens = lens;
    builder.add_view(Some(view))
}
