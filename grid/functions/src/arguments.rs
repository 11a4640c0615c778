//! The arguments of a call, as columns of the types that a function computes with.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BinaryViewArray, BooleanArray, PrimitiveArray,
    StringViewArray,
};
use arrow::buffer::NullBuffer;
use arrow::compute::{CastOptions, cast_with_options, take};
use arrow::datatypes::DataType;
use datafusion_common::{Result, internal_err};
use datafusion_expr::ColumnarValue;

use lodger_core::cost::simulator::Simulator;
use lodger_opensim::pricing::Pricing;

use crate::rules;

/// The arguments of a call, and for how many rows it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments<'a> {
    values: &'a [ColumnarValue],
    rows: usize,
}

/// An argument: a value for each row, or one for all.
#[derive(Clone, Debug)]
pub(crate) struct Column<A> {
    array: A,
    is_constant: bool,
}

/// The rules that a call is by.
#[derive(Clone, Debug)]
pub(crate) enum RulesColumn {
    /// The same for all rows.
    Constant(Option<&'static Pricing>),
    /// A name for each row.
    Each(Column<StringViewArray>),
}

/// The constants of simulator resource cost that a call is by.
#[derive(Clone, Debug)]
pub(crate) enum SimulatorColumn {
    /// The same for all rows.
    Constant(Option<Simulator<f64>>),
    /// A text for each row.
    Each(Column<StringViewArray>),
}

impl<'a> Arguments<'a> {
    pub(crate) const fn new(values: &'a [ColumnarValue], rows: usize) -> Self {
        Self { values, rows }
    }

    /// For how many rows the call is.
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// A number, null where the type has no room for it. Fractions are cut where the type has none.
    pub(crate) fn number<T: ArrowPrimitiveType>(
        &self,
        index: usize,
    ) -> Result<Column<PrimitiveArray<T>>> {
        self.column(index, &T::DATA_TYPE, |array| array.as_primitive_opt::<T>().cloned())
    }

    /// Several numbers, one after the other.
    pub(crate) fn numbers<T: ArrowPrimitiveType, const N: usize>(
        &self,
        from: usize,
    ) -> Result<[Column<PrimitiveArray<T>>; N]> {
        let columns: Vec<_> =
            (from..from + N).map(|index| self.number(index)).collect::<Result<_>>()?;
        columns.try_into().or_else(|_| internal_err!("as many columns as were asked for"))
    }

    /// Whether something is so.
    pub(crate) fn flag(&self, index: usize) -> Result<Column<BooleanArray>> {
        self.column(index, &DataType::Boolean, |array| array.as_boolean_opt().cloned())
    }

    /// A word.
    pub(crate) fn word(&self, index: usize) -> Result<Column<StringViewArray>> {
        self.column(index, &DataType::Utf8View, |array| array.as_string_view_opt().cloned())
    }

    /// Bytes.
    pub(crate) fn blob(&self, index: usize) -> Result<Column<BinaryViewArray>> {
        self.column(index, &DataType::BinaryView, |array| array.as_binary_view_opt().cloned())
    }

    /// The rules, which may be left out.
    pub(crate) fn rules(&self, index: usize) -> Result<RulesColumn> {
        if index >= self.values.len() {
            return rules::usual().map(|rules| RulesColumn::Constant(Some(rules)));
        }
        let names = self.word(index)?;
        if names.is_constant {
            return Ok(RulesColumn::Constant(names.get(0).map(rules::named).transpose()?));
        }
        Ok(RulesColumn::Each(names))
    }

    /// The constants of simulator resource cost.
    pub(crate) fn simulators(&self, index: usize) -> Result<SimulatorColumn> {
        let texts = self.word(index)?;
        if texts.is_constant {
            let simulator = texts.get(0).map(rules::simulator).transpose()?;
            return Ok(SimulatorColumn::Constant(simulator));
        }
        Ok(SimulatorColumn::Each(texts))
    }

    fn column<A>(
        &self,
        index: usize,
        kind: &DataType,
        typed: impl FnOnce(&ArrayRef) -> Option<A>,
    ) -> Result<Column<A>> {
        let (array, is_constant) = match self.values.get(index) {
            Some(ColumnarValue::Array(array)) if array.len() == self.rows => {
                (Arc::clone(array), false)
            }
            Some(ColumnarValue::Scalar(scalar)) => (scalar.to_array()?, true),
            _ => return internal_err!("argument {index} is missing, or not as long as the batch"),
        };
        let array = cast(array, kind)?;
        let Some(array) = typed(&array) else {
            return internal_err!("argument {index} is no {kind}");
        };
        Ok(Column { array, is_constant })
    }
}

/// An array of that type, null where it has no room for a value.
fn cast(array: ArrayRef, kind: &DataType) -> Result<ArrayRef> {
    if array.data_type() == kind {
        return Ok(array);
    }
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        // Arrow's own cast to views passes over values of a dictionary that are null.
        let values = cast(Arc::clone(dictionary.values()), kind)?;
        return Ok(take(&values, dictionary.keys(), None)?);
    }
    let safe = CastOptions { safe: true, ..CastOptions::default() };
    Ok(cast_with_options(&array, kind, &safe)?)
}

impl RulesColumn {
    pub(crate) fn get(&self, row: usize) -> Result<Option<&'static Pricing>> {
        match self {
            Self::Constant(rules) => Ok(*rules),
            Self::Each(names) => names.get(row).map(rules::named).transpose(),
        }
    }
}

impl SimulatorColumn {
    pub(crate) fn get(&self, row: usize) -> Result<Option<Simulator<f64>>> {
        match self {
            Self::Constant(simulator) => Ok(*simulator),
            Self::Each(texts) => texts.get(row).map(rules::simulator).transpose(),
        }
    }
}

impl<A: Array> Column<A> {
    /// Where the value for a row is, unless it is null.
    fn at(&self, row: usize) -> Option<usize> {
        let at = if self.is_constant { 0 } else { row };
        self.array.is_valid(at).then_some(at)
    }

    /// Whether it is null for all rows.
    pub(crate) fn is_null(&self) -> bool {
        self.is_constant && self.array.is_null(0)
    }

    /// The rows that are null; of a constant, none.
    pub(crate) fn nulls(&self) -> Option<&NullBuffer> {
        if self.is_constant { None } else { self.array.nulls() }
    }
}

impl<T: ArrowPrimitiveType> Column<PrimitiveArray<T>> {
    pub(crate) fn get(&self, row: usize) -> Option<T::Native> {
        self.at(row).map(|at| self.array.value(at))
    }

    /// The value for all rows, which is any if that is null.
    pub(crate) fn constant(&self) -> Option<T::Native> {
        self.is_constant.then(|| self.array.value(0))
    }

    /// The values of all rows, any where they are null; of a constant, its only one.
    pub(crate) fn values(&self) -> &[T::Native] {
        self.array.values()
    }
}

impl Column<BooleanArray> {
    pub(crate) fn get(&self, row: usize) -> Option<bool> {
        self.at(row).map(|at| self.array.value(at))
    }
}

impl Column<StringViewArray> {
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        self.at(row).map(|at| self.array.value(at))
    }
}

impl Column<BinaryViewArray> {
    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        self.at(row).map(|at| self.array.value(at))
    }
}
