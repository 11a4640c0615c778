//! What should be known about a price.

use lodger_core::cost::Provenance;
use lodger_core::cost::physics::{Body, Representation, ShapeType, may_be_physical};
use lodger_mesh_asset::{Block, PhysicsInputs};

use crate::mesh::{Mesh, MeshUse};
use crate::price::MeshPrice;

/// What should be known about a price.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Remark {
    /// There is no high LOD: streaming counts nothing, and no upload takes it.
    NoHighLod,
    /// No shapes are known, and physics counts nothing.
    PhysicsUnknown,
    /// There is no hull in the file: one around this block would cost at most what is counted.
    HullToBeMade(Block),
    /// There is neither a decomposition nor a physics mesh: the shape type `Prim` is refused, and the
    /// hull counts.
    PrimRefused,
    /// It moves by physics, but its physics cost is too much for that.
    TooMuchToBePhysical {
        /// The cost, before any penalty.
        cost: f64,
    },
}

impl Remark {
    /// That something physical costs too much for that, if it does.
    pub(crate) fn on_motion(physical: bool, cost: f64) -> Option<Self> {
        (physical && !may_be_physical(cost)).then_some(Self::TooMuchToBePhysical { cost })
    }
}

impl Mesh {
    /// What should be known about its price.
    #[must_use]
    pub fn remarks(&self, price: &MeshPrice, usage: &MeshUse) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if self.sizes.high <= 0 {
            remarks.push(Remark::NoHighLod);
        }
        match &self.physics {
            None => remarks.push(Remark::PhysicsUnknown),
            Some(physics) => remarks.extend(on_physics(physics, price, usage)),
        }
        remarks.extend(Remark::on_motion(usage.physical, price.assessment.physics_base));
        remarks
    }
}

fn on_physics(physics: &PhysicsInputs, price: &MeshPrice, usage: &MeshUse) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if let Some(block) = physics.hull_made_from
        && price.physics.representation == Representation::Hull
        && price.physics.provenance == Provenance::Estimated
    {
        remarks.push(Remark::HullToBeMade(block));
    }
    let refused = |body: Body<f64>| body.check_shape_type(usage.shape).is_err();
    if usage.shape == ShapeType::Prim && physics.body(price.scale).is_ok_and(refused) {
        remarks.push(Remark::PrimRefused);
    }
    remarks
}
