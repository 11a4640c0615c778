//! Weights of a mesh, a linkset or an object in JSON.

use std::sync::Arc;

use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::{Accounting, Assessment, ObjectWeight};
use lodger_core::cost::physics::Representation;
use lodger_core::cost::simulator::ResourceCosts;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::GeometryCounts;
use lodger_opensim::archive::ObjectLocation;
use lodger_opensim::pricing::{LinksetPrice, LodDetail, MeshDetail, PartPrice, PricedObject};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The rules and constants of the numbers of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PriceBasis {
    /// The name of the rules of streaming cost.
    pub(crate) rules: &'static str,
    /// The source of their constants.
    pub(crate) source: &'static str,
    /// The name and the provenance of the constants of simulator resource cost.
    pub(crate) simulator: Option<(&'static str, Provenance)>,
}

/// Weights of a mesh or a linkset, and the land impact. Fields of meshes are left out of a linkset.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WeightReport {
    /// Weight of the download.
    pub(crate) streaming: StreamingReport,
    /// Weight of collisions.
    pub(crate) physics: PhysicsReport,
    /// Weight of prims and scripts.
    pub(crate) server: ServerReport,
    /// Simulator and region resource cost, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resource_cost: Option<ResourceReport>,
    /// Land impact.
    pub(crate) land_impact: LandImpactReport,
}

/// The streaming weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StreamingReport {
    pub(crate) cost: f64,
    /// Name of the rules.
    pub(crate) rules: &'static str,
    /// Provenance of the cost; of a linkset that of its least certain prim.
    pub(crate) provenance: Provenance,
    /// LODs of a mesh.
    #[serde(flatten)]
    pub(crate) lods: Option<LodRows>,
}

/// Share of each LOD of a mesh.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LodRows {
    /// Charged triangles.
    pub(crate) triangles: Lods<f64>,
    /// Share of the cost, from 0 to 1.
    pub(crate) share: Lods<f64>,
    /// Bytes in the file; 0 if it is missing.
    pub(crate) bytes: Lods<i32>,
    /// Geometry in the file, if known.
    pub(crate) geometry: Lods<Option<GeometryReport>>,
}

/// Triangles and vertices of a LOD in the file.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct GeometryReport {
    pub(crate) triangles: usize,
    pub(crate) vertices: usize,
}

/// The physics weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PhysicsReport {
    /// Cost without penalty, which decides whether the object may be physical.
    pub(crate) cost: f64,
    /// Cost with the penalty of a physical object, else the same.
    pub(crate) penalised: f64,
    /// Representation of a mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) representation: Option<Representation>,
    /// Provenance of the cost; of a linkset that of its least certain prim.
    pub(crate) provenance: Provenance,
}

/// The server weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServerReport {
    pub(crate) cost: f64,
}

/// Simulator and region resource cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ResourceReport {
    pub(crate) simulator: f64,
    pub(crate) region: f64,
    /// Name of the constants of the simulator cost.
    pub(crate) parameters: &'static str,
    /// Provenance of both.
    pub(crate) provenance: Provenance,
}

/// A land impact.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LandImpactReport {
    pub(crate) value: u32,
    /// None under the old accounting.
    pub(crate) limited_by: Option<ObjectWeight>,
}

impl WeightReport {
    /// Weights of a linkset.
    pub(crate) fn of_linkset(
        of: &Assessment<f64>,
        provenance: Provenance,
        PriceBasis { rules, simulator, .. }: PriceBasis,
    ) -> Self {
        let resource = of.resource.zip(simulator).map(|(costs, (parameters, of_constants))| {
            let ResourceCosts { simulator, region } = costs;
            ResourceReport {
                simulator,
                region,
                parameters,
                provenance: of_constants.max(provenance),
            }
        });
        Self {
            streaming: StreamingReport { cost: of.streaming, rules, provenance, lods: None },
            physics: PhysicsReport {
                cost: of.physics_base,
                penalised: of.physics,
                representation: None,
                provenance: of.physics_provenance,
            },
            server: ServerReport { cost: of.server },
            resource_cost: resource,
            land_impact: LandImpactReport {
                value: of.land_impact.value,
                limited_by: of.land_impact.limited_by,
            },
        }
    }

