//! The functions that compute costs of parts and objects, and the arguments that they share.

mod object;
mod physics;
mod streaming;

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int32Array};
use arrow::datatypes::DataType;
use datafusion_common::Result;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::PerLod;

use crate::arguments::{ArgumentColumn, NamedArgument};
use crate::function::{Argument, ArgumentType};

pub(crate) use object::{LAND_IMPACT, MILLIONTHS, REGION_COST, SERVER_WEIGHT, SIMULATOR_COST};
pub(crate) use physics::{DECOMPOSITION_COST, HULL_COST, PENALISED, PHYSICS_COST};
pub(crate) use streaming::{ANIMATED_COST, PRIM_COST, STREAMING_COST};

const X: Argument = Argument::number("x", "Metres along the x axis, 0 to 16384.");
const Y: Argument = Argument::number("y", "Metres along the y axis, 0 to 16384.");
const Z: Argument = Argument::number("z", "Metres along the z axis, 0 to 16384.");
const LOWEST: Argument = Argument::number("lowest", "Bytes of the lowest LOD; 0 without one.");
const LOW: Argument = Argument::number("low", "Bytes of the low LOD; 0 without one.");
const MEDIUM: Argument = Argument::number("medium", "Bytes of the medium LOD; 0 without one.");
const HIGH: Argument =
    Argument::number("high", "Bytes of the high LOD; without one the cost is 0.");
const RULES: Argument = Argument::new(
    "rules",
    ArgumentType::Rules,
    "Name of the rules: 'wiki', 'viewer' (the default) or 'grid'.",
);

fn cost_type() -> DataType {
    DataType::Float64
}

/// The scale of a row, unless a side is null or core rejects it.
fn scale(sides: &[ArgumentColumn<Float64Array>; 3], row: usize) -> Option<ObjectScale<f64>> {
    let [x, y, z] = sides;
    ObjectScale::new([x.get(row)?, y.get(row)?, z.get(row)?]).ok()
}

/// The bytes of the LODs of a row, unless one is null.
fn bytes(lods: &[ArgumentColumn<Int32Array>; 4], row: usize) -> Option<PerLod<i32>> {
    let [lowest, low, medium, high] = lods;
    Some(PerLod {
        lowest: lowest.get(row)?,
        low: low.get(row)?,
        medium: medium.get(row)?,
        high: high.get(row)?,
    })
}

fn costs(rows: usize, cost: impl FnMut(usize) -> Option<f64>) -> ArrayRef {
    Arc::new((0..rows).map(cost).collect::<Float64Array>())
}

/// Computes a cost for each row with its rules or constants, if all of their names are valid.
fn costs_by_name<T: Clone>(
    rows: usize,
    names: &NamedArgument<T>,
    cost: impl Fn(T, usize) -> Option<f64>,
) -> Result<ArrayRef> {
    let cost = |row| Ok(names.get(row)?.and_then(|named| cost(named, row)));
    Ok(Arc::new((0..rows).map(cost).collect::<Result<Float64Array>>()?))
}
