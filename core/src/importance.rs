//! Importance functions of the APEX LOD document: how much an actor matters, in \[0, 1\].
//!
//! The scalar functions are the textbook forms. A frame loop computes two constants by [`DistanceImportance::curve`] when a
//! radius or the maximum distance changes; [`DistanceImportance::at`] then takes one division a frame.
//!
//! r is the distance to the viewer, R the actor's radius and D the distance at which importance reaches 0, in metres; t an
//! age and T the greatest age, in seconds; v a speed and V the reference speed, in metres per second. NaN gives 0.
//! [`DistanceImportance::curve`] and [`BenefitRule::new`](crate::benefit::BenefitRule::new) reject negative arguments.

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::keyword::keywords;
use crate::real::{Real, Square};

/// Importance by the approximate solid angle that a sphere covers on the viewer's unit sphere.
///
/// # Formula
/// I(r) = 1 if r² <= πR², else πR²/r². With a maximum distance D, I′(r) = 1 if r² <= πR², 0 if r² >= D², else
/// π(R²/r²)·(D²−r²)/(D²−πR²).
///
/// The document prints the last denominator as D²−R², with which its own condition I′(R√π) = 1 does not hold.
///
/// # Source
/// APEX LOD document, importance functions, solid angle.
///
/// # Range and accuracy
/// For R from 0.05 to 64 m and distances to 4 km, with c = max(1, ½·D²/(D²−πR²)): `f32` absolute 10⁻⁶ · c,
/// [`Fixed`](crate::Fixed) absolute 2⁻¹⁴ · c.
///
/// # Examples
/// ```
/// use lodger_core::importance::solid_angle;
///
/// // Capped at 1 from the start to r = R√π.
/// assert_eq!(solid_angle(1.7_f32, 1.0, None), 1.0);
/// // The document's second condition, I′(D) = 0.
/// assert_eq!(solid_angle(50.0_f32, 1.0, Some(50.0)), 0.0);
/// // As D grows, I′ becomes I.
/// let (bounded, unbounded) = (solid_angle(4.0, 1.0, Some(1e6)), solid_angle(4.0_f64, 1.0, None));
/// assert!((bounded - unbounded).abs() < 1e-9);
/// ```
pub fn solid_angle<N: Real>(distance: N, radius: N, max_distance: Option<N>) -> N {
    let (r_sq, near_sq) = (distance.square(), radius.disc_area());
    if r_sq <= near_sq {
        return N::ONE;
    }
    let unbounded = N::ratio(near_sq, r_sq);
    match max_distance.map(Real::square) {
        None => unbounded.clamp_unit(),
        Some(far_sq) if r_sq >= far_sq => N::ZERO,
        Some(far_sq) => {
            let way = N::ratio(r_sq - near_sq, far_sq - near_sq);
            (unbounded * (N::ONE - way)).clamp_unit()
        }
    }
}

/// Importance by the angle that an actor covers. It decays more slowly than the solid angle and suits cloth.
///
/// # Formula
/// 1 if r <= R, else R/r. With a maximum distance D, 1 if r <= R, 0 if r >= D, else (R/r)·(D−r)/(D−R).
///
/// # Source
/// APEX LOD document, importance functions; the bounded form meets the conditions of the bounded solid angle.
///
/// # Range and accuracy
/// As for [`solid_angle`], with c = max(1, ½·D/(D−R)).
///
/// # Examples
/// ```
/// use lodger_core::importance::angular;
///
/// assert_eq!(angular(8.0_f32, 2.0, None), 0.25);
/// assert_eq!(angular(8.0_f32, 2.0, Some(10.0)), 0.0625);
/// ```
pub fn angular<N: Real>(distance: N, radius: N, max_distance: Option<N>) -> N {
    if distance <= radius {
        return N::ONE;
    }
    let unbounded = radius / distance;
    match max_distance {
        None => unbounded.clamp_unit(),
        Some(end) if distance >= end => N::ZERO,
        Some(end) => {
            let way = (distance - radius) / (end - radius);
            (unbounded * (N::ONE - way)).clamp_unit()
        }
    }
}

