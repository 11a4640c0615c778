//! Arguments of a call, as columns of the types that a function computes with.

use std::sync::{Arc, LazyLock};

use arrow::array::{
    Array, ArrayAccessor, ArrayRef, ArrowPrimitiveType, AsArray, BinaryViewArray, BooleanArray,
    PrimitiveArray, StringViewArray,
};
use arrow::buffer::NullBuffer;
use arrow::compute::{CastOptions, cast_with_options, take};
use arrow::datatypes::DataType;
use datafusion_common::{Result, internal_err, plan_err};
use datafusion_expr::ColumnarValue;
use lodger_core::cost::simulator::SimulatorModel;
use lodger_core::cost::streaming::StreamingRules;
use lodger_opensim::pricing::{Pricer, parse_simulator};

#[derive(Clone, Copy, Debug)]
pub(crate) struct SqlArguments<'a> {
    values: &'a [ColumnarValue],
    rows: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct ArgumentColumn<A> {
    array: A,
    is_constant: bool,
}

/// An argument that names rules or constants, which `parse` finds.
#[derive(Clone, Debug)]
pub(crate) enum NamedArgument<T> {
    Constant(Option<T>),
    Each { names: ArgumentColumn<StringViewArray>, parse: fn(&str) -> Result<T> },
}

impl<'a> SqlArguments<'a> {
    pub(crate) const fn new(values: &'a [ColumnarValue], rows: usize) -> Self {
        Self { values, rows }
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a numeric column. Fractions are cut for integer types; numbers out of range are
    /// null.
    pub(crate) fn number<T: ArrowPrimitiveType>(
        &self,
        index: usize,
    ) -> Result<ArgumentColumn<PrimitiveArray<T>>> {
        self.column(index, &T::DATA_TYPE, |array| array.as_primitive_opt::<T>().cloned())
    }

    pub(crate) fn numbers<T: ArrowPrimitiveType, const N: usize>(
        &self,
        from: usize,
    ) -> Result<[ArgumentColumn<PrimitiveArray<T>>; N]> {
        let columns: Vec<_> =
            (from..from + N).map(|index| self.number(index)).collect::<Result<_>>()?;
        columns.try_into().or_else(|_| internal_err!("{N} columns were expected"))
    }

    pub(crate) fn flag(&self, index: usize) -> Result<ArgumentColumn<BooleanArray>> {
        self.column(index, &DataType::Boolean, |array| array.as_boolean_opt().cloned())
    }

    pub(crate) fn word(&self, index: usize) -> Result<ArgumentColumn<StringViewArray>> {
        self.column(index, &DataType::Utf8View, |array| array.as_string_view_opt().cloned())
    }

    pub(crate) fn blob(&self, index: usize) -> Result<ArgumentColumn<BinaryViewArray>> {
        self.column(index, &DataType::BinaryView, |array| array.as_binary_view_opt().cloned())
    }

    pub(crate) fn rules(&self, index: usize) -> Result<NamedArgument<&'static Pricer>> {
        if index >= self.values.len() {
            return find_rules(StreamingRules::default().name)
                .map(|rules| NamedArgument::Constant(Some(rules)));
        }
        self.named(index, find_rules)
    }

    pub(crate) fn simulators(&self, index: usize) -> Result<NamedArgument<SimulatorModel<f64>>> {
        self.named(index, find_simulator)
    }

    fn named<T>(&self, index: usize, parse: fn(&str) -> Result<T>) -> Result<NamedArgument<T>> {
        let names = self.word(index)?;
        if names.is_constant {
            return Ok(NamedArgument::Constant(names.get(0).map(parse).transpose()?));
        }
        Ok(NamedArgument::Each { names, parse })
    }

    /// Returns the array of an argument, and whether it is a constant, of one row.
    pub(crate) fn array(&self, index: usize) -> Result<(ArrayRef, bool)> {
        match self.values.get(index) {
            Some(ColumnarValue::Array(array)) if array.len() == self.rows => {
                Ok((Arc::clone(array), false))
            }
            Some(ColumnarValue::Scalar(scalar)) => Ok((scalar.to_array()?, true)),
            _ => internal_err!("argument {index} is missing, or not as long as the batch"),
        }
    }

