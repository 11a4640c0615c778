//! Object frames, which convert between metres and the unit space of an asset, and bounding boxes.

use std::ops::Sub;

use lodger_core::cost::ObjectScale;

use crate::model::LodMesh;

/// The bounding box of an object: its centre is the prim's position, its sides are the prim's
/// scale.
///
/// Source: today's viewer on upload centres and scales a mesh into ±½ in each axis; a side of 0
/// counts as 1 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectFrame {
    centre: [f64; 3],
    sides: [f64; 3],
}

impl ObjectFrame {
    /// Creates the frame of a mesh with at least one vertex.
    #[must_use]
    pub fn from_mesh(level: &LodMesh) -> Self {
        let Aabb { min, max } = Aabb::around(level.positions().map(|p| p.map(f64::from)));
        let centre = std::array::from_fn(|axis| f64::midpoint(min[axis], max[axis]));
        let side = |axis| if max[axis] > min[axis] { max[axis] - min[axis] } else { 1.0 };
        Self { centre, sides: std::array::from_fn(side) }
    }

    /// The centre in metres.
    #[must_use]
    pub const fn centre(&self) -> [f64; 3] {
        self.centre
    }

    /// The sides in metres, each above 0.
    #[must_use]
    pub const fn sides(&self) -> [f64; 3] {
        self.sides
    }

    /// The sides as a grid stores them, in `f32`.
    ///
    /// # Errors
    ///
    /// See [`ObjectScale::new`].
    pub fn scale(&self) -> Result<ObjectScale<f64>, lodger_core::ValueError> {
        ObjectScale::new(self.scale_of_asset())
    }

    /// Converts a point from metres to unit space.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "to the nearest float of an asset")]
    pub fn to_unit(&self, point: [f32; 3]) -> [f32; 3] {
        std::array::from_fn(|axis| {
            ((f64::from(point[axis]) - self.centre[axis]) / self.sides[axis]) as f32
        })
    }

    /// Converts a point from unit space to metres.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "to the nearest float of a model")]
    pub fn to_metres(&self, point: [f32; 3]) -> [f32; 3] {
        std::array::from_fn(|axis| {
            (f64::from(point[axis]) * self.sides[axis] + self.centre[axis]) as f32
        })
    }

    /// Converts a normal to unit space and length 1; a normal of length 0 stays.
    ///
    /// Source: `LLModel::normalizeVolumeFaces` of the viewer (`indra/llprimitive/llmodel.cpp`).
    #[must_use]
    pub fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        steered(normal, |axis, x| x * self.sides[axis])
    }

    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "to the nearest float of an asset")]
    pub(crate) fn scale_of_asset(&self) -> [f64; 3] {
        self.sides.map(|side| f64::from(side as f32))
    }
}

/// Changes the coordinates of a normal and restores its length of 1, unless the result has length
/// 0.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest float of an asset")]
pub(crate) fn steered(normal: [f32; 3], change: impl Fn(usize, f64) -> f64) -> [f32; 3] {
    let wide: [f64; 3] = std::array::from_fn(|axis| change(axis, normal[axis].into()));
    let length = wide.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { wide.map(|x| (x / length) as f32) } else { normal }
}

/// An axis-aligned bounding box. Without points, `min` is infinite and `max` minus infinity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aabb<T> {
    pub(crate) min: [T; 3],
    pub(crate) max: [T; 3],
}

impl<T: Copy + PartialOrd + From<f32> + Sub<Output = T>> Aabb<T> {
    pub(crate) fn empty() -> Self {
        Self { min: [f32::INFINITY.into(); 3], max: [f32::NEG_INFINITY.into(); 3] }
    }

    pub(crate) fn around(points: impl IntoIterator<Item = [T; 3]>) -> Self {
        let mut around = Self::empty();
        points.into_iter().for_each(|point| around.add(point));
        around
    }

    pub(crate) fn add(&mut self, point: [T; 3]) {
        for (axis, x) in point.into_iter().enumerate() {
            if x < self.min[axis] {
                self.min[axis] = x;
            }
            if x > self.max[axis] {
                self.max[axis] = x;
            }
        }
    }

    /// The lengths of the sides; minus infinity without points.
    pub(crate) fn sides(&self) -> [T; 3] {
        std::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }
}

impl Aabb<f32> {
    /// The length of the longest side; 0 without points.
    pub(crate) fn greatest_side(&self) -> f32 {
        self.sides().into_iter().fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::test_meshes::frame;

    #[test]
    #[expect(clippy::float_cmp, reason = "halves of whole metres are exact")]
    fn a_flat_axis_counts_as_a_metre() {
        let frame = frame(&[[1.0, -2.0, 7.0], [3.0, 2.0, 7.0]]);
        assert_eq!((frame.centre(), frame.sides()), ([2.0, 0.0, 7.0], [2.0, 4.0, 1.0]));
        assert_eq!(frame.to_unit([3.0, -2.0, 7.0]), [0.5, -0.5, 0.0]);
        assert_eq!(frame.to_metres([0.5, -0.5, 0.0]), [3.0, -2.0, 7.0]);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "no normal stays exactly none")]
    fn normals_stay_across_their_surface() {
        // The plane x + y = 3 in a box of 4 by 1: in unit space it is steeper.
        let frame = frame(&[[0.0, 0.0, 0.0], [4.0, 1.0, 1.0]]);
        let along = |a: [f32; 3], b: [f32; 3]| {
            let (a, b) = (frame.to_unit(a), frame.to_unit(b));
            [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
        };
        let side = 0.5_f32.sqrt();
        let normal = frame.normal([side, side, 0.0]);
        let dot = |edge: [f32; 3]| normal[0] * edge[0] + normal[1] * edge[1] + normal[2] * edge[2];
        assert!(dot(along([3.0, 0.0, 0.0], [2.0, 1.0, 0.0])).abs() < 1e-6);
        assert!(dot(along([3.0, 0.0, 0.0], [2.5, 0.5, 1.0])).abs() < 1e-6);
        assert!((normal.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(frame.normal([0.0; 3]), [0.0; 3]);
    }

    proptest! {
        #[test]
        fn everything_is_within_unit_space_and_comes_back(
            positions in prop::collection::vec(prop::array::uniform3(-64.0_f32..64.0), 1..30)
        ) {
            let frame = frame(&positions);
            for position in positions {
                let unit = frame.to_unit(position);
                prop_assert!(unit.iter().all(|x| x.abs() <= 0.5));
                let again = frame.to_metres(unit);
                for axis in 0..3 {
                    prop_assert!((again[axis] - position[axis]).abs() <= 1e-5);
                }
            }
        }
    }
}
