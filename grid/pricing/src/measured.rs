//! A mesh, and its physics mesh as it was measured.

use std::cell::Cell;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::Provenance;
use lodger_core::cost::physics::{
    Body, PhysicsCost, Representation, ShapeType, Shapes, TriangleMesh,
};
use lodger_mesh_asset::{PhysicsInputs, PhysicsMesh};

use crate::error::Error;
use crate::mesh::Mesh;
use crate::motion::motion;

/// A mesh, and its physics mesh as it was measured last, so that it is not measured again for the same
/// scale; and, if it has many triangles, for no scale of the same proportions.
///
/// Few triangles are measured anew at each scale, so that their cost is the same to the last bit however
/// one comes to it. Of many, the cost at another size of the same proportions is that of
/// [`TriangleMesh::resized`], within 10⁻¹⁴ of it.
#[derive(Clone, Debug)]
pub(crate) struct Measured<'m> {
    pub(crate) mesh: &'m Mesh,
    last: Cell<Option<TriangleMesh<f64>>>,
    /// How many triangles are few.
    few: usize,
}

/// The most triangles that are measured anew at each of thousands of sizes.
const FEW_AT_MANY_SIZES: usize = 1 << 10;

impl<'m> Measured<'m> {
    /// A mesh of which nothing was measured yet.
    pub(crate) const fn new(mesh: &'m Mesh) -> Self {
        Self { mesh, last: Cell::new(None), few: PhysicsMesh::MOST_KEPT_APART }
    }

    /// The same, to be measured at many sizes.
    pub(crate) const fn at_many_sizes(mesh: &'m Mesh) -> Self {
        Self { few: FEW_AT_MANY_SIZES, ..Self::new(mesh) }
    }

    /// See [`Mesh::physics_cost`].
    pub(crate) fn physics_cost(
        &self,
        scale: ObjectScale<f64>,
        shape: ShapeType,
        physical: bool,
    ) -> Result<PhysicsCost<f64>, Error> {
        let Some(inputs) = &self.mesh.physics else {
            let representation = Representation::None;
            let provenance = match shape {
                ShapeType::None => Provenance::Documented,
                ShapeType::Prim | ShapeType::ConvexHull => Provenance::Estimated,
            };
            return Ok(PhysicsCost { cost: 0.0, representation, provenance });
        };
        let shapes = match shape {
            ShapeType::Prim => self.shapes(inputs, scale)?,
            // No other type looks at the physics mesh, which would have to be measured.
            ShapeType::ConvexHull | ShapeType::None => inputs.hulls()?,
        };
        Ok(Body::Mesh(shapes).cost(shape, motion(physical)))
    }

    /// Whether the type `Prim` is refused at a scale.
    pub(crate) fn refuses_prim(&self, inputs: &PhysicsInputs, scale: ObjectScale<f64>) -> bool {
        let refused = |shapes| Body::Mesh(shapes).check_shape_type(ShapeType::Prim).is_err();
        self.shapes(inputs, scale).is_ok_and(refused)
    }

    fn shapes(
        &self,
        inputs: &PhysicsInputs,
        scale: ObjectScale<f64>,
    ) -> Result<Shapes<f64>, Error> {
        let mesh = match (&self.mesh.triangles, &inputs.mesh) {
            (Some(triangles), _) => Some(triangles.resized(scale)),
            (None, mesh) => mesh.as_ref().map(|mesh| self.at(mesh, scale)).transpose()?,
        };
        Ok(Shapes { mesh, ..inputs.hulls()? })
    }

    fn at(&self, mesh: &PhysicsMesh, scale: ObjectScale<f64>) -> Result<TriangleMesh<f64>, Error> {
        let many = mesh.triangle_count() > self.few;
        let reference = if many { unit(scale) } else { scale };
        let serves = |last: &TriangleMesh<f64>| {
            last.scale() == reference || many && are_close(last.scale(), reference)
        };
        let known = self.last.get().filter(serves);
        let measured = match known {
            Some(measured) => measured,
            None => mesh.measure(reference).map_err(lodger_mesh_asset::Error::from)?,
        };
        self.last.set(Some(measured));
        Ok(measured.resized(scale))
    }
}

/// The scale of the same proportions whose longest side is 1 m; itself if it has no extent.
pub(crate) fn unit(scale: ObjectScale<f64>) -> ObjectScale<f64> {
    let longest = scale.longest();
    let sides = scale.sides().map(|side| side / longest);
    if longest > 0.0 { ObjectScale::new(sides).unwrap_or(scale) } else { scale }
}

/// Whether two scales are the same but for what dividing by their longest sides rounds.
fn are_close(one: ObjectScale<f64>, other: ObjectScale<f64>) -> bool {
    const ROUNDINGS: f64 = 4.0 * f64::EPSILON;
    let mut sides = one.sides().into_iter().zip(other.sides());
    sides.all(|(one, other)| (one - other).abs() <= ROUNDINGS * other)
}

#[cfg(test)]
mod tests {
    use lodger_mesh_asset::{AssetBuilder, Block, Faces, Geometry, Limits, Quantized};

    use super::*;

    #[test]
    fn proportions_are_those_of_a_longest_side_of_1_m() {
        let scale = |sides| ObjectScale::new(sides).expect("a scale");
        assert_eq!(unit(scale([1.0, 4.0, 2.0])), scale([0.25, 1.0, 0.5]));
        assert_eq!(unit(scale([0.0; 3])), scale([0.0; 3]));
        assert_eq!(unit(scale([1e-310, 1e-310, 0.0])), scale([1.0, 1.0, 0.0]));
        for size in [0.3, 0.7, 11.0, 1e-200, 16_384.0] {
            let sides = [0.1, 0.2, 0.3].map(|side| side / 0.3 * size);
            assert!(are_close(unit(scale(sides)), unit(scale([0.1, 0.2, 0.3]))));
        }
        assert!(!are_close(unit(scale([1.0, 1.0, 0.5])), unit(scale([1.0, 1.0, 0.500_001]))));
    }

    #[test]
    fn many_triangles_are_measured_once_for_all_sizes() {
        let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.25, 0.1]];
        let points = Quantized::from_points(&corners).expect("finite corners");
        let mesh = |triangles: usize| {
            let face = Geometry::new(points.clone(), &vec![[0, 1, 2]; triangles]);
            let lod = Faces::new([face.expect("corners that exist").into()]);
            let mut asset = AssetBuilder::new();
            asset.set_lod(Block::PhysicsMesh, &lod).expect("a block");
            let file = asset.encode().expect("an asset");
            Mesh::read(&file, Limits::default()).expect("an asset")
        };
        let (one, sizes) = (PhysicsMesh::MOST_KEPT_APART, FEW_AT_MANY_SIZES);
        for (triangles, few, once) in [
            (one + 1, one, true),
            (sizes + 1, one, false),
            (sizes + 1, sizes, true),
            (sizes, sizes, false),
        ] {
            let mesh = mesh(triangles);
            let measured = Measured { few, ..Measured::new(&mesh) };
            let mut scales = Vec::new();
            for step in 1..50 {
                let size = f64::from(step) * 0.3;
                let scale = ObjectScale::new([size, size / 3.0, size / 7.0]).expect("a scale");
                let cost = measured.physics_cost(scale, ShapeType::Prim, false);
                assert!(cost.is_ok_and(|cost| cost.cost > 0.0));
                scales.push(measured.last.get().expect("measured").scale());
            }
            scales.dedup();
            assert_eq!(scales.len() == 1, once);
        }
    }
}
