//! `prim_cost`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int32Array};
use datafusion_common::Result;
use lodger_core::cost::PrimKind;
use lodger_core::cost::streaming::capped;

use super::units::{self, HIGH, LOW, LOWEST, MEDIUM, RULES, X, Y, Z};
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The streaming cost of a part that shows no mesh.
pub(crate) static PRIM_COST: Function = Function {
    name: "prim_cost",
    about: "The streaming cost of a part that shows no mesh, from the sizes that are assumed of it: at most 1 for a \
        plain and 2 for a sculpted one; 0 for a plant, whatever its sizes. Source: streaming cost document, equation. \
        Null where an argument is, for a side that is negative, NaN or above 16384 m, and for any other kind.",
    example: "SELECT prim_cost('plain', 0.5, 0.5, 0.5, 720, 1440, 5760, 23040)",
    arguments: &[
        Argument::new("kind", Kind::Word, "'plain', 'sculpted' or 'plant'."),
        X,
        Y,
        Z,
        LOWEST,
        LOW,
        MEDIUM,
        HIGH,
        RULES,
    ],
    last_is_optional: true,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let (kind, rules) = (arguments.word(0)?, arguments.rules(8)?);
    let sides: [Column<Float64Array>; 3] = arguments.numbers(1)?;
    let lods: [Column<Int32Array>; 4] = arguments.numbers(4)?;
    let cost = |row| {
        let Some(rules) = rules.get(row)? else { return Ok(None) };
        let Some(scale) = units::scale(&sides, row) else { return Ok(None) };
        let kind = match kind.get(row) {
            Some("plain") => PrimKind::Plain,
            Some("sculpted") => PrimKind::Sculpted,
            Some("plant") => return Ok(Some(0.0)),
            _ => return Ok(None),
        };
        let bytes = units::bytes(&lods, row);
        Ok(bytes.map(|bytes| capped(kind, rules.prims().cost(scale.radius(), bytes))))
    };
    let costs: Float64Array = (0..arguments.rows()).map(cost).collect::<Result<_>>()?;
    Ok(Arc::new(costs))
}
