//! Arguments that several functions have, and results.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int32Array};
use arrow::datatypes::DataType;
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Lods;

use crate::arguments::Column;
use crate::function::{Argument, Kind};

pub(super) const X: Argument =
    Argument::new("x", Kind::Number, "Metres along the x axis, 0 to 16384.");
pub(super) const Y: Argument =
    Argument::new("y", Kind::Number, "Metres along the y axis, 0 to 16384.");
pub(super) const Z: Argument =
    Argument::new("z", Kind::Number, "Metres along the z axis, 0 to 16384.");
pub(super) const LOWEST: Argument =
    Argument::new("lowest", Kind::Number, "Bytes of the lowest LOD; 0 without one.");
pub(super) const LOW: Argument =
    Argument::new("low", Kind::Number, "Bytes of the low LOD; 0 without one.");
pub(super) const MEDIUM: Argument =
    Argument::new("medium", Kind::Number, "Bytes of the medium LOD; 0 without one.");
pub(super) const HIGH: Argument =
    Argument::new("high", Kind::Number, "Bytes of the high LOD; without one the cost is 0.");
pub(super) const RULES: Argument =
    Argument::new("rules", Kind::Rules, "Whose rules: 'wiki', 'viewer' (if left out) or 'grid'.");

pub(super) fn cost() -> DataType {
    DataType::Float64
}

/// The size of a row, unless a side is null or core refuses it.
pub(super) fn scale(sides: &[Column<Float64Array>; 3], row: usize) -> Option<ObjectScale<f64>> {
    let [x, y, z] = sides;
    ObjectScale::new([x.get(row)?, y.get(row)?, z.get(row)?]).ok()
}

/// The bytes of a row, unless one is null.
pub(super) fn bytes(lods: &[Column<Int32Array>; 4], row: usize) -> Option<Lods<i32>> {
    let [lowest, low, medium, high] = lods;
    Some(Lods {
        lowest: lowest.get(row)?,
        low: low.get(row)?,
        medium: medium.get(row)?,
        high: high.get(row)?,
    })
}

/// A cost for each row.
pub(super) fn costs(rows: usize, cost: impl FnMut(usize) -> Option<f64>) -> ArrayRef {
    Arc::new((0..rows).map(cost).collect::<Float64Array>())
}
