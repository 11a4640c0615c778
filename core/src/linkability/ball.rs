//! A checked ball, and operations on points and directions.

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::Real;

/// The greatest coordinate or radius in metres: no intermediate product overflows.
pub(crate) const GREATEST: f64 = 1e100;

/// A ball with a finite centre and a radius that is not negative.
///
/// # Examples
/// ```
/// # use lodger_core::linkability::Ball;
/// assert_eq!(Ball::new([1.0, 2.0, 3.0], 0.5)?.radius(), 0.5);
/// assert!(Ball::new([1.0, 2.0, 3.0], -0.5).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ball<N> {
    center: [N; 3],
    radius: N,
}

impl<N: Real> Ball<N> {
    /// Makes a ball; both arguments are in metres.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`] (the radius), [`ValueProblem::TooLarge`] above 10¹⁰⁰ m.
    pub fn new(center: [N; 3], radius: N) -> Result<Self, ValueError> {
        for coordinate in center {
            bounded(coordinate.finite(Quantity::Position)?, Quantity::Position)?;
        }
        bounded(radius.not_negative(Quantity::Radius)?, Quantity::Radius)?;
        Ok(Self { center, radius })
    }

    /// Makes a ball without extent.
    ///
    /// # Errors
    /// As [`new`](Self::new), for [`Quantity::Position`].
    pub fn point(center: [N; 3]) -> Result<Self, ValueError> {
        Self::new(center, N::ZERO)
    }

    /// Returns the centre, in metres.
    pub fn center(&self) -> [N; 3] {
        self.center
    }

    /// Returns the radius, in metres.
    pub fn radius(&self) -> N {
        self.radius
    }

    /// Converts to `f64`, exactly.
    #[must_use]
    pub fn to_f64(self) -> Ball<f64> {
        Ball { center: self.center.map(Real::to_f64), radius: self.radius.to_f64() }
    }
}

fn bounded<N: Real>(value: N, quantity: Quantity) -> Result<(), ValueError> {
    if value.to_f64().abs() <= GREATEST {
        Ok(())
    } else {
        Err(ValueError::new(quantity, ValueProblem::TooLarge))
    }
}

impl Ball<f64> {
    /// Makes a ball from results over checked balls.
    pub(crate) const fn made(center: Vector, radius: f64) -> Self {
        Self { center, radius }
    }

    /// Returns the distance in metres from this centre to the far side of `other`.
    pub(crate) fn reach(&self, other: &Self) -> f64 {
        length(minus(self.center, other.center)) + other.radius
    }
}

/// A ball and its index in the caller's order.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Placed {
    pub(crate) index: usize,
    pub(crate) ball: Ball<f64>,
}

pub(crate) type Vector = [f64; 3];

pub(crate) fn minus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

pub(crate) fn along([ax, ay, az]: Vector, [bx, by, bz]: Vector, factor: f64) -> Vector {
    [ax + bx * factor, ay + by * factor, az + bz * factor]
}

pub(crate) fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f64 {
    ax * bx + ay * by + az * bz
}

pub(crate) fn length(vector: Vector) -> f64 {
    Real::sqrt(dot(vector, vector))
}
