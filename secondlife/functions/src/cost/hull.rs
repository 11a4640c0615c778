//! `hull_cost`.

use arrow::array::{ArrayRef, UInt16Array};
use datafusion_common::Result;
use lodger_core::cost::physics::Hull;

use super::units;
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The physics cost of a hull.
pub(crate) static HULL_COST: Function = Function {
    name: "hull_cost",
    about: "The physics cost of a convex hull, estimated: 0.04 for each vertex and the hull. Source: an independent \
        simulator, for the formula of the mesh physics document is lost. Null where the argument is, or is not from \
        1 to 256.",
    example: "SELECT hull_cost(24)",
    arguments: &[Argument::new("vertices", Kind::Number, "The vertices of the hull, 1 to 256.")],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let vertices: Column<UInt16Array> = arguments.number(0)?;
    Ok(units::costs(arguments.rows(), |row| Some(Hull::new(vertices.get(row)?).ok()?.cost())))
}
