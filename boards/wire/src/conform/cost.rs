//! Vectors of costs and of linkability, and their evaluation. Numbers are the bits of the number type. An index of a
//! variant is taken modulo the number of variants.

use heapless::Vec;
use lodger_core::ValueError;
use lodger_core::cost::land_impact::{
    LandImpactInputs, LandImpactPart, ObjectWeight, assess, greatest_weight,
};
use lodger_core::cost::physics::{
    CollisionBody, ConvexDecomposition, ConvexHull, CostData, Motion, PhysicsCost, PhysicsShapes,
    Representation, ShapeType, TriangleMesh, linkset, may_be_physical, penalised,
};
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use lodger_core::cost::simulator::{
    FreeScripts, SimulatorModel, SimulatorParameters, region_cost, server_weight,
};
use lodger_core::cost::streaming::{
    AssetColumns, LinksetPart, MeshLod, PerLod, Reach, StreamingModel, StreamingRules,
    animated_root,
};
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};
use lodger_core::linkability::{
    Ball, LinkError, LinkPrim, LinkScratch, LinkedPiece, SphereRule, link,
};
use serde::{Deserialize, Serialize};

use super::number::{Number, Words, push, push_index, push_wide};

/// The maximum number of hulls of a decomposition.
pub const HULLS: usize = 8;
/// The maximum number of parts of a linkset.
pub const PARTS: usize = 6;

/// An asset, and the rules of its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetVector {
    /// The rules: 0 for the wiki, 1 for today's viewers, 2 for the live grid.
    pub rules: u8,
    /// The bounding radius, in metres.
    pub radius: u32,
    /// The bytes of each LOD, from the lowest; of a prim, its triangles.
    pub bytes: [i32; 4],
}

/// The streaming cost of an asset, as a mesh, a prim and an animated object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamingVector {
    /// The asset.
    pub asset: AssetVector,
    /// The kind of the prim: plain, sculpted or mesh.
    pub kind: u8,
    /// Whether it is the root of an animated set.
    pub root: bool,
    /// The cost scalar of the document's equation.
    pub cost_scalar: u32,
}

/// The physics cost of a mesh of two triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhysicsVector {
    /// The corners of two triangles.
    pub corners: [[u32; 3]; 6],
    /// The scale of the mesh along its axes, in metres.
    pub scale: [u32; 3],
}

/// The physics cost of a prim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyVector {
    /// An index into `SolidKind::ALL` for a prim priced by its kind alone; a larger number for a prim or a mesh asset
    /// with these shapes.
    pub solid: u8,
    /// For a solid, whether it is cut or hollow; else whether a prim has these shapes, not a mesh asset.
    pub altered: bool,
    /// The number of vertices of the hull.
    pub hull: u16,
    /// The number of vertices of each hull of the decomposition; empty for none.
    pub hulls: Vec<u16, HULLS>,
    /// The physics mesh, if there is one.
    pub mesh: Option<PhysicsVector>,
    /// The grid's stated costs of the hull and the decomposition.
    pub cost_data: Option<[Option<u32>; 2]>,
    /// The physics shape type: 0 for prim, 1 for convex hull, 2 for none.
    pub shape: u8,
    /// The number of frames at rest; `None` if it is physical.
    pub at_rest: Option<u8>,
}

/// The simulator cost of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatorVector {
    /// The tuning constants: simulation factor, active cost high, active cost low, linkset factor.
    pub parameters: [u32; 4],
    /// The number of prims.
    pub objects: u32,
    /// Whether the object is active.
    pub active: bool,
    /// The number of scripts.
    pub scripts: u32,
    /// Whether one of the scripts is free.
    pub free_script: bool,
    /// The streaming cost of the object.
    pub streaming: u32,
}

/// The land impact of a linkset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinksetVector {
    /// The prims of the linkset.
    pub parts: Vec<PartVector, PARTS>,
    /// The size of the whole linkset along its axes, in metres.
    pub size: [u32; 3],
    /// Whether the linkset is physical.
    pub physical: bool,
    /// The number of scripts.
    pub scripts: u32,
    /// Whether one of the scripts is free.
    pub free_script: bool,
}

