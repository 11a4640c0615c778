//! Random arguments in every form that functions accept.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, Float32Array,
    Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray, UInt8Array, UInt32Array, UInt64Array,
};
use arrow::datatypes::{Field, Int32Type};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Whole(i128),
    Real(f64),
    Flag(bool),
    Word(&'static str),
    Blob(Vec<u8>),
}

impl Value {
    #[allow(clippy::cast_precision_loss)] // to the nearest
    pub(crate) fn real(&self) -> Self {
        match self {
            Self::Whole(whole) => Self::Real(*whole as f64),
            other => other.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Number,
    Flag,
    Word(&'static [&'static str]),
    Blob,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) kind: u8,
    pub(crate) encoding: Encoding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Plain,
    Sliced,
    Dictionary,
    Scalar,
}

pub(crate) fn form() -> impl Strategy<Value = Form> {
    use Encoding::{Dictionary, Plain, Scalar, Sliced};
    let encoding =
        prop_oneof![4 => Just(Plain), 3 => Just(Sliced), 2 => Just(Dictionary), 2 => Just(Scalar)];
    (any::<u8>(), encoding).prop_map(|(kind, encoding)| Form { kind, encoding })
}

fn number() -> impl Strategy<Value = f64> {
    const ENDS: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        -1.0,
        0.5,
        16_384.0,
        16_384.000_1,
        2_147_483_647.0,
        2_147_483_648.0,
        1e300,
        f64::MIN_POSITIVE,
    ];
    prop_oneof![
        6 => 0.0..64.0_f64,
        4 => (0_i32..300).prop_map(f64::from),
        2 => (0_i32..100_000).prop_map(f64::from),
        1 => (0..ENDS.len()).prop_map(|end| ENDS[end]),
        1 => any::<f64>(),
    ]
}

pub(crate) fn values(
    kind: Kind,
    rows: usize,
    blobs: &'static [Vec<u8>],
) -> BoxedStrategy<Vec<Value>> {
    let value = match kind {
        Kind::Number => number().prop_map(Value::Real).boxed(),
        Kind::Flag => any::<bool>().prop_map(Value::Flag).boxed(),
        Kind::Word(words) => (0..words.len()).prop_map(|word| Value::Word(words[word])).boxed(),
        Kind::Blob => (0..blobs.len()).prop_map(|blob| Value::Blob(blobs[blob].clone())).boxed(),
    };
    let null = prop_oneof![1 => Just(true), 11 => Just(false)];
    let value = (null, value).prop_map(|(null, value)| if null { Value::Null } else { value });
    prop::collection::vec(value, rows).boxed()
}

pub(crate) fn argument(kind: Kind, form: Form, drawn: &[Value]) -> (ColumnarValue, Vec<Value>) {
    let drawn = match form.encoding {
        Encoding::Scalar => &drawn[..1],
        _ => drawn,
    };
    let pad = usize::from(form.encoding == Encoding::Sliced) * 3;
    let around =
        |value: Option<&Value>| std::iter::repeat_n(value.cloned().unwrap_or(Value::Null), pad);
    let padded: Vec<_> =
        around(drawn.last()).chain(drawn.iter().cloned()).chain(around(drawn.first())).collect();
    let (array, became) = array(kind, form.kind, &padded);
    let became = became[pad..pad + drawn.len()].to_vec();
    let array = array.slice(pad, drawn.len());
    let value = match form.encoding {
        Encoding::Plain | Encoding::Sliced => ColumnarValue::Array(array),
        Encoding::Scalar => ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0).unwrap()),
        Encoding::Dictionary => {
            // Values are reversed, so that keys differ from rows.
            let last = i32::try_from(array.len()).unwrap() - 1;
            let turned = Int32Array::from_iter_values((0..=last).rev());
            let values = arrow::compute::take(&array, &turned, None).unwrap();
            let keys = turned;
            ColumnarValue::Array(Arc::new(
                DictionaryArray::<Int32Type>::try_new(keys, values).unwrap(),
            ))
        }
    };
    (value, became)
}

