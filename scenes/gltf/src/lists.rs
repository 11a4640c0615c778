//! Lists of JSON, taken as loosely as they can be used, and of which no more is kept than that.

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

use crate::clip::clipped;
use crate::loose::{Index, whole};

/// A corner of a box; anything but three numbers is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corner(pub Option<[f64; 3]>);

impl<'de> Deserialize<'de> for Corner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (mut corner, mut count) = ([None; 3], 0_usize);
        let found = deserializer.deserialize_any(Listed(None, |value: Shallow<'_>| {
            if let Some(number) = corner.get_mut(count) {
                *number = value.number();
            }
            count = count.saturating_add(1);
        }))?;
        Ok(Self(match corner {
            [Some(x), Some(y), Some(z)] if found.is_some() && count == 3 => Some([x, y, z]),
            _ => None,
        }))
    }
}

/// The most levels that are kept of a list of nodes.
pub const MOST_LEVELS: usize = 256;

/// A list of nodes; anything but a list is none.
#[derive(Clone, Debug, Default)]
pub struct LevelIds(pub Option<Box<[Index]>>, Option<Box<Odd>>);

/// What is odd about a list of nodes.
#[derive(Clone, Debug, Default)]
struct Odd {
    /// How many it has, if that is more than are kept.
    count: usize,
    /// The last in it that is no index, and what it is.
    last: Option<(usize, String)>,
}

impl LevelIds {
    /// How many nodes are listed.
    #[must_use]
    pub fn count(&self) -> usize {
        let kept = self.0.as_deref().map_or(0, <[_]>::len);
        self.1.as_ref().map_or(kept, |odd| odd.count.max(kept))
    }

    /// What stands at a place of the list, if it is no index and the last that is none.
    #[must_use]
    pub fn other(&self, at: usize) -> Option<&str> {
        let (last, what) = self.1.as_ref()?.last.as_ref()?;
        (*last == at).then_some(what)
    }
}

impl<'de> Deserialize<'de> for LevelIds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (mut ids, mut odd) = (Vec::new(), Odd::default());
        let found = deserializer.deserialize_any(Listed(
            Some("an array of nodes"),
            |value: Shallow<'_>| {
                if ids.len() < MOST_LEVELS {
                    let index = value.index();
                    if index.is_none() {
                        odd.last = Some((odd.count, value.to_string()));
                    }
                    ids.push(index.unwrap_or(Index(u32::MAX)));
                }
                odd.count = odd.count.saturating_add(1);
            },
        ))?;
        let is_odd = odd.last.is_some() || odd.count > ids.len();
        Ok(Self(found.map(|()| ids.into()), is_odd.then(|| Box::new(odd))))
    }
}

/// A value, without what is in it.
enum Shallow<'a> {
    Whole(u64),
    Number(f64),
    Negative(i64),
    Text(&'a str),
    Word(&'static str),
}

impl Shallow<'_> {
    #[expect(clippy::cast_precision_loss, reason = "as JSON's numbers are")]
    fn number(&self) -> Option<f64> {
        match *self {
            Self::Whole(number) => Some(number as f64),
            Self::Number(number) => Some(number),
            Self::Negative(number) => Some(number as f64),
            Self::Text(_) | Self::Word(_) => None,
        }
    }

    fn index(&self) -> Option<Index> {
        match *self {
            Self::Whole(index) => Some(index.into()),
            Self::Number(number) => whole(number).map(Index::from),
            _ => None,
        }
    }
}

impl fmt::Display for Shallow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Negative(number) => number.fmt(f),
            Self::Text(text) => write!(f, "\"{}\"", clipped(text)),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Hands over the values of a list one by one. Anything but a list is none, but where a list is expected
/// no more than null and texts.
struct Listed<F>(Option<&'static str>, F);

impl<F: FnMut(Shallow<'_>)> Listed<F> {
    fn none<E: Error>(&self, found: Unexpected<'_>) -> Result<Option<()>, E> {
        match self.0 {
            Some(expected) => Err(E::invalid_type(found, &expected)),
            None => Ok(None),
        }
    }
}

impl<'de, F: FnMut(Shallow<'_>)> Visitor<'de> for Listed<F> {
    type Value = Option<()>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.unwrap_or("a value"))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element_seed(One(&mut self.1))?.is_some() {}
        Ok(Some(()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        self.none(Unexpected::Map)?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        self.none(Unexpected::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.none(Unexpected::Signed(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.none(Unexpected::Unsigned(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        self.none(Unexpected::Float(value))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// Hands over one value.
struct One<'f, F>(&'f mut F);

impl<'de, F: FnMut(Shallow<'_>)> DeserializeSeed<'de> for One<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(Shallow<'_>)> Visitor<'de> for One<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        (self.0)(Shallow::Word(if value { "true" } else { "false" }));
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        (self.0)(Shallow::Negative(value));
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        (self.0)(Shallow::Whole(value));
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        (self.0)(Shallow::Number(value));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        (self.0)(Shallow::Text(value));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        (self.0)(Shallow::Word("null"));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        (self.0)(Shallow::Word("[…]"));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        (self.0)(Shallow::Word("{…}"));
        Ok(())
    }
}
