use std::sync::{Arc, LazyLock};

use arrow::array::{
    Array, ArrayRef, AsArray, Float64Builder, GenericListArray, OffsetSizeTrait, StructArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::{
    ColumnarValue, DocSection, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature,
    TypeSignature, Volatility,
};
use lodger_core::cost::physics::linkset;

/// `linkset_cost(parts)`: core's [`linkset`] sum of costs in the order of the numbers of their parts.
///
/// The argument is a list of structs of a part's number and its cost, in any order. The result is null if the list is
/// null or empty, or contains a null.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct LinksetCost {
    signature: Signature,
}

impl LinksetCost {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::new(TypeSignature::Any(1), Volatility::Immutable) }
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    let section = DocSection { include: true, label: "Mesh costs", description: None };
    let about = "The sum of the costs of an object's parts, in the order of their numbers, as pricing takes it. Source: \
        mesh physics document, physics resource cost. Null where the list is null or empty, or contains a null.";
    let parts = "A list of structs of two numbers: the number of a part, and its cost.";
    let example =
        "SELECT linkset_cost(array_agg(named_struct('part', 1, 'cost', streaming))) FROM prices";
    Documentation::builder(section, about, "linkset_cost(parts)")
        .with_argument("parts", parts)
        .with_sql_example(example)
        .build()
});

impl ScalarUDFImpl for LinksetCost {
    fn name(&self) -> &'static str {
        "linkset_cost"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&DOCUMENTATION)
    }

    fn return_type(&self, kinds: &[DataType]) -> Result<DataType> {
        let parts = match kinds {
            [DataType::List(of) | DataType::LargeList(of)] => of.data_type(),
            [DataType::Null] => return Ok(DataType::Float64),
            _ => &DataType::Null,
        };
        match parts {
            DataType::Struct(fields)
                if fields.len() == 2
                    && fields.iter().all(|field| field.data_type().is_numeric()) =>
            {
                Ok(DataType::Float64)
            }
            _ => plan_err!(
                "linkset_cost takes a list of structs of a part's number and its cost, as of \
                 array_agg(named_struct('part', part, 'cost', streaming))"
            ),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_scalar { 1 } else { args.number_rows };
        let Some(lists) = args.args.into_iter().next() else {
            return exec_err!("linkset_cost takes one argument");
        };
        let lists = lists.into_array(rows)?;
        let costs = match lists.data_type() {
            DataType::List(_) => costs(lists.as_list::<i32>())?,
            DataType::LargeList(_) => costs(lists.as_list::<i64>())?,
            _ => cast(&lists, &DataType::Float64)?,
        };
        if is_scalar {
            return ScalarValue::try_from_array(&costs, 0).map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(costs))
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
