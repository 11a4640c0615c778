//! Streaming costs: `streaming_cost`, `animated_cost`, `prim_cost`.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, ArrowPrimitiveType, BooleanBufferBuilder, Float64Array, Int32Array, PrimitiveArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{Float64Type, Int32Type};
use datafusion_common::Result;
use lodger_core::cost::PrimKind;
use lodger_core::cost::streaming::{AssetColumns, LinksetPart, PerLod, StreamingModel, capped};
use lodger_mesh_asset::{radii, streaming_costs};

use super::{HIGH, LOW, LOWEST, MEDIUM, RULES, X, Y, Z, bytes, cost_type, costs_by_name, scale};
use crate::arguments::{ArgumentColumn, NamedArgument, SqlArguments};
use crate::function::{Argument, ArgumentType, SqlFunction};

pub(crate) static STREAMING_COST: SqlFunction = SqlFunction {
    name: "streaming_cost",
    about: "The streaming cost of a mesh asset that is not animated: the bytes of its LODs, weighted by the area in \
        which each is shown. Source: streaming cost document, implementation. Null where an argument is, and for a \
        side that is negative, NaN or above 16384 m.",
    example: "SELECT streaming_cost(0.5, 0.5, 0.5, 391, 561, 901, 2498, 'grid')",
    arguments: &[X, Y, Z, LOWEST, LOW, MEDIUM, HIGH, RULES],
    result: cost_type,
    call: streaming_cost,
};

pub(crate) static ANIMATED_COST: SqlFunction = SqlFunction {
    name: "animated_cost",
    about: "The streaming cost of an animated mesh; its size has no influence. Source: today's viewers, no document. \
        Null where an argument is.",
    example: "SELECT animated_cost(2384, 4384, 8384, 16384, true)",
    arguments: &[
        LOWEST,
        LOW,
        MEDIUM,
        HIGH,
        Argument::new(
            "is_root",
            ArgumentType::Flag,
            "Whether it is the root of its object, which costs 15 more.",
        ),
        RULES,
    ],
    result: cost_type,
    call: animated_cost,
};

pub(crate) static PRIM_COST: SqlFunction = SqlFunction {
    name: "prim_cost",
    about: "The streaming cost of a part that shows no mesh, from its assumed sizes: at most 1 for a plain and 2 for \
        a sculpted part; 0 for a plant of any size. Source: streaming cost document, equation. Null where an argument \
        is, for a side that is negative, NaN or above 16384 m, and for any other kind.",
    example: "SELECT prim_cost('plain', 0.5, 0.5, 0.5, 720, 1440, 5760, 23040)",
    arguments: &[
        Argument::new("kind", ArgumentType::Word, "'plain', 'sculpted' or 'plant'."),
        X,
        Y,
        Z,
        LOWEST,
        LOW,
        MEDIUM,
        HIGH,
        RULES,
    ],
    result: cost_type,
    call: prim_cost,
};

fn animated_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let lods: [ArgumentColumn<Int32Array>; 4] = arguments.numbers(0)?;
    let (is_root, rules) = (arguments.flag(4)?, arguments.rules(5)?);
    costs_by_name(arguments.rows(), &rules, |rules, row| {
        let part = if is_root.get(row)? { LinksetPart::Root } else { LinksetPart::Child };
        Some(rules.meshes().animated_cost(bytes(&lods, row)?, part))
    })
}

fn prim_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let (kind, rules) = (arguments.word(0)?, arguments.rules(8)?);
    let sides: [ArgumentColumn<Float64Array>; 3] = arguments.numbers(1)?;
    let lods: [ArgumentColumn<Int32Array>; 4] = arguments.numbers(4)?;
    costs_by_name(arguments.rows(), &rules, |rules, row| {
        let scale = scale(&sides, row)?;
        let kind = match kind.get(row)? {
            "plain" => PrimKind::Plain,
            "sculpted" => PrimKind::Sculpted,
            "plant" => return Some(0.0),
            _ => return None,
        };
        Some(capped(kind, rules.prims().cost(scale.radius(), bytes(&lods, row)?)))
    })
}

