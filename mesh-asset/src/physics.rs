//! What the physics cost of an asset depends on.

use crate::asset::{Asset, Inflated};
use crate::block::Block;
use crate::cost_data::PhysicsCostData;
use crate::error::Error;
use crate::quantized::Quantized;

/// What the physics cost of an asset depends on, but for the scale of the object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhysicsInputs {
    /// The points of the hull around everything.
    pub hull_vertices: Option<usize>,
    /// The points of each hull of the decomposition, 1 to 256; empty if there is none.
    pub hulls: Vec<u16>,
    /// The physics mesh: `mesh.lod()?.triangles()` are its triangles in unit space, to be scaled per
    /// axis. Without a triangle it is no mesh.
    pub mesh: Option<Inflated>,
    /// What a simulator computed; its costs come before any formula.
    pub cost_data: Option<PhysicsCostData>,
}

impl Asset<'_> {
    /// What the physics cost depends on.
    ///
    /// # Errors
    /// What inflating or decoding the physics blocks gives.
    pub fn physics(&self) -> Result<PhysicsInputs, Error> {
        let mut inputs =
            PhysicsInputs { cost_data: self.physics_cost_data()?, ..PhysicsInputs::default() };
        if let Some(block) = self.inflate(Block::PhysicsConvex)? {
            let convex = block.convex()?;
            inputs.hull_vertices = convex.bounding().map(Quantized::len);
            inputs.hulls = convex.hull_sizes().collect();
        }
        if let Some(block) = self.inflate(Block::PhysicsMesh)? {
            let triangles = block.lod()?.triangle_count();
            inputs.mesh = (triangles > 0).then_some(block);
        }
        Ok(inputs)
    }
}
