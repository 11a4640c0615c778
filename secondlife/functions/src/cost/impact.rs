//! `land_impact`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array};
use arrow::datatypes::DataType;
use datafusion_common::Result;
use lodger_core::cost::land_impact::land_impact;

use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The land impact of an object.
pub(crate) static LAND_IMPACT: Function = Function {
    name: "land_impact",
    about: "What counts against a parcel: the greatest of three weights, to the nearest whole number with halves up, \
        at least 1. Source: mesh physics document, region resource cost. Null where an argument is; one that is NaN \
        counts as 0.",
    example: "SELECT land_impact(0.6, 1.6267, 0.5)",
    arguments: &[
        Argument::new("streaming", Kind::Number, "The sum of its parts' streaming costs."),
        Argument::new(
            "physics",
            Kind::Number,
            "The sum of its parts' physics costs, penalised if it is physical.",
        ),
        Argument::new("server", Kind::Number, "Its server weight."),
    ],
    last_is_optional: false,
    result: || DataType::Int64,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let [streaming, physics, server]: [Column<Float64Array>; 3] = arguments.numbers(0)?;
    let impact = |row| {
        Some(land_impact(streaming.get(row)?, physics.get(row)?, server.get(row)?).value.into())
    };
    Ok(Arc::new((0..arguments.rows()).map(impact).collect::<Int64Array>()))
}