/// A prim of a linkset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartVector {
    /// The kind of the prim: plain, sculpted or mesh.
    pub kind: u8,
    /// The physics shape type: 0 for prim, 1 for convex hull, 2 for none.
    pub shape: u8,
    /// The streaming cost of the prim.
    pub streaming: u32,
    /// The physics cost of the prim.
    pub physics: u32,
}

/// Selects by a number modulo the number of variants.
fn one_of<T: Copy>(few: &[T], number: u8) -> Option<T> {
    few.get(usize::from(number).checked_rem(few.len())?).copied()
}

fn rules<N: Number>(number: u8) -> Result<StreamingModel<N>, ValueError> {
    let rules =
        one_of(&[StreamingRules::WIKI, StreamingRules::VIEWER, StreamingRules::GRID], number);
    StreamingModel::new(rules.unwrap_or_default())
}

fn kind(number: u8) -> PrimKind {
    one_of(&[PrimKind::Plain, PrimKind::Sculpted, PrimKind::Mesh], number).unwrap_or(PrimKind::Mesh)
}

fn shape(number: u8) -> ShapeType {
    let shapes = [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None];
    one_of(&shapes, number).unwrap_or_default()
}

const fn scripts(one_is_free: bool) -> FreeScripts {
    if one_is_free { FreeScripts::One } else { FreeScripts::None }
}

fn lods([lowest, low, medium, high]: [i32; 4]) -> PerLod<i32> {
    PerLod { lowest, low, medium, high }
}

fn push_lods<N: Number>(words: &mut Words, lods: PerLod<N>) {
    for lod in MeshLod::ALL {
        push(words, lods.of(lod).word());
    }
}

pub(super) fn streaming<N: Number>(
    vector: &StreamingVector,
    words: &mut Words,
) -> Result<(), ValueError> {
    let AssetVector { rules: number, radius, bytes } = vector.asset;
    let (rules, radius, bytes) = (rules::<N>(number)?, N::from_word(radius), lods(bytes));
    let part = if vector.root { LinksetPart::Root } else { LinksetPart::Child };
    let scalar = N::from_word(vector.cost_scalar);
    let mut column = [N::ZERO];
    let sizes = [[bytes.lowest], [bytes.low], [bytes.medium], [bytes.high]];
    let [lowest, low, medium, high] = sizes.each_ref().map(<[i32; 1]>::as_slice);
    let lods = PerLod { lowest, low, medium, high };
    rules.costs(AssetColumns { radius: &[radius], bytes: lods }, &mut column);
    for number in [
        rules.cost(radius, bytes),
        column[0],
        rules.prim_cost(kind(vector.kind), radius, bytes),
        rules.area_form(radius, bytes, scalar),
        rules.animated_triangles(bytes),
        rules.animated_cost(bytes, part),
        animated_root(),
    ] {
        push(words, number.word());
    }
    push_lods(words, rules.triangles(bytes));
    push_lods(words, rules.transition_distances(radius));
    push_lods(words, rules.area_shares(radius));
    push_lods(words, rules.cost_shares(radius, bytes));
    push(words, rules.grows_with_size(bytes).into());
    Ok(())
}

/// Evaluates the searches, which compute the cost many times.
pub(super) fn room<N: Number>(
    asset: AssetVector,
    limit: N,
    words: &mut Words,
) -> Result<(), ValueError> {
    let (rules, radius) = (rules::<N>(asset.rules)?, N::from_word(asset.radius));
    let bytes = lods(asset.bytes);
    let points = rules.break_points();
    for point in points.full.into_iter().chain(points.closed).chain(points.floor) {
        push(words, point.word());
    }
    match rules.largest_radius(bytes, limit) {
        Reach::Never => push(words, 0),
        Reach::UpTo(radius) => {
            push(words, 1);
            push(words, radius.word());
        }
        Reach::Always => push(words, 2),
    }
    let room = rules.room(radius, bytes, limit);
    let resized = rules.resized(radius, bytes, limit);
    for lod in MeshLod::ALL {
        push(words, room.of(lod).unwrap_or(-1).cast_unsigned());
        push(words, resized.map_or(-1, |sizes| sizes.of(lod)).cast_unsigned());
    }
    Ok(())
}

