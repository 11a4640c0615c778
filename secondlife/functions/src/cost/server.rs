//! `server_weight`.

use arrow::array::{ArrayRef, UInt32Array};
use datafusion_common::Result;
use lodger_core::cost::simulator::{FreeScripts, server_weight};

use super::units;
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The server weight of an object.
pub(crate) static SERVER_WEIGHT: Function = Function {
    name: "server_weight",
    about: "The server weight of an object: 0.5 for each prim and 0.25 for each script but the first, at most 1 for \
        each prim. Source: the grid's wiki on land impact. Null where an argument is, or is negative.",
    example: "SELECT server_weight(10, 3)",
    arguments: &[
        Argument::new("prims", Kind::Number, "The parts of the object."),
        Argument::new("scripts", Kind::Number, "The scripts in all of them."),
    ],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let [prims, scripts]: [Column<UInt32Array>; 2] = arguments.numbers(0)?;
    let weight = |prims, scripts| server_weight(prims, scripts, FreeScripts::One);
    Ok(units::costs(arguments.rows(), |row| Some(weight(prims.get(row)?, scripts.get(row)?))))
}
