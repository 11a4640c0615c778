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
//! ball around 256, certificate included, 5.9 million, an eighth of a second at 48 MHz or somewhat
//! more. Square roots, more expensive still, are taken of the few balls only that may stick out. Linking is
//! no part of a frame.

use super::ball::Ball;
use super::certificate::Enclosing;
use super::placed::Placed;
use super::search::smallest;
use crate::error::{Error, Problem, Quantity};
use crate::real::Real;

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
/// three million sets, most of them made to break it, was 3·10⁻¹⁵. Every ball is inside as
/// [`verify`](Enclosing::verify) computes it, without tolerance. Distances below 10⁻¹⁵⁰ m count as 0.
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
pub fn enclosing_ball<N: Real>(balls: &[Ball<N>]) -> Result<Enclosing, Error> {
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
pub fn enclosing_ball_of_points<N: Real>(points: &[[N; 3]]) -> Result<Enclosing, Error> {
    for &point in points {
        Ball::point(point)?;
    }
    enclosing(points.iter().map(|point| Ball::made(point.map(Real::to_f64), 0.0)))
}

/// The smallest ball around checked balls.
pub(super) fn enclosing(
    balls: impl Iterator<Item = Ball<f64>> + Clone,
) -> Result<Enclosing, Error> {
    let places = balls.clone().enumerate();
    smallest(&places.map(|(index, ball)| Placed { index, ball }))
        .map(|basis| Enclosing::of(&basis, balls))
        .ok_or(Error::new(Quantity::Count, Problem::Missing))
}