/// Measures the two triangles; `None` if both are degenerate.
fn mesh<N: Number>(
    vector: &PhysicsVector,
) -> Result<(ObjectScale<N>, Option<TriangleMesh<N>>), ValueError> {
    let [a, b, c, d, e, f] = vector.corners.map(|corner| corner.map(N::from_word));
    let scale = ObjectScale::new(vector.scale.map(N::from_word))?;
    Ok((scale, TriangleMesh::measure([[a, b, c], [d, e, f]], scale)?))
}

pub(super) fn physics<N: Number>(
    vector: &PhysicsVector,
    words: &mut Words,
) -> Result<(), ValueError> {
    let (scale, mesh) = mesh::<N>(vector)?;
    push(words, scale.radius().word());
    if let Some(mesh) = mesh {
        let cost = mesh.cost();
        let unlimited = mesh.cost_without_limits();
        for number in [mesh.mean_width(), cost, unlimited, penalised(cost, scale)] {
            push(words, number.word());
        }
        push(words, mesh.triangles());
        push(words, mesh.degenerate());
    }
    Ok(())
}

pub(super) fn body<N: Number>(vector: &BodyVector, words: &mut Words) -> Result<(), ValueError> {
    let body = body_of::<N>(vector)?;
    let motion = match vector.at_rest {
        Some(frames) => Motion::Still { frames: frames.into() },
        None => Motion::Physical,
    };
    let shape = shape(vector.shape);
    push(words, body.check_shape_type(shape).is_ok().into());
    push_physics(words, body.cost(shape, motion));
    Ok(())
}

fn body_of<N: Number>(vector: &BodyVector) -> Result<CollisionBody<N>, ValueError> {
    if let Some(&solid) = SolidKind::ALL.get(usize::from(vector.solid)) {
        return SolidPrim { solid, altered: vector.altered }.body();
    }
    let given = |vertices: &[u16]| ConvexDecomposition::new(vertices.iter().copied());
    let numbers = vector.cost_data.map(|data| data.map(|cost| cost.map(N::from_word)));
    let shapes = PhysicsShapes {
        hull: ConvexHull::new(vector.hull)?,
        decomposition: match vector.hulls.as_slice() {
            [] => None,
            hulls => Some(given(hulls)?),
        },
        mesh: match &vector.mesh {
            Some(triangles) => mesh(triangles)?.1,
            None => None,
        },
        cost_data: match numbers {
            Some([hull, decomposition]) => Some(CostData::new(hull, decomposition)?),
            None => None,
        },
    };
    Ok(if vector.altered { CollisionBody::Prim(shapes) } else { CollisionBody::Mesh(shapes) })
}

fn push_physics<N: Number>(words: &mut Words, physics: PhysicsCost<N>) {
    push(words, physics.cost.word());
    push(words, physics.representation as u32);
    push(words, physics.provenance as u32);
    push(words, may_be_physical(physics.cost).into());
}

/// Evaluates simulator cost, server weight and region cost.
pub(super) fn simulator<N: Number>(
    vector: &SimulatorVector,
    words: &mut Words,
) -> Result<(), ValueError> {
    let [simulation_factor, active_cost_high, active_cost_low, linkset_factor] =
        vector.parameters.map(|word| N::from_word(word).to_f64());
    let simulator = SimulatorModel::<N>::new(SimulatorParameters {
        simulation_factor,
        active_cost_high,
        active_cost_low,
        linkset_factor,
        ..SimulatorParameters::UNOFFICIAL_2011
    })?;
    let cost = simulator.cost(vector.objects, vector.active)?;
    let free = scripts(vector.free_script);
    let server: N = server_weight(vector.objects, vector.scripts, free);
    for number in [cost, server, region_cost(cost, N::from_word(vector.streaming))] {
        push(words, number.word());
    }
    Ok(())
}

