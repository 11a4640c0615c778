//! Typed fields of LLSD maps. An undefined value counts as missing.

use std::borrow::Cow;

use crate::error::AssetErrorKind;
use crate::llsd::{LlsdValue, Map};

fn field<'m, 'a, T>(
    map: &'m Map<'a>,
    field: &'static str,
    expected: &'static str,
    read: impl FnOnce(&'m LlsdValue<'a>) -> Option<T>,
) -> Result<Option<T>, AssetErrorKind> {
    match map.get(field) {
        None | Some(LlsdValue::Undef) => Ok(None),
        Some(value) => match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(AssetErrorKind::WrongType { field, expected }),
        },
    }
}

pub(crate) fn binary<'a>(
    map: &Map<'a>,
    name: &'static str,
) -> Result<Option<Cow<'a, [u8]>>, AssetErrorKind> {
    field(map, name, "a binary", |value| match value {
        LlsdValue::Binary(bytes) => Some(bytes.clone()),
        _ => None,
    })
}

pub(crate) fn integer(map: &Map, name: &'static str) -> Result<Option<i32>, AssetErrorKind> {
    field(map, name, "an integer", LlsdValue::as_integer)
}

pub(crate) fn real(map: &Map, name: &'static str) -> Result<Option<f64>, AssetErrorKind> {
    field(map, name, "a real", LlsdValue::as_real)
}

pub(crate) fn boolean(map: &Map, name: &'static str) -> Result<Option<bool>, AssetErrorKind> {
    field(map, name, "a boolean", LlsdValue::as_boolean)
}

pub(crate) fn submap<'m, 'a>(
    map: &'m Map<'a>,
    name: &'static str,
) -> Result<Option<&'m Map<'a>>, AssetErrorKind> {
    field(map, name, "a map", LlsdValue::as_map)
}

pub(crate) fn reals<const N: usize>(
    map: &Map,
    name: &'static str,
    expected: &'static str,
) -> Result<Option<[f64; N]>, AssetErrorKind> {
    field(map, name, expected, reals_of)
}

pub(crate) fn lists<const N: usize>(
    map: &Map,
    name: &'static str,
    expected: &'static str,
) -> Result<Option<Vec<[f64; N]>>, AssetErrorKind> {
    field(map, name, expected, |value| value.as_array()?.iter().map(reals_of).collect())
}

pub(crate) fn strings<'a>(
    map: &Map<'a>,
    name: &'static str,
) -> Result<Option<Vec<Cow<'a, str>>>, AssetErrorKind> {
    let string = |value: &LlsdValue<'a>| match value {
        LlsdValue::String(text) => Some(text.clone()),
        _ => None,
    };
    field(map, name, "an array of strings", |value| value.as_array()?.iter().map(string).collect())
}

fn reals_of<const N: usize>(value: &LlsdValue) -> Option<[f64; N]> {
    let items = value.as_array().filter(|items| items.len() == N)?;
    let mut reals = [0.0; N];
    for (real, item) in reals.iter_mut().zip(items) {
        *real = item.as_real()?;
    }
    Some(reals)
}
