//! What is held against a tolerance.

use std::fmt;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// Solid angle without a maximum distance.
    SolidAngle,
    /// Solid angle that reaches 0 at a maximum distance.
    SolidAngleBounded,
    /// Angle without a maximum distance.
    Angular,
    /// Angle that reaches 0 at a maximum distance.
    AngularBounded,
    /// Importance of youth.
    Age,
    /// Importance of movement.
    Speed,
    /// Weighted sum of the importances.
    Benefit,
    /// The same as the ledger counts it, in Q16.16.
    CountedBenefit,
}

/// The number type that computes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// 64-bit floats.
    F64,
    /// 32-bit floats.
    F32,
    /// Q16.16.
    Fixed,
    /// Approximations for processors in a hurry.
    Micro,
}

/// One result to be judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What to call it when it is the worst.
    pub name: String,
    /// At least 1; see the module's text.
    pub condition: f64,
    /// From the number type under test.
    pub got: f64,
    /// From the oracle or a vector.
    pub expected: f64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, condition, got, expected } = self;
        let error = got - expected;
        write!(f, "{name}: {got} instead of {expected}, off by {error:e} at condition {condition}")
    }
}
