//! The smallest ball around points or balls.
//!
//! Welzl's recursion is correct for points but not for balls (Fischer and Gärtner, "The smallest enclosing ball of balls:
//! combinatorial structure and algorithms", 2004). This algorithm pivots, as theirs: the ball that extends farthest beyond
//! the smallest ball around a few balls, the support, joins them, and all supports among these at most five balls are
//! tried. The radius grows with every step, apart from a few with rounding errors, so it terminates; 256 balls usually take
//! fewer than ten steps. The order of the balls does not change the bits.
//!
//! # Why all numbers are `f64`
//!
//! Links have no tolerance, so rounding matters near the limit. Every [`Real`] type converts to `f64` exactly, and its
//! operations are correctly rounded on every processor.
//!
//! On an emulated Cortex-M0 one ball takes 2900 instructions to examine (1200 in `f32`), and the smallest ball around 256
//! fewer than 5.9 million: an eighth of a second at 48 MHz.

use core::cmp::Ordering;

use crate::error::{Quantity, ValueError, ValueProblem};
use crate::linkability::ball::{Ball, Placed, dot, minus};
use crate::linkability::support::{Basis, by_value};
use crate::real::Real;

/// A ball that determines the smallest enclosing ball.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Support {
    /// The ball's index in the input.
    pub index: usize,
    /// Its weight, at least 0, in the centre, which is Σ weight · centre of the ball; weights total 1.
    pub weight: f64,
}

/// The smallest ball that encloses others, and its support.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EnclosingBall {
    ball: Ball<f64>,
    support: [Support; 4],
    supports: usize,
}

impl EnclosingBall {
    fn from_basis(basis: &Basis) -> Self {
        let held = basis.support.as_slice();
        let mut support = [Support::default(); 4];
        for (slot, (placed, weight)) in support.iter_mut().zip(held.iter().zip(basis.weights)) {
            *slot = Support { index: placed.index, weight };
        }
        Self { ball: basis.ball, support, supports: held.len() }
    }

    /// Returns the ball.
    #[must_use]
    pub const fn ball(&self) -> Ball<f64> {
        self.ball
    }

    /// Returns the diameter in metres.
    #[must_use]
    pub fn diameter(&self) -> f64 {
        2.0 * self.ball.radius()
    }

    /// Returns the one to four balls that it touches and that no smaller ball encloses.
    #[must_use]
    pub fn support(&self) -> &[Support] {
        self.support.get(..self.supports).unwrap_or(&self.support)
    }
}

/// Computes the smallest ball that encloses balls.
///
/// # Formula
/// The c that minimises max(|c − cᵢ| + rᵢ); the minimum is the radius.
///
/// # Source
/// Second Life wiki, linkability rules: "the smallest spheres that completely contain all of the bounding spheres".
///
/// # Range and accuracy
/// The radius is within 10⁻¹⁴ of the largest coordinate or radius, relatively; the worst of nearly three million sets was
/// 3·10⁻¹⁵. Every ball is inside: distance plus radius, in `f64`, is at most the radius. Distances below 10⁻¹⁵⁰ m count as 0.
///
/// # Errors
/// [`ValueProblem::Missing`] without a ball.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{enclosing_ball, Ball};
///
/// // Two spheres of 10 m cubes that just reach 54 m, and one in between without effect.
/// let cubes = [
///     Ball::new([-18.34_f64, 0.0, 0.0], 8.66)?,
///     Ball::new([18.34, 0.0, 0.0], 8.66)?,
///     Ball::new([0.0, 3.0, 0.0], 8.66)?,
/// ];
/// let enclosing = enclosing_ball(&cubes)?;
/// assert!((enclosing.diameter() - 54.0).abs() < 1e-13);
/// assert_eq!(enclosing.support().len(), 2);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
pub fn enclosing_ball<N: Real>(balls: &[Ball<N>]) -> Result<EnclosingBall, ValueError> {
    enclosing(balls.iter().map(|ball| ball.to_f64()))
}

/// Computes the smallest ball that encloses points; see [`enclosing_ball`].
///
/// # Errors
/// [`ValueProblem::Missing`] without a point; [`ValueProblem::NotFinite`] and [`ValueProblem::TooLarge`].
///
/// # Examples
/// ```
/// use lodger_core::linkability::enclosing_ball_of_points;
///
/// let corners = [[0.0_f32, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
/// let enclosing = enclosing_ball_of_points(&corners)?;
/// assert_eq!(enclosing.ball().center(), [1.5, 2.0, 0.0]);
/// assert_eq!(enclosing.diameter(), 5.0);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
pub fn enclosing_ball_of_points<N: Real>(points: &[[N; 3]]) -> Result<EnclosingBall, ValueError> {
    for &point in points {
        Ball::point(point)?;
    }
    enclosing(points.iter().map(|point| Ball::made(point.map(Real::to_f64), 0.0)))
}

pub(crate) fn enclosing(
    balls: impl Iterator<Item = Ball<f64>> + Clone,
) -> Result<EnclosingBall, ValueError> {
    smallest(&balls.enumerate().map(|(index, ball)| Placed { index, ball }))
        .map(|basis| EnclosingBall::from_basis(&basis))
        .ok_or(ValueError::new(Quantity::Count, ValueProblem::Missing))
}

pub(crate) fn smallest(balls: &(impl Iterator<Item = Placed> + Clone)) -> Option<Basis> {
    let largest = balls.clone().max_by(|a, b| by_value(&a.ball, &b.ball))?;
    Some(grown(&Basis::one(largest), balls))
}

/// Computes the smallest ball around all balls from that around some.
///
/// The radius grows with every step, except for rounding among balls that touch the same sphere: a few such steps are
/// allowed, and the support with the least excess wins.
pub(crate) fn grown(start: &Basis, balls: &(impl Iterator<Item = Placed> + Clone)) -> Basis {
    /// More steps improved none of millions of sets.
    const STALLS: u32 = 8;
    let (mut basis, mut stalls) = (*start, 0);
    let (mut best, mut least) = (basis, f64::INFINITY);
    while let Some(outside) = farthest(balls.clone(), basis.ball) {
        let all = basis.widened(&outside.ball);
        let excess = all.ball.radius() - basis.ball.radius();
        if excess < least {
            (best, least) = (all, excess);
        }
        let next = basis.with(outside);
        if next.ball.radius() <= basis.ball.radius() {
            stalls = u32::wrapping_add(stalls, 1);
        }
        if stalls > STALLS {
            return best;
        }
        basis = next;
    }
    basis
}

fn farthest(balls: impl Iterator<Item = Placed>, ball: Ball<f64>) -> Option<Placed> {
    /// A product with this factor is less even after rounding.
    const SURELY: f64 = 1.0 - 4.0 * f64::EPSILON;
    let (mut reach, mut found) = (ball.radius(), None);
    for placed in balls {
        let offset = minus(ball.center(), placed.ball.center());
        let distance_sq = dot(offset, offset);
        let free = reach * SURELY - placed.ball.radius();
        if free > 0.0 && distance_sq < free * free * SURELY {
            continue;
        }
        // Few balls come here, and a square root in software is slow.
        let other = Real::sqrt(distance_sq) + placed.ball.radius();
        let is_taken = match other.total_cmp(&reach) {
            Ordering::Less => false,
            Ordering::Equal => {
                found.is_some_and(|found: Placed| by_value(&found.ball, &placed.ball).is_lt())
            }
            Ordering::Greater => true,
        };
        if is_taken {
            (reach, found) = (other, Some(placed));
        }
    }
    found
}
