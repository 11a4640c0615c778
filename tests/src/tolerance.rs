//! The allowed errors of all functions and number types.
//!
//! A row promises `|got − expected| <= absolute + (relative + per_slenderness · slenderness) · unit`. The unit of an
//! importance is its condition number ([`solid_angle_condition`], [`angular_condition`]), the factor by which the
//! exact formula magnifies a rounding of its inputs. The unit of a streaming cost is the cost of the largest LOD if
//! it is shown everywhere, the unit of another cost the cost itself. Slenderness is the ratio of the longest edge of
//! a mesh's thinnest triangle to its width.

use std::f64::consts::PI;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the formulas")]
pub enum Function {
    SolidAngle,
    SolidAngleBounded,
    Angular,
    AngularBounded,
    Age,
    Speed,
    /// Weighted sum of the importances, in the oracle alone.
    Benefit,
    /// The benefit in Q16.16, as the ledger uses it.
    CountedBenefit,
    StreamingCost,
    StreamingCostOfGrid,
    MeshCost,
    OtherCost,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToleranceRow {
    pub functions: &'static [Function],
    /// The number types, by their `Real::NAME`.
    pub number_types: &'static [&'static str],
    pub absolute: f64,
    /// Part of the unit of the function.
    pub relative: f64,
    /// Part of the unit for each unit of slenderness.
    pub per_slenderness: f64,
    pub reason: &'static str,
}

const IMPORTANCES: &[Function] = &[
    Function::SolidAngle,
    Function::SolidAngleBounded,
    Function::Angular,
    Function::AngularBounded,
    Function::Age,
    Function::Speed,
];
const ANGLES: &[Function] = &[Function::Angular, Function::AngularBounded];
const OTHER_THAN_ANGLES: &[Function] =
    &[Function::SolidAngle, Function::SolidAngleBounded, Function::Age, Function::Speed];
const STREAMING_COSTS: &[Function] = &[Function::StreamingCost, Function::StreamingCostOfGrid];
/// Without a root, `Micro` gives the bits of `f32`.
const F32_BITS: &[&str] = &["f32", "Micro"];

const HALF_UNIT: f64 = 1.0 / 131_072.0;
const F64_ABSOLUTE: f64 = 1e-12;
const F32_RELATIVE: f64 = 1e-6;
const FIXED_RELATIVE: f64 = 1.0 / 16_384.0;
/// Three products rounded down, three weights and a bias rounded to nearest: ten halves of 2^-16.
const FIXED_SUM: f64 = 10.0 * HALF_UNIT;
/// The root of micromath is at most 6.07 % too large, and the clamped curve magnifies it by up to twice the
/// condition.
const MICRO_RELATIVE: f64 = 0.13;

const F64_REASON: &str = "the reference: a few roundings of 2^-53, magnified by the condition";
const F32_REASON: &str = "promised: 1e-6 for every importance, magnified by the condition";
const FIXED_REASON: &str = "promised: four units of Q16.16, magnified by the condition";
const ROOT_REASON: &str =
    "measured: the known error of micromath's root, magnified by the condition";
const COUNTED_REASON: &str = "the importances' own, and rounding to nearest in Q16.16";
const FIXED_SUM_REASON: &str = "four units of Q16.16 in the terms, five more in weights and sum";
const COST_REASON: &str = "promised: a part of the unit";
const HALF_UNIT_REASON: &str = "half a unit of the result, as a triangle may cost less";

pub const TABLE: [ToleranceRow; 20] = {
    use Function::{Benefit, CountedBenefit, MeshCost, OtherCost};
    use Function::{StreamingCost, StreamingCostOfGrid};

    [
        row(IMPORTANCES, &["f64"], F64_ABSOLUTE, 0.0, F64_REASON),
        row(&[Benefit], &["f64"], F64_ABSOLUTE, 0.0, F64_REASON),
        row(&[CountedBenefit], &["f64"], HALF_UNIT + F64_ABSOLUTE, 0.0, COUNTED_REASON),
        row(IMPORTANCES, &["f32"], 0.0, F32_RELATIVE, F32_REASON),
        row(&[CountedBenefit], &["f32"], HALF_UNIT, F32_RELATIVE, COUNTED_REASON),
        row(IMPORTANCES, &["Fixed"], 0.0, FIXED_RELATIVE, FIXED_REASON),
        row(&[CountedBenefit], &["Fixed"], FIXED_SUM, FIXED_RELATIVE, FIXED_SUM_REASON),
        row(OTHER_THAN_ANGLES, &["Micro"], 0.0, F32_RELATIVE, F32_REASON),
        row(ANGLES, &["Micro"], 0.0, MICRO_RELATIVE, ROOT_REASON),
        row(&[CountedBenefit], &["Micro"], HALF_UNIT, MICRO_RELATIVE, ROOT_REASON),
        row(STREAMING_COSTS, &["f64"], 0.0, 1e-14, COST_REASON),
        row(STREAMING_COSTS, F32_BITS, 0.0, 1e-6, COST_REASON),
        row(&[StreamingCost], &["Fixed"], 0.0, 1e-3, COST_REASON),
        row(&[StreamingCostOfGrid], &["Fixed"], HALF_UNIT, 1e-3, HALF_UNIT_REASON),
        slender(row(&[MeshCost], &["f64"], 0.0, 1e-12, COST_REASON), 1e-14),
        slender(row(&[MeshCost], F32_BITS, 0.0, 1e-5, COST_REASON), 2e-7),
        row(&[MeshCost], &["Fixed"], HALF_UNIT, 1e-6, COST_REASON),
        row(&[OtherCost], &["f64"], 0.0, 1e-14, COST_REASON),
        row(&[OtherCost], F32_BITS, 0.0, 1e-6, COST_REASON),
        row(&[OtherCost], &["Fixed"], 2.0 * HALF_UNIT, 1e-6, COST_REASON),
    ]
};

