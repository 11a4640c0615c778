//! `streaming_cost`.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, ArrowPrimitiveType, BooleanBufferBuilder, Float64Array, Int32Array, PrimitiveArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{Float64Type, Int32Type};
use datafusion_common::Result;
use lodger_core::cost::streaming::{AssetColumns, Lods, Streaming};
use lodger_mesh_asset::{radii, streaming_costs};

use super::units::{self, HIGH, LOW, LOWEST, MEDIUM, RULES, X, Y, Z};
use crate::arguments::{Arguments, Column, RulesColumn};
use crate::function::Function;

/// The streaming cost of a mesh.
pub(crate) static STREAMING_COST: Function = Function {
    name: "streaming_cost",
    about: "The streaming cost of a mesh asset that is not animated: the bytes of its LODs, weighed by the area in \
        which each is shown. Source: streaming cost document, implementation. Null where an argument is, and for a \
        side that is negative, NaN or above 16384 m.",
    example: "SELECT streaming_cost(0.5, 0.5, 0.5, 391, 561, 901, 2498, 'grid')",
    arguments: &[X, Y, Z, LOWEST, LOW, MEDIUM, HIGH, RULES],
    last_is_optional: true,
    result: units::cost,
    call,
};

/// Rows that are computed at a time: their radii are kept on the stack, and all of it in the nearest cache.
const CHUNK: usize = 1 << 10;

fn call(arguments: &Arguments<'_>) -> Result<ArrayRef> {
    let sides: [Column<Float64Array>; 3] = arguments.numbers(0)?;
    let lods: [Column<Int32Array>; 4] = arguments.numbers(3)?;
    let rows = arguments.rows();
    let rules = match arguments.rules(7)? {
        RulesColumn::Constant(Some(rules)) => rules,
        RulesColumn::Constant(None) => return Ok(Arc::new(Float64Array::new_null(rows))),
        each @ RulesColumn::Each(_) => return by_rows(&sides, &lods, &each, rows),
    };
    if sides.iter().any(Column::is_null) || lods.iter().any(Column::is_null) {
        return Ok(Arc::new(Float64Array::new_null(rows)));
    }
    Ok(Arc::new(by_columns(&sides, &lods, rules.meshes(), rows)))
}

/// The costs where each row has rules of its own.
fn by_rows(
    sides: &[Column<Float64Array>; 3],
    lods: &[Column<Int32Array>; 4],
    rules: &RulesColumn,
    rows: usize,
) -> Result<ArrayRef> {
    let cost = |row| {
        let Some(rules) = rules.get(row)? else { return Ok(None) };
        let (scale, bytes) = (units::scale(sides, row), units::bytes(lods, row));
        Ok(scale.zip(bytes).map(|(scale, bytes)| rules.meshes().cost(scale.radius(), bytes)))
    };
    let costs: Float64Array = (0..rows).map(cost).collect::<Result<_>>()?;
    Ok(Arc::new(costs))
}

/// The costs of all rows by the same rules, by core's loop over columns. None of the columns is null as a whole.
fn by_columns(
    sides: &[Column<Float64Array>; 3],
    lods: &[Column<Int32Array>; 4],
    streaming: &Streaming<f64>,
    rows: usize,
) -> Float64Array {
    let sides = sides.each_ref().map(Slices::<Float64Type>::of);
    let lods = lods.each_ref().map(Slices::<Int32Type>::of);
    let mut costs = vec![0.0; rows];
    let mut refused: Option<BooleanBufferBuilder> = None;
    let mut radius = [0.0; CHUNK];
    for (start, costs) in (0..rows).step_by(CHUNK).zip(costs.chunks_mut(CHUNK)) {
        let (length, radius) = (costs.len(), &mut radius[..costs.len()]);
        radii(sides.each_ref().map(|side| side.at(start, length)), radius);
        // Counted rather than found, which would be a branch for each.
        if radius.iter().filter(|radius| **radius < 0.0).count() > 0 {
            let valid = refused.get_or_insert_with(|| all_set(rows));
            let bad = radius.iter().enumerate().filter(|(_, radius)| **radius < 0.0);
            bad.for_each(|(row, _)| valid.set_bit(start + row, false));
        }
        let [lowest, low, medium, high] = lods.each_ref().map(|lod| lod.at(start, length));
        let bytes = Lods { lowest, low, medium, high };
        streaming_costs(streaming, AssetColumns { radius, bytes }, costs);
    }
    let refused = refused.map(|mut valid| NullBuffer::new(valid.finish()));
    let nulls = sides.iter().map(|side| side.nulls).chain(lods.iter().map(|lod| lod.nulls));
    let nulls = nulls.fold(refused, |all, one| NullBuffer::union(all.as_ref(), one));
    Float64Array::new(costs.into(), nulls)
}

fn all_set(rows: usize) -> BooleanBufferBuilder {
    let mut bits = BooleanBufferBuilder::new(rows);
    bits.append_n(rows, true);
    bits
}

/// A column, to be looked at a chunk at a time.
struct Slices<'c, T: ArrowPrimitiveType> {
    values: &'c [T::Native],
    nulls: Option<&'c NullBuffer>,
    /// A chunk of the same value, where the column is constant.
    constant: Vec<T::Native>,
}

impl<'c, T: ArrowPrimitiveType> Slices<'c, T> {
    fn of(column: &'c Column<PrimitiveArray<T>>) -> Self {
        let constant = column.constant().map(|value| vec![value; CHUNK]).unwrap_or_default();
        Self { values: column.values(), nulls: column.nulls(), constant }
    }

    /// The values of so many rows, at most of a chunk.
    fn at(&self, start: usize, length: usize) -> &[T::Native] {
        let (values, start) =
            if self.constant.is_empty() { (self.values, start) } else { (&self.constant[..], 0) };
        values.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }
}
