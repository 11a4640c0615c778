//! One mesh in one use, at any size of the same proportions.

use lodger_core::cost::physics::SMALLEST_MESH_SIDE;
use lodger_core::cost::{ObjectScale, REACH};

use crate::error::Error;
use crate::measured::Measured;
use crate::mesh::MeshUse;
use crate::price::MeshPrice;
use crate::rules::Pricing;

/// The largest size that core takes, in metres.
pub(crate) fn largest() -> f64 {
    f64::from(REACH)
}

/// One mesh in one use, at any size: the longest side in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes<'a> {
    pub(crate) pricing: &'a Pricing,
    pub(crate) mesh: &'a Measured<'a>,
    pub(crate) usage: &'a MeshUse,
}

impl<'a> Sizes<'a> {
    /// The sizes of a mesh.
    ///
    /// # Errors
    /// [`Error::NoExtent`] for a scale without proportions.
    pub(crate) fn new(
        pricing: &'a Pricing,
        mesh: &'a Measured<'a>,
        usage: &'a MeshUse,
    ) -> Result<Self, Error> {
        if usage.scale.longest() > 0.0 {
            Ok(Self { pricing, mesh, usage })
        } else {
            Err(Error::NoExtent)
        }
    }

    /// The scale of that size.
    pub(crate) fn scale(&self, size: f64) -> Result<ObjectScale<f64>, lodger_core::Error> {
        let longest = self.usage.scale.longest();
        ObjectScale::new(self.usage.scale.sides().map(|side| size * (side / longest)))
    }

    /// What the mesh costs at that size.
    pub(crate) fn price(&self, size: f64) -> Result<MeshPrice, Error> {
        let usage = MeshUse { scale: self.scale(size)?, ..*self.usage };
        self.pricing.measured(self.mesh, &usage)
    }

    /// The size at which the shortest side is as long as a physics mesh needs.
    pub(crate) fn flip(&self) -> f64 {
        let scale = self.usage.scale;
        SMALLEST_MESH_SIDE * (scale.longest() / scale.shortest())
    }
}
