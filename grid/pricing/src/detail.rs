//! A price, and how it comes about.

use crate::error::Error;
use crate::lods::LodDetail;
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};
use crate::price::MeshPrice;
use crate::remark::Remark;
use crate::rules::Pricing;
use crate::shapes::ShapeChoice;

/// What a mesh costs as an object of its own, and how that comes about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeshDetail {
    /// What it costs.
    pub price: MeshPrice,
    /// What each LOD contributes to the streaming cost.
    pub lods: LodDetail,
    /// What it would be as each shape type.
    pub choices: Vec<ShapeChoice>,
    /// What should be known about the price.
    pub remarks: Vec<Remark>,
}

impl Pricing {
    /// What a mesh costs as an object of its own, and how that comes about.
    ///
    /// # Errors
    /// Those of [`Pricing::mesh`].
    pub fn mesh_in_detail(&self, mesh: &Mesh, usage: &MeshUse) -> Result<MeshDetail, Error> {
        let measured = Measured::new(mesh);
        let price = self.measured(&measured, usage)?;
        Ok(MeshDetail {
            price,
            lods: self.lods(mesh, usage.scale),
            choices: measured.shape_choices(usage),
            remarks: measured.remarks(&price, usage),
        })
    }
}
