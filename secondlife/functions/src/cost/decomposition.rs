//! `decomposition_cost`.

use arrow::array::{ArrayRef, UInt16Array, UInt32Array};
use datafusion_common::Result;
use lodger_core::cost::physics::Hulls;

use super::units;
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The physics cost of a decomposition.
pub(crate) static DECOMPOSITION_COST: Function = Function {
    name: "decomposition_cost",
    about: "The physics cost of a decomposition into convex hulls, estimated: 0.04 for each vertex and each hull. \
        Source: an independent simulator, for the formula of the mesh physics document is lost. Null where an argument \
        is, for hulls that are not from 1 to 256, and for vertices that are fewer than these or more than 256 each.",
    example: "SELECT decomposition_cost(25, 300)",
    arguments: &[
        Argument::new("hulls", Kind::Number, "How many hulls there are, 1 to 256."),
        Argument::new("vertices", Kind::Number, "The vertices of all hulls together."),
    ],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let hulls: Column<UInt16Array> = arguments.number(0)?;
    let vertices: Column<UInt32Array> = arguments.number(1)?;
    Ok(units::costs(arguments.rows(), |row| {
        Some(Hulls::of_totals(hulls.get(row)?, vertices.get(row)?).ok()?.cost())
    }))
}
