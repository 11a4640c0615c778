//! The axis-aligned box around points.

use std::ops::Sub;

/// A coordinate of a box: `f32` or `f64`.
pub(crate) trait Coordinate: Copy + Sub<Output = Self> {
    const INFINITY: Self;
    const NEG_INFINITY: Self;
    fn lesser(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
}

macro_rules! coordinate {
    ($($float:ident),*) => {$(
        impl Coordinate for $float {
            const INFINITY: Self = $float::INFINITY;
            const NEG_INFINITY: Self = $float::NEG_INFINITY;

            fn lesser(self, other: Self) -> Self {
                self.min(other)
            }

            fn greater(self, other: Self) -> Self {
                self.max(other)
            }
        }
    )*};
}

coordinate!(f32, f64);

/// The box around points; without a point, `min` is infinite and `max` is minus infinity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aabb<T> {
    pub(crate) min: [T; 3],
    pub(crate) max: [T; 3],
}

impl<T: Coordinate> Aabb<T> {
    /// The box around no points.
    pub(crate) const EMPTY: Self = Self { min: [T::INFINITY; 3], max: [T::NEG_INFINITY; 3] };

    /// The box around points. A coordinate that is not a number is ignored.
    pub(crate) fn around(points: impl IntoIterator<Item = [T; 3]>) -> Self {
        let mut around = Self::EMPTY;
        points.into_iter().for_each(|point| around.add(point));
        around
    }

    /// Extends the box to a point.
    pub(crate) fn add(&mut self, point: [T; 3]) {
        for (axis, x) in point.into_iter().enumerate() {
            self.min[axis] = self.min[axis].lesser(x);
            self.max[axis] = self.max[axis].greater(x);
        }
    }

    /// The lengths of the sides; minus infinity without a point.
    pub(crate) fn sides(&self) -> [T; 3] {
        std::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }
}
