//! The weights of the importances.

use crate::error::{Error, Problem, Quantity};
use crate::real::{Real, Square as _};

/// The greatest allowed difference between the total of the weights and 1.
const WEIGHTS_TOLERANCE: f64 = 1e-3;
/// The rounding error of three weights in units of 2⁻¹⁶, in addition to the tolerance.
const ROUNDING: f64 = 1.5 / 65_536.0;

/// The weights of the three importances; they total 1 within 10⁻³.
///
/// "The LOD weights should total 1", so that no module's actors take more than their share of the
/// budget.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Weights<N> {
    pub(super) distance: N,
    pub(super) age: N,
    pub(super) speed: N,
}

impl<N: Real> Weights<N> {
    /// Distance alone.
    pub const DISTANCE: Self = Self { distance: N::ONE, age: N::ZERO, speed: N::ZERO };

    /// Takes weights that already total 1. A single weight a little above 1 counts as 1.
    ///
    /// # Errors
    /// [`Problem::Negative`] or [`Problem::NotFinite`] for a weight, [`Problem::NotOne`] for the
    /// total.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::Weights;
    ///
    /// assert!(Weights::new(0.7_f32, 0.3, 0.0).is_ok());
    /// assert!(Weights::new(0.7_f32, 0.7, 0.0).is_err());
    /// assert!(Weights::normalised(0.7_f32, 0.7, 0.0).is_ok());
    /// ```
    pub fn new(distance: N, age: N, speed: N) -> Result<Self, Error> {
        let mut total = N::ZERO;
        for weight in [distance, age, speed] {
            total = total + weight.not_negative(Quantity::Weight)?;
        }
        let total = total.to_f64();
        if (total - 1.0).abs() <= WEIGHTS_TOLERANCE + ROUNDING {
            let weight = |weight: N| weight.lesser(N::ONE);
            Ok(Self { distance: weight(distance), age: weight(age), speed: weight(speed) })
        } else {
            Err(Error::new(Quantity::Weights, Problem::NotOne))
        }
    }

    /// Divides the weights by their total.
    ///
    /// # Errors
    /// [`Problem::Negative`] or [`Problem::NotFinite`] for a weight or the total,
    /// [`Problem::NotPositive`] when all are 0.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Fixed;
    /// use lodger_core::benefit::Weights;
    ///
    /// // The total exceeds the range of the weights' type.
    /// let much = Fixed::from_bits(20_000 << 16);
    /// let weights = Weights::normalised(much, much, much)?;
    /// assert_eq!(weights.speed().to_bits(), 65_536 / 3);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    pub fn normalised(distance: N, age: N, speed: N) -> Result<Self, Error> {
        // The total may exceed the range of the weights' type.
        let mut total = N::Square::default();
        for weight in [distance, age, speed] {
            total = total + weight.not_negative(Quantity::Weight)?.widen();
        }
        if !total.is_finite() {
            return Err(Error::new(Quantity::Weights, Problem::NotFinite));
        }
        if total <= N::Square::default() {
            return Err(Error::new(Quantity::Weights, Problem::NotPositive));
        }
        let part = |weight: N| N::narrow(weight.widen() / total);
        Ok(Self { distance: part(distance), age: part(age), speed: part(speed) })
    }

    /// The weight of the distance importance.
    pub fn distance(&self) -> N {
        self.distance
    }

    /// The weight of the age importance.
    pub fn age(&self) -> N {
        self.age
    }

    /// The weight of the speed importance.
    pub fn speed(&self) -> N {
        self.speed
    }
}
