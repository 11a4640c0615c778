//! Packing: from a model and options to assets, and the files of each object.

use lodger_core::cost::land_impact::{LandImpact, ObjectWeight, greatest_weight, land_impact};
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::simulator::{FreeScripts, server_weight};
use lodger_core::cost::streaming::{MeshLod, PerLod, StreamingModel, StreamingRules};
use lodger_core::linkability::{LinkPrim, SphereRule};
use lodger_mesh_asset::AssetErrorKind;
use lodger_quota::Quota;
use rayon::prelude::*;

use crate::error::PackError;
use crate::frame::{Aabb, ObjectFrame};
use crate::lod_chain::{LodCandidate, LodChain};
use crate::lod_selection::{
    LodRule, LodSelection, SelectionInput, SelectionLimits, by_triangles, choose,
    cost_without_target, importances, split_in_thirds,
};
use crate::model::{Model, ModelObject, Note};
use crate::physics::{CollisionKind, CollisionShape, Decompose, ShapeContext, ShapeInput, shapes};
use crate::{encode, glb};

/// Options of packing.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// The limit of the land impact of all objects, linked and without scripts. The default is the
    /// greatest land impact of the levels that [`lods`](Self::lods) lists or the model has, or else
    /// of the viewer's own split, and of the physics shapes.
    pub land_impact: Option<u32>,
    /// The size of the whole model in metres; `None` keeps its own.
    pub size: Option<[f64; 3]>,
    /// The rule for the levels below the high one.
    pub lods: LodRule,
    /// Whether the high level must be the source.
    pub keep_high: bool,
    /// The physics shape type that prices are for.
    pub shape: ShapeType,
    /// The kind of collision shape.
    pub physics: CollisionKind,
    /// The limit of the physics cost of all objects; by default only the land impact limits it, or
    /// it is the minimum if no land impact is requested.
    pub physics_cost: Option<f64>,
    /// The streaming rules.
    pub rules: StreamingRules,
}

