//! Values of LLSD, maps, which keep the order of the file, and errors.

use std::borrow::Cow;

/// The line that may precede a value, without its end.
pub const HEADER_LINE: &str = "<? LLSD/Binary ?>";

/// How deep arrays and maps may nest. A mesh asset needs four levels.
pub const MAX_DEPTH: usize = 64;

/// How many values may be read unless the caller says otherwise: 2¹⁶, at most 16 MiB of memory: 256 bytes for each.
///
/// The skin of a mesh with 110 joints has 3800.
pub const MAX_VALUES: usize = 1 << 16;

/// A value. What was read borrows from the input; what is to be written may own its parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value<'a> {
    /// Undefined.
    #[default]
    Undef,
    /// True or false.
    Boolean(bool),
    /// A 32-bit integer.
    Integer(i32),
    /// A real number; any bits are allowed, NaN too.
    Real(f64),
    /// A UUID, its bytes in the order of its text.
    Uuid([u8; 16]),
    /// Bytes.
    Binary(Cow<'a, [u8]>),
    /// A string.
    String(Cow<'a, str>),
    /// A URI, which is not checked.
    Uri(Cow<'a, str>),
    /// Seconds since 1970 in UTC.
    Date(f64),
    /// A map in the order of the file.
    Map(Map<'a>),
    /// An array.
    Array(Vec<Value<'a>>),
}

impl<'a> Value<'a> {
    /// What kind of value this is, with its article: "a map".
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Undef => "undefined",
            Self::Boolean(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Real(_) => "a real",
            Self::Uuid(_) => "a UUID",
            Self::Binary(_) => "a binary",
            Self::String(_) => "a string",
            Self::Uri(_) => "a URI",
            Self::Date(_) => "a date",
            Self::Map(_) => "a map",
            Self::Array(_) => "an array",
        }
    }

    /// Whether the value is undefined.
    #[must_use]
    pub const fn is_undef(&self) -> bool {
        matches!(self, Self::Undef)
    }

    /// The boolean.
    #[must_use]
    pub const fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer.
    #[must_use]
    pub const fn as_integer(&self) -> Option<i32> {
        match self {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// The real number; an integer is one too, for some writers shorten 1.0 to 1.
    #[must_use]
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Integer(value) => Some(f64::from(*value)),
            _ => None,
        }
    }

    /// The bytes of the UUID.
    #[must_use]
    pub const fn as_uuid(&self) -> Option<[u8; 16]> {
        match self {
            Self::Uuid(value) => Some(*value),
            _ => None,
        }
    }

    /// The date in seconds since 1970 in UTC.
    #[must_use]
    pub const fn as_date(&self) -> Option<f64> {
        match self {
            Self::Date(value) => Some(*value),
            _ => None,
        }
    }

    /// The bytes of the binary.
    #[must_use]
    pub fn as_binary(&self) -> Option<&[u8]> {
        match self {
            Self::Binary(value) => Some(value),
            _ => None,
        }
    }

    /// The string or URI.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(value) | Self::Uri(value) => Some(value),
            _ => None,
        }
    }

    /// The map.
    #[must_use]
    pub const fn as_map(&self) -> Option<&Map<'a>> {
        match self {
            Self::Map(value) => Some(value),
            _ => None,
        }
    }

    /// The items of the array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match self {
            Self::Array(value) => Some(value),
            _ => None,
        }
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<i32> for Value<'_> {
    fn from(value: i32) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::String(Cow::Borrowed(value))
    }
}

impl From<String> for Value<'_> {
    fn from(value: String) -> Self {
        Self::String(Cow::Owned(value))
    }
}

impl<'a> From<&'a [u8]> for Value<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Binary(Cow::Borrowed(value))
    }
}

impl From<Vec<u8>> for Value<'_> {
    fn from(value: Vec<u8>) -> Self {
        Self::Binary(Cow::Owned(value))
    }
}

impl<'a> From<Map<'a>> for Value<'a> {
    fn from(value: Map<'a>) -> Self {
        Self::Map(value)
    }
}

impl<'a> FromIterator<Value<'a>> for Value<'a> {
    fn from_iter<I: IntoIterator<Item = Value<'a>>>(items: I) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

/// A map in the order of the file.
///
/// A key that occurs twice is kept twice; [`get`](Self::get) finds the first, as viewers do. Lookup
/// is linear: the maps of a mesh asset have at most a dozen keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map<'a> {
    entries: Vec<(Cow<'a, str>, Value<'a>)>,
}

impl<'a> Map<'a> {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// A map without entries, with room for so many.
    pub(crate) fn with_capacity(entries: usize) -> Self {
        Self { entries: Vec::with_capacity(entries) }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of the first entry with that key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Gives the first entry with that key a new value and its old place, or adds an entry at the end.
    pub fn insert(&mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Value<'a>>) {
        let key = key.into();
        let value = value.into();
        match self.entries.iter_mut().find(|(name, _)| *name == key) {
            Some((_, place)) => *place = value,
            None => self.push(key, value),
        }
    }

    /// The entries in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value<'a>)> {
        self.entries.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// Adds an entry without looking for its key.
    pub(crate) fn push(&mut self, key: Cow<'a, str>, value: Value<'a>) {
        self.entries.push((key, value));
    }

    /// The entries, without the map.
    pub(crate) fn into_entries(self) -> Vec<(Cow<'a, str>, Value<'a>)> {
        self.entries
    }
}

impl<'a, K: Into<Cow<'a, str>>, V: Into<Value<'a>>> FromIterator<(K, V)> for Map<'a> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

/// A kind of error in binary LLSD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The input ends before what was expected.
    #[error("expected {expected} of {needed} bytes, but {left} are left")]
    Ends {
        /// What was expected.
        expected: &'static str,
        /// How many bytes it needs.
        needed: usize,
        /// How many bytes there are.
        left: usize,
    },
    /// Another byte stands where a certain one was expected.
    #[error("expected {expected}, found {:?}", char::from(*.found))]
    Unexpected {
        /// What was expected.
        expected: &'static str,
        /// The byte that was found.
        found: u8,
    },
    /// A string or key is not UTF-8.
    #[error("expected a string in UTF-8")]
    NotUtf8,
    /// The `<?` line is not that of binary LLSD.
    #[error("expected the line \"{HEADER_LINE}\"")]
    NotBinary,
    /// Arrays and maps nest deeper than [`MAX_DEPTH`].
    #[error("arrays and maps nest deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// There are more values than were allowed.
    #[error("more than {limit} values")]
    TooMany {
        /// How many values were allowed.
        limit: usize,
    },
    /// A string, binary, array or map is too long to be written: 4 GiB or 2³² items.
    #[error("too long to be written: lengths have 32 bits")]
    TooLong,
}

/// An error in binary LLSD, with its byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub struct Error {
    offset: usize,
    problem: Problem,
}

impl Error {
    pub(crate) const fn new(offset: usize, problem: Problem) -> Self {
        Self { offset, problem }
    }

    /// The byte, counted from the start of what was read or written.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The kind of the error.
    #[must_use]
    pub const fn problem(&self) -> Problem {
        self.problem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insert_keeps_the_place_of_a_key() {
        let mut map: Map = [("b", 1), ("a", 2)].into_iter().collect();
        map.insert("b", 3);
        let keys: Vec<_> = map.iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["b", "a"]);
        assert_eq!(map.get("b").and_then(Value::as_integer), Some(3));
        assert_eq!(map.get("c"), None);
    }
}
