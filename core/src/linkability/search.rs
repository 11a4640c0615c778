//! The search for the support: the ball that sticks out most joins it, until none does.

use core::cmp::Ordering;

use super::ball::Ball;
use super::placed::Placed;
use super::support::{Basis, by_value};
use super::vector::{dot, minus};
use crate::real::Real;

/// The smallest ball around all; `None` if there are none.
pub(super) fn smallest(balls: &(impl Iterator<Item = Placed> + Clone)) -> Option<Basis> {
    let largest = balls.clone().max_by(|a, b| by_value(&a.ball, &b.ball))?;
    Some(grown(&Basis::one(largest), balls))
}

/// The smallest ball around all, given that around some of them.
///
/// The radius grows with every step, but for rounding: among balls that all touch the same sphere a
/// better centre may come with an equal radius. A few steps may be of that kind; then the support
/// that left least outside counts.
pub(super) fn grown(start: &Basis, balls: &(impl Iterator<Item = Placed> + Clone)) -> Basis {
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
