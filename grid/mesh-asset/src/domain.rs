//! The box that 16-bit coordinates span.

use crate::error::Problem;
use crate::fields;
use crate::llsd::{Map, Value};

/// The greatest value of a coordinate.
const STEPS: f32 = 65_535.0;

/// The box that 16-bit coordinates span: finite, and not wider than `f32`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain<const N: usize> {
    min: [f32; N],
    max: [f32; N],
}

impl<const N: usize> Domain<N> {
    /// From −½ to ½ in every axis: the unit space, and what viewers take where a domain is missing.
    pub const UNIT: Self = Self { min: [-0.5; N], max: [0.5; N] };

    /// From −1 to 1 in every axis: the domain of normals.
    pub const NORMAL: Self = Self { min: [-1.0; N], max: [1.0; N] };

    /// From 0 to 1 in every axis: what viewers take where that of texture coordinates is missing.
    pub const TEXTURE: Self = Self { min: [0.0; N], max: [1.0; N] };

    /// The domain between two corners. `min` above `max` is allowed: it mirrors.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] if a corner is not finite, or their difference.
    pub fn new(min: [f32; N], max: [f32; N]) -> Result<Self, Problem> {
        let domain = Self { min, max };
        if domain.extent().iter().all(|extent| extent.is_finite()) {
            Ok(domain)
        } else {
            Err(Problem::NotFinite("domain"))
        }
    }

    /// The smallest domain of some points; [`UNIT`](Self::UNIT) if there are none.
    ///
    /// # Errors
    /// [`Problem::NotFinite`] if a point is not finite, or their domain is wider than `f32`.
    pub fn of(points: &[[f32; N]]) -> Result<Self, Problem> {
        let Some(&first) = points.first() else {
            return Ok(Self::UNIT);
        };
        let (mut min, mut max) = (first, first);
        for point in points {
            for axis in 0..N {
                if !point[axis].is_finite() {
                    return Err(Problem::NotFinite("points"));
                }
                min[axis] = min[axis].min(point[axis]);
                max[axis] = max[axis].max(point[axis]);
            }
        }
        Self::new(min, max)
    }

    /// The lower corner.
    #[must_use]
    pub const fn min(&self) -> [f32; N] {
        self.min
    }

    /// The upper corner.
    #[must_use]
    pub const fn max(&self) -> [f32; N] {
        self.max
    }

    /// The size in every axis.
    #[must_use]
    pub fn extent(&self) -> [f32; N] {
        std::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }

    /// The step of a coordinate in every axis.
    #[must_use]
    pub fn quantum(&self) -> [f32; N] {
        self.extent().map(|extent| (extent / STEPS).abs())
    }

    /// min + q/65535·(max − min).
    #[must_use]
    pub fn decode(&self, steps: [u16; N]) -> [f32; N] {
        std::array::from_fn(|axis| {
            let extent = self.max[axis] - self.min[axis];
            self.min[axis] + f32::from(steps[axis]) / STEPS * extent
        })
    }

    /// The nearest steps; what is outside of the domain goes to its border.
    #[must_use]
    pub fn encode(&self, point: [f32; N]) -> [u16; N] {
        std::array::from_fn(|axis| {
            let (min, max) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
            let part = (f64::from(point[axis]) - min) / (max - min);
            nearest(part * f64::from(STEPS))
        })
    }

    /// The steps at or below the point, as viewers write them; what is outside of the domain goes to its border,
    /// and a flat axis to 0.
    ///
    /// # Formula
    /// ⌊(x − min)/(max − min)·65535⌋, in `f32` as there, so that the steps are the same: where the rounding of `f32`
    /// reaches the next step, that is taken.
    ///
    /// # Source
    /// `LLModel::writeModel` of the viewer (`indra/llprimitive/llmodel.cpp`), which casts to `U16`.
    #[must_use]
    pub fn truncate(&self, point: [f32; N]) -> [u16; N] {
        std::array::from_fn(|axis| {
            let extent = self.max[axis] - self.min[axis];
            floor((point[axis] - self.min[axis]) / extent * STEPS)
        })
    }

