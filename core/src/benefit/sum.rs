//! The sum of importances, one term at a time.

use super::{Benefit, BenefitRule, Weights};
use crate::real::{Real, Square};

/// The constants of a rule that a loop over rows needs.
#[derive(Clone, Copy)]
pub(super) struct Sum<N: Real> {
    weights: Weights<N>,
    max_age: N::Span,
    max_speed: N::Span,
    bias: N,
}

#[allow(clippy::inline_always)] // called once for each row, and compiled for the caller's vectors
impl<N: Real> Sum<N> {
    #[inline(always)]
    pub(super) fn of(rule: &BenefitRule<N>) -> Self {
        // A larger bias saturates every benefit too; 256 is representable in every number type.
        let bias = rule.terms.bias.lesser(N::narrow(N::Square::from_i32(256)));
        let (max_age, max_speed) = (rule.max_age, rule.max_speed);
        Self { weights: rule.terms.weights, max_age, max_speed, bias }
    }

    /// Returns the weighted distance importance, the first term.
    #[inline(always)]
    pub(super) fn near(&self, importance: N) -> N {
        self.weights.distance.times_unit(importance)
    }

    /// Whether a cheap test proves that the age is finite.
    #[inline(always)]
    pub(super) fn is_plain(&self, age: N) -> bool {
        age.is_within(&self.max_age)
    }

    #[inline(always)]
    pub(super) fn with_age(&self, sum: N, age: N) -> N {
        sum.plus_small(self.weights.age.times_unit(N::ONE - age.fraction_of(self.max_age)))
    }

    #[inline(always)]
    pub(super) fn with_speed(&self, sum: N, speed: N) -> N {
        sum.plus_small(self.weights.speed.times_unit(speed.fraction_of(self.max_speed)))
    }

    #[inline(always)]
    pub(super) fn benefit(&self, sum: N) -> Benefit {
        Benefit(sum.plus_small(self.bias).to_benefit())
    }

    /// Whether every benefit is far below 127: the weights total about 1.
    #[inline(always)]
    pub(super) fn is_low(&self) -> bool {
        self.bias < N::narrow(N::Square::from_i32(64))
    }

    /// Equals [`benefit`](Self::benefit) if [`is_low`](Self::is_low).
    #[inline(always)]
    pub(super) fn low_benefit(&self, sum: N) -> Benefit {
        Benefit(sum.plus_small(self.bias).to_low_benefit())
    }
}