macro_rules! numbers {
    ($drawn:expr, $array:ty, $native:ty, $of:expr) => {{
        let natives: Vec<Option<$native>> = $drawn
            .iter()
            .map(|value| match value {
                Value::Real(value) => Some(*value as $native),
                _ => None,
            })
            .collect();
        let became = natives.iter().map(|native| native.map_or(Value::Null, $of)).collect();
        (Arc::new(<$array>::from(natives)) as ArrayRef, became)
    }};
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // any result will do
fn array(kind: Kind, form: u8, drawn: &[Value]) -> (ArrayRef, Vec<Value>) {
    let words =
        || drawn.iter().map(|value| if let Value::Word(word) = value { Some(*word) } else { None });
    let blobs = || {
        drawn.iter().map(|value| if let Value::Blob(blob) = value { Some(&blob[..]) } else { None })
    };
    let array: ArrayRef = match (kind, form) {
        (Kind::Number, _) => return number_array(form, drawn),
        (Kind::Flag, _) => {
            let flags = drawn
                .iter()
                .map(|value| if let Value::Flag(flag) = value { Some(*flag) } else { None });
            Arc::new(flags.collect::<BooleanArray>())
        }
        (Kind::Word(_), _) if form.is_multiple_of(3) => Arc::new(words().collect::<StringArray>()),
        (Kind::Word(_), _) if form % 3 == 1 => Arc::new(words().collect::<LargeStringArray>()),
        (Kind::Word(_), _) => Arc::new(words().collect::<StringViewArray>()),
        (Kind::Blob, _) if form.is_multiple_of(3) => Arc::new(blobs().collect::<BinaryArray>()),
        (Kind::Blob, _) if form % 3 == 1 => Arc::new(blobs().collect::<LargeBinaryArray>()),
        (Kind::Blob, _) => Arc::new(blobs().collect::<BinaryViewArray>()),
    };
    (array, drawn.to_vec())
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_lossless)] // any result will do
fn number_array(form: u8, drawn: &[Value]) -> (ArrayRef, Vec<Value>) {
    match form % 12 {
        0 => numbers!(drawn, Float32Array, f32, |value| Value::Real(value.into())),
        1 => numbers!(drawn, Int8Array, i8, |value| Value::Whole(value.into())),
        2 => numbers!(drawn, Int16Array, i16, |value| Value::Whole(value.into())),
        3 => numbers!(drawn, Int32Array, i32, |value| Value::Whole(value.into())),
        4 => numbers!(drawn, Int64Array, i64, |value| Value::Whole(value.into())),
        5 => numbers!(drawn, UInt8Array, u8, |value| Value::Whole(value.into())),
        6 => numbers!(drawn, UInt32Array, u32, |value| Value::Whole(value.into())),
        7 => numbers!(drawn, UInt64Array, u64, |value| Value::Whole(value.into())),
        _ => numbers!(drawn, Float64Array, f64, Value::Real),
    }
}

pub(crate) fn call(
    function: &ScalarUDF,
    arguments: Vec<ColumnarValue>,
    rows: usize,
) -> Result<ColumnarValue> {
    let field = |value: &ColumnarValue| Arc::new(Field::new("argument", value.data_type(), true));
    let arg_fields: Vec<_> = arguments.iter().map(field).collect();
    let scalars: Vec<_> = arguments
        .iter()
        .map(|value| if let ColumnarValue::Scalar(scalar) = value { Some(scalar) } else { None })
        .collect();
    let of = ReturnFieldArgs { arg_fields: &arg_fields, scalar_arguments: &scalars };
    let return_field = function.return_field_from_args(of)?;
    let config_options = Arc::new(ConfigOptions::default());
    let args = ScalarFunctionArgs {
        args: arguments,
        arg_fields,
        number_rows: rows,
        return_field,
        config_options,
    };
    function.invoke_with_args(args)
}
