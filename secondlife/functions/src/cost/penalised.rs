//! `penalised`.

use arrow::array::{ArrayRef, Float64Array};
use datafusion_common::Result;
use lodger_core::cost::physics::penalised;

use super::units::{self, X, Y, Z};
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The physics cost of an object that moves by physics.
pub(crate) static PENALISED: Function = Function {
    name: "penalised",
    about: "The physics cost of an object that moves by physics: its cost at rest × (1 + 0.04·A), A the mean area of \
        the three faces of its box in m². Source: mesh physics document, formula, notes. Null where an argument is, \
        and for a side that is negative, NaN or above 16384 m.",
    example: "SELECT penalised(1.0, 3, 4, 5)",
    arguments: &[
        Argument::new("physics", Kind::Number, "The sum of its parts' physics costs."),
        X,
        Y,
        Z,
    ],
    last_is_optional: false,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let physics: Column<Float64Array> = arguments.number(0)?;
    let sides: [Column<Float64Array>; 3] = arguments.numbers(1)?;
    Ok(units::costs(arguments.rows(), |row| {
        Some(penalised(physics.get(row)?, units::scale(&sides, row)?))
    }))
}
