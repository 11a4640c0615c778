//! How close is close enough: the only place in the workspace that says so. [`mod@cost`] says it for costs, whose units
//! differ from case to case, and [`linkability`] for enclosing balls; the rest of this page is about importances.
//!
//! A row promises `|got − expected| <= absolute + per_condition · max(1, condition)`. The condition is how much the
//! exact formula magnifies a rounding of its inputs; it is 1 except where a bounded importance is squeezed between its
//! near case and its maximum distance ([`solid_angle_condition`], [`angular_condition`]).

use std::f64::consts::PI;

mod case;
pub mod cost;
pub mod linkability;
mod table;
mod verdict;

pub use case::{Backend, Case, Function};
pub use table::TABLE;
pub use verdict::{Fault, Verdict};

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
) -> Result<(), Verdict> {
    let name = String::from("result");
    let case = Case { name, condition, got, expected };
    check_all(function, backend, &[case])
}

/// Holds results against their row and names the worst of them.
///
/// # Errors
/// As [`check`], for the case that is furthest outside; no cases at all are an error too.
pub fn check_all(function: Function, backend: Backend, cases: &[Case]) -> Result<(), Verdict> {
    let row = row(function, backend);
    let verdict = |fault| Err(Verdict { function, backend, fault });
    if let Some(vague) = cases.iter().find(|case| !is_telling(row, case)) {
        return verdict(Fault::CannotFail(vague.clone()));
    }
    let worst = cases.iter().max_by(|a, b| {
        let (a, b) = (row.excess(a), row.excess(b));
        // What is not a number is worse than any number, whatever its sign bit.
        a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(&b))
    });
    match worst {
        None => verdict(Fault::NoCases),
        Some(worst) if row.excess(worst) <= 1.0 => Ok(()),
        Some(worst) => verdict(Fault::Outside {
            worst: worst.clone(),
            allowed: row.tolerance(worst.condition),
            reason: row.reason,
        }),
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
