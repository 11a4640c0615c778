//! `region_cost`.

use arrow::array::{ArrayRef, Float64Array};
use datafusion_common::Result;
use lodger_core::cost::simulator::region_cost;

use super::units;
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The region resource cost of an object.
pub(crate) static REGION_COST: Function = Function {
    name: "region_cost",
    about: "The region resource cost of an object: the greater of its simulator resource cost and its streaming cost. \
        Source: mesh physics document, region resource cost. Null where an argument is; one that is NaN counts as 0.",
    example: "SELECT region_cost(simulator_cost(10, 3, false, 'unofficial-2011'), 2.5)",
    arguments: &[
        Argument::new("simulator", Kind::Number, "Its simulator resource cost."),
        Argument::new("streaming", Kind::Number, "The sum of its parts' streaming costs."),
    ],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let [simulator, streaming]: [Column<Float64Array>; 2] = arguments.numbers(0)?;
    Ok(units::costs(arguments.rows(), |row| {
        Some(region_cost(simulator.get(row)?, streaming.get(row)?))
    }))
}
