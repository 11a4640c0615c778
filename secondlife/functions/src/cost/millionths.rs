//! `millionths`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array};
use arrow::datatypes::DataType;
use datafusion_common::Result;

use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// A cost as a whole number.
pub(crate) static MILLIONTHS: Function = Function {
    name: "millionths",
    about: "A cost in millionths, to the nearest whole number with halves away from 0. Sums of these are the same in \
        every order and over any number of partitions; those of costs are not. What is beyond 64 bits is the greatest \
        or least number; null where the argument is, or is NaN.",
    example: "SELECT sum(millionths(streaming)) / 1e6 FROM prices",
    arguments: &[Argument::new("cost", Kind::Number, "A cost.")],
    last_is_optional: false,
    result: || DataType::Int64,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let costs: Column<Float64Array> = arguments.number(0)?;
    let whole = |row| costs.get(row).and_then(millionths);
    Ok(Arc::new((0..arguments.rows()).map(whole).collect::<Int64Array>()))
}

#[allow(clippy::cast_possible_truncation)] // saturating
fn millionths(cost: f64) -> Option<i64> {
    (!cost.is_nan()).then(|| (cost * 1e6).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_nearest_and_saturate() {
        let cases =
            [(0.0, 0), (1.5, 1_500_000), (0.000_000_4, 0), (0.000_000_6, 1), (-2.0, -2_000_000)];
        for (cost, whole) in cases {
            assert_eq!(millionths(cost), Some(whole), "{cost}");
        }
        assert_eq!(millionths(f64::INFINITY), Some(i64::MAX));
        assert_eq!(millionths(-1e300), Some(i64::MIN));
        assert_eq!(millionths(f64::NAN), None);
    }
}
