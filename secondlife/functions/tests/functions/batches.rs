//! Random arrays in every encoding: no panic, and each row gives the same result as a call for that row alone.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF};
use lodger_functions::MeshColumns;
use lodger_mesh_asset::{Asset, AssetBlock};
use lodger_testkit::SplitMix64;
use proptest::prelude::*;

use super::random::{self, Encoding, Form, Kind, Value, argument, call};
use super::sample::{self, With};

const N: Kind = Kind::Number;
const R: Kind = Kind::Word(&["wiki", "viewer", "grid"]);
const SETS: Kind = Kind::Word(&["unofficial-2011", "0.5, 2,1,4"]);
const SHAPES: Kind = Kind::Word(&["prim", "prim", "convex-hull", "none", "box"]);
const KINDS: Kind = Kind::Word(&["plain", "sculpted", "plant", "mesh", ""]);

const CALLS: &[(&str, &[Kind])] = &[
    ("streaming_cost", &[N, N, N, N, N, N, N]),
    ("streaming_cost", &[N, N, N, N, N, N, N, R]),
    ("animated_cost", &[N, N, N, N, Kind::Flag]),
    ("animated_cost", &[N, N, N, N, Kind::Flag, R]),
    ("prim_cost", &[KINDS, N, N, N, N, N, N, N]),
    ("prim_cost", &[KINDS, N, N, N, N, N, N, N, R]),
    ("hull_cost", &[N]),
    ("decomposition_cost", &[N, N]),
    ("physics_cost", &[SHAPES, Kind::Flag, N, N, N, N, N, N, N, N, Kind::Blob]),
    ("penalised", &[N, N, N, N]),
    ("server_weight", &[N, N]),
    ("simulator_cost", &[N, N, Kind::Flag, SETS]),
    ("region_cost", &[N, N]),
    ("land_impact", &[N, N, N]),
    ("millionths", &[N]),
];

static FUNCTIONS: LazyLock<HashMap<String, Arc<ScalarUDF>>> = LazyLock::new(|| {
    lodger_functions::all().into_iter().map(|udf| (udf.name().to_owned(), udf)).collect()
});
static FILES: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| sample::all().into_iter().map(|(_, file)| file).collect());
static BLOCKS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let block = |mesh, block| {
        let file = sample::file(1, With { mesh, ..With::default() });
        Asset::parse(&file).unwrap().raw(block).unwrap().to_vec()
    };
    let good = [
        block(true, AssetBlock::PhysicsMesh),
        block(false, AssetBlock::HighLod),
        block(false, AssetBlock::LowLod),
    ];
    let damaged = good[0][..good[0].len() / 2].to_vec();
    good.into_iter().chain([Vec::new(), b"no block".to_vec(), damaged]).collect()
});

/// The bits of a result, or `None` for null.
#[allow(clippy::cast_sign_loss)] // bits
fn bits(array: &ArrayRef, row: usize) -> Option<u64> {
    array.is_valid(row).then(|| match array.data_type() {
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
        }
        _ => array.as_primitive::<Int64Type>().value(row) as u64,
    })
}

/// Calls a function with arguments in some forms. Returns the result, and the arguments' values.
fn call_in_forms(
    (name, kinds): (&str, &[Kind]),
    forms: &[Form],
    drawn: &[Vec<Value>],
    rows: usize,
) -> (ArrayRef, Vec<Vec<Value>>) {
    let arguments = kinds.iter().zip(forms).zip(drawn);
    let (arguments, values): (Vec<_>, _) =
        arguments.map(|((kind, form), drawn)| argument(*kind, *form, drawn)).unzip();
    let all_scalar = arguments.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
    let got = call(&FUNCTIONS[name], arguments, rows).unwrap();
    let is_scalar = matches!(got, ColumnarValue::Scalar(_));
    assert_eq!(all_scalar, is_scalar, "only scalars give a scalar");
    let rows = if all_scalar { 1 } else { rows };
    let array = got.to_array(rows).unwrap();
    assert_eq!(array.len(), rows);
    (array, values)
}

