//! The weights of a mesh, a linkset or an object, as JSON has them.

use std::sync::Arc;

use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::{Accounting, Assessment, ObjectWeight};
use lodger_core::cost::physics::Representation;
use lodger_core::cost::simulator::ResourceCosts;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::Counts;
use lodger_opensim::archive::Place;
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

/// The weights of a mesh or a linkset and what they come to. What only a mesh has is left out of a
/// linkset.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct WeightReport {
    /// What viewers download.
    pub(crate) streaming: StreamingReport,
    /// What the physics engine works with.
    pub(crate) physics: PhysicsReport,
    /// What the simulator manages.
    pub(crate) server: ServerReport,
    /// Simulator and region resource cost, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resource_cost: Option<ResourceReport>,
    /// What counts against a parcel.
    pub(crate) land_impact: LandImpactReport,
}

/// The streaming weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StreamingReport {
    pub(crate) cost: f64,
    /// Whose constants it follows.
    pub(crate) rules: &'static str,
    /// How far the cost, of a linkset that of the least certain prim, can be trusted.
    pub(crate) provenance: Provenance,
    /// Of a mesh.
    #[serde(flatten)]
    pub(crate) lods: Option<LodRows>,
}

/// What each LOD of a mesh contributes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LodRows {
    /// That it is charged for.
    pub(crate) triangles: Lods<f64>,
    /// The part of the cost that it is responsible for, 0 to 1.
    pub(crate) share: Lods<f64>,
    /// In the file; 0 if it is missing.
    pub(crate) bytes: Lods<i32>,
    /// That it really has, if that is known.
    pub(crate) geometry: Lods<Option<Geometry>>,
}

/// The triangles and vertices that a LOD really has.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Geometry {
    pub(crate) triangles: usize,
    pub(crate) vertices: usize,
}

/// The physics weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PhysicsReport {
    /// Before any penalty: what decides whether the object may be physical.
    pub(crate) cost: f64,
    /// What counts: with the penalty of a physical object, else the same.
    pub(crate) penalised: f64,
    /// Of a mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) representation: Option<Representation>,
    /// How far the cost, of a linkset that of the least certain prim, can be trusted.
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
    /// Whose constants the former follows.
    pub(crate) parameters: &'static str,
    /// How far both can be trusted.
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
    /// Those of a linkset.
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

    /// Those of a mesh.
    pub(crate) fn of_mesh(detail: &MeshDetail, basis: PriceBasis) -> Self {
        let price = &detail.price;
        let mut weights = Self::of_linkset(&price.assessment, price.streaming_provenance, basis);
        weights.streaming.lods = Some(LodRows::from(&detail.lods));
        weights.physics.representation = Some(price.physics.representation);
        weights
    }
}

impl Geometry {
    /// What was counted of a LOD, if it was.
    pub(crate) fn of(counts: Option<Counts>) -> Option<Self> {
        counts.map(|Counts { triangles, vertices, .. }| Self { triangles, vertices })
    }
}

impl From<&LodDetail> for LodRows {
    fn from(lods: &LodDetail) -> Self {
        let &LodDetail { triangles, share, bytes, geometry, .. } = lods;
        Self { triangles, share, bytes, geometry: geometry.map(Geometry::of) }
    }
}

/// An object of an archive that has a price.
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
    /// How many of the prims show a mesh.
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
        let (place, region, position) = match &object.place {
            Place::Region { region, position } => (None, region.as_deref(), Some(*position)),
            Place::Inventory { path } => (Some(&**path), None, None),
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

/// A part that so many others precede.
fn part((before, part): (usize, &PartPrice)) -> Value {
    let geometry = part.geometry.map(|lods| lods.map(Geometry::of));
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