/// Progress of packing, for a progress bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PackProgress<'a> {
    /// Simplifying an object: its name, the meshes measured, and the meshes made so far.
    Simplify(&'a str, usize, usize),
    /// Selecting levels.
    Choose,
    /// Making collision shapes.
    Physics,
    /// Trying a collision shape of the object of this name.
    Shape(&'a str),
    /// Writing assets.
    Encode,
    /// Drawing a report: pictures drawn, and all pictures.
    Draw(usize, usize),
}

/// The result of packing a model.
#[derive(Debug)]
pub struct PackedModel {
    /// The objects, in the order of the model.
    pub objects: Vec<PackedObject>,
    /// The requested land impact.
    pub requested: Option<u32>,
    /// The land impact that limited packing: as requested, or of the viewer's own split, or of the
    /// requested levels or physics shapes, if they need more.
    pub target: u32,
    /// The land impact of all objects, linked, and its weights.
    pub land_impact: LandImpact,
    /// The streaming cost of all objects.
    pub streaming: f64,
    /// The physics cost of all objects with the shape type.
    pub physics: f64,
    /// The server weight of all objects.
    pub server: f64,
    /// The sum of importance times error over all objects and levels.
    pub loss: f64,
    /// The viewer's own split of the levels at the same streaming cost, for comparison.
    pub viewer: LodSelection,
    /// The streaming rules.
    pub rules: StreamingRules,
    /// The shape type of the physics cost.
    pub shape: ShapeType,
    /// The notes of the model and of packing.
    pub notes: Vec<Note>,
}

/// The result of packing an object.
#[derive(Debug)]
pub struct PackedObject {
    /// The name of the object.
    pub name: String,
    /// The position and size.
    pub frame: ObjectFrame,
    /// All candidates.
    pub chain: LodChain,
    /// The candidate of each level, an index into the chain.
    pub selected: PerLod<usize>,
    /// The loss for each metre of error at each level.
    pub importances: PerLod<f64>,
    /// The collision shape.
    pub physics: CollisionShape,
    /// The bytes of the asset.
    pub asset: Vec<u8>,
}

/// Packs a model into assets, after resizing it as the options say.
///
/// # Errors
///
/// [`PackError`]. The assets never cost more than requested: [`PackError::TargetInfeasible`] names
/// the limiting weight. [`PackError::QuotaExceeded`] if the model needs more work than the quota
/// has.
pub fn pack(
    model: &mut Model,
    options: &PackOptions,
    decompose: &dyn Decompose,
    quota: &Quota,
    progress: &(dyn Fn(PackProgress<'_>) + Sync),
) -> Result<PackedModel, PackError> {
    let streaming = StreamingModel::new(options.rules).map_err(PackError::Rules)?;
    if let Some(size) = options.size {
        model.resize(size)?;
    }
    model.check_sides()?;
    let mut notes = model.notes.clone();
    let frames: Vec<_> =
        model.objects.iter().map(|object| ObjectFrame::from_mesh(&object.high)).collect();
    notes.extend(unlinkable(&frames));
    let chains = chains(model, &frames, quota, progress)?;
    for (object, chain) in model.objects.iter().zip(&chains) {
        notes.extend(flattened(object, chain));
        notes.extend(no_side_of_a_prim(object));
        notes.extend(left_out(object, chain).filter(|_| options.lods == LodRule::Authored));
    }
    let objects: Vec<_> =
        chains.iter().zip(&frames).map(|(chain, frame)| SelectionInput { chain, frame }).collect();
    let server = server_weight::<f64>(count(objects.len()), 0, FreeScripts::One);
    let own =
        land_impact(cost_without_target(&objects, &streaming, &options.lods), 0.0, server).value;
    let target = options.land_impact.unwrap_or(own);
    if land_impact(0.0, 0.0, server).value > target {
        return Err(PackError::infeasible(target, ObjectWeight::Server, server));
    }
    progress(PackProgress::Physics);
    let making =
        ShapeContext { decompose, quota, tried: &|object| progress(PackProgress::Shape(object)) };
    let physics = shaped(model, &frames, &chains, (target, options), &making, &mut notes)?;
    let physics_cost = physics.iter().map(|physics| physics.cost).sum();
    progress(PackProgress::Choose);
    let max_cost = greatest_weight::<f64>(target);
    let choice = select_levels(&objects, &streaming, max_cost, options)
        .map_err(|min| PackError::infeasible(target, ObjectWeight::Streaming, min))?;
    let viewer = split_in_thirds(&objects, &streaming, max_cost);
    let land_impact = land_impact(choice.streaming, physics_cost, server);
    progress(PackProgress::Encode);
    let made = model.objects.iter().zip(frames).zip(chains.into_iter().zip(physics));
    let objects: Result<Vec<_>, PackError> = made
        .zip(&choice.selected)
        .map(|(((object, frame), (chain, physics)), &selected)| {
            let importances = importances(&streaming, &frame);
            let asset = asset(object, &frame, &chain, selected, &physics);
            let asset = asset.map_err(|error| PackError::asset(&object.name, error))?;
            let name = object.name.clone();
            Ok(PackedObject { name, frame, chain, selected, importances, physics, asset })
        })
        .collect();
    Ok(PackedModel {
        objects: objects?,
        requested: options.land_impact,
        target: target.max(land_impact.value),
        land_impact,
        streaming: choice.streaming,
        physics: physics_cost,
        server,
        loss: choice.loss,
        viewer,
        rules: options.rules,
        shape: options.shape,
        notes,
    })
}

/// Makes the collision shapes, within the requested physics cost and land impact. Without a
/// requested land impact, only the cheapest shapes may exceed the levels' land impact.
fn shaped(
    model: &Model,
    frames: &[ObjectFrame],
    chains: &[LodChain],
    (target, options): (u32, &PackOptions),
    making: &ShapeContext<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<CollisionShape>, PackError> {
    let each = model.objects.iter().zip(frames.iter().zip(chains));
    let objects: Vec<_> = each
        .map(|(object, (frame, chain))| ShapeInput { object, frame, candidates: chain.generated() })
        .collect();
    let mut shaped =
        |max_cost| shapes(&objects, &options.physics, (options.shape, max_cost), making, notes);
    match (options.physics_cost, options.land_impact) {
        (Some(max_cost), None) => shaped(max_cost).map_err(|error| beyond_cost(error, max_cost)),
        (Some(max_cost), Some(requested)) => {
            let greatest = greatest_weight(requested);
            let with_cause =
                |error| if max_cost < greatest { beyond_cost(error, max_cost) } else { error };
            shaped(max_cost.min(greatest)).map_err(with_cause)
        }
        (None, Some(requested)) => shaped(greatest_weight(requested)),
        (None, None) => match shaped(greatest_weight(target)) {
            Err(PackError::TargetInfeasible(infeasible_target)) => {
                shaped(greatest_weight(infeasible_target.minimum))
            }
            physics => physics,
        },
    }
}

fn asset(
    object: &ModelObject,
    frame: &ObjectFrame,
    chain: &LodChain,
    selected: PerLod<usize>,
    physics: &CollisionShape,
) -> Result<Vec<u8>, lodger_mesh_asset::AssetError> {
    let block = |pick: usize| encode::level_block(&chain.candidates()[pick].level, frame);
    let PerLod { lowest, low, medium, high } = selected;
    let lower = || rayon::join(|| rayon::join(|| block(lowest), || block(low)), || block(medium));
    let (high, ((lowest, low), medium)) = rayon::join(|| block(high), lower);
    let blocks = [lowest?, low?, medium?, high?];
    encode::asset(blocks.each_ref().map(Vec::as_slice), physics, object.rig.as_ref(), frame)
}

/// Selects the levels by the rule. The error is the minimum streaming cost.
fn select_levels(
    objects: &[SelectionInput<'_>],
    streaming: &StreamingModel<f64>,
    max_cost: f64,
    options: &PackOptions,
) -> Result<LodSelection, f64> {
    if let LodRule::Triangles(shares) = &options.lods {
        let choice = by_triangles(objects, streaming, shares);
        return if choice.streaming <= max_cost { Ok(choice) } else { Err(choice.streaming) };
    }
    let authored = options.lods == LodRule::Authored;
    choose(
        objects,
        streaming,
        &SelectionLimits { max_cost, keep_high: options.keep_high, authored },
    )
}

fn beyond_cost(mut error: PackError, max_cost: f64) -> PackError {
    if let PackError::TargetInfeasible(infeasible_target) = &mut error {
        infeasible_target.physics_cost = Some(max_cost);
    }
    error
}

fn chains(
    model: &Model,
    frames: &[ObjectFrame],
    quota: &Quota,
    progress: &(dyn Fn(PackProgress<'_>) + Sync),
) -> Result<Vec<LodChain>, PackError> {
    let each = model.objects.par_iter().zip(frames);
    each.map(|(object, frame)| {
        let measured = |done, all| progress(PackProgress::Simplify(&object.name, done, all));
        LodChain::build(object, frame, quota, &measured)
    })
    .collect()
}

fn no_side_of_a_prim(object: &ModelObject) -> Option<Note> {
    /// Metres. Source: Second Life wiki, Limits.
    const MIN_SIDE: f64 = 0.01;
    let sides = Aabb::around(object.high.positions().map(|p| p.map(f64::from))).sides();
    let problems = ["x", "y", "z"].into_iter().zip(sides).filter_map(|(name, side)| match side {
        0.0 => Some(format!("it is flat along {name}, where its prim's side counts as 1 m")),
        side if side > 0.0 && side < MIN_SIDE => Some(format!(
            "its side along {name} is {side:.4} m, and no prim has one below {MIN_SIDE} m"
        )),
        _ => None,
    });
    let text = problems.collect::<Vec<_>>().join("; ");
    (!text.is_empty()).then(|| Note { code: "no-side-of-a-prim", about: object.name.clone(), text })
}

fn flattened(object: &ModelObject, chain: &LodChain) -> Option<Note> {
    let all = object.high.triangle_count();
    let lost = all.saturating_sub(chain.generated()[0].level.triangle_count());
    let text = if chain.is_flat() {
        "none of its triangles has an area in the 16 bits of an asset: one stays".to_owned()
    } else {
        format!(
            "{lost} of its {all} triangles have no area in the 16 bits of an asset: they are left out"
        )
    };
    let is_less = lost > 0 || chain.is_flat();
    is_less.then(|| Note { code: "triangles-flattened", about: object.name.clone(), text })
}

fn left_out<'a>(object: &'a ModelObject, chain: &'a LodChain) -> impl Iterator<Item = Note> + 'a {
    chain.left_out().iter().map(|(lod, why)| Note {
        code: "level-left-out",
        about: object.name.clone(),
        text: format!("its {lod} level is left out, and one is made: {why}"),
    })
}

fn unlinkable(frames: &[ObjectFrame]) -> Option<Note> {
    let prim = |frame: &ObjectFrame| [LinkPrim { position: frame.centre(), scale: frame.sides() }];
    let prims: Vec<_> = frames.iter().map(prim).collect();
    let answer = SphereRule::VIEWER.check(&prims).ok()?;
    let text = format!(
        "the centres of the objects are {:.1} m apart, and what is linked must be less than {:.0} m",
        answer.enclosing.diameter(),
        SphereRule::VIEWER.diameter_below,
    );
    (!answer.linkable).then(|| Note { code: "not-linkable", about: String::new(), text })
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A file of a packed object: its asset, or a glTF file for upload through a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectFile {
    /// The asset, as grids store it.
    Asset,
    /// A level of detail as glTF.
    Level(MeshLod),
    /// The collision shape as glTF.
    Physics,
}

impl ObjectFile {
    /// All files of an object.
    pub const ALL: [Self; 6] = [
        Self::Asset,
        Self::Level(MeshLod::Lowest),
        Self::Level(MeshLod::Low),
        Self::Level(MeshLod::Medium),
        Self::Level(MeshLod::High),
        Self::Physics,
    ];

    /// The end of the file name, after the name of the object. Viewers match files of levels by it.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Asset => ".llmesh",
            Self::Level(MeshLod::Lowest) => "_LOD0.glb",
            Self::Level(MeshLod::Low) => "_LOD1.glb",
            Self::Level(MeshLod::Medium) => "_LOD2.glb",
            Self::Level(MeshLod::High) => ".glb",
            Self::Physics => "_PHYS.glb",
        }
    }

    /// The suffix of the names of its node and mesh; empty for the high level and for the asset.
    pub(crate) fn suffix(self) -> &'static str {
        self.ending().strip_suffix(".glb").unwrap_or_default()
    }

    /// Returns the bytes of the file for the object at an index.
    ///
    /// # Errors
    ///
    /// [`PackError::Asset`]: a file of 2 GiB.
    ///
    /// # Panics
    ///
    /// If the index is out of range, or `packed` is not a packing of `model`.
    pub fn bytes(
        self,
        model: &Model,
        packed: &PackedModel,
        index: usize,
    ) -> Result<Vec<u8>, PackError> {
        let (object, packed) = (&model.objects[index], &packed.objects[index]);
        let name = format!("{}{}", object.name, self.suffix());
        let bytes = match self {
            Self::Asset => Ok(packed.asset.clone()),
            Self::Level(lod) => glb::level_file(model, object, &packed.level(lod).level, &name),
            Self::Physics => physics(object, &packed.physics, &name),
        };
        bytes.map_err(|problem| PackError::asset(&object.name, problem.into()))
    }
}

impl PackedObject {
    /// The candidate selected for a level of detail.
    #[must_use]
    pub fn level(&self, lod: MeshLod) -> &LodCandidate {
        &self.chain.candidates()[self.selected.of(lod)]
    }
}

/// Writes the part of the shape that counts for the type prim: decomposition, mesh, or else
/// bounding hull.
fn physics(
    object: &ModelObject,
    physics: &CollisionShape,
    name: &str,
) -> Result<Vec<u8>, AssetErrorKind> {
    match &physics.mesh {
        Some(mesh) => glb::mesh_file(object, mesh, name),
        None if physics.parts.is_empty() => {
            glb::hulls_file(object, std::slice::from_ref(&physics.bounding), name)
        }
        None => glb::hulls_file(object, &physics.parts, name),
    }
}