const SCALAR: Form = Form { kind: 8, encoding: Encoding::Scalar };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_row_is_as_if_it_were_alone(
        (of, rows, forms, drawn) in (0..CALLS.len(), 1_usize..40).prop_flat_map(|(of, rows)| {
            let kinds = CALLS[of].1;
            let drawn: Vec<_> = kinds.iter().map(|kind| random::values(*kind, rows, &BLOCKS)).collect();
            (Just(of), Just(rows), prop::collection::vec(random::form(), kinds.len()), drawn)
        })
    ) {
        let (array, values) = call_in_forms(CALLS[of], &forms, &drawn, rows);
        let scalars = vec![SCALAR; forms.len()];
        for row in 0..array.len() {
            let row_of = |values: &Vec<Value>| vec![values[row.min(values.len() - 1)].real()];
            let values: Vec<_> = values.iter().map(row_of).collect();
            let (alone, _) = call_in_forms(CALLS[of], &scalars, &values, 1);
            prop_assert_eq!(bits(&array, row), bits(&alone, 0), "{}{:?}", CALLS[of].0, values);
        }
    }

    /// Rules for each row disable the loop over chunks.
    #[test]
    fn rows_in_several_chunks_are_as_if_they_were_alone(
        rows in 1000_usize..3100, seed: u64, forms in prop::collection::vec(random::form(), 7), with_scalar: bool,
    ) {
        let mut random = SplitMix64::new(seed);
        let mut value = |max: f64| match random.below(200) {
            0 => Value::Null,
            1 => Value::Real(-1.0),
            2 => Value::Real(f64::NAN),
            _ => Value::Real(random.unit() * max),
        };
        let drawn: Vec<Vec<_>> = [64.0, 64.0, 64.0, 900.0, 2e3, 6e3, 2e4]
            .map(|max| (0..rows).map(|_| value(max)).collect()).into();
        let plain = |form: &Form| Form { encoding: Encoding::Plain, ..*form };
        let forms: Vec<_> = if with_scalar { forms } else { forms.iter().map(plain).collect() };
        let (array, _) = call_in_forms(CALLS[0], &forms, &drawn, rows);
        let mut arguments: Vec<_> = forms
            .iter()
            .zip(&drawn)
            .map(|(form, drawn)| argument(N, *form, drawn).0)
            .collect();
        let rules: StringArray = (0..array.len()).map(|_| Some("viewer")).collect();
        arguments.push(ColumnarValue::Array(Arc::new(rules)));
        let by_rows = call(&FUNCTIONS["streaming_cost"], arguments, array.len()).unwrap();
        let by_rows = by_rows.to_array(array.len()).unwrap();
        for row in 0..array.len() {
            prop_assert_eq!(bits(&array, row), bits(&by_rows, row), "row {}", row);
        }
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
        let (value, values) = argument(Kind::Blob, form, &drawn);
        let is_scalar = matches!(value, ColumnarValue::Scalar(_));
        for name in ["mesh", "mesh_lint"] {
            let got = call(&FUNCTIONS[name], vec![value.clone()], 3).unwrap();
            prop_assert_eq!(is_scalar, matches!(got, ColumnarValue::Scalar(_)));
            let array = got.to_array(values.len()).unwrap();
            for (row, value) in values.iter().enumerate() {
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
fn no_rows_give_no_rows() {
    for (name, kinds) in CALLS {
        let form = Form { kind: 8, encoding: Encoding::Plain };
        let arguments = kinds.iter().map(|kind| argument(*kind, form, &[]).0);
        let got = call(&FUNCTIONS[*name], arguments.collect(), 0).unwrap();
        assert!(matches!(got, ColumnarValue::Array(array) if array.is_empty()), "{name}");
    }
}
