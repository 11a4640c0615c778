//! How close is close enough: the only place in the workspace that says so. [`mod@cost`] says it for costs, whose units
//! differ from case to case, and [`linkability`] for enclosing balls; the rest of this page is about importances.
//!
//! A row promises `|got − expected| <= absolute + per_condition · max(1, condition)`. The condition is how much the
//! exact formula magnifies a rounding of its inputs; it is 1 except where a bounded importance is squeezed between its
//! near case and its maximum distance ([`solid_angle_condition`], [`angular_condition`]).

use std::f64::consts::PI;
use std::fmt;

pub mod cost;
pub mod linkability;
mod table;

pub use table::TABLE;

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

/// One promise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What is computed.
    pub function: Function,
    /// Who computes it.
    pub backend: Backend,
    /// The part of the tolerance that is always there.
    pub absolute: f64,
    /// The part that grows with the condition of the inputs.
    pub per_condition: f64,
    /// Why this much and no more.
    pub reason: &'static str,
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

impl Row {
    /// The greatest difference that passes.
    #[must_use]
    pub fn tolerance(&self, condition: f64) -> f64 {
        self.absolute + self.per_condition * condition.max(1.0)
    }

    /// A result that is off by `times` the tolerance.
    #[must_use]
    pub fn perturbed(&self, condition: f64, expected: f64, times: f64) -> f64 {
        expected + times * self.tolerance(condition)
    }

    fn excess(&self, case: &Case) -> f64 {
        (case.got - case.expected).abs() / self.tolerance(case.condition)
    }
}

/// Holds one result against its row.
///
/// # Errors
/// A sentence with both numbers, their difference and what was allowed; a result that is not a number never passes,
/// nor does a tolerance so wide that it could not fail.
pub fn check(
    function: Function,
    backend: Backend,
    condition: f64,
    got: f64,
    expected: f64,
) -> Result<(), String> {
    let name = String::from("result");
    let case = Case { name, condition, got, expected };
    check_all(function, backend, &[case])
}

/// Holds results against their row and names the worst of them.
///
/// # Errors
/// As [`check`], for the case that is furthest outside; no cases at all are an error too.
pub fn check_all(function: Function, backend: Backend, cases: &[Case]) -> Result<(), String> {
    let row = row(function, backend);
    if let Some(vague) = cases.iter().find(|case| !is_telling(row, case)) {
        return Err(format!("{function:?} in {backend:?}: {vague} cannot fail"));
    }
    let worst = cases.iter().max_by(|a, b| {
        let (a, b) = (row.excess(a), row.excess(b));
        // What is not a number is worse than any number, whatever its sign bit.
        a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(&b))
    });
    match worst {
        None => Err(format!("{function:?} in {backend:?}: nothing to check")),
        Some(worst) if row.excess(worst) <= 1.0 => Ok(()),
        Some(worst) => Err(format!(
            "{function:?} in {backend:?}: {worst}, allowed are {:e} ({})",
            row.tolerance(worst.condition),
            row.reason
        )),
    }
}

/// The promise for a function and a number type.
///
/// # Panics
/// If the table lacks it.
#[must_use]
pub fn row(function: Function, backend: Backend) -> &'static Row {
    TABLE
        .iter()
        .find(|row| row.function == function && row.backend == backend)
        .expect("the table has a row for every function and number type")
}

/// How much a bounded solid angle magnifies a rounding: ½·D² / (D² − πR²), at least 1. It is 1 without a maximum, and
/// where the maximum lies within the near case, as there is nothing left between the two.
#[must_use]
pub fn solid_angle_condition(radius: f64, max_distance: Option<f64>) -> f64 {
    max_distance.map_or(1.0, |limit| squeezed(limit * limit, PI * radius * radius))
}

/// How much a bounded angle magnifies a rounding: ½·D / (D − R), and otherwise as for the solid angle.
#[must_use]
pub fn angular_condition(radius: f64, max_distance: Option<f64>) -> f64 {
    max_distance.map_or(1.0, |limit| squeezed(limit, radius))
}

fn squeezed(far: f64, near: f64) -> f64 {
    if far > near { (0.5 * far / (far - near)).max(1.0) } else { 1.0 }
}

/// Importances lie in [0, 1]: half of that as a tolerance says nothing.
fn is_telling(row: &Row, case: &Case) -> bool {
    row.tolerance(case.condition) < 0.5
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, condition, got, expected } = self;
        let error = got - expected;
        write!(f, "{name}: {got} instead of {expected}, off by {error:e} at condition {condition}")
    }
}
