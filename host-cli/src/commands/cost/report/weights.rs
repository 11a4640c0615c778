//! The weights of a mesh or a linkset and what they come to.

use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::{Assessment, ObjectWeight};
use lodger_core::cost::physics::Representation;
use lodger_core::cost::simulator::ResourceCosts;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::Counts;
use lodger_opensim::pricing::{LodDetail, MeshDetail};
use serde::Serialize;

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
pub(crate) struct Weights {
    /// What viewers download.
    pub(crate) streaming: Streaming,
    /// What the physics engine works with.
    pub(crate) physics: Physics,
    /// What the simulator manages.
    pub(crate) server: Server,
    /// Simulator and region resource cost, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resource_cost: Option<Resource>,
    /// What counts against a parcel.
    pub(crate) land_impact: Impact,
}

/// The streaming weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Streaming {
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
pub(crate) struct Physics {
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
pub(crate) struct Server {
    pub(crate) cost: f64,
}

/// Simulator and region resource cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Resource {
    pub(crate) simulator: f64,
    pub(crate) region: f64,
    /// Whose constants the former follows.
    pub(crate) parameters: &'static str,
    /// How far both can be trusted.
    pub(crate) provenance: Provenance,
}

/// A land impact.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Impact {
    pub(crate) value: u32,
    /// None under the old accounting.
    pub(crate) limited_by: Option<ObjectWeight>,
}

impl Weights {
    /// Those of a linkset.
    pub(crate) fn of_linkset(
        of: &Assessment<f64>,
        provenance: Provenance,
        PriceBasis { rules, simulator, .. }: PriceBasis,
    ) -> Self {
        let resource = of.resource.zip(simulator).map(|(costs, (parameters, of_constants))| {
            let ResourceCosts { simulator, region } = costs;
            Resource { simulator, region, parameters, provenance: of_constants.max(provenance) }
        });
        Self {
            streaming: Streaming { cost: of.streaming, rules, provenance, lods: None },
            physics: Physics {
                cost: of.physics_base,
                penalised: of.physics,
                representation: None,
                provenance: of.physics_provenance,
            },
            server: Server { cost: of.server },
            resource_cost: resource,
            land_impact: Impact {
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
