//! A mesh as a part of a linkset.

use std::sync::Arc;

use lodger_archive::{Object, Part};
use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{PhysicsCost, ShapeType};
use lodger_core::cost::streaming::LinksetPart;
use uuid::Uuid;

use crate::error::Error;
use crate::measured::{Measured, unit};
use crate::rules::Pricing;

/// A mesh as a part of a linkset: all that its price depends on, but for the asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartUse {
    /// The asset.
    pub(crate) mesh: Uuid,
    /// The bits of its metres.
    scale: [u64; 3],
    shape: ShapeType,
    /// Whether the linkset moves by physics.
    physical: bool,
    /// Which part it is of a linkset whose mesh is animated.
    animated: Option<LinksetPart>,
}

/// The weights of a mesh in such a use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshWeights {
    pub(crate) streaming: f64,
    pub(crate) physics: PhysicsCost<f64>,
}

impl PartUse {
    /// How a part, which is that many parts behind the root, uses a mesh, if it shows one.
    pub(crate) fn of(part: &Part, object: &Object, index: usize) -> Option<Self> {
        let place = if index == 0 { LinksetPart::Root } else { LinksetPart::Child };
        Some(Self {
            mesh: part.mesh()?,
            scale: part.scale.map(f64::to_bits),
            shape: part.shape_type,
            physical: object.physical(),
            animated: object.root.animated.then_some(place),
        })
    }

    /// The meshes that a linkset uses, and how.
    pub(crate) fn all(object: &Object) -> impl Iterator<Item = Self> {
        let parts = object.parts().enumerate();
        parts.filter_map(|(index, part)| Self::of(part, object, index))
    }

    /// The price of the mesh in this use.
    pub(crate) fn price(
        &self,
        mesh: &Measured<'_>,
        pricing: &Pricing,
    ) -> Result<MeshWeights, Error> {
        let (scale, sizes) = (self.scale()?, mesh.mesh.sizes);
        let streaming = match self.animated {
            Some(part) => pricing.meshes().animated_cost(sizes, part),
            None => pricing.meshes().cost(scale.radius(), sizes),
        };
        Ok(MeshWeights { streaming, physics: mesh.physics_cost(scale, self.shape, self.physical)? })
    }

    fn scale(&self) -> Result<ObjectScale<f64>, lodger_core::Error> {
        ObjectScale::new(self.scale.map(f64::from_bits))
    }

    /// By what uses are sorted, so that those of equal proportions are side by side.
    pub(crate) fn proportions(&self) -> [u64; 3] {
        self.scale().map_or(self.scale, |scale| unit(scale).sides().map(f64::to_bits))
    }

    /// That the mesh of this use has no price.
    pub(crate) fn refused(&self, error: Error) -> Arc<Error> {
        Arc::new(Error::Mesh { id: self.mesh, error: Arc::new(error) })
    }
}
