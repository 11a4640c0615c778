//! The sum of the costs of an object's parts: `linkset_cost`.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Float64Builder, GenericListArray, OffsetSizeTrait, StructArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion_common::Result;
use lodger_core::cost::physics::linkset;

use crate::arguments::SqlArguments;
use crate::function::{Argument, ArgumentType, SqlFunction};

pub(crate) static LINKSET_COST: SqlFunction = SqlFunction {
    name: "linkset_cost",
    about: "The sum of the costs of an object's parts, in the order of their numbers, as pricing takes it. Source: \
        mesh physics document, physics resource cost. Null where the list is null or empty, or contains a null.",
    example: "SELECT linkset_cost(array_agg(named_struct('part', 1, 'cost', streaming))) FROM prices",
    arguments: &[Argument::new(
        "parts",
        ArgumentType::Parts,
        "A list of structs of two numbers: the number of a part, and its cost.",
    )],
    result: || DataType::Float64,
    call: linkset_cost,
};

fn linkset_cost(arguments: &SqlArguments<'_>) -> Result<ArrayRef> {
    let (lists, _) = arguments.array(0)?;
    match lists.data_type() {
        DataType::List(_) => costs(lists.as_list::<i32>()),
        DataType::LargeList(_) => costs(lists.as_list::<i64>()),
        _ => Ok(cast(&lists, &DataType::Float64)?),
    }
}

fn costs<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> Result<ArrayRef> {
    let parts: &StructArray = lists.values().as_struct();
    let numbers = cast(parts.column(0), &DataType::Int64)?;
    let numbers = numbers.as_primitive::<Int64Type>();
    let costs = cast(parts.column(1), &DataType::Float64)?;
    let costs = costs.as_primitive::<Float64Type>();
    let is_null = |row| parts.is_null(row) || numbers.is_null(row) || costs.is_null(row);
    let mut sums = Float64Builder::with_capacity(lists.len());
    let mut ordered: Vec<(i64, f64)> = Vec::new();
    for (list, ends) in lists.offsets().windows(2).enumerate() {
        let rows = ends[0].as_usize()..ends[1].as_usize();
        if lists.is_null(list) || rows.is_empty() || rows.clone().any(is_null) {
            sums.append_null();
            continue;
        }
        ordered.clear();
        ordered.extend(rows.map(|row| (numbers.value(row), costs.value(row))));
        // Parts with equal numbers, an error of the data, must not make the sum depend on the order of rows.
        ordered.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        sums.append_value(linkset(ordered.iter().map(|part| part.1)));
    }
    Ok(Arc::new(sums.finish()))
}
