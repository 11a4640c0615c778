//! Values of JSON, taken as loosely as they can be used.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A text of the file; anything else in its place is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Text<'a>(Option<Cow<'a, str>>);

impl Text<'_> {
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(Self)
    }
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
pub(super) struct Whole(pub(super) u64);

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
fn whole(number: f64) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}

/// The index of something in one of the file's arrays; too great a number is the greatest index, and
/// nothing is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Index(pub(super) u32);

impl Index {
    pub(super) fn get(self) -> usize {
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

/// A corner of a box; anything but three numbers is none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner(pub(super) Option<[f64; 3]>);

impl<'de> Deserialize<'de> for Corner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let numbers = value.as_array().map_or(&[][..], Vec::as_slice);
        Ok(Self(match numbers {
            [x, y, z] => x.as_f64().zip(y.as_f64()).zip(z.as_f64()).map(|((x, y), z)| [x, y, z]),
            _ => None,
        }))
    }
}

/// What stands in a list of nodes: an index, or else what it is.
#[derive(Clone, Debug)]
pub(super) enum LevelId {
    /// A node, by its index.
    Node(Index),
    /// No index.
    Other(Box<str>),
}

impl<'de> Deserialize<'de> for LevelId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let index = value.as_u64().or_else(|| value.as_f64().and_then(whole));
        Ok(index.map_or_else(|| Self::Other(value.to_string().into()), |id| Self::Node(id.into())))
    }
}

/// A list of nodes; anything but a list is none.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelIds(pub(super) Option<Box<[LevelId]>>);

impl<'de> Deserialize<'de> for LevelIds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LevelIdsVisitor).map(Self)
    }
}

struct LevelIdsVisitor;

impl<'de> Visitor<'de> for LevelIdsVisitor {
    type Value = Option<Box<[LevelId]>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = seq.next_element()? {
            ids.push(id);
        }
        Ok(Some(ids.into()))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}
