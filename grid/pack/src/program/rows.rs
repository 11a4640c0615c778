//! What is said of an object, its levels and its physics.

use lodger_core::cost::Provenance;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{Lods, MeshLod};
use lodger_mesh_asset::Limits;
use lodger_opensim::pricing::{Error, MadeOf, Mesh, MeshDetail, MeshUse, Pricing, ShapeChoice};
use lodger_pack::{Level, Origin, PackedObject};
use serde::Serialize;

use super::findings::FindingRow;

/// An object, priced from the bytes of its asset.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ObjectRow {
    pub(super) name: String,
    /// The names of its files, but for their endings.
    pub(super) file: String,
    /// Its middle in metres, in the space of the model.
    pub(super) position: [f64; 3],
    /// In metres: the scale that the prim needs.
    pub(super) size: [f64; 3],
    /// Its streaming cost.
    #[serde(skip)]
    pub(super) streaming: f64,
    pub(super) lods: Lods<LodRow>,
    pub(super) physics: PhysicsRow,
    pub(super) findings: Vec<FindingRow>,
}

/// A level of detail.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct LodRow {
    /// Of its block.
    pub(super) bytes: i32,
    pub(super) triangles: usize,
    pub(super) vertices: usize,
    /// The greatest distance to the model in metres, as sampled.
    pub(super) error: f64,
    /// How much an error of 1 m weighs here.
    weight: f64,
    /// Metres from which on it is shown.
    pub(super) from: f64,
    /// Its part of the streaming cost.
    pub(super) cost: f64,
    pub(super) origin: &'static str,
}

/// A physics shape.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PhysicsRow {
    /// What it costs as the stated shape type.
    pub(super) cost: f64,
    /// What the bounding hull has, whatever the shape type.
    pub(super) hull_vertices: usize,
    pub(super) hulls: usize,
    /// Of the physics mesh.
    pub(super) triangles: usize,
    /// Metres that the farthest vertex of the model is outside of the hull.
    pub(super) outside: f64,
    /// The difference of volumes, as a part of the model's box.
    pub(super) volume_error: f64,
    /// What it costs as each type.
    pub(super) types: Vec<TypeRow>,
}

/// What a shape costs as one type.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TypeRow {
    pub(super) shape: ShapeType,
    pub(super) cost: f64,
    pub(super) provenance: Provenance,
    /// A word that does not change.
    made_of: &'static str,
    pub(super) collides_as: String,
}

impl ObjectRow {
    /// What is said of an object whose files are called so.
    pub(super) fn new(
        object: &PackedObject,
        file: &str,
        pricing: &Pricing,
        shape: ShapeType,
    ) -> Result<Self, Error> {
        let scale = object.frame.scale().map_err(Error::LinksetSize)?;
        let mesh = Mesh::read(&object.asset, Limits::default())?;
        let usage = MeshUse { scale, shape, ..MeshUse::default() };
        let detail = pricing.mesh_in_detail(&mesh, &usage)?;
        Ok(Self {
            name: object.name.clone(),
            file: file.to_owned(),
            position: object.frame.centre(),
            size: object.frame.sides(),
            streaming: detail.price.assessment.streaming,
            lods: lods(object, &detail),
            physics: PhysicsRow::new(object, &detail),
            findings: FindingRow::of_asset(&object.asset, scale)?,
        })
    }
}

fn lods(object: &PackedObject, detail: &MeshDetail) -> Lods<LodRow> {
    let row = |lod| LodRow::new(object, detail, lod);
    Lods {
        lowest: row(MeshLod::Lowest),
        low: row(MeshLod::Low),
        medium: row(MeshLod::Medium),
        high: row(MeshLod::High),
    }
}

impl LodRow {
    fn new(object: &PackedObject, detail: &MeshDetail, lod: MeshLod) -> Self {
        let candidate = object.level(lod);
        let streaming = detail.price.assessment.streaming;
        Self {
            bytes: detail.lods.bytes.of(lod),
            triangles: candidate.level.triangle_count(),
            vertices: candidate.level.vertex_count(),
            error: candidate.error,
            weight: object.weights.of(lod),
            from: detail.lods.begins.of(lod),
            cost: detail.lods.share.of(lod) * streaming,
            origin: word(candidate.origin),
        }
    }
}

impl PhysicsRow {
    fn new(object: &PackedObject, detail: &MeshDetail) -> Self {
        let physics = &object.physics;
        Self {
            cost: detail.price.physics.cost,
            hull_vertices: physics.bounding.len(),
            hulls: physics.parts.len(),
            triangles: physics.mesh.as_ref().map_or(0, Level::triangle_count),
            outside: physics.outside,
            volume_error: physics.volume_error,
            types: detail.choices.iter().map(TypeRow::from).collect(),
        }
    }
}

impl From<&ShapeChoice> for TypeRow {
    fn from(choice: &ShapeChoice) -> Self {
        Self {
            shape: choice.shape,
            cost: choice.physics.cost,
            provenance: choice.physics.provenance,
            made_of: match choice.made_of {
                MadeOf::Nothing => "nothing",
                MadeOf::Hull { .. } => "hull",
                MadeOf::Hulls { .. } => "decomposition",
                MadeOf::Mesh => "mesh",
            },
            collides_as: choice.made_of.to_string(),
        }
    }
}

/// How a level was made, in a word that does not change.
const fn word(origin: Origin) -> &'static str {
    match origin {
        Origin::Source => "source",
        Origin::Given => "given",
        Origin::Attributes => "attributes",
        Origin::Positions => "positions",
        Origin::Pruned => "pruned",
        Origin::Sloppy => "sloppy",
    }
}