/// Importance by age: a new actor matters most.
///
/// # Formula
/// A(t) = 1 if t <= 0, 0 if t >= T, else 1 − t/T.
///
/// # Source
/// APEX LOD document, importance functions, age.
///
/// # Range and accuracy
/// `f32`: absolute 10⁻⁶. [`Fixed`](crate::Fixed): absolute 2⁻¹⁴.
///
/// # Examples
/// ```
/// use lodger_core::importance::age;
///
/// assert_eq!(age(-1.0_f32, 10.0), 1.0);
/// assert_eq!(age(2.5_f32, 10.0), 0.75);
/// assert_eq!(age(11.0_f32, 10.0), 0.0);
/// ```
pub fn age<N: Real>(age: N, max_age: N) -> N {
    if age <= N::ZERO {
        N::ONE
    } else if age >= max_age {
        N::ZERO
    } else {
        (N::ONE - age / max_age).clamp_unit()
    }
}

/// Importance by speed.
///
/// # Formula
/// min(1, v/V).
///
/// # Source
/// lodger's own: the APEX LOD document names speed and gives no formula.
///
/// # Range and accuracy
/// `f32`: absolute 10⁻⁶. [`Fixed`](crate::Fixed): absolute 2⁻¹⁴.
///
/// # Examples
/// ```
/// use lodger_core::importance::speed;
///
/// assert_eq!(speed(3.0_f32, 12.0), 0.25);
/// assert_eq!(speed(30.0_f32, 12.0), 1.0);
/// ```
pub fn speed<N: Real>(speed: N, max_speed: N) -> N {
    if speed <= N::ZERO {
        N::ZERO
    } else if speed >= max_speed {
        N::ONE
    } else {
        (speed / max_speed).clamp_unit()
    }
}

/// The distance importance that a module uses.
///
/// # Examples
/// ```
/// # use lodger_core::importance::DistanceImportance;
/// assert_eq!("angular".parse(), Ok(DistanceImportance::Angular));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DistanceImportance {
    /// [`solid_angle`].
    #[default]
    SolidAngle,
    /// [`angular`].
    Angular,
}

keywords!(DistanceImportance { SolidAngle => "solid-angle", Angular => "angular" });

/// The two constants of an actor's distance importance, I′ = a/r² + b (angular: a/r + b).
///
/// They are valid only for the [`DistanceImportance`] that computed them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ImportanceCurve<N: Real> {
    /// a in m² (angular: a²).
    pub a: N::Square,
    /// −b; never negative.
    pub minus_b: N,
}

impl<N: Real> ImportanceCurve<N> {
    /// Packs the curve for columns of [`PackedCurves`], without a change of importance.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::importance::DistanceImportance::SolidAngle;
    /// use lodger_core::{Fixed, Real};
    ///
    /// let curve = SolidAngle.curve(Fixed::from_int(2), Some(Fixed::from_int(50)))?;
    /// let (packed, exponent) = curve.packed();
    /// assert_eq!((size_of_val(&packed), size_of_val(&exponent)), (8, 1));
    /// assert_eq!(packed.curve(exponent), curve);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn packed(self) -> (PackedCurve<N>, CurveExponent<N>) {
        let (a, exponent) = self.a.to_parts();
        (PackedCurve { a, minus_b: self.minus_b }, exponent)
    }
}

/// An [`ImportanceCurve`] without the exponent of a.
#[derive(Debug, Clone, Copy)]
pub struct PackedCurve<N: Real> {
    a: <N::Square as Square>::Mantissa,
    minus_b: N,
}

/// The exponent of a curve's a: a byte for [`Fixed`](crate::Fixed), nothing for floating-point types.
pub type CurveExponent<N> = <<N as Real>::Square as Square>::Exponent;

impl<N: Real> PackedCurve<N> {
    /// The curve of a radius of 0 without a maximum distance, and its exponent.
    pub const ZERO: (Self, CurveExponent<N>) = {
        let (a, exponent) = N::Square::ZERO_PARTS;
        (Self { a, minus_b: N::ZERO }, exponent)
    };

    /// Returns the curve.
    #[inline]
    #[must_use]
    pub fn curve(self, exponent: CurveExponent<N>) -> ImportanceCurve<N> {
        ImportanceCurve { a: N::Square::from_parts(self.a, exponent), minus_b: self.minus_b }
    }
}

