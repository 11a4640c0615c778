//! The summary of a packed model: the JSON, and the data of the table, priced from the bytes of the
//! assets.

use lodger_core::cost::land_impact::{LandImpact, ObjectWeight, land_impact};
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::{MeshLod, PerLod};
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_mesh_asset::lint::{Finding, FindingSeverity, lint};
use lodger_mesh_asset::{Asset, AssetBlock, AssetLimits};
use lodger_opensim::pricing::{
    CollisionGeometry, MeshDetail, MeshInputs, MeshUse, Pricer, PricingError, ShapeChoice,
};
use lodger_pack::{
    ASSET_SIZES, LodMesh, LodOrigin, Model, Note, PackOptions, PackedModel, PackedObject,
    UPLOAD_SIZES,
};
use lodger_terminal::Diagnostic;
use serde::Serialize;

use crate::program::output_paths::OutputPaths;

/// The summary; serialised, the JSON of schema 1.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PackSummary {
    schema: u32,
    pub(super) model: String,
    pub(super) output: String,
    pub(super) report: Option<String>,
    #[serde(rename = "asked")]
    pub(super) requested: Option<u32>,
    pub(super) target: u32,
    pub(super) land_impact: LandImpactSummary,
    pub(super) streaming: StreamingSummary,
    pub(super) physics: PhysicsSummary,
    pub(super) server: ServerSummary,
    /// The sum of importance times error over all objects and levels.
    pub(super) loss: f64,
    pub(super) objects: Vec<PackedObjectRow>,
    pub(super) notes: Vec<Note>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct LandImpactSummary {
    pub(super) value: u32,
    pub(super) limited_by: Option<ObjectWeight>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct StreamingSummary {
    pub(super) cost: f64,
    pub(super) rules: &'static str,
    pub(super) provenance: Provenance,
    pub(super) upload_provenance: Provenance,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct PhysicsSummary {
    pub(super) cost: f64,
    pub(super) shape: ShapeType,
    pub(super) provenance: Provenance,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct ServerSummary {
    pub(super) cost: f64,
}

impl PackSummary {
    pub(super) fn new(
        model: &Model,
        packed: &PackedModel,
        options: &PackOptions,
        places: &OutputPaths,
    ) -> Result<Self, Diagnostic> {
        let pricer =
            Pricer::new(options.rules).map_err(|error| Diagnostic::error(error.to_string()))?;
        let row = |(index, object)| {
            PackedObjectRow::new(object, places.name(index), &pricer, options.shape)
        };
        let objects: Result<Vec<_>, _> = packed.objects.iter().enumerate().map(row).collect();
        let objects = objects.map_err(|error| {
            Diagnostic::error(format!("what was made cannot be priced: {error}"))
                .help("this is a mistake of lodger's; nothing was written")
        })?;
        let sum = |cost: fn(&PackedObjectRow) -> f64| objects.iter().map(cost).sum::<f64>();
        let (streaming, physics) = (sum(|one| one.streaming), sum(|one| one.physics.cost));
        let impact = land_impact(streaming, physics, packed.server);
        if impact.value > packed.target {
            let LandImpact { value, .. } = impact;
            return Err(Diagnostic::error(format!("what was made has a land impact of {value}"))
                .help("this is a mistake of lodger's; nothing was written"));
        }
        let types = objects.iter().flat_map(|object| &object.physics.types);
        let provenance = types.filter(|one| one.shape == options.shape).map(|one| one.provenance);
        Ok(Self {
            schema: 1,
            model: model.name.clone(),
            output: places.folder().display().to_string(),
            report: places.report().map(|path| path.display().to_string()),
            requested: packed.requested,
            target: packed.target,
            land_impact: LandImpactSummary { value: impact.value, limited_by: impact.limited_by },
            streaming: StreamingSummary {
                cost: streaming,
                rules: options.rules.name,
                provenance: options.rules.provenance.max(ASSET_SIZES),
                upload_provenance: options.rules.provenance.max(UPLOAD_SIZES),
            },
            physics: PhysicsSummary {
                cost: physics,
                shape: options.shape,
                provenance: provenance.fold(Provenance::Exact, Provenance::max),
            },
            server: ServerSummary { cost: packed.server },
            loss: packed.loss,
            objects,
            notes: packed.notes.clone(),
        })
    }

    pub(super) fn has_warnings(&self) -> bool {
        self.objects.iter().flat_map(|object| &object.findings).any(FindingRow::is_warning)
    }
}

/// An object, priced from the bytes of its asset.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PackedObjectRow {
    pub(super) name: String,
    pub(super) file: String,
    /// The centre in metres, in the space of the model.
    pub(super) position: [f64; 3],
    /// The scale that the prim needs, in metres.
    pub(super) size: [f64; 3],
    #[serde(skip)]
    pub(super) streaming: f64,
    pub(super) lods: PerLod<LodRow>,
    pub(super) physics: PhysicsRow,
    pub(super) findings: Vec<FindingRow>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct LodRow {
    pub(super) bytes: i32,
    pub(super) triangles: usize,
    pub(super) vertices: usize,
    /// The greatest distance to the model in metres, from samples.
    pub(super) error: f64,
    /// The loss for each metre of error.
    weight: f64,
    /// The distance in metres from which the level is shown.
    pub(super) from: f64,
    /// The share of the streaming cost.
    pub(super) cost: f64,
    pub(super) origin: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct PhysicsRow {
    pub(super) cost: f64,
    pub(super) hull_vertices: usize,
    pub(super) hulls: usize,
    pub(super) triangles: usize,
    /// The greatest distance in metres of a vertex of the model outside of the hull.
    pub(super) outside: f64,
    /// The difference of volumes, as a ratio to the model's box.
    pub(super) volume_error: f64,
    pub(super) types: Vec<TypeRow>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct TypeRow {
    pub(super) shape: ShapeType,
    pub(super) cost: f64,
    pub(super) provenance: Provenance,
    made_of: &'static str,
    pub(super) collides_as: String,
}

impl PackedObjectRow {
    pub(super) fn new(
        object: &PackedObject,
        file: &str,
        pricer: &Pricer,
        shape: ShapeType,
    ) -> Result<Self, PricingError> {
        let scale = object.frame.scale().map_err(PricingError::LinksetSize)?;
        let mesh = MeshInputs::read(&object.asset, AssetLimits::default())?;
        let usage = MeshUse { scale, shape, ..MeshUse::default() };
        let detail = pricer.mesh_in_detail(&mesh, &usage)?;
        let [lowest, low, medium, high] = MeshLod::ALL.map(|lod| LodRow::new(object, &detail, lod));
        Ok(Self {
            name: object.name.clone(),
            file: file.to_owned(),
            position: object.frame.centre(),
            size: object.frame.sides(),
            streaming: detail.price.assessment.streaming,
            lods: PerLod { lowest, low, medium, high },
            physics: PhysicsRow::new(object, &detail),
            findings: FindingRow::from_asset(&object.asset, scale)?,
        })
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
            weight: object.importances.of(lod),
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
            triangles: physics.mesh.as_ref().map_or(0, LodMesh::triangle_count),
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
            made_of: match choice.geometry {
                CollisionGeometry::Nothing => "nothing",
                CollisionGeometry::Hull { .. } => "hull",
                CollisionGeometry::Hulls { .. } => "decomposition",
                CollisionGeometry::Mesh => "mesh",
            },
            collides_as: choice.geometry.to_string(),
        }
    }
}

const fn word(origin: LodOrigin) -> &'static str {
    match origin {
        LodOrigin::Source => "source",
        LodOrigin::Authored => "given",
        LodOrigin::Attributes => "attributes",
        LodOrigin::Positions => "positions",
        LodOrigin::Pruned => "pruned",
        LodOrigin::Sloppy => "sloppy",
    }
}

/// A finding of lint for JSON; inapplicable fields are null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FindingRow {
    pub(super) kind: &'static str,
    pub(super) severity: &'static str,
    pub(super) block: Option<&'static str>,
    face: Option<usize>,
    triangle: Option<usize>,
    hull: Option<usize>,
    pub(super) message: String,
    pub(super) advice: &'static str,
    #[serde(skip)]
    pub(super) place: String,
}

impl FindingRow {
    pub(super) fn is_warning(&self) -> bool {
        self.severity == FindingSeverity::Warning.code()
    }

    pub(super) fn from_asset(
        asset: &[u8],
        scale: ObjectScale<f64>,
    ) -> Result<Vec<Self>, lodger_mesh_asset::AssetError> {
        let asset = Asset::parse(asset)?;
        Ok(lint(&asset, scale).iter().map(Self::from).collect())
    }
}

impl From<&Finding> for FindingRow {
    fn from(finding: &Finding) -> Self {
        Self {
            kind: finding.kind.code(),
            severity: finding.severity().code(),
            block: finding.block.map(AssetBlock::key),
            face: finding.face,
            triangle: finding.triangle,
            hull: finding.hull,
            message: finding.kind.to_string(),
            advice: finding.advice(),
            place: finding.location(),
        }
    }
}
