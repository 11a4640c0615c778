//! The smallest ball around points or balls.
//!
//! Welzl's recursion is right for points and wrong for balls. It takes for granted that whatever is
//! outside the smallest ball around some, others touching it from within, touches the next one
//! itself; among balls that is not so (Fischer and Gärtner, "The smallest enclosing ball of balls:
//! combinatorial structure and algorithms", 2004).
//! So this pivots, as they do. Of a few balls, the support, the smallest enclosing ball is known; the
//! ball that sticks out most joins them, and all supports among these five at most are tried. The
//! radius grows with every step but a few that rounding may cost, so it ends, and at worst it has then
//! done what an exhaustive search does. Usual are less than ten steps for 256 balls.
//!
//! All choices are made by value, none by place: the same balls in another order give the same bits.
//! Nothing is copied or allocated, and there is no limit on how many balls there are.
//!
//! # Why everything is `f64` inside
//!
//! Whether two prims link is decided without tolerance, so what is rounded on the way decides near
//! the limit. The numbers of every [`Real`] type become `f64` without loss, and then 29 bits are left
//! that `f32` input does not have. The basic operations and the square root are rounded to nearest on
//! every processor, in hardware or in software, so the bits are the same everywhere.
//!
//! The price is paid on cores without a floating-point unit for `f64`. Counted on an emulated
//! Cortex-M0: to look at one ball takes 2900 instructions, in `f32` it would be 1200, and the smallest
//! ball around 256 takes less than 5.9 million, about an eighth of a second at 48 MHz. Square roots, more expensive still, are taken of the few balls only that may stick out. Linking is
//! no part of a frame.

use core::cmp::Ordering;

use crate::error::{Error, Problem, Quantity};
use crate::linkability::ball::{Ball, Placed, dot, minus};
use crate::linkability::support::{Basis, by_value};
use crate::real::Real;

/// One of the balls that hold the smallest enclosing ball in place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Support {
    /// Which of the given balls it is.
    pub index: usize,
    /// Its part in the centre: the centre is Σ weight · centre of the ball. At least 0; they total 1.
    pub weight: f64,
}

/// The smallest ball that encloses others, and the balls that hold it in place.
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

    /// The ball.
    #[must_use]
    pub const fn ball(&self) -> Ball<f64> {
        self.ball
    }

    /// The diameter in metres.
    #[must_use]
    pub fn diameter(&self) -> f64 {
        2.0 * self.ball.radius()
    }

    /// The one to four balls that it touches and that no smaller ball encloses.
    #[must_use]
    pub fn support(&self) -> &[Support] {
        self.support.get(..self.supports).unwrap_or(&self.support)
    }
}

/// The smallest ball that encloses balls.
///
/// # Formula
/// The c that makes max(|c − cᵢ| + rᵢ) least; that value is the radius.
///
/// # Source
/// Second Life wiki, linkability rules: "the smallest spheres that completely contain all of the
/// bounding spheres". The method is that of the module's head.
///
/// # Range and accuracy
/// The radius is within 10⁻¹⁴ of the largest coordinate or radius, relatively; the worst of nearly
/// three million sets, most of them made to break it, was 3·10⁻¹⁵. Every ball is inside as its
/// distance and its radius add up in `f64`, without tolerance. Distances below 10⁻¹⁵⁰ m count as 0.
///
/// # Errors
/// [`Problem::Missing`] when there is no ball.
///
/// # Examples
/// ```
/// use lodger_core::linkability::{enclosing_ball, Ball};
///
/// // Two spheres of 10 m cubes that just reach 54 m, and one in between that does not matter.
/// let cubes = [
///     Ball::new([-18.34_f64, 0.0, 0.0], 8.66)?,
///     Ball::new([18.34, 0.0, 0.0], 8.66)?,
///     Ball::new([0.0, 3.0, 0.0], 8.66)?,
/// ];
/// let enclosing = enclosing_ball(&cubes)?;
/// assert!((enclosing.diameter() - 54.0).abs() < 1e-13);
/// assert_eq!(enclosing.support().len(), 2);
/// # Ok::<(), lodger_core::Error>(())
/// ```
pub fn enclosing_ball<N: Real>(balls: &[Ball<N>]) -> Result<EnclosingBall, Error> {
    enclosing(balls.iter().map(|ball| ball.to_f64()))
}

/// The smallest ball that encloses points; as [`enclosing_ball`].
///
/// # Errors
/// [`Problem::Missing`] when there is no point; [`Problem::NotFinite`] and [`Problem::TooLarge`] for
/// [`Quantity::Position`].
///
/// # Examples
/// ```
/// use lodger_core::linkability::enclosing_ball_of_points;
///
/// let corners = [[0.0_f32, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
/// let enclosing = enclosing_ball_of_points(&corners)?;
/// assert_eq!(enclosing.ball().center(), [1.5, 2.0, 0.0]);
/// assert_eq!(enclosing.diameter(), 5.0);
/// # Ok::<(), lodger_core::Error>(())
/// ```
pub fn enclosing_ball_of_points<N: Real>(points: &[[N; 3]]) -> Result<EnclosingBall, Error> {
    for &point in points {
        Ball::point(point)?;
    }
    enclosing(points.iter().map(|point| Ball::made(point.map(Real::to_f64), 0.0)))
}

/// The smallest ball around checked balls.
pub(crate) fn enclosing(
    balls: impl Iterator<Item = Ball<f64>> + Clone,
) -> Result<EnclosingBall, Error> {
    smallest(&balls.enumerate().map(|(index, ball)| Placed { index, ball }))
        .map(|basis| EnclosingBall::from_basis(&basis))
        .ok_or(Error::new(Quantity::Count, Problem::Missing))
}

/// The smallest ball around all; `None` if there are none.
pub(crate) fn smallest(balls: &(impl Iterator<Item = Placed> + Clone)) -> Option<Basis> {
    let largest = balls.clone().max_by(|a, b| by_value(&a.ball, &b.ball))?;
    Some(grown(&Basis::one(largest), balls))
}

/// The smallest ball around all, given that around some of them.
///
/// The radius grows with every step, but for rounding: among balls that all touch the same sphere a
/// better centre may come with an equal radius. A few steps may be of that kind; then the support
/// that left least outside counts.
pub(crate) fn grown(start: &Basis, balls: &(impl Iterator<Item = Placed> + Clone)) -> Basis {
    /// More of them made no set of millions better.
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

/// The ball that sticks out of `ball` most; of equals the greatest [`by_value`].
fn farthest(balls: impl Iterator<Item = Placed>, ball: Ball<f64>) -> Option<Placed> {
    /// What is less by this factor is less after rounding, too.
    const SURELY: f64 = 1.0 - 4.0 * f64::EPSILON;
    let (mut reach, mut found) = (ball.radius(), None);
    for placed in balls {
        let offset = minus(ball.center(), placed.ball.center());
        let distance_sq = dot(offset, offset);
        let free = reach * SURELY - placed.ball.radius();
        if free > 0.0 && distance_sq < free * free * SURELY {
            continue;
        }
        // Few come so far, and a square root in software is slow.
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