const fn row(
    functions: &'static [Function],
    number_types: &'static [&'static str],
    absolute: f64,
    relative: f64,
    reason: &'static str,
) -> ToleranceRow {
    ToleranceRow { functions, number_types, absolute, relative, per_slenderness: 0.0, reason }
}

const fn slender(row: ToleranceRow, per_slenderness: f64) -> ToleranceRow {
    ToleranceRow { per_slenderness, ..row }
}

/// The allowed error of the radius of an enclosing ball and of its certificate, as a part of the largest coordinate
/// or radius; the worst of 2.8 million adversarial sets was 2.6e-15.
pub const BALL: f64 = 1e-14;

/// The allowed error of a diameter at the linking limit of 54 m, in metres: [`BALL`] of the limit, rounded up.
pub const LINK_LIMIT: f64 = 1e-12;

impl ToleranceRow {
    #[must_use]
    pub fn allowed(&self, unit: f64, slenderness: f64) -> f64 {
        (self.relative + self.per_slenderness * slenderness) * unit + self.absolute
    }
}

/// The row of a function and number type.
///
/// # Panics
/// If the table lacks it.
#[must_use]
pub fn promise(function: Function, number_type: &str) -> &'static ToleranceRow {
    TABLE
        .iter()
        .find(|row| row.functions.contains(&function) && row.number_types.contains(&number_type))
        .expect("the table has a row for every function and number type")
}

#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub name: String,
    pub condition: f64,
    pub got: f64,
    pub expected: f64,
}

impl Case {
    fn allowed(&self, row: &ToleranceRow) -> f64 {
        row.allowed(self.condition.max(1.0), 0.0)
    }

    fn excess(&self, row: &ToleranceRow) -> f64 {
        (self.got - self.expected).abs() / self.allowed(row)
    }
}

/// Checks an importance against its row.
///
/// # Errors
/// Both numbers, their difference and the allowed error. NaN never passes, nor does a tolerance of half the range.
pub fn check(
    function: Function,
    number_type: &str,
    condition: f64,
    got: f64,
    expected: f64,
) -> Result<(), String> {
    check_all(
        function,
        number_type,
        &[Case { name: "result".to_owned(), condition, got, expected }],
    )
}

/// Checks importances against their row.
///
/// # Errors
/// As [`check`], for the worst case; also if there are no cases.
pub fn check_all(function: Function, number_type: &str, cases: &[Case]) -> Result<(), String> {
    let row = promise(function, number_type);
    let failure = |text| Err(format!("{function:?} in {number_type}: {text}"));
    let is_vague = |case: &&Case| case.allowed(row).is_nan() || case.allowed(row) >= 0.5;
    if let Some(vague) = cases.iter().find(is_vague) {
        return failure(format!("{vague:?} cannot fail"));
    }
    let worst = cases.iter().max_by(|a, b| {
        let (a, b) = (a.excess(row), b.excess(row));
        // NaN of either sign is worse than any number.
        a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(&b))
    });
    let Some(worst) = worst else { return failure("nothing to check".to_owned()) };
    if worst.excess(row) <= 1.0 {
        return Ok(());
    }
    let Case { name, condition, got, expected } = worst;
    let (error, allowed, reason) = (got - expected, worst.allowed(row), row.reason);
    failure(format!(
        "{name}: {got} instead of {expected}, off by {error:e} at condition {condition}, allowed are {allowed:e} \
         ({reason})"
    ))
}

/// The condition number of a bounded solid angle: ½·D² / (D² − πR²), at least 1. It is 1 without a maximum and if the
/// maximum lies within the near case.
#[must_use]
pub fn solid_angle_condition(radius: f64, max_distance: Option<f64>) -> f64 {
    max_distance.map_or(1.0, |limit| squeezed(limit * limit, PI * radius * radius))
}

/// The condition number of a bounded angle: ½·D / (D − R), otherwise as for the solid angle.
#[must_use]
pub fn angular_condition(radius: f64, max_distance: Option<f64>) -> f64 {
    max_distance.map_or(1.0, |limit| squeezed(limit, radius))
}

fn squeezed(far: f64, near: f64) -> f64 {
    if far > near { (0.5 * far / (far - near)).max(1.0) } else { 1.0 }
}
