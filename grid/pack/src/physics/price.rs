//! What a physics shape costs as each shape type.

use lodger_core::Error;
use lodger_core::cost::physics::{Body, Hull, Hulls, Motion, PhysicsCost, ShapeType, Shapes};
use lodger_core::error::{Problem, Quantity};

use crate::frame::Frame;

use super::Physics;
use super::mesh::measured;

impl Physics {
    /// What it costs as that shape type, at rest and not physical: as lodger prices the asset that is written of it.
    ///
    /// # Errors
    /// A hull without vertices or with more than 256, more than 256 hulls, a mesh that cannot be measured.
    pub fn cost_as(&self, shape: ShapeType, frame: &Frame) -> Result<PhysicsCost<f64>, Error> {
        Ok(self.body(frame)?.cost(shape, Motion::AT_REST))
    }

    /// What it offers the physics engine.
    ///
    /// # Errors
    /// Those of [`cost_as`](Self::cost_as).
    pub fn body(&self, frame: &Frame) -> Result<Body<f64>, Error> {
        let hull = Hull::new(count(&self.bounding))?;
        let decomposition = match &self.parts[..] {
            [] => None,
            parts => Some(Hulls::new(parts.iter().map(|part| count(part)))?),
        };
        let mesh = match &self.mesh {
            Some(mesh) if decomposition.is_none() => measured(mesh, frame, frame.scale()?)
                .map_err(|_| Error::new(Quantity::Position, Problem::NotFinite))?,
            _ => None,
        };
        Ok(Body::Mesh(Shapes { hull, decomposition, mesh, cost_data: None }))
    }
}

/// More than a hull may have counts as too many.
fn count(hull: &[[f32; 3]]) -> u16 {
    u16::try_from(hull.len()).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use lodger_core::cost::physics::Representation;

    use super::*;
    use crate::model::{Face, Level};

    /// A tetrahedron with sides of so many metres.
    fn tetrahedron(side: f32) -> (Level, Frame) {
        let positions = vec![[0.0; 3], [side, 0.0, 0.0], [0.0, side, 0.0], [0.0, 0.0, side]];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let level = Level { faces: vec![Face { positions, triangles, ..Face::default() }] };
        let frame = Frame::of(&level);
        (level, frame)
    }

    #[test]
    fn each_type_has_its_price() {
        let (level, frame) = tetrahedron(1.0);
        let bounding: Vec<_> = level.positions().collect();
        let mut physics = Physics { bounding: bounding.clone(), ..Physics::default() };
        let price = |physics: &Physics, shape| {
            let cost = physics.cost_as(shape, &frame).unwrap();
            (cost.representation, cost.cost)
        };
        assert_eq!(price(&physics, ShapeType::ConvexHull), (Representation::Hull, 0.2));
        assert_eq!(price(&physics, ShapeType::Prim), (Representation::Hull, 0.2));
        assert_eq!(price(&physics, ShapeType::None), (Representation::None, 0.0));
        physics.mesh = Some(level);
        assert_eq!(price(&physics, ShapeType::Prim), (Representation::Mesh, 0.5));
        physics.parts = vec![bounding.clone(), bounding];
        assert_eq!(price(&physics, ShapeType::Prim), (Representation::Decomposition, 0.4));
        physics.parts = vec![vec![[0.0; 3]; 257]];
        assert!(physics.cost_as(ShapeType::Prim, &frame).is_err());
    }

    #[test]
    fn a_small_mesh_collides_as_its_hull() {
        let (level, frame) = tetrahedron(0.4);
        let bounding = level.positions().collect();
        let physics = Physics { bounding, mesh: Some(level), ..Physics::default() };
        let cost = physics.cost_as(ShapeType::Prim, &frame).unwrap();
        assert_eq!((cost.representation, cost.cost), (Representation::Hull, 0.2));
    }
}
