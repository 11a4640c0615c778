use crate::error::PackError;
use crate::frame::Aabb;
use crate::frame::{ObjectFrame, steered};
use crate::model::{LodMesh, Model, ModelObject, Rig, Submesh};

/// The limit of a side of a prim in metres.
///
/// Source: Second Life wiki, Limits, "Maximum prim size".
pub const MAX_SIDE: f64 = 64.0;

impl Model {
    /// The sides of the bounding box of all objects, in metres.
    #[must_use]
    pub fn size(&self) -> [f64; 3] {
        let positions = self.objects.iter().flat_map(|object| object.high.positions());
        Aabb::around(positions.map(|p| p.map(f64::from))).sides().map(|side| side.max(0.0))
    }

    /// Scales the model and its rigs about the origin to a size in metres. A side of 0 stays 0.
    ///
    /// # Errors
    ///
    /// [`PackError::TooLarge`] for a side above 64 m or not above 0; the model stays as it was.
    pub fn resize(&mut self, size: [f64; 3]) -> Result<(), PackError> {
        if !size.iter().all(|&side| side > 0.0 && side <= MAX_SIDE) {
            return Err(PackError::TooLarge { object: self.name.clone(), size });
        }
        let before = self.size();
        let factor = |axis| if before[axis] > 0.0 { size[axis] / before[axis] } else { 1.0 };
        let factors = std::array::from_fn(factor);
        for object in &mut self.objects {
            object.scale(factors);
        }
        Ok(())
    }

    /// Checks that every object is small enough for a prim.
    ///
    /// # Errors
    ///
    /// [`PackError::TooLarge`] for the first that is not.
    pub(crate) fn check_sides(&self) -> Result<(), PackError> {
        for object in &self.objects {
            let size = ObjectFrame::from_mesh(&object.high).sides();
            if size.iter().any(|&side| side > MAX_SIDE) {
                return Err(PackError::TooLarge { object: object.name.clone(), size });
            }
        }
        Ok(())
    }
}

impl ModelObject {
    fn scale(&mut self, factors: [f64; 3]) {
        let authored =
            [&mut self.authored.lowest, &mut self.authored.low, &mut self.authored.medium];
        let lower = authored.into_iter().filter_map(Option::as_mut);
        for level in lower.chain([&mut self.high]).chain(&mut self.physics) {
            level.scale(factors);
        }
        if let Some(rig) = &mut self.rig {
            rig.scale(factors);
        }
    }
}

impl LodMesh {
    fn scale(&mut self, factors: [f64; 3]) {
        for Submesh { positions, normals, .. } in &mut self.submeshes {
            for position in positions {
                *position = each(*position, |axis, x| x * factors[axis]);
            }
            for normal in normals {
                // Normals scale with the inverse.
                *normal = steered(*normal, |axis, x| x / factors[axis]);
            }
        }
    }
}

impl Rig {
    /// Computes S⁻¹·B·S, for points as row vectors, so that a scaled point comes to the scaled
    /// place.
    fn scale(&mut self, factors: [f64; 3]) {
        let factor = |index: usize| factors.get(index).copied().unwrap_or(1.0);
        for joint in &mut self.joints {
            for (index, entry) in joint.inverse_bind.iter_mut().enumerate() {
                *entry *= factor(index % 4) / factor(index / 4);
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "to the nearest float")]
fn each(point: [f32; 3], new: impl Fn(usize, f64) -> f64) -> [f32; 3] {
    std::array::from_fn(|axis| new(axis, point[axis].into()) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Joint;

    fn model() -> Model {
        let face = Submesh {
            positions: vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.6, 0.8]; 3],
            triangles: vec![[0, 1, 2]],
            ..Submesh::default()
        };
        let high = LodMesh { submeshes: vec![face] };
        let mut inverse_bind = [0.0; 16];
        for diagonal in [0, 5, 10, 15] {
            inverse_bind[diagonal] = 1.0;
        }
        inverse_bind[12] = -2.0;
        let joint = Joint { name: "mTorso".to_owned(), inverse_bind };
        let rig = Some(Rig { joints: vec![joint] });
        let object = ModelObject { high, rig, ..ModelObject::default() };
        Model { objects: vec![object], ..Model::default() }
    }

    #[test]
    fn a_flat_side_stays_flat() {
        let mut model = model();
        model.resize([4.0, 3.0, 7.0]).unwrap();
        let [x, y, z] = model.size();
        assert!((x - 4.0).abs() < 1e-6 && (y - 3.0).abs() < 1e-6 && z == 0.0);
    }

    #[test]
    fn normals_stay_across_and_rigs_follow() {
        let mut model = model();
        model.resize([4.0, 3.0, 1.0]).unwrap();
        let object = &model.objects[0];
        let [_, y, z] = object.high.submeshes[0].normals[0].map(f64::from);
        assert!((y / z - 0.25).abs() < 1e-6 && (y * y + z * z - 1.0).abs() < 1e-6);
        let bind = object.rig.as_ref().unwrap().joints[0].inverse_bind;
        assert_eq!((bind[0], bind[5], bind[12]), (1.0, 1.0, -4.0));
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "what is refused changes nothing")]
    fn no_size_beyond_that_of_a_prim() {
        for size in [[65.0, 1.0, 1.0], [0.0, 1.0, 1.0], [f64::NAN, 1.0, 1.0]] {
            let mut model = model();
            assert!(matches!(model.resize(size), Err(PackError::TooLarge { .. })));
            assert_eq!(model.size(), [2.0, 1.0, 0.0]);
        }
        let mut model = model();
        model.objects[0].high.submeshes[0].positions[1][0] = 64.5;
        assert!(matches!(model.check_sides(), Err(PackError::TooLarge { .. })));
    }
}
