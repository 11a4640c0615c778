//! The rows.

use super::{Backend, Function, Row};

const F64_ABSOLUTE: f64 = 1e-12;
const F32_PER_CONDITION: f64 = 1e-6;
const FIXED_PER_CONDITION: f64 = 1.0 / 16_384.0;
/// Half a unit of Q16.16.
const HALF_UNIT: f64 = 1.0 / 131_072.0;
/// Three products rounded down, three weights and a bias rounded to nearest: ten halves of 2^-16.
const FIXED_SUM: f64 = 10.0 * HALF_UNIT;
/// micromath's root is at most 6.07 % too great, and the clamped curve falls through up to twice the condition.
const MICRO_PER_CONDITION: f64 = 0.13;

const F64_REASON: &str = "the reference: a few roundings of 2^-53, magnified by the condition";
const F32_REASON: &str = "promised: 1e-6 for every importance, magnified by the condition";
const FIXED_REASON: &str = "promised: four units of Q16.16, magnified by the condition";
const ROOT_REASON: &str =
    "measured: the known error of micromath's root, magnified by the condition";
const COUNTED_REASON: &str = "the importances' own, and rounding to nearest in Q16.16";
const FIXED_SUM_REASON: &str = "four units of Q16.16 in the terms, five more in weights and sum";

/// One row per function and number type. Only the oracle has a benefit that is not counted.
pub const TABLE: [Row; 29] = [
    row(Function::SolidAngle, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::SolidAngleBounded, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::Angular, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::AngularBounded, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::Age, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::Speed, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::Benefit, Backend::F64, F64_ABSOLUTE, 0.0, F64_REASON),
    row(Function::CountedBenefit, Backend::F64, HALF_UNIT + F64_ABSOLUTE, 0.0, COUNTED_REASON),
    row(Function::SolidAngle, Backend::F32, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::SolidAngleBounded, Backend::F32, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::Angular, Backend::F32, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::AngularBounded, Backend::F32, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::Age, Backend::F32, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::Speed, Backend::F32, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::CountedBenefit, Backend::F32, HALF_UNIT, F32_PER_CONDITION, COUNTED_REASON),
    row(Function::SolidAngle, Backend::Fixed, 0.0, FIXED_PER_CONDITION, FIXED_REASON),
    row(Function::SolidAngleBounded, Backend::Fixed, 0.0, FIXED_PER_CONDITION, FIXED_REASON),
    row(Function::Angular, Backend::Fixed, 0.0, FIXED_PER_CONDITION, FIXED_REASON),
    row(Function::AngularBounded, Backend::Fixed, 0.0, FIXED_PER_CONDITION, FIXED_REASON),
    row(Function::Age, Backend::Fixed, 0.0, FIXED_PER_CONDITION, FIXED_REASON),
    row(Function::Speed, Backend::Fixed, 0.0, FIXED_PER_CONDITION, FIXED_REASON),
    row(Function::CountedBenefit, Backend::Fixed, FIXED_SUM, FIXED_PER_CONDITION, FIXED_SUM_REASON),
    row(Function::SolidAngle, Backend::Micro, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::SolidAngleBounded, Backend::Micro, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::Angular, Backend::Micro, 0.0, MICRO_PER_CONDITION, ROOT_REASON),
    row(Function::AngularBounded, Backend::Micro, 0.0, MICRO_PER_CONDITION, ROOT_REASON),
    row(Function::Age, Backend::Micro, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::Speed, Backend::Micro, 0.0, F32_PER_CONDITION, F32_REASON),
    row(Function::CountedBenefit, Backend::Micro, HALF_UNIT, MICRO_PER_CONDITION, ROOT_REASON),
];

const fn row(
    function: Function,
    backend: Backend,
    absolute: f64,
    per_condition: f64,
    reason: &'static str,
) -> Row {
    Row { function, backend, absolute, per_condition, reason }
}
