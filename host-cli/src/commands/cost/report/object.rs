//! An object of an archive.

use std::sync::Arc;

use lodger_core::cost::land_impact::Accounting;
use lodger_opensim::archive::Place;
use lodger_opensim::pricing::{LinksetPrice, PartPrice, PricedObject};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::weights::{Geometry, PriceBasis, Weights};

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
struct Shown<'r> {
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
    weights: Weights,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Value>,
}

impl ObjectRow {
    fn shown(&self) -> Shown<'_> {
        let (object, price) = (&self.object, &self.price);
        let (place, region, position) = match &object.place {
            Place::Region { region, position } => (None, region.as_deref(), Some(*position)),
            Place::Inventory { path } => (Some(&**path), None, None),
            _ => (None, None, None),
        };
        let parcel = object.parcel.as_ref();
        Shown {
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
            weights: Weights::of_linkset(&price.assessment, price.streaming_provenance, self.basis),
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
