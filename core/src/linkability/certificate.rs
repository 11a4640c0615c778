//! An enclosing ball with the proof that it is the smallest.

use super::ball::Ball;
use super::support::Basis;
use super::vector::{along, length, minus};
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

/// The measured proof that a ball encloses others and that no smaller one does.
///
/// Whatever the support and its weights w, no ball that encloses the support has a radius below
/// Σ wᵢdᵢ(dᵢ + rᵢ) / Σ wᵢdᵢ, dᵢ being the distance from c = Σ wᵢcᵢ to the centre cᵢ: the distance to
/// the far side of each ball is convex, and at c these slopes cancel. So three numbers tell all, and
/// rounding is in them, not hidden behind a tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Certificate {
    /// Metres by which the ball that sticks out most does so; 0 if all are inside.
    pub outside: f64,
    /// Metres from the centre to Σ wᵢcᵢ, a point in the convex hull of the support's centres.
    pub off_hull: f64,
    /// Metres by which the radius exceeds the proven lower bound, which allows for `off_hull`.
    pub gap: f64,
}

/// The smallest ball that encloses others, what holds it in place, and the proof.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Enclosing {
    ball: Ball<f64>,
    support: [Support; 4],
    supports: usize,
    certificate: Certificate,
}

impl Enclosing {
    /// What the search has found, with its certificate.
    pub(super) fn of(basis: &Basis, all: impl Iterator<Item = Ball<f64>>) -> Self {
        let held = basis.support.as_slice().iter().zip(basis.weights);
        let mut support = [Support::default(); 4];
        for (slot, (placed, weight)) in support.iter_mut().zip(held.clone()) {
            *slot = Support { index: placed.index, weight };
        }
        let held = held.map(|(placed, weight)| (placed.ball, weight));
        Self {
            ball: basis.ball,
            support,
            supports: basis.support.as_slice().len(),
            certificate: certify(basis.ball, held, all),
        }
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

    /// What [`verify`](Self::verify) found when the ball was made.
    #[must_use]
    pub const fn certificate(&self) -> Certificate {
        self.certificate
    }

    /// Measures anew how far this is the smallest ball around `balls`, the ones it was made from.
    ///
    /// It knows nothing of the search. Indices that `balls` does not have are passed over, and their
    /// weights are then missing in `off_hull` and `gap`.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::linkability::{enclosing_ball, Ball};
    ///
    /// let balls = [Ball::new([0.0_f32; 3], 1.0)?, Ball::new([4.0, 0.0, 0.0], 2.0)?];
    /// let enclosing = enclosing_ball(&balls)?;
    /// let proof = enclosing.verify(&balls);
    /// assert_eq!((proof.outside, proof.off_hull, proof.gap), (0.0, 0.0, 0.0));
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    pub fn verify<N: Real>(&self, balls: &[Ball<N>]) -> Certificate {
        let ball = |support: &Support| balls.get(support.index).map(|ball| ball.to_f64());
        let held = self.support().iter();
        let held = held.filter_map(|support| Some((ball(support)?, support.weight)));
        certify(self.ball, held, balls.iter().map(|ball| ball.to_f64()))
    }
}

/// The certificate of `ball`, held by balls with weights, around `all`.
fn certify(
    ball: Ball<f64>,
    held: impl Iterator<Item = (Ball<f64>, f64)> + Clone,
    all: impl Iterator<Item = Ball<f64>>,
) -> Certificate {
    let reach = all.fold(ball.radius(), |reach, other| reach.max(ball.reach(&other)));
    let hull = held.clone().fold(ball.center(), |rest, (other, weight)| {
        along(rest, minus(other.center(), ball.center()), weight)
    });
    let off_hull = length(minus(hull, ball.center()));
    let (mut moments, mut total, mut largest) = (0.0, 0.0, 0.0_f64);
    for (other, weight) in held {
        let moment = weight * length(minus(ball.center(), other.center()));
        total += moment;
        moments += moment * (ball.radius() - ball.reach(&other));
        largest = largest.max(other.radius());
    }
    let gap = if total > 0.0 {
        // The centre of the smallest ball is no farther away than this: both balls hold the largest.
        let farthest = 2.0 * (ball.radius() - largest);
        (moments + off_hull * farthest) / total
    } else {
        ball.radius() - largest
    };
    Certificate { outside: reach - ball.radius(), off_hull, gap }
}
