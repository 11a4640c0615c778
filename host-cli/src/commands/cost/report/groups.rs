//! Sums by owner or by parcel.

use lodger_pricing::Group;
use serde::{Serialize, Serializer};
use serde_json::json;

/// The objects of one owner, or on one parcel.
#[derive(Clone, Debug)]
pub(crate) struct GroupRow(pub(crate) Group);

impl Serialize for GroupRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Group { id, name, prims, total, .. } = &self.0;
        let row = json!({
            "id": id.map(|id| id.to_string()),
            "name": name,
            "objects": total.count,
            "prims": prims,
            "streaming": total.streaming,
            "physics": total.physics,
            "server": total.server,
            "land_impact": total.land_impact,
        });
        row.serialize(serializer)
    }
}
