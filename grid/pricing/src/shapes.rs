//! What a mesh collides as, and what that costs.

use std::fmt;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{PhysicsCost, Representation, ShapeType};
use lodger_mesh_asset::PhysicsInputs;

use crate::error::Error;
use crate::measured::Measured;
use crate::mesh::{Mesh, MeshUse};

/// What a mesh would be as some shape type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeChoice {
    /// The shape type.
    pub shape: ShapeType,
    /// Whether it is the one that counts.
    pub chosen: bool,
    /// The cost, before any penalty.
    pub physics: PhysicsCost<f64>,
    /// What it collides as.
    pub made_of: MadeOf,
}

impl fmt::Display for ShapeChoice {
    /// What it collides as, and how far its cost can be trusted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.made_of.fmt(f)?;
        match self.made_of {
            MadeOf::Nothing => Ok(()),
            _ => write!(f, ", {}", self.physics.provenance),
        }
    }
}

/// What a mesh collides as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeOf {
    /// Nothing.
    Nothing,
    /// The hull around it.
    Hull {
        /// Its vertices.
        vertices: u16,
    },
    /// The hulls of its decomposition.
    Hulls {
        /// How many there are.
        count: u16,
        /// Their vertices together.
        vertices: u32,
    },
    /// Its physics mesh.
    Mesh,
}

impl fmt::Display for MadeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing to collide with"),
            Self::Hull { vertices } => write!(f, "hull of {vertices} vertices"),
            Self::Hulls { count, vertices } => write!(f, "{count} hulls with {vertices} vertices"),
            Self::Mesh => f.write_str("physics mesh"),
        }
    }
}

impl Mesh {
    /// The physics cost, before any penalty; 0 and estimated where no shapes are known. For the type
    /// `Prim` the physics mesh is measured.
    ///
    /// # Errors
    /// [`Error::Asset`] for a corner of the physics mesh beyond core's reach, or a cost in the file that
    /// is no number.
    pub fn physics_cost(
        &self,
        scale: ObjectScale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, Error> {
        Measured::new(self).physics_cost(scale, shape, physical)
    }

    /// What it would be as each shape type that it can be priced as; nothing where no shapes are known.
    #[must_use]
    pub fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        Measured::new(self).shape_choices(usage)
    }
}

impl Measured<'_> {
    /// See [`Mesh::shape_choices`].
    pub(crate) fn shape_choices(&self, usage: &MeshUse) -> Vec<ShapeChoice> {
        let Some(inputs) = &self.mesh.physics else {
            return Vec::new();
        };
        let choice = |shape| {
            let physics = self.physics_cost(usage.scale, shape, usage.physical).ok()?;
            let (chosen, made_of) = (shape == usage.shape, made_of(inputs, &physics));
            Some(ShapeChoice { shape, chosen, physics, made_of })
        };
        let shapes = [ShapeType::ConvexHull, ShapeType::Prim, ShapeType::None];
        shapes.into_iter().filter_map(choice).collect()
    }
}

fn made_of(inputs: &PhysicsInputs, physics: &PhysicsCost<f64>) -> MadeOf {
    match (physics.representation, inputs.decomposition) {
        (Representation::None, _) => MadeOf::Nothing,
        (Representation::Decomposition, Some(hulls)) => {
            MadeOf::Hulls { count: hulls.count(), vertices: hulls.vertices() }
        }
        (Representation::Mesh, _) => MadeOf::Mesh,
        _ => MadeOf::Hull { vertices: inputs.hull.vertices() },
    }
}