    fn column<A>(
        &self,
        index: usize,
        kind: &DataType,
        typed: impl FnOnce(&ArrayRef) -> Option<A>,
    ) -> Result<ArgumentColumn<A>> {
        let (array, is_constant) = self.array(index)?;
        let array = cast(array, kind)?;
        let Some(array) = typed(&array) else {
            return internal_err!("argument {index} is not of type {kind}");
        };
        Ok(ArgumentColumn { array, is_constant })
    }
}

/// Casts an array; values out of the range of the type become null.
fn cast(array: ArrayRef, kind: &DataType) -> Result<ArrayRef> {
    if array.data_type() == kind {
        return Ok(array);
    }
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        // Arrow's cast from dictionaries to views ignores null values of the dictionary.
        let values = cast(Arc::clone(dictionary.values()), kind)?;
        return Ok(take(&values, dictionary.keys(), None)?);
    }
    let safe = CastOptions { safe: true, ..CastOptions::default() };
    Ok(cast_with_options(&array, kind, &safe)?)
}

impl<T: Clone> NamedArgument<T> {
    pub(crate) fn get(&self, row: usize) -> Result<Option<T>> {
        match self {
            Self::Constant(value) => Ok(value.clone()),
            Self::Each { names, parse } => names.get(row).map(parse).transpose(),
        }
    }
}

impl<A: Array> ArgumentColumn<A> {
    /// The value of a row, unless it is null.
    pub(crate) fn get<'a, V>(&'a self, row: usize) -> Option<V>
    where
        &'a A: ArrayAccessor<Item = V>,
    {
        let index = if self.is_constant { 0 } else { row };
        self.array.is_valid(index).then(|| (&self.array).value(index))
    }

    pub(crate) fn is_null(&self) -> bool {
        self.is_constant && self.array.is_null(0)
    }

    pub(crate) fn nulls(&self) -> Option<&NullBuffer> {
        if self.is_constant { None } else { self.array.nulls() }
    }
}

impl<T: ArrowPrimitiveType> ArgumentColumn<PrimitiveArray<T>> {
    /// The value of a constant, which is arbitrary if the constant is null.
    pub(crate) fn constant(&self) -> Option<T::Native> {
        self.is_constant.then(|| self.array.value(0))
    }

    /// The values of all rows, arbitrary in null rows; of a constant, its only value.
    pub(crate) fn values(&self) -> &[T::Native] {
        self.array.values()
    }
}

/// Pricers of all named rules, which core has validated.
static PRICERS: LazyLock<Vec<Pricer>> = LazyLock::new(|| {
    StreamingRules::NAMED.into_iter().filter_map(|rules| Pricer::new(rules).ok()).collect()
});

pub(crate) fn find_rules(name: &str) -> Result<&'static Pricer> {
    if let Some(pricer) = PRICERS.iter().find(|pricer| pricer.rules().name == name) {
        return Ok(pricer);
    }
    let names = StreamingRules::NAMED.map(|rules| format!("'{}'", rules.name)).join(", ");
    let name = escaped(name);
    plan_err!("there are no rules named '{name}'; expected one of {names}")
}

/// Finds the constants of the simulator resource cost by name, or parses four numbers.
pub(crate) fn find_simulator(text: &str) -> Result<SimulatorModel<f64>> {
    let simulator = parse_simulator(text).and_then(|set| Ok(SimulatorModel::new(set)?));
    let text = escaped(text);
    simulator.or_else(|error| plan_err!("there are no constants '{text}': {error}"))
}

/// The first 40 characters of a text, escaped.
fn escaped(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use lodger_core::cost::simulator::SimulatorParameters;

    use super::*;

    #[test]
    fn constants_are_a_name_or_four_numbers() {
        let unofficial = SimulatorModel::new(SimulatorParameters::UNOFFICIAL_2011).unwrap();
        assert_eq!(find_simulator("unofficial-2011").unwrap(), unofficial);
        assert_eq!(find_simulator("0.5,2,1,0").unwrap(), unofficial);
        let error = find_simulator("official\n").unwrap_err().to_string();
        assert!(error.contains("'official\\n'") && error.contains("unofficial-2011"), "{error}");
    }

    #[test]
    fn every_name_finds_its_rules() {
        for rules in StreamingRules::NAMED {
            assert_eq!(*find_rules(rules.name).unwrap().rules(), rules);
        }
        assert_eq!(StreamingRules::default().name, "viewer");
        let error = find_rules("Viewer\n").unwrap_err().to_string();
        assert!(
            error.contains("'Viewer\\n'") && error.contains("'wiki', 'viewer', 'grid'"),
            "{error}"
        );
    }
}
