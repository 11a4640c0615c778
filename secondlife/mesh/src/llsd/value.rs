//! LLSD values, maps in file order, and errors.

use std::borrow::Cow;

/// Optional line before a value, without its line end.
pub const HEADER_LINE: &str = "<? LLSD/Binary ?>";

/// Maximum nesting depth of arrays and maps. A mesh asset needs four levels.
pub const MAX_DEPTH: usize = 64;

/// Default maximum number of values: 2¹⁶, at most 16 MiB of memory at 256 bytes each. The skin of a mesh with 110 joints
/// has 3800.
pub const MAX_VALUES: usize = 1 << 16;

/// A value. Parsed values borrow from the input; others may own their parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum LlsdValue<'a> {
    /// Undefined.
    #[default]
    Undef,
    /// Boolean.
    Boolean(bool),
    /// 32-bit integer.
    Integer(i32),
    /// Real number with any bits, including NaN.
    Real(f64),
    /// UUID, with bytes in the order of its text.
    Uuid([u8; 16]),
    /// Bytes.
    Binary(Cow<'a, [u8]>),
    /// String.
    String(Cow<'a, str>),
    /// URI, not validated.
    Uri(Cow<'a, str>),
    /// Seconds since 1970 in UTC.
    Date(f64),
    /// Map in file order.
    Map(Map<'a>),
    /// Array.
    Array(Vec<LlsdValue<'a>>),
}

impl<'a> LlsdValue<'a> {
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

    /// The real number. An integer counts too, as some writers shorten 1.0 to 1.
    #[must_use]
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Integer(value) => Some(f64::from(*value)),
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
    pub fn as_array(&self) -> Option<&[LlsdValue<'a>]> {
        match self {
            Self::Array(value) => Some(value),
            _ => None,
        }
    }
}

/// Conversions of plain values.
macro_rules! from_values {
    ($($type:ty => $variant:ident($value:ident) $expression:expr;)*) => {
        $(impl<'a> From<$type> for LlsdValue<'a> {
            fn from($value: $type) -> Self {
                Self::$variant($expression)
            }
        })*
    };
}

from_values! {
    bool => Boolean(value) value;
    i32 => Integer(value) value;
    f64 => Real(value) value;
    &'a str => String(value) Cow::Borrowed(value);
    String => String(value) Cow::Owned(value);
    &'a [u8] => Binary(value) Cow::Borrowed(value);
    Vec<u8> => Binary(value) Cow::Owned(value);
    Map<'a> => Map(value) value;
}

impl<'a> FromIterator<LlsdValue<'a>> for LlsdValue<'a> {
    fn from_iter<I: IntoIterator<Item = LlsdValue<'a>>>(items: I) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

/// A map in file order.
///
/// Repeated keys are kept; [`get`](Self::get) finds the first, as viewers do. Lookup is linear, as maps of mesh assets have
/// at most a dozen keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map<'a> {
    entries: Vec<(Cow<'a, str>, LlsdValue<'a>)>,
}

impl<'a> Map<'a> {
    /// Creates an empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Creates an empty map with a capacity.
    pub(crate) fn with_capacity(entries: usize) -> Self {
        Self { entries: Vec::with_capacity(entries) }
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Value of the first entry with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&LlsdValue<'a>> {
        self.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Replaces the value of the first entry with this key, or appends an entry.
    pub fn insert(&mut self, key: impl Into<Cow<'a, str>>, value: impl Into<LlsdValue<'a>>) {
        let key = key.into();
        let value = value.into();
        match self.entries.iter_mut().find(|(name, _)| *name == key) {
            Some((_, place)) => *place = value,
            None => self.push(key, value),
        }
    }

    /// Entries in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &LlsdValue<'a>)> {
        self.entries.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// Appends an entry without a lookup.
    pub(crate) fn push(&mut self, key: Cow<'a, str>, value: LlsdValue<'a>) {
        self.entries.push((key, value));
    }

    /// Returns the entries.
    pub(crate) fn into_entries(self) -> Vec<(Cow<'a, str>, LlsdValue<'a>)> {
        self.entries
    }
}

impl<'a, K: Into<Cow<'a, str>>, V: Into<LlsdValue<'a>>> FromIterator<(K, V)> for Map<'a> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

/// Kind of an error in binary LLSD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlsdErrorKind {
    /// The input ends early.
    #[error("expected {expected} of {needed} bytes, but {left} are left")]
    Ends {
        /// Expected item.
        expected: &'static str,
        /// Bytes of the item.
        needed: usize,
        /// Bytes left.
        left: usize,
    },
    /// An unexpected byte.
    #[error("expected {expected}, found {:?}", char::from(*.found))]
    Unexpected {
        /// Expected item.
        expected: &'static str,
        /// Byte in its place.
        found: u8,
    },
    /// A string or key is not UTF-8.
    #[error("expected a string in UTF-8")]
    NotUtf8,
    /// The `<?` line is not the line of binary LLSD.
    #[error("expected the line \"{HEADER_LINE}\"")]
    NotBinary,
    /// Arrays and maps nest deeper than [`MAX_DEPTH`].
    #[error("arrays and maps nest deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// There are too many values.
    #[error("more than {limit} values")]
    TooMany {
        /// Maximum number of values.
        limit: usize,
    },
    /// A string, binary, array or map is too long to encode: 4 GiB or 2³² items.
    #[error("too long to be written: lengths have 32 bits")]
    TooLong,
}

/// An error in binary LLSD, with its byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {kind}")]
pub struct LlsdError {
    offset: usize,
    kind: LlsdErrorKind,
}

impl LlsdError {
    pub(crate) const fn new(offset: usize, kind: LlsdErrorKind) -> Self {
        Self { offset, kind }
    }

    /// Byte offset from the start of the input or output.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Kind of the error.
    #[must_use]
    pub const fn kind(&self) -> LlsdErrorKind {
        self.kind
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
        assert_eq!(map.get("b").and_then(LlsdValue::as_integer), Some(3));
        assert_eq!(map.get("c"), None);
    }
}
