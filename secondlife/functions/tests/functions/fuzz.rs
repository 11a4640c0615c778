//! Random arrays: no panic, and what core gives for each row by itself.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF};
use lodger_functions::MeshColumns;
use proptest::prelude::*;

use super::random::{self, Encoding, Form, Kind, Value, argument, call};
use super::reference::{self, Reference};
use super::sample;

static FUNCTIONS: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
    lodger_functions::all().into_iter().map(|udf| (udf.name().to_owned(), udf)).collect()
});
static FILES: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| sample::all().into_iter().map(|(_, file)| file).collect());
static BLOCKS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(reference::blocks);

/// A value of a result, as references give it.
#[allow(clippy::cast_sign_loss)] // bits
fn result(array: &ArrayRef, row: usize) -> Option<u64> {
    array.is_valid(row).then(|| match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_bits(),
        _ => array.as_primitive::<Int64Type>().value(row) as u64,
    })
}

/// NaN is NaN, whatever its bits.
fn same(one: Option<u64>, other: Option<u64>, kind: &DataType) -> bool {
    let nan = |bits: Option<u64>| bits.is_some_and(|bits| f64::from_bits(bits).is_nan());
    one == other || *kind == DataType::Float64 && nan(one) && nan(other)
}

fn check(of: &Reference, forms: &[Form], drawn: &[Vec<Value>], rows: usize) {
    let pairs = of.arguments.iter().zip(forms).zip(drawn);
    let arguments: Vec<_> =
        pairs.map(|((kind, form), drawn)| argument(*kind, *form, drawn)).collect();
    let values = arguments.iter().map(|(value, _)| value.clone()).collect();
    let got = call(&FUNCTIONS[of.name], values, rows).unwrap();
    let all_scalar = arguments.iter().all(|(value, _)| matches!(value, ColumnarValue::Scalar(_)));
    assert_eq!(
        all_scalar,
        matches!(got, ColumnarValue::Scalar(_)),
        "scalars give a scalar, and only they"
    );
    let array = got.to_array(if all_scalar { 1 } else { rows }).unwrap();
    assert_eq!(array.len(), if all_scalar { 1 } else { rows });
    for row in 0..array.len() {
        let values: Vec<_> =
            arguments.iter().map(|(_, values)| values[row.min(values.len() - 1)].clone()).collect();
        let (got, expected) = (result(&array, row), (of.of)(&values));
        assert!(
            same(got, expected, array.data_type()),
            "{}{values:?}: {got:?}, not {expected:?}",
            of.name
        );
    }
}

fn forms(count: usize) -> impl Strategy<Value = Vec<Form>> {
    prop::collection::vec(random::form(), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_row_is_as_if_it_were_alone(
        (of, rows, forms, drawn) in (0..reference::ALL.len(), 1_usize..40).prop_flat_map(|(of, rows)| {
            let kinds = reference::ALL[of].arguments;
            let drawn: Vec<_> = kinds.iter().map(|kind| random::values(*kind, rows, &BLOCKS)).collect();
            (Just(of), Just(rows), forms(kinds.len()), drawn)
        })
    ) {
        check(&reference::ALL[of], &forms, &drawn, rows);
    }

    #[test]
    fn rows_in_several_chunks_are_as_if_they_were_alone(
        rows in 1000_usize..3100, seed: u64, forms in forms(7), with_scalar: bool,
    ) {
        let mut state = seed | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 11
        };
        #[allow(clippy::cast_precision_loss)] // 53 bits
        let mut value = |most: f64| match next() % 200 {
            0 => Value::Null,
            1 => Value::Real(-1.0),
            2 => Value::Real(f64::NAN),
            bits => Value::Real((bits * next() % 100_000) as f64 / 1e5 * most),
        };
        let drawn: Vec<Vec<_>> = [64.0, 64.0, 64.0, 900.0, 2e3, 6e3, 2e4]
            .map(|most| (0..rows).map(|_| value(most)).collect()).into();
        let plain = |form: &Form| Form { encoding: Encoding::Plain, ..*form };
        let forms: Vec<_> = if with_scalar { forms } else { forms.iter().map(plain).collect() };
        check(&reference::ALL[0], &forms, &drawn, rows);
    }

    #[test]
    fn bytes_of_any_kind_are_read_or_have_an_error(
        file in prop::collection::vec(any::<u8>(), 0..200), cut in 0_usize..2000, at: usize, flip: u8,
        which in 0_usize..96, form in random::form(),
    ) {
        let mut damaged = FILES[which].clone();
        let place = at % damaged.len();
        damaged[place] ^= flip;
        damaged.truncate(cut.max(1));
        let drawn = [Value::Blob(file), Value::Null, Value::Blob(damaged)];
        let (value, became) = argument(Kind::Blob, form, &drawn);
        let is_scalar = matches!(value, ColumnarValue::Scalar(_));
        for name in ["mesh", "mesh_lint"] {
            let got = call(&FUNCTIONS[name], vec![value.clone()], 3).unwrap();
            prop_assert_eq!(is_scalar, matches!(got, ColumnarValue::Scalar(_)));
            let array = got.to_array(became.len()).unwrap();
            for (row, value) in became.iter().enumerate() {
                prop_assert_eq!(array.is_null(row), *value == Value::Null);
            }
            if let Some(meshes) = array.as_struct_opt() {
                prop_assert_eq!(meshes.fields(), &MeshColumns::fields());
                let (sizes, error) = (meshes.column_by_name("high").unwrap(), meshes.column_by_name("error").unwrap());
                prop_assert!((0..meshes.len()).all(|row| meshes.is_null(row) || sizes.is_valid(row) || error.is_valid(row)));
            }
        }
    }
}

#[test]
fn no_rows_are_no_rows() {
    for of in reference::ALL {
        let arguments = of.arguments.iter().map(|kind| {
            let form = Form { kind: 8, encoding: Encoding::Plain };
            argument(*kind, form, &[]).0
        });
        let got = call(&FUNCTIONS[of.name], arguments.collect(), 0).unwrap();
        assert!(matches!(got, ColumnarValue::Array(array) if array.is_empty()), "{}", of.name);
    }
}
