//! What one part of a linkset weighs.

use std::sync::Arc;

use lodger_archive::{Part, Shape};
use lodger_core::cost::Provenance;
use lodger_core::cost::land_impact::Part as Counted;
use lodger_core::cost::physics::{PhysicsCost, ShapeType};
use lodger_core::cost::streaming::{Lods, capped};
use lodger_mesh_asset::Counts;
use uuid::Uuid;

/// What one part of a linkset weighs: the sums over its parts are the weights of the linkset.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartPrice {
    /// Its name, which need not be unique.
    pub name: Arc<str>,
    /// What it looks like.
    pub shape: Shape,
    /// Metres along its own axes.
    pub scale: [f64; 3],
    /// The scripts in it.
    pub scripts: u32,
    /// Its physics shape type.
    pub shape_type: ShapeType,
    /// Its streaming weight, at most what a prim of its kind may weigh.
    pub streaming: f64,
    /// How far the streaming weight can be trusted.
    pub streaming_provenance: Provenance,
    /// Its physics weight, before any penalty, and what it collides as.
    pub physics: PhysicsCost<f64>,
    /// The triangles and vertices that its mesh really has.
    pub geometry: Option<Lods<Option<Counts>>>,
}

/// What is counted of a part, and how far its streaming weight can be trusted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed {
    pub(crate) counted: Counted<f64>,
    pub(crate) streaming_provenance: Provenance,
}

impl PartPrice {
    /// The mesh that it shows.
    #[must_use]
    pub const fn mesh(&self) -> Option<Uuid> {
        match self.shape {
            Shape::Mesh(id) => Some(id),
            _ => None,
        }
    }

    pub(crate) fn new(
        part: &Part,
        weighed: Weighed,
        geometry: Option<Lods<Option<Counts>>>,
    ) -> Self {
        let Counted { kind, streaming, physics, .. } = weighed.counted;
        Self {
            name: Arc::clone(&part.name),
            shape: part.shape,
            scale: part.scale,
            scripts: part.scripts,
            shape_type: part.shape_type,
            streaming: capped(kind, streaming),
            streaming_provenance: weighed.streaming_provenance,
            physics,
            geometry,
        }
    }
}
