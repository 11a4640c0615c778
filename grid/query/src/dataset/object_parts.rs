//! From an object to its rows.

use std::sync::Arc;

use lodger_core::cost::physics::Motion;
use lodger_core::cost::prims::{Primitive, Solid};
use lodger_core::cost::streaming::Lods;
use lodger_core::cost::{ObjectScale, PrimKind};
use lodger_opensim::archive::{Object, Part, Shape};
use lodger_opensim::pricing::linkset_size;

use super::part::{PartKind, PartRow};

impl PartRow {
    /// The parts of an object. Nothing is priced here that depends on rules or on a mesh. What stands in no region has
    /// no owner.
    ///
    /// # Errors
    /// A part or the box around all parts is larger than core takes.
    pub fn of_object(
        object: &Object,
        key: &str,
        region: Option<&str>,
        with_names: bool,
    ) -> Result<Vec<Self>, lodger_core::Error> {
        let object_size = linkset_size(object)?.sides();
        let (key, region): (Arc<str>, Option<Arc<str>>) = (key.into(), region.map(Into::into));
        let row = |(number, part): (i32, &Part)| {
            let look = Look::of(part, object.physical())?;
            Ok(Self {
                object: Arc::clone(&key),
                part: number,
                name: with_names.then(|| part.name.to_string()),
                owner: object.owner.filter(|_| region.is_some()),
                creator: part.creator,
                region: region.clone(),
                scale: ObjectScale::new(part.scale)?.sides(),
                kind: look.kind,
                shape: part.shape,
                shape_type: part.shape_type,
                physical: object.physical(),
                animated: object.root.animated,
                scripts: i32::try_from(part.scripts).unwrap_or(i32::MAX),
                sizes: look.sizes,
                physics: look.physics,
                object_size,
            })
        };
        (1..).zip(object.parts()).map(row).collect()
    }
}

/// What a part weighs by its shape alone.
struct Look {
    kind: PartKind,
    sizes: Option<Lods<i32>>,
    physics: Option<f64>,
}

impl Look {
    fn of(part: &Part, physical: bool) -> Result<Self, lodger_core::Error> {
        let prim = match part.shape {
            Shape::Mesh(_) => return Ok(Self { kind: PartKind::Mesh, sizes: None, physics: None }),
            Shape::Plant(_) => {
                let sizes = Some(Lods::default());
                return Ok(Self { kind: PartKind::Plant, sizes, physics: Some(0.0) });
            }
            Shape::Prim(prim) => prim,
            _ => Primitive { solid: Solid::Other, altered: false },
        };
        let kind = match prim.kind() {
            PrimKind::Sculpted => PartKind::Sculpted,
            _ => PartKind::Plain,
        };
        let motion = if physical { Motion::Physical } else { Motion::AT_REST };
        let physics = prim.body::<f64>()?.cost(part.shape_type, motion).cost;
        Ok(Self { kind, sizes: Some(prim.bytes()), physics: Some(physics) })
    }
}
