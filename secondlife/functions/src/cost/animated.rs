//! `animated_cost`.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int32Array};
use datafusion_common::Result;
use lodger_core::cost::streaming::LinksetPart;

use super::units::{self, HIGH, LOW, LOWEST, MEDIUM, RULES};
use crate::arguments::{Arguments, Column};
use crate::function::{Argument, Function, Kind};

/// The streaming cost of an animated mesh.
pub(crate) static ANIMATED_COST: Function = Function {
    name: "animated_cost",
    about: "The streaming cost of a mesh that is animated; its size plays no part. Source: today's viewers, no \
        document. Null where an argument is.",
    example: "SELECT animated_cost(2384, 4384, 8384, 16384, true)",
    arguments: &[
        LOWEST,
        LOW,
        MEDIUM,
        HIGH,
        Argument::new(
            "is_root",
            Kind::Flag,
            "Whether it is the root of its object, which costs 15 more.",
        ),
        RULES,
    ],
    last_is_optional: true,
    result: units::cost,
    call,
};

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let lods: [Column<Int32Array>; 4] = arguments.numbers(0)?;
    let (is_root, rules) = (arguments.flag(4)?, arguments.rules(5)?);
    let cost = |row| {
        let Some(rules) = rules.get(row)? else { return Ok(None) };
        let (Some(bytes), Some(is_root)) = (units::bytes(&lods, row), is_root.get(row)) else {
            return Ok(None);
        };
        let part = if is_root { LinksetPart::Root } else { LinksetPart::Child };
        Ok(Some(rules.meshes().animated_cost(bytes, part)))
    };
    let costs: Float64Array = (0..arguments.rows()).map(cost).collect::<Result<_>>()?;
    Ok(Arc::new(costs))
}
