//! The greatest span and distance at which two spheres link.

use super::ball::Ball;
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::linkability::ball::{length, minus};
use crate::real::Real;

/// Growth of the span with the radii (Linkability rules, The details, 1).
const SPAN_PER_RADIUS: f64 = 3.0;
/// Metres added to every span (The details, 3).
const LINK_BONUS: f64 = 2.0;
/// The limit of the span in metres (The details, 4).
const LARGEST_MAX: f64 = 54.0;

/// Returns the radius in metres of the smallest ball around a prim's box.
///
/// # Formula
/// √(x² + y² + z²)/2, sides over 10 m counting as 10 m.
///
/// # Source
/// Linkability rules, Formulas, and The details on megaprims.
///
/// # Range and accuracy
/// Scales up to 10¹⁰⁰ m; within one unit of `f64`'s last place.
///
/// # Errors
/// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`] and [`ValueProblem::TooLarge`].
///
/// # Examples
/// ```
/// use lodger_core::linkability::bounding_radius;
///
/// // "This is a 10x10x10m prim of any shape type."
/// assert!((bounding_radius([10.0_f32; 3])? - 8.66).abs() < 1e-3);
/// assert_eq!(bounding_radius([64.0_f32; 3])?, bounding_radius([10.0_f32; 3])?);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
pub fn bounding_radius<N: Real>(scale: [N; 3]) -> Result<f64, ValueError> {
    /// The limit of a side in metres (The details, exception for megaprims).
    const MAX_SIDE: f64 = 10.0;
    for side in scale {
        if side.not_negative(Quantity::Scale)?.to_f64() > super::ball::GREATEST {
            return Err(ValueError::new(Quantity::Scale, ValueProblem::TooLarge));
        }
    }
    Ok(length(scale.map(|side| side.to_f64().min(MAX_SIDE))) * 0.5)
}

/// Returns the greatest span in metres at which pieces with these radii link.
///
/// # Formula
/// min(3·(rA + rB) + 2, 54).
///
/// # Source
/// Linkability rules, The details, formula 1.
///
/// # Range and accuracy
/// Any radii; two roundings. 0 for NaN or a negative radius.
///
/// # Examples
/// ```
/// use lodger_core::linkability::max_link_span;
///
/// let rounded = |span: f64| (span * 100.0).round() / 100.0;
/// assert_eq!(rounded(max_link_span(0.01, 0.01)), 2.06);
/// assert_eq!(rounded(max_link_span(8.66, 0.01)), 28.01);
/// assert_eq!(rounded(max_link_span(8.66, 8.66)), 53.96);
/// assert_eq!(max_link_span(20.0, 20.0), 54.0);
/// ```
#[must_use]
pub fn max_link_span(radius_a: f64, radius_b: f64) -> f64 {
    if radius_a >= 0.0 && radius_b >= 0.0 {
        LARGEST_MAX.min(SPAN_PER_RADIUS * (radius_a + radius_b) + LINK_BONUS)
    } else {
        0.0
    }
}

/// Returns the greatest distance in metres between the centres at which pieces with these radii link.
///
/// # Formula
/// min(2·(rA + rB) + 2, 54 − rA − rB), negative if they never link.
///
/// # Source
/// Linkability rules, Formulas, distance between the centers.
///
/// # Range and accuracy
/// As [`max_link_span`]. [`Fit::fits`] compares spans, so the last bit may differ.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{bounding_radius, max_center_distance};
///
/// // Two 10 m cubes: √300 + √300 + 2.
/// let cube = bounding_radius([10.0_f64; 3])?;
/// assert_eq!((max_center_distance(cube, cube) * 100.0).round() / 100.0, 36.64);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[must_use]
pub fn max_center_distance(radius_a: f64, radius_b: f64) -> f64 {
    if radius_a >= 0.0 && radius_b >= 0.0 {
        let radii = radius_a + radius_b;
        (LARGEST_MAX - radii).min((SPAN_PER_RADIUS - 1.0) * radii + LINK_BONUS)
    } else {
        0.0
    }
}

/// Span and distance of two pieces, with their limits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Fit {
    /// Metres from one sphere's far side to the other's.
    pub span: f64,
    /// The greatest span in metres; see [`max_link_span`].
    pub max_span: f64,
    /// Metres between the centres.
    pub center_distance: f64,
    /// The greatest distance in metres; see [`max_center_distance`].
    pub max_center_distance: f64,
}

impl Fit {
    /// Computes the fit of two spheres, in any order.
    ///
    /// # Formula
    /// span = |cA − cB| + (rA + rB).
    ///
    /// # Source
    /// Linkability rules, The details, formula 7.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::linkability::{bounding_radius, Ball, Fit};
    ///
    /// // A, C of the module's example, linked, and B, which is 4.5 m too far away.
    /// let cube = bounding_radius([10.0_f64; 3])?;
    /// let a_and_c = Ball::new([-9.0, 9.0, 0.0], f64::sqrt(162.0) + cube)?;
    /// let fit = Fit::of(&a_and_c, &Ball::new([18.0, 0.0, 0.0], cube)?);
    /// assert_eq!((fit.span * 10.0).round() / 10.0, 58.5);
    /// assert_eq!((fit.missed_by() * 10.0).round() / 10.0, 4.5);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn of(a: &Ball<f64>, b: &Ball<f64>) -> Self {
        let center_distance = length(minus(a.center(), b.center()));
        Self {
            span: center_distance + (a.radius() + b.radius()),
            max_span: max_link_span(a.radius(), b.radius()),
            center_distance,
            max_center_distance: max_center_distance(a.radius(), b.radius()),
        }
    }

    /// Whether the span is within its limit, without tolerance.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.span <= self.max_span
    }

    /// Returns the metres by which the span exceeds its limit, or 0.
    #[must_use]
    pub fn missed_by(&self) -> f64 {
        (self.span - self.max_span).max(0.0)
    }
}
