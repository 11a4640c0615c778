//! The way back: what a land impact allows.

mod bytes;
mod search;
mod size;

pub use bytes::{ByteRoom, NoRoom};
pub use size::SizeRoom;

use crate::detail::MeshDetail;
use crate::error::Error;
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::rules::Pricing;
use crate::sizes::Sizes;

/// What a land impact allows a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Target {
    /// The land impact asked for.
    pub land_impact: u32,
    /// What the mesh costs as it is.
    pub now: MeshDetail,
    /// How many bytes the LODs may have at this size.
    pub bytes: ByteRoom,
    /// How large the mesh may be with the bytes it has.
    pub size: SizeRoom,
}

impl Pricing {
    /// What a land impact allows a mesh.
    ///
    /// # Errors
    /// [`Error::NoExtent`] for a scale without a side above 0, and those of [`Pricing::mesh`].
    pub fn target(&self, mesh: &Mesh, usage: &MeshUse, land_impact: u32) -> Result<Target, Error> {
        let measured = Measured::at_many_sizes(mesh);
        let sizes = Sizes::new(self, &measured, usage)?;
        let now = self.mesh_in_detail(mesh, usage)?;
        let bytes = bytes::room(&sizes, &now.price, land_impact);
        Ok(Target { land_impact, now, bytes, size: size::room(sizes, land_impact)? })
    }
}
