//! How many bytes a land impact allows at a size.

use std::fmt;

use lodger_core::cost::land_impact::{ObjectWeight, greatest_weight};
use lodger_core::cost::streaming::Lods;

use crate::price::MeshPrice;
use crate::sizes::Sizes;

/// How many bytes the LODs may have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ByteRoom {
    /// Each LOD, if the others stay as they are; `None` where not one byte is left.
    pub alone: Lods<Option<i32>>,
    /// All LODs, if each is changed by the same factor.
    pub together: Option<Lods<i32>>,
    /// Why no number of bytes comes to the land impact, if none does.
    pub none: Option<NoRoom>,
}

/// Why no number of bytes comes to a land impact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoRoom {
    /// Another weight than streaming is too much, whatever the bytes.
    OtherWeight {
        /// Which one.
        which: ObjectWeight,
        /// How much it is.
        weight: f64,
        /// The land impact.
        land_impact: u32,
    },
    /// Even empty LODs cost more.
    EvenEmpty {
        /// The land impact.
        land_impact: u32,
    },
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherWeight { which, weight, land_impact } => write!(
                f,
                "at this size {which} weighs {weight:.3} whatever the bytes, too much for {land_impact}"
            ),
            Self::EvenEmpty { land_impact } => {
                write!(f, "even empty LODs cost more than {land_impact} at this size")
            }
        }
    }
}

/// The bytes that a land impact allows a mesh of that price.
pub(super) fn room(sizes: &Sizes<'_>, price: &MeshPrice, land_impact: u32) -> ByteRoom {
    let limit = greatest_weight::<f64>(land_impact);
    let fixed = [
        (price.assessment.physics, ObjectWeight::Physics),
        (price.assessment.server, ObjectWeight::Server),
    ];
    if let Some((weight, which)) = fixed.into_iter().find(|(weight, _)| *weight > limit) {
        let none = Some(NoRoom::OtherWeight { which, weight, land_impact });
        return ByteRoom { alone: Lods::default(), together: None, none };
    }
    let (streaming, radius) = (sizes.pricing.meshes(), price.scale.radius());
    let alone = streaming.room(radius, sizes.mesh.mesh.sizes, limit);
    let together = streaming.resized(radius, sizes.mesh.mesh.sizes, limit);
    let possible = together.is_some() || alone.to_array().iter().any(Option::is_some);
    ByteRoom { alone, together, none: (!possible).then_some(NoRoom::EvenEmpty { land_impact }) }
}
