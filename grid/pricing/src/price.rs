//! What a mesh costs as an object of its own.

use std::iter::repeat_n;

use lodger_core::cost::land_impact::{Assessment, Linkset, Part, assess};
use lodger_core::cost::physics::PhysicsCost;
use lodger_core::cost::simulator::FreeScripts;
use lodger_core::cost::{ObjectScale, PrimKind, Provenance};

use crate::error::Error;
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::rules::Pricing;

/// What a mesh costs as an object of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshPrice {
    /// The sides of the object in metres.
    pub scale: ObjectScale<f64>,
    /// How far its streaming weight can be trusted: as far as the rules.
    pub streaming_provenance: Provenance,
    /// The physics of one such mesh, before any penalty.
    pub physics: PhysicsCost<f64>,
    /// Its weights and what they come to.
    pub assessment: Assessment<f64>,
}

impl Pricing {
    /// What a mesh costs as an object of its own.
    ///
    /// # Errors
    /// The errors of [`Mesh::physics_cost`], and [`Error::Refused`] for a use of no mesh.
    pub fn mesh(&self, mesh: &Mesh, usage: &MeshUse) -> Result<MeshPrice, Error> {
        self.measured(&Measured::new(mesh), usage)
    }

    /// What a mesh costs that may have been measured already.
    pub(crate) fn measured(
        &self,
        mesh: &Measured<'_>,
        usage: &MeshUse,
    ) -> Result<MeshPrice, Error> {
        let MeshUse { scale, shape, physical, scripts, prims } = *usage;
        let physics = mesh.physics_cost(scale, shape, physical)?;
        let streaming = self.meshes().cost(scale.radius(), mesh.mesh.sizes);
        let part = Part { kind: PrimKind::Mesh, shape, streaming, physics };
        let (free_scripts, simulator) = (FreeScripts::One, self.simulator().copied());
        let linkset = Linkset { size: scale, physical, scripts, free_scripts, simulator };
        let assessment = assess(repeat_n(part, prims as usize), linkset)?;
        let streaming_provenance = self.rules().provenance;
        Ok(MeshPrice { scale, streaming_provenance, physics, assessment })
    }
}
