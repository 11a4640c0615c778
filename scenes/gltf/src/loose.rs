//! Values of JSON, taken as loosely as they can be used.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A text of the file; anything else in its place is none.
#[derive(Clone, Debug, Default)]
pub struct Text<'a>(Option<Cow<'a, str>>);

impl Text<'_> {
    /// It, if there is one.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(Self)
    }
}

/// Reads a text that some programs write as a number: `2.0` for `"2.0"`.
pub(crate) fn text_or_number<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Text<'a>, D::Error> {
    // As it is written: asked for any value, serde_json gives a map for a number if a program has its
    // `arbitrary_precision`.
    let value = <&RawValue>::deserialize(deserializer)?.get();
    Ok(Text(match value.as_bytes().first() {
        Some(b'"') => Some(serde_json::from_str(value).map_err(D::Error::custom)?),
        Some(b'-' | b'0'..=b'9') => Some(Cow::Borrowed(value)),
        _ => None,
    }))
}

/// Whether a value is an object.
pub(crate) fn is_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(<&RawValue>::deserialize(deserializer)?.get().starts_with('{'))
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// A whole number of at least 0, which may be written as `3.0`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole(pub u64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Asked for any number, serde_json gives a map if a program has its `arbitrary_precision`.
        deserializer.deserialize_u64(WholeVisitor).map(Self)
    }
}

struct WholeVisitor;

impl Visitor<'_> for WholeVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number of at least 0")
    }

    fn visit_u64<E>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
        whole(number).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Float(number), &self))
    }
}

/// A number without a fraction that floats hold exactly.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole, and between 0 and 2^53"
)]
pub(crate) fn whole(number: f64) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}

/// The index of something in one of the file's arrays; too great a number is the greatest index, and
/// nothing is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index(pub u32);

impl Index {
    /// As a place in a slice.
    #[must_use]
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

impl From<u64> for Index {
    fn from(index: u64) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Whole::deserialize(deserializer).map(|index| index.0.into())
    }
}
