//! Values of JSON that are read leniently, and lists of them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::ellipsized;

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
        text(<&RawValue>::deserialize(deserializer)?.get()).map(Self).map_err(D::Error::custom)
    }
}

/// The text that a value is, if it is one. It is copied only if it has escapes.
fn text(value: &str) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
    let Some(quoted) = value.strip_prefix('"') else { return Ok(None) };
    if quoted.contains('\\') {
        return serde_json::from_str(value).map(|text: String| Some(Cow::Owned(text)));
    }
    Ok(Some(Cow::Borrowed(quoted.strip_suffix('"').unwrap_or(quoted))))
}

/// Reads a text that some programs write as a number: `2.0` for `"2.0"`.
pub(crate) fn text_or_number<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Text<'a>, D::Error> {
    // As it is written: asked for any value, serde_json gives a map for a number if a program has its
    // `arbitrary_precision`.
    let value = <&RawValue>::deserialize(deserializer)?.get();
    if value.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return Ok(Text(Some(Cow::Borrowed(value))));
    }
    text(value).map(Text).map_err(D::Error::custom)
}

/// Whether a value is an object.
pub(crate) fn is_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(<&RawValue>::deserialize(deserializer)?.get().starts_with('{'))
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
fn whole(number: f64) -> Option<u64> {
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

/// A corner of a box; anything but three numbers is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corner(pub Option<[f64; 3]>);

impl<'de> Deserialize<'de> for Corner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::from_str(<&RawValue>::deserialize(deserializer)?.get()) {
            Ok(corner) => Ok(Self(Some(corner))),
            // Such as a number that is too great.
            Err(error) if error.is_syntax() && !error.to_string().starts_with("trailing") => {
                Err(D::Error::custom(error))
            }
            Err(_) => Ok(Self(None)),
        }
    }
}

/// The most levels that are kept of a list of nodes.
pub const MOST_LEVELS: usize = 256;

/// A list of nodes; null and texts are none.
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
        deserializer.deserialize_any(LevelIdsVisitor)
    }
}

struct LevelIdsVisitor;

impl<'de> Visitor<'de> for LevelIdsVisitor {
    type Value = LevelIds;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut ids, mut odd) = (Vec::new(), Odd::default());
        while let Some(value) = seq.next_element::<&RawValue>()? {
            if ids.len() < MOST_LEVELS {
                let index = serde_json::from_str(value.get()).ok();
                if index.is_none() {
                    odd.last = Some((odd.count, shortened(value.get())));
                }
                ids.push(index.unwrap_or(Index(u32::MAX)));
            }
            odd.count = odd.count.saturating_add(1);
        }
        let is_odd = odd.last.is_some() || odd.count > ids.len();
        Ok(LevelIds(Some(ids.into()), is_odd.then(|| Box::new(odd))))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(LevelIds::default())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(LevelIds::default())
    }
}

/// A value without what is in it.
fn shortened(value: &str) -> String {
    match value.as_bytes().first() {
        Some(b'[') => "[…]".to_owned(),
        Some(b'{') => "{…}".to_owned(),
        _ => ellipsized(value).into_owned(),
    }
}

/// Exactly `N` numbers: the array of serde lets surplus ones pass.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<T, const N: usize>(pub [T; N]);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for Numbers<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(NumbersVisitor(PhantomData))
    }
}

struct NumbersVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de>
    for NumbersVisitor<T, N>
{
    type Value = Numbers<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [T::default(); N];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = seq.next_element()?.ok_or_else(|| Error::invalid_length(index, &self))?;
        }
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(Numbers(numbers)),
            Some(_) => Err(Error::invalid_length(N + 1, &self)),
        }
    }
}

/// The elements of a block.
const BLOCK: usize = 64;

/// A long list, in blocks of which only the last one grows.
#[derive(Debug)]
pub struct Blocks<T>(Vec<Vec<T>>);

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Blocks<T> {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * BLOCK + last.len())
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    fn push(&mut self, element: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < BLOCK => last.push(element),
            _ => self.0.push(vec![element]),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Blocks<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BlocksVisitor(PhantomData))
    }
}

struct BlocksVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for BlocksVisitor<T> {
    type Value = Blocks<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut blocks = Blocks::default();
        while let Some(element) = seq.next_element()? {
            blocks.push(element);
        }
        Ok(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Blocks};

    #[test]
    fn every_element_is_where_it_was_put() {
        let mut blocks = Blocks::default();
        for count in 0..3 * BLOCK {
            assert_eq!((blocks.len(), blocks.get(count)), (count, None));
            blocks.push(count);
            assert_eq!(blocks.get(count), Some(&count));
        }
        assert!(blocks.iter().copied().eq(0..3 * BLOCK));
    }
}
