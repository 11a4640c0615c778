//! Weights of a mesh, a linkset or an object in JSON.

use std::sync::Arc;

use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::{Accounting, Assessment, ObjectWeight};
use lodger_core::cost::physics::Representation;
use lodger_core::cost::simulator::ResourceCosts;
use lodger_core::cost::streaming::PerLod;
use lodger_mesh_asset::GeometryCounts;
use lodger_opensim::archive::ObjectLocation;
use lodger_opensim::pricing::{LinksetPrice, LodDetail, MeshDetail, PartPrice, PricedObject};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PriceBasis {
    pub(crate) rules: &'static str,
    pub(crate) source: &'static str,
    pub(crate) simulator: Option<(&'static str, Provenance)>,
}

/// Weights of a mesh or a linkset, and the land impact. Fields of meshes are left out of a linkset.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WeightReport {
    pub(crate) streaming: StreamingReport,
    pub(crate) physics: PhysicsReport,
    pub(crate) server: ServerReport,
    /// Simulator and region resource cost, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resource_cost: Option<ResourceReport>,
    pub(crate) land_impact: LandImpactReport,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct StreamingReport {
    pub(crate) cost: f64,
    pub(crate) rules: &'static str,
    /// The provenance of the cost; for a linkset, the least certain provenance of its prims.
    pub(crate) provenance: Provenance,
    #[serde(flatten)]
    pub(crate) lods: Option<LodRows>,
}

/// The share of each LOD of a mesh.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LodRows {
    pub(crate) triangles: PerLod<f64>,
    /// The share of the cost, from 0 to 1.
    pub(crate) share: PerLod<f64>,
    /// Bytes in the file; 0 for a missing LOD.
    pub(crate) bytes: PerLod<i32>,
    /// The geometry in the file, if known.
    pub(crate) geometry: PerLod<Option<GeometryReport>>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct GeometryReport {
    pub(crate) triangles: usize,
    pub(crate) vertices: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PhysicsReport {
    /// The cost without penalty, which decides whether the object may be physical.
    pub(crate) cost: f64,
    /// The cost with the penalty of a physical object, else the same.
    pub(crate) penalised: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) representation: Option<Representation>,
    /// The provenance of the cost; for a linkset, the least certain provenance of its prims.
    pub(crate) provenance: Provenance,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServerReport {
    pub(crate) cost: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ResourceReport {
    pub(crate) simulator: f64,
    pub(crate) region: f64,
    pub(crate) parameters: &'static str,
    pub(crate) provenance: Provenance,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct LandImpactReport {
    pub(crate) value: u32,
    /// `None` under the old accounting.
    pub(crate) limited_by: Option<ObjectWeight>,
}

impl WeightReport {
    pub(crate) fn from_linkset(
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

    pub(crate) fn from_mesh(detail: &MeshDetail, basis: PriceBasis) -> Self {
        let price = &detail.price;
        let mut weights = Self::from_linkset(&price.assessment, price.streaming_provenance, basis);
        weights.streaming.lods = Some(LodRows::from(&detail.lods));
        weights.physics.representation = Some(price.physics.representation);
        weights
    }
}

impl GeometryReport {
    /// The geometry of a LOD, if it was counted.
    pub(crate) fn from_counts(counts: Option<GeometryCounts>) -> Option<Self> {
        counts.map(|GeometryCounts { triangles, vertices, .. }| Self { triangles, vertices })
    }
}

impl From<&LodDetail> for LodRows {
    fn from(lods: &LodDetail) -> Self {
        let &LodDetail { triangles, share, bytes, geometry, .. } = lods;
        Self { triangles, share, bytes, geometry: geometry.map(GeometryReport::from_counts) }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ObjectRow {
    pub(crate) file: Arc<str>,
    pub(crate) object: PricedObject,
    pub(crate) price: Arc<LinksetPrice>,
    pub(crate) basis: PriceBasis,
}

#[derive(Debug, Serialize)]
struct ObjectReport<'r> {
    file: &'r str,
    /// The name, which need not be unique.
    object: &'r str,
    entry: &'r str,
    id: Option<String>,
    place: Option<&'r str>,
    region: Option<&'r str>,
    /// The position in the region, in metres.
    position: Option<[f64; 3]>,
    owner: Option<String>,
    parcel: Option<Value>,
    prims: u32,
    meshes: u32,
    scripts: u32,
    physical: bool,
    /// The sides of the box around the object along its root's axes, in metres.
    size: [f64; 3],
    accounting: Accounting,
    #[serde(flatten)]
    weights: WeightReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Value>,
}

impl ObjectRow {
    fn report(&self) -> ObjectReport<'_> {
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
            weights: WeightReport::from_linkset(
                &price.assessment,
                price.streaming_provenance,
                self.basis,
            ),
            parts: object.parts.iter().enumerate().map(part_json).collect(),
        }
    }
}

impl Serialize for ObjectRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report().serialize(serializer)
    }
}

fn part_json((before, part): (usize, &PartPrice)) -> Value {
    let geometry = part.geometry.map(|lods| lods.map(GeometryReport::from_counts));
    json!({
        "number": before + 1,
        "name": &*part.name,
        "shape": part.shape.to_string(),
        "mesh": part.shape.mesh().map(|id| id.to_string()),
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
