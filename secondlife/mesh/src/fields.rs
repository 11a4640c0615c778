//! Typed fields of LLSD maps. An undefined value counts as missing.

use std::borrow::Cow;

use crate::error::Problem;
use crate::llsd::{Map, Value};

fn field<'m, 'a, T>(
    map: &'m Map<'a>,
    field: &'static str,
    expected: &'static str,
    read: impl FnOnce(&'m Value<'a>) -> Option<T>,
) -> Result<Option<T>, Problem> {
    match map.get(field) {
        None | Some(Value::Undef) => Ok(None),
        Some(value) => match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(Problem::WrongType { field, expected }),
        },
    }
}

pub(crate) fn binary<'a>(
    map: &Map<'a>,
    name: &'static str,
) -> Result<Option<Cow<'a, [u8]>>, Problem> {
    field(map, name, "a binary", |value| match value {
        Value::Binary(bytes) => Some(bytes.clone()),
        _ => None,
    })
}

pub(crate) fn integer(map: &Map, name: &'static str) -> Result<Option<i32>, Problem> {
    field(map, name, "an integer", Value::as_integer)
}

pub(crate) fn real(map: &Map, name: &'static str) -> Result<Option<f64>, Problem> {
    field(map, name, "a real", Value::as_real)
}

pub(crate) fn boolean(map: &Map, name: &'static str) -> Result<Option<bool>, Problem> {
    field(map, name, "a boolean", Value::as_boolean)
}

pub(crate) fn submap<'m, 'a>(
    map: &'m Map<'a>,
    name: &'static str,
) -> Result<Option<&'m Map<'a>>, Problem> {
    field(map, name, "a map", Value::as_map)
}

/// Exactly `N` reals.
pub(crate) fn reals<const N: usize>(
    map: &Map,
    name: &'static str,
    expected: &'static str,
) -> Result<Option<[f64; N]>, Problem> {
    field(map, name, expected, reals_of)
}

/// A list of arrays of exactly `N` reals.
pub(crate) fn lists<const N: usize>(
    map: &Map,
    name: &'static str,
    expected: &'static str,
) -> Result<Option<Vec<[f64; N]>>, Problem> {
    field(map, name, expected, |value| value.as_array()?.iter().map(reals_of).collect())
}

/// A list of strings.
pub(crate) fn strings<'a>(
    map: &Map<'a>,
    name: &'static str,
) -> Result<Option<Vec<Cow<'a, str>>>, Problem> {
    let string = |value: &Value<'a>| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    field(map, name, "an array of strings", |value| value.as_array()?.iter().map(string).collect())
}

fn reals_of<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let items = value.as_array().filter(|items| items.len() == N)?;
    let mut reals = [0.0; N];
    for (real, item) in reals.iter_mut().zip(items) {
        *real = item.as_real()?;
    }
    Some(reals)
}