    /// Weights of a mesh.
    pub(crate) fn of_mesh(detail: &MeshDetail, basis: PriceBasis) -> Self {
        let price = &detail.price;
        let mut weights = Self::of_linkset(&price.assessment, price.streaming_provenance, basis);
        weights.streaming.lods = Some(LodRows::from(&detail.lods));
        weights.physics.representation = Some(price.physics.representation);
        weights
    }
}

impl GeometryReport {
    /// Geometry of a LOD, if it was counted.
    pub(crate) fn of(counts: Option<GeometryCounts>) -> Option<Self> {
        counts.map(|GeometryCounts { triangles, vertices, .. }| Self { triangles, vertices })
    }
}

impl From<&LodDetail> for LodRows {
    fn from(lods: &LodDetail) -> Self {
        let &LodDetail { triangles, share, bytes, geometry, .. } = lods;
        Self { triangles, share, bytes, geometry: geometry.map(GeometryReport::of) }
    }
}

/// A priced object of an archive.
#[derive(Clone, Debug)]
pub(crate) struct ObjectRow {
    /// The archive.
    pub(crate) file: Arc<str>,
    pub(crate) object: PricedObject,
    pub(crate) price: Arc<LinksetPrice>,
    pub(crate) basis: PriceBasis,
}

#[derive(Debug, Serialize)]
struct ObjectReport<'r> {
    file: &'r str,
    /// Its name, which need not be unique.
    object: &'r str,
    /// Its entry in the archive.
    entry: &'r str,
    id: Option<String>,
    /// Its path in an inventory.
    place: Option<&'r str>,
    region: Option<&'r str>,
    /// Metres in its region.
    position: Option<[f64; 3]>,
    owner: Option<String>,
    parcel: Option<Value>,
    prims: u32,
    /// Number of prims with a mesh.
    meshes: u32,
    scripts: u32,
    physical: bool,
    /// Metres: the box around it along its root's axes.
    size: [f64; 3],
    accounting: Accounting,
    #[serde(flatten)]
    weights: WeightReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Value>,
}

impl ObjectRow {
    fn shown(&self) -> ObjectReport<'_> {
        let (object, price) = (&self.object, &self.price);
        let (place, region, position) = match &object.location {
            ObjectLocation::Region { region, position } => {
                (None, region.as_deref(), Some(*position))
            }
            ObjectLocation::Inventory { path } => (Some(&**path), None, None),
            _ => (None, None, None),
        };
        let parcel = object.parcel.as_ref();
        ObjectReport {
            file: &self.file,
            object: &object.name,
            entry: &object.entry,
            id: (!object.id.is_nil()).then(|| object.id.to_string()),
            place,
            region,
            position,
            owner: object.owner.map(|owner| owner.to_string()),
            parcel: parcel.map(|of| json!({ "id": of.id.to_string(), "name": of.name })),
            prims: price.assessment.prims,
            meshes: price.meshes,
            scripts: price.scripts,
            physical: price.physical,
            size: price.size.sides(),
            accounting: price.assessment.accounting,
            weights: WeightReport::of_linkset(
                &price.assessment,
                price.streaming_provenance,
                self.basis,
            ),
            parts: object.parts.iter().enumerate().map(part).collect(),
        }
    }
}

impl Serialize for ObjectRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shown().serialize(serializer)
    }
}

/// A part with the number of parts before it.
fn part((before, part): (usize, &PartPrice)) -> Value {
    let geometry = part.geometry.map(|lods| lods.map(GeometryReport::of));
    json!({
        "number": before + 1,
        "name": &*part.name,
        "shape": part.shape.to_string(),
        "mesh": part.mesh().map(|id| id.to_string()),
        "scale": part.scale,
        "scripts": part.scripts,
        "shape_type": part.shape_type,
        "streaming": {
            "cost": part.streaming,
            "provenance": part.streaming_provenance,
            "geometry": geometry,
        },
        "physics": {
            "cost": part.physics.cost,
            "representation": part.physics.representation,
            "provenance": part.physics.provenance,
        },
    })
}