    /// Reads `Min` and `Max`, and says whether both were there. Otherwise the domain is `otherwise`.
    pub(crate) fn read(map: &Map, otherwise: Self) -> Result<(Self, bool), Problem> {
        let expected = "an array of as many reals as there are axes";
        let min = fields::reals::<N>(map, "Min", expected)?;
        let max = fields::reals::<N>(map, "Max", expected)?;
        match (min, max) {
            (Some(min), Some(max)) => Ok((Self::new(narrow(min), narrow(max))?, true)),
            _ => Ok((otherwise, false)),
        }
    }

    /// The entries `Min` and `Max`.
    pub(crate) fn entries(&self) -> [(&'static str, Value<'static>); 2] {
        let list = |corner: [f32; N]| corner.map(|x| Value::Real(f64::from(x)));
        let list = |corner| list(corner).into_iter().collect();
        [("Max", list(self.max)), ("Min", list(self.min))]
    }
}

#[allow(clippy::cast_possible_truncation)] // to the nearest; infinite ones are refused afterwards
fn narrow<const N: usize>(corner: [f64; N]) -> [f32; N] {
    corner.map(|x| x as f32)
}

/// A domain without extent makes it NaN, which becomes 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturating is meant
fn nearest(steps: f64) -> u16 {
    steps.round() as u16
}

/// As [`nearest`], to the step below.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // truncating and saturating are meant
fn floor(steps: f32) -> u16 {
    steps as u16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_corners_decode_to_the_domain() {
        let domain = Domain::new([-1.0, 2.0, 5.0], [1.0, 2.0, 3.0]).unwrap();
        assert_eq!(domain.decode([0; 3]).map(f32::to_bits), domain.min.map(f32::to_bits));
        assert_eq!(domain.decode([65_535; 3]).map(f32::to_bits), domain.max.map(f32::to_bits));
        assert_eq!(domain.encode([1.0, 2.0, 3.0]), [65_535, 0, 65_535]);
        assert_eq!(domain.encode([f32::NAN, 9.0, 9.0]), [0, 65_535, 0]);
    }

    #[test]
    fn a_domain_is_finite() {
        assert!(Domain::new([f32::NAN], [0.0]).is_err());
        assert!(Domain::new([f32::MIN], [f32::MAX]).is_err());
        assert!(Domain::of(&[[0.0], [f32::INFINITY]]).is_err());
        assert_eq!(Domain::<3>::of(&[]), Ok(Domain::UNIT));
    }

    #[test]
    fn truncating_takes_the_step_below() {
        let domain = Domain::new([0.0, 3.0, -1.0], [65_535.0, 3.0, 1.0]).unwrap();
        assert_eq!(domain.truncate([1.999, 3.0, 1.0]), [1, 0, 65_535]);
        assert_eq!(domain.encode([1.999, 3.0, 1.0]), [2, 0, 65_535]);
        assert_eq!(domain.truncate([-7.0, 9.0, f32::NAN]), [0, 65_535, 0]);
        assert_eq!(Domain::<3>::NORMAL.truncate([0.0, 1.0, -1.0]), [32_767, 65_535, 0]);
    }

    proptest! {
        #[test]
        fn what_was_truncated_is_less_than_a_quantum_below(
            corners in prop::array::uniform2(-64.0_f32..64.0), part in 0.0_f32..=1.0
        ) {
            let domain = Domain::of(&corners.map(|x| [x])).unwrap();
            let ([min], [max], [quantum]) = (domain.min(), domain.max(), domain.quantum());
            let x = (min + part * (max - min)).clamp(min, max);
            let [again] = domain.decode(domain.truncate([x]));
            // f32 rounds on both ways, at 128 at the most.
            let rounding = 6.0 * 128.0 * f32::EPSILON;
            prop_assert!(again <= x + rounding && x - again <= quantum + rounding);
        }
    }
}