pub(super) fn land_impact<N: Number>(
    vector: &LinksetVector,
    words: &mut Words,
) -> Result<(), ValueError> {
    let parts: Vec<LandImpactPart<N>, PARTS> = vector
        .parts
        .iter()
        .map(|part| LandImpactPart {
            kind: kind(part.kind),
            shape: shape(part.shape),
            streaming: N::from_word(part.streaming),
            physics: PhysicsCost {
                cost: N::from_word(part.physics),
                representation: Representation::Hull,
                provenance: Provenance::Estimated,
            },
        })
        .collect();
    let of = LandImpactInputs {
        size: ObjectScale::new(vector.size.map(N::from_word))?,
        physical: vector.physical,
        scripts: vector.scripts,
        free_scripts: scripts(vector.free_script),
        simulator: None,
    };
    let total = assess(parts.iter().copied(), of)?;
    let weight = greatest_weight::<N>(total.land_impact.value);
    let sum = linkset(parts.iter().map(|part| part.streaming));
    for number in [total.streaming, total.physics_base, total.physics, total.server, weight, sum] {
        push(words, number.word());
    }
    push(words, total.accounting as u32);
    push(words, total.land_impact.value);
    push(
        words,
        match total.land_impact.limited_by {
            None => 0,
            Some(ObjectWeight::Streaming) => 1,
            Some(ObjectWeight::Physics) => 2,
            Some(ObjectWeight::Server) => 3,
        },
    );
    Ok(())
}

/// The maximum number of prims to link.
pub const PRIMS: usize = 6;

/// A prim to link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrimVector {
    /// The centre, in metres.
    pub position: [u32; 3],
    /// The scale along the axes, in metres.
    pub scale: [u32; 3],
}

/// Links the prims, each a separate object, by both rules. Lengths are `f64`.
// The stack of the smallest board has room for one kind of vector at a time.
#[inline(never)]
pub(super) fn linking<N: Number>(
    prims: &[PrimVector],
    words: &mut Words,
) -> Result<(), ValueError> {
    let objects: Vec<[LinkPrim<N>; 1], PRIMS> = prims
        .iter()
        .map(|prim| {
            let [position, scale] = [prim.position, prim.scale].map(|v| v.map(N::from_word));
            [LinkPrim { position, scale }]
        })
        .collect();
    sphere_rule(&objects, words)
        .and_then(|()| span_rule(&objects, words))
        .map_err(|error| error.error)
}

fn sphere_rule<N: Number>(
    objects: &[[LinkPrim<N>; 1]],
    words: &mut Words,
) -> Result<(), LinkError> {
    let check = SphereRule::DOCUMENT.check(objects)?;
    push(words, check.linkable.into());
    push_wide(words, check.enclosing.diameter().to_bits());
    for coordinate in check.enclosing.ball().center() {
        push_wide(words, coordinate.to_bits());
    }
    for support in check.enclosing.support() {
        push_index(words, support.index);
        push_wide(words, support.weight.to_bits());
    }
    Ok(())
}

fn span_rule<N: Number>(objects: &[[LinkPrim<N>; 1]], words: &mut Words) -> Result<(), LinkError> {
    let (mut spheres, mut pieces) = ([Ball::default(); PRIMS], [LinkedPiece::default(); PRIMS]);
    let scratch = LinkScratch { spheres: &mut spheres, pieces: &mut pieces };
    let linked = link(objects, scratch)?;
    push(words, linked.linkable().into());
    push_index(words, linked.rounds());
    for pair in linked.links().chain(linked.misses().take(PRIMS)) {
        push_index(words, pair.a);
        push_index(words, pair.b);
        push_wide(words, pair.fit.span.to_bits());
        push_wide(words, pair.fit.max_span.to_bits());
    }
    Ok(())
}
