//! Lenient JSON values, and lists that grow in chunks.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::ellipsized;

/// A string; a value of another type is `None`.
#[derive(Clone, Debug, Default)]
pub struct LenientText<'a>(Option<Cow<'a, str>>);

impl LenientText<'_> {
    /// Returns the string.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LenientText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text(<&RawValue>::deserialize(deserializer)?.get()).map(Self).map_err(D::Error::custom)
    }
}

/// The string of a JSON value, copied only if it has escapes.
fn text(value: &str) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
    let Some(quoted) = value.strip_prefix('"') else { return Ok(None) };
    if quoted.contains('\\') {
        return serde_json::from_str(value).map(|text: String| Some(Cow::Owned(text)));
    }
    Ok(Some(Cow::Borrowed(quoted.strip_suffix('"').unwrap_or(quoted))))
}

/// Reads a string that some programs write as a number: `2.0` for `"2.0"`.
pub(crate) fn text_or_number<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<LenientText<'a>, D::Error> {
    // The raw text: with `arbitrary_precision`, serde_json gives a map for a number.
    let value = <&RawValue>::deserialize(deserializer)?.get();
    if value.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return Ok(LenientText(Some(Cow::Borrowed(value))));
    }
    text(value).map(LenientText).map_err(D::Error::custom)
}

pub(crate) fn is_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(<&RawValue>::deserialize(deserializer)?.get().starts_with('{'))
}

/// An integer of at least 0, also written as `3.0`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LenientUint(pub u64);

impl<'de> Deserialize<'de> for LenientUint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // With `arbitrary_precision`, `deserialize_any` would give a map.
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

/// The integer of a float without a fraction, up to 2^53.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an integer between 0 and 2^53"
)]
fn whole(number: f64) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && (0.0..=EXACT).contains(&number)).then_some(number as u64)
}

/// An index of an array of the file. A larger number becomes `u32::MAX`, an index without an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Index(pub u32);

impl Index {
    /// Converts to the index of a slice.
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
        LenientUint::deserialize(deserializer).map(|index| index.0.into())
    }
}

/// A corner of a box; `None` for a value other than three numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoundsCorner(pub Option<[f64; 3]>);

impl<'de> Deserialize<'de> for BoundsCorner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::from_str(<&RawValue>::deserialize(deserializer)?.get()) {
            Ok(corner) => Ok(Self(Some(corner))),
            // For example a number that is too large.
            Err(error) if error.is_syntax() && !error.to_string().starts_with("trailing") => {
                Err(D::Error::custom(error))
            }
            Err(_) => Ok(Self(None)),
        }
    }
}

/// The most levels of a node.
pub const MAX_LEVELS: usize = 256;

/// A list of nodes; `None` for null and strings.
#[derive(Clone, Debug, Default)]
pub struct LevelIds(pub Option<Box<[Index]>>, Option<Box<Irregular>>);

#[derive(Clone, Debug, Default)]
struct Irregular {
    /// The number of elements.
    count: usize,
    /// The last element that is not an index, with its position.
    last: Option<(usize, String)>,
}

impl LevelIds {
    /// Returns the number of listed nodes.
    #[must_use]
    pub fn count(&self) -> usize {
        let kept = self.0.as_deref().map_or(0, <[_]>::len);
        self.1.as_ref().map_or(kept, |irregular| irregular.count.max(kept))
    }

    /// Returns the element at `at` if it is the last that is not an index.
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
        let (mut ids, mut irregular) = (Vec::new(), Irregular::default());
        while let Some(value) = seq.next_element::<&RawValue>()? {
            if ids.len() < MAX_LEVELS {
                let index = serde_json::from_str(value.get()).ok();
                if index.is_none() {
                    irregular.last = Some((irregular.count, shortened(value.get())));
                }
                ids.push(index.unwrap_or(Index(u32::MAX)));
            }
            irregular.count = irregular.count.saturating_add(1);
        }
        let is_irregular = irregular.last.is_some() || irregular.count > ids.len();
        Ok(LevelIds(Some(ids.into()), is_irregular.then(|| Box::new(irregular))))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(LevelIds::default())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(LevelIds::default())
    }
}

/// A value without its contents.
fn shortened(value: &str) -> String {
    match value.as_bytes().first() {
        Some(b'[') => "[…]".to_owned(),
        Some(b'{') => "{…}".to_owned(),
        _ => ellipsized(value).into_owned(),
    }
}

/// Exactly `N` numbers; an array of serde accepts surplus ones.
#[derive(Clone, Copy, Debug)]
pub struct FixedArray<T, const N: usize>(pub [T; N]);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de>
    for FixedArray<T, N>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(FixedArrayVisitor(PhantomData))
    }
}

struct FixedArrayVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de>
    for FixedArrayVisitor<T, N>
{
    type Value = FixedArray<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [T::default(); N];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = seq.next_element()?.ok_or_else(|| Error::invalid_length(index, &self))?;
        }
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(FixedArray(numbers)),
            Some(_) => Err(Error::invalid_length(N + 1, &self)),
        }
    }
}

/// Elements of a chunk.
const CHUNK: usize = 64;

/// A list in chunks, of which only the last one grows.
#[derive(Debug)]
pub struct ChunkedVec<T>(Vec<Vec<T>>);

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ChunkedVec<T> {
    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * CHUNK + last.len())
    }

    /// Returns an element; `None` beyond the end.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// Iterates over all elements, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    fn push(&mut self, element: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(element),
            _ => self.0.push(vec![element]),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ChunkedVec<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ChunkedVecVisitor(PhantomData))
    }
}

struct ChunkedVecVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ChunkedVecVisitor<T> {
    type Value = ChunkedVec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut chunks = ChunkedVec::default();
        while let Some(element) = seq.next_element()? {
            chunks.push(element);
        }
        Ok(chunks)
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, ChunkedVec};

    #[test]
    fn elements_keep_their_order() {
        let mut chunks = ChunkedVec::default();
        for count in 0..3 * CHUNK {
            assert_eq!((chunks.len(), chunks.get(count)), (count, None));
            chunks.push(count);
            assert_eq!(chunks.get(count), Some(&count));
        }
        assert!(chunks.iter().copied().eq(0..3 * CHUNK));
    }
}
