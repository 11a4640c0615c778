//! Shapes to choose among by their costs in whole numbers, and why an object gets none.

use lodger_quota::QuotaExceeded;

use crate::error::Error;
use crate::model::Object;
use crate::spend::Buyer;

/// Units of a cost of 1. A vertex costs 400.
const UNITS: f64 = 10_000.0;

/// Something that can be had for a cost, and how far it is from what it should be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeOption {
    pub(crate) cost: f64,
    pub(crate) error: f64,
}

/// A cost in units, rounded up but for what a float adds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is meant")]
pub(crate) fn units(cost: f64) -> u32 {
    const ROUNDING: f64 = 1e-9;
    let units = cost * UNITS;
    (units - ROUNDING * units.max(1.0)).ceil() as u32
}

/// The units that a cost of at most that allows.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is meant")]
pub(crate) fn budget(most: f64) -> u64 {
    const ROUNDING: f64 = 1e-9;
    let units = most * UNITS;
    (units + ROUNDING * units.max(1.0)).floor() as u64
}

/// What units are as a cost.
#[expect(clippy::cast_precision_loss, reason = "far below 2⁵³")]
pub(crate) fn cost(units: u64) -> f64 {
    units as f64 / UNITS
}

/// Who buys one of some offers, the cheapest and worst first.
pub(crate) fn buyer(offers: impl Iterator<Item = ShapeOption> + Clone) -> Buyer {
    let worst = offers.clone().map(|offer| offer.error).fold(0.0, f64::max);
    let quality = |error: f64| if worst > 0.0 { 1.0 - error / worst } else { 1.0 };
    let forms = offers.map(|offer| (units(offer.cost), quality(offer.error)));
    Buyer { worth: worst, forms: forms.collect() }
}

/// Why an object gets no physics shape.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The model takes more than it may.
    QuotaExceeded(QuotaExceeded),
    /// Another reason, in words.
    Problem(String),
}

impl Failure {
    pub(crate) fn of(self, object: &Object) -> Error {
        match self {
            Self::QuotaExceeded(spent) => spent.into(),
            Self::Problem(problem) => Error::Physics { object: object.name.clone(), problem },
        }
    }
}

impl From<QuotaExceeded> for Failure {
    fn from(spent: QuotaExceeded) -> Self {
        Self::QuotaExceeded(spent)
    }
}

impl From<String> for Failure {
    fn from(problem: String) -> Self {
        Self::Problem(problem)
    }
}

impl From<&str> for Failure {
    fn from(problem: &str) -> Self {
        problem.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_have_whole_costs() {
        for vertices in 4..=256_u32 {
            let cost = f64::from(vertices + 1) * 0.04;
            assert_eq!(units(cost), 400 * (vertices + 1));
            assert_eq!(budget(cost), 400 * u64::from(vertices + 1));
        }
        assert_eq!((units(0.500_01), budget(0.500_09)), (5_001, 5_000));
        assert_eq!((units(0.0), budget(0.0), budget(-1.0)), (0, 0, 0));
    }
}