/// Rows of a chunk. The radii of a chunk are on the stack, and all its values fit the first-level
/// cache.
const CHUNK: usize = 1 << 10;

fn streaming_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let sides: [ArgumentColumn<Float64Array>; 3] = arguments.numbers(0)?;
    let lods: [ArgumentColumn<Int32Array>; 4] = arguments.numbers(3)?;
    let rows = arguments.rows();
    let rules = match arguments.rules(7)? {
        NamedArgument::Constant(Some(rules)) => rules,
        NamedArgument::Constant(None) => return Ok(Arc::new(Float64Array::new_null(rows))),
        each @ NamedArgument::Each { .. } => {
            return costs_by_name(rows, &each, |rules, row| {
                Some(rules.meshes().cost(scale(&sides, row)?.radius(), bytes(&lods, row)?))
            });
        }
    };
    if sides.iter().any(ArgumentColumn::is_null) || lods.iter().any(ArgumentColumn::is_null) {
        return Ok(Arc::new(Float64Array::new_null(rows)));
    }
    Ok(Arc::new(costs_of_columns(&sides, &lods, rules.meshes(), rows)))
}

/// Computes the costs of all rows by the same rules with core's loop over columns. No column may be
/// a null constant.
fn costs_of_columns(
    sides: &[ArgumentColumn<Float64Array>; 3],
    lods: &[ArgumentColumn<Int32Array>; 4],
    streaming: &StreamingModel<f64>,
    rows: usize,
) -> Float64Array {
    let sides = sides.each_ref().map(ColumnChunks::<Float64Type>::new);
    let lods = lods.each_ref().map(ColumnChunks::<Int32Type>::new);
    let mut costs = vec![0.0; rows];
    let mut rejected: Option<BooleanBufferBuilder> = None;
    let mut radius = [0.0; CHUNK];
    for (start, costs) in (0..rows).step_by(CHUNK).zip(costs.chunks_mut(CHUNK)) {
        let (length, radius) = (costs.len(), &mut radius[..costs.len()]);
        radii(sides.each_ref().map(|side| side.chunk(start, length)), radius);
        // Counting has no branches; finding would have one for each row.
        if radius.iter().filter(|radius| **radius < 0.0).count() > 0 {
            let valid = rejected.get_or_insert_with(|| {
                let mut bits = BooleanBufferBuilder::new(rows);
                bits.append_n(rows, true);
                bits
            });
            let bad = radius.iter().enumerate().filter(|(_, radius)| **radius < 0.0);
            bad.for_each(|(row, _)| valid.set_bit(start + row, false));
        }
        let [lowest, low, medium, high] = lods.each_ref().map(|lod| lod.chunk(start, length));
        let bytes = PerLod { lowest, low, medium, high };
        streaming_costs(streaming, AssetColumns { radius, bytes }, costs);
    }
    let rejected = rejected.map(|mut valid| NullBuffer::new(valid.finish()));
    let nulls = sides.iter().map(|side| side.nulls).chain(lods.iter().map(|lod| lod.nulls));
    let nulls = nulls.fold(rejected, |all, one| NullBuffer::union(all.as_ref(), one));
    Float64Array::new(costs.into(), nulls)
}

struct ColumnChunks<'c, T: ArrowPrimitiveType> {
    values: &'c [T::Native],
    nulls: Option<&'c NullBuffer>,
    /// A chunk of the value of a constant column, else empty.
    constant: Vec<T::Native>,
}

impl<'c, T: ArrowPrimitiveType> ColumnChunks<'c, T> {
    fn new(column: &'c ArgumentColumn<PrimitiveArray<T>>) -> Self {
        let constant = column.constant().map(|value| vec![value; CHUNK]).unwrap_or_default();
        Self { values: column.values(), nulls: column.nulls(), constant }
    }

    fn chunk(&self, start: usize, length: usize) -> &[T::Native] {
        let (values, start) =
            if self.constant.is_empty() { (self.values, start) } else { (&self.constant[..], 0) };
        values.get(start..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }
}
