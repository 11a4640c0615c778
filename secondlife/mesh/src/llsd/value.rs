//! LLSD values, maps in file order, and errors.

use std::borrow::Cow;

/// The optional line before a value, without its line end.
pub const HEADER_LINE: &str = "<? LLSD/Binary ?>";

/// Maximum nesting depth of arrays and maps. A mesh asset needs four levels.
pub const MAX_DEPTH: usize = 64;

/// Default maximum number of values: 2¹⁶, at most 16 MiB of memory at 256 bytes each. The skin of a mesh with 110
/// joints has 3800.
pub const MAX_VALUES: usize = 1 << 16;

/// An LLSD value. Parsed values borrow from the input; others may own their parts.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::llsd::LlsdValue;
///
/// let corner: LlsdValue = [-0.5, 0.5, 0.0].map(LlsdValue::from).into_iter().collect();
/// assert_eq!(corner.as_array().and_then(|axes| axes[1].as_real()), Some(0.5));
/// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// assert_eq!(LlsdValue::from(true).as_boolean(), Some(true));
    /// assert_eq!(LlsdValue::from(1).as_boolean(), None);
    /// ```
    #[must_use]
    pub const fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// assert_eq!(LlsdValue::from(42).as_integer(), Some(42));
    /// assert_eq!(LlsdValue::from(42.0).as_integer(), None);
    /// ```
    #[must_use]
    pub const fn as_integer(&self) -> Option<i32> {
        match self {
            Self::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// The real number. An integer counts too, as some writers shorten 1.0 to 1.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// assert_eq!(LlsdValue::from(0.25).as_real(), Some(0.25));
    /// assert_eq!(LlsdValue::from(1).as_real(), Some(1.0));
    /// ```
    #[must_use]
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Integer(value) => Some(f64::from(*value)),
            _ => None,
        }
    }

    /// The string or URI.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// assert_eq!(LlsdValue::Uri("https://example.org".into()).as_str(), Some("https://example.org"));
    /// ```
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(value) | Self::Uri(value) => Some(value),
            _ => None,
        }
    }

    /// The map.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::*;
    /// let map: Map = [("size", 500)].into_iter().collect();
    /// assert_eq!(LlsdValue::from(map).as_map().map(Map::len), Some(1));
    /// ```
    #[must_use]
    pub const fn as_map(&self) -> Option<&Map<'a>> {
        match self {
            Self::Map(value) => Some(value),
            _ => None,
        }
    }

    /// The items of the array.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// let array: LlsdValue = [7, 8].map(LlsdValue::from).into_iter().collect();
    /// assert_eq!(array.as_array(), Some(&[7.into(), 8.into()][..]));
    /// ```
    #[must_use]
    pub fn as_array(&self) -> Option<&[LlsdValue<'a>]> {
        match self {
            Self::Array(value) => Some(value),
            _ => None,
        }
    }
}

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
/// Repeated keys are kept; [`get`](Self::get) finds the first, as viewers do. Lookup is linear, as maps of mesh
/// assets have at most a dozen keys.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::llsd::{LlsdValue, Map};
///
/// let mut entry: Map = [("offset", 0), ("size", 500)].into_iter().collect();
/// entry.insert("size", 600);
/// assert_eq!(entry.get("size").and_then(LlsdValue::as_integer), Some(600));
/// assert!(entry.iter().map(|(key, _)| key).eq(["offset", "size"]));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map<'a> {
    entries: Vec<(Cow<'a, str>, LlsdValue<'a>)>,
}

impl<'a> Map<'a> {
    /// Creates an empty map.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::*;
    /// assert_eq!(LlsdValue::Map(Map::new()).to_bytes()?, b"{\0\0\0\0}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

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

    /// The value of the first entry with this key.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::Map;
    /// let map: Map = [("a", 1), ("b", 2)].into_iter().collect();
    /// assert_eq!(map.get("b"), Some(&2.into()));
    /// assert_eq!(map.get("c"), None);
    /// ```
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&LlsdValue<'a>> {
        self.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Replaces the value of the first entry with this key, or appends an entry.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::Map;
    /// let mut map: Map = [("b", 1), ("a", 2)].into_iter().collect();
    /// map.insert("b", 3);
    /// assert!(map.iter().eq([("b", &3.into()), ("a", &2.into())]));
    /// ```
    pub fn insert(&mut self, key: impl Into<Cow<'a, str>>, value: impl Into<LlsdValue<'a>>) {
        let key = key.into();
        let value = value.into();
        match self.entries.iter_mut().find(|(name, _)| *name == key) {
            Some((_, place)) => *place = value,
            None => self.push(key, value),
        }
    }

    /// The entries in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &LlsdValue<'a>)> {
        self.entries.iter().map(|(key, value)| (key.as_ref(), value))
    }

    pub(crate) fn push(&mut self, key: Cow<'a, str>, value: LlsdValue<'a>) {
        self.entries.push((key, value));
    }

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

/// The kind of an [`LlsdError`].
///
/// # Examples
/// ```
/// use lodger_mesh_asset::llsd::{LlsdErrorKind, LlsdValue};
///
/// let error = LlsdValue::from_bytes(b"<?llsd/xml?>\n").unwrap_err();
/// assert_eq!(error.kind(), LlsdErrorKind::NotBinary);
/// ```
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
        /// Bytes left in the input.
        left: usize,
    },
    /// A byte does not begin the expected item.
    #[error("expected {expected}, found {:?}", char::from(*.found))]
    Unexpected {
        /// Expected item.
        expected: &'static str,
        /// Byte in place of the item.
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
///
/// # Examples
/// ```
/// use lodger_mesh_asset::llsd::LlsdValue;
///
/// let error = LlsdValue::from_bytes(b"i\0\0").unwrap_err();
/// assert_eq!(error.to_string(), "byte 1: expected an integer of 4 bytes, but 2 are left");
/// ```
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

    /// The byte offset from the start of the input or output.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The kind of the error.
    #[must_use]
    pub const fn kind(&self) -> LlsdErrorKind {
        self.kind
    }
}
