//! Sums by owner or by parcel.

use lodger_opensim::pricing::{Group, Total};
use serde::{Serialize, Serializer};

/// The objects of one owner, or on one parcel.
#[derive(Clone, Debug)]
pub(crate) struct GroupRow(pub(crate) Group);

#[derive(Serialize)]
struct Shown<'g> {
    id: Option<String>,
    name: Option<&'g str>,
    objects: usize,
    prims: u64,
    #[serde(flatten)]
    sums: Sums,
}

/// The sums of weights and land impacts.
#[derive(Serialize)]
pub(super) struct Sums {
    streaming: f64,
    physics: f64,
    server: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulator_cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region_cost: Option<f64>,
    land_impact: u64,
}

impl From<&Total> for Sums {
    fn from(total: &Total) -> Self {
        let &Total { streaming, physics, server, resource, land_impact, .. } = total;
        let simulator_cost = resource.map(|costs| costs.simulator);
        let region_cost = resource.map(|costs| costs.region);
        Self { streaming, physics, server, simulator_cost, region_cost, land_impact }
    }
}

impl Serialize for GroupRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Group { id, name, prims, total, .. } = &self.0;
        let (id, name) = (id.map(|id| id.to_string()), name.as_deref());
        let (objects, prims, sums) = (total.count, *prims, total.into());
        Shown { id, name, objects, prims, sums }.serialize(serializer)
    }
}