/// The curves of many actors in 9 bytes each, of [`Fixed`](crate::Fixed).
#[derive(Debug, Clone, Copy)]
pub struct PackedCurves<'a, N: Real> {
    /// The curves without exponents.
    pub curve: &'a [PackedCurve<N>],
    /// Their exponents.
    pub exponent: &'a [CurveExponent<N>],
}

impl<N: Real> PackedCurves<'_, N> {
    /// Returns all curves.
    pub fn iter(&self) -> impl Iterator<Item = ImportanceCurve<N>> {
        self.curve.iter().zip(self.exponent).map(|(curve, exponent)| curve.curve(*exponent))
    }
}

impl DistanceImportance {
    /// Computes the constants for an actor of `radius` metres whose importance reaches 0 at `max_distance`.
    ///
    /// With x = r²/πR² (angular: r/R), importance is (1 + β)/x − β, where β = πR²/(D²−πR²) (angular: R/(D−R)), or 0
    /// without a maximum distance. A maximum distance inside the actor makes a step at x = 1.
    ///
    /// # Errors
    /// [`ValueProblem::Negative`] and [`ValueProblem::NotFinite`]; [`ValueProblem::TooLarge`] for a radius whose square
    /// is not finite.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::importance::{solid_angle, DistanceImportance::SolidAngle};
    /// use lodger_core::Real;
    ///
    /// let curve = SolidAngle.curve(2.0_f32, Some(50.0))?;
    /// let importance = SolidAngle.at(curve, f32::norm_sq([6.0, 0.0, 8.0]));
    /// assert!((importance - solid_angle(10.0, 2.0, Some(50.0))).abs() < 1e-6);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn curve<N: Real>(
        self,
        radius: N,
        max_distance: Option<N>,
    ) -> Result<ImportanceCurve<N>, ValueError> {
        let radius = radius.not_negative(Quantity::Radius)?;
        let (gain, minus_b) = match max_distance {
            None => (N::ONE, N::ZERO),
            Some(end) => self.slope(radius, end.not_negative(Quantity::MaxDistance)?),
        };
        let gain = gain.widen();
        let a = match self {
            Self::SolidAngle => gain * radius.disc_area(),
            Self::Angular => gain * gain * radius.square(),
        };
        if N::narrow(a).is_finite() {
            Ok(ImportanceCurve { a, minus_b })
        } else {
            Err(ValueError::new(Quantity::Radius, ValueProblem::TooLarge))
        }
    }

    /// Returns 1 + β and β, or [`Real::STEP`] if the end is not outside the actor.
    fn slope<N: Real>(self, radius: N, end: N) -> (N, N) {
        let (near, far) = match self {
            Self::SolidAngle => (radius.disc_area(), end.square()),
            Self::Angular => (radius.widen(), end.widen()),
        };
        if far <= near {
            return N::STEP;
        }
        let beta = N::narrow(near / (far - near)).lesser(N::STEP.1);
        (N::ONE + beta, beta)
    }

    /// Returns the importance at a squared distance: clamp(a/r² + b, 0, 1), or clamp(a/r + b, 0, 1); 1 at distance 0.
    #[inline(always)]
    #[allow(clippy::inline_always)] // called once for each row
    #[must_use]
    pub fn at<N: Real>(self, curve: ImportanceCurve<N>, distance_sq: N::Square) -> N {
        let ImportanceCurve { a, minus_b } = curve;
        match self {
            Self::SolidAngle => N::unit_ratio(a, distance_sq, minus_b),
            Self::Angular => N::unit_ratio_root(a, distance_sq, minus_b),
        }
    }

    /// As [`at`](Self::at), for [`Real::times_loose`].
    #[inline(always)]
    #[allow(clippy::inline_always)] // called once for each row
    pub(crate) fn loose_at<N: Real>(self, curve: ImportanceCurve<N>, distance_sq: N::Square) -> N {
        let ImportanceCurve { a, minus_b } = curve;
        match self {
            Self::SolidAngle => N::loose_ratio(a, distance_sq, minus_b),
            Self::Angular => N::unit_ratio_root(a, distance_sq, minus_b),
        }
    }
}
