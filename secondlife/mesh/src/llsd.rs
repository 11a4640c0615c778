//! Binary LLSD, the data format of Second Life.
//!
//! A value is a type byte and a payload. Lengths, counts, integers and reals are big-endian; dates are little-endian,
//! as the first implementation wrote them in native order.
//!
//! | byte | value | payload |
//! |---|---|---|
//! | `!` | undefined | |
//! | `1` `0` | boolean | |
//! | `i` | integer | 4 bytes, signed |
//! | `r` | real | 8 bytes, IEEE 754 |
//! | `u` | UUID | 16 bytes |
//! | `b` | binary | length, bytes |
//! | `s` `l` | string, URI | length, UTF-8 |
//! | `d` | date | 8 bytes, IEEE 754, seconds since 1970 in UTC |
//! | `[` | array | count, values, `]` |
//! | `{` | map | count, then `k`, length, key and value for each, `}` |
//!
//! Strings, keys and binaries borrow from the input. Counts reserve no memory, and nesting ([`MAX_DEPTH`]) and the
//! number of values are capped, so memory is bounded for any input.
//!
//! Source: Second Life wiki, LLSD, binary serialization.
//!
//! # Examples
//! ```
//! use lodger_mesh_asset::llsd::LlsdValue;
//!
//! let value = LlsdValue::from_bytes(b"[\0\0\0\x02i\0\0\0\x2as\0\0\0\x02hi]")?;
//! let items = value.as_array().unwrap_or_default();
//! assert_eq!(items[0].as_integer(), Some(42));
//! assert_eq!(items[1].as_str(), Some("hi"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod value;

use std::borrow::Cow;

pub use value::{HEADER_LINE, LlsdError, LlsdErrorKind, LlsdValue, MAX_DEPTH, MAX_VALUES, Map};

/// Maximum initial capacity for a claimed count.
const RESERVED: usize = 16;

impl<'a> LlsdValue<'a> {
    /// Parses the value in `bytes`, after an optional [`HEADER_LINE`]. Bytes behind the value are ignored.
    ///
    /// # Errors
    /// Any [`LlsdErrorKind`], with its byte.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// assert_eq!(LlsdValue::from_bytes(b"<? LLSD/Binary ?>\n1")?, true.into());
    /// assert_eq!(LlsdValue::from_bytes(b"i\0\0").unwrap_err().offset(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, LlsdError> {
        Self::read(bytes, MAX_VALUES).map(|(value, _)| value)
    }

    /// Parses the value at the start of `bytes`, after an optional [`HEADER_LINE`]; returns it with its end. At most
    /// `max_values` values are read, not counting keys of maps.
    ///
    /// # Errors
    /// Any [`LlsdErrorKind`], with its byte.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::*;
    /// assert_eq!(LlsdValue::read(b"1 and more", 1)?, (true.into(), 1));
    /// let error = LlsdValue::read(b"[\0\0\0\x02!!]", 2).unwrap_err();
    /// assert_eq!(error.kind(), LlsdErrorKind::TooMany { limit: 2 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(bytes: &'a [u8], max_values: usize) -> Result<(Self, usize), LlsdError> {
        let mut reader = LlsdReader { bytes, at: 0, left: max_values, limit: max_values };
        reader.header_line()?;
        let value = reader.value(0)?;
        Ok((value, reader.at))
    }

    /// Whether `bytes` begin with a map, or are a prefix of such bytes. A map of 2²⁴ or more entries counts as text,
    /// which may begin with a brace too.
    pub(crate) fn begins_as_map(bytes: &[u8]) -> bool {
        let mut reader = LlsdReader { bytes, at: 0, left: 0, limit: 0 };
        let has_begun = reader.header_line().is_ok();
        has_begun && matches!(bytes.get(reader.at..), Some([] | [b'{'] | [b'{', 0, ..]))
    }
}

struct LlsdReader<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
    limit: usize,
}

impl<'a> LlsdReader<'a> {
    fn error(&self, kind: LlsdErrorKind) -> LlsdError {
        LlsdError::new(self.at, kind)
    }

    fn take(&mut self, needed: usize, expected: &'static str) -> Result<&'a [u8], LlsdError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..needed).ok_or_else(|| {
            self.error(LlsdErrorKind::Ends { expected, needed, left: rest.len() })
        })?;
        self.at += needed;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], LlsdError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, expected)?);
        Ok(array)
    }

    fn byte(&mut self, expected: &'static str) -> Result<u8, LlsdError> {
        self.array::<1>(expected).map(|[byte]| byte)
    }

    fn exactly(&mut self, wanted: u8, expected: &'static str) -> Result<(), LlsdError> {
        let at = self.at;
        match self.byte(expected)? {
            found if found == wanted => Ok(()),
            found => Err(LlsdError::new(at, LlsdErrorKind::Unexpected { expected, found })),
        }
    }

    fn length(&mut self, expected: &'static str) -> Result<usize, LlsdError> {
        let length = u32::from_be_bytes(self.array(expected)?);
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }

    fn bytes(
        &mut self,
        length: &'static str,
        expected: &'static str,
    ) -> Result<&'a [u8], LlsdError> {
        let length = self.length(length)?;
        self.take(length, expected)
    }

    fn string(
        &mut self,
        length: &'static str,
        text: &'static str,
    ) -> Result<Cow<'a, str>, LlsdError> {
        let bytes = self.bytes(length, text)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(error) => {
                let at = self.at - bytes.len() + error.valid_up_to();
                Err(LlsdError::new(at, LlsdErrorKind::NotUtf8))
            }
        }
    }

    /// Skips the optional first line: `<?`, the words `llsd/binary`, `?>` and a line end.
    fn header_line(&mut self) -> Result<(), LlsdError> {
        if !self.bytes.starts_with(b"<?") {
            return Ok(());
        }
        let start = self.bytes.get(..4 * HEADER_LINE.len());
        let start = start.unwrap_or(self.bytes);
        let end = start.windows(2).position(|pair| pair == b"?>");
        let words = end.and_then(|end| start.get(2..end)).unwrap_or_default();
        match end {
            Some(end) if words.trim_ascii().eq_ignore_ascii_case(b"llsd/binary") => {
                self.at = end + 2;
                let rest = &self.bytes[self.at..];
                self.at += usize::from(rest.starts_with(b"\r\n"));
                self.at += usize::from(rest.starts_with(b"\r\n") || rest.starts_with(b"\n"));
                Ok(())
            }
            _ => Err(self.error(LlsdErrorKind::NotBinary)),
        }
    }

    fn value(&mut self, depth: usize) -> Result<LlsdValue<'a>, LlsdError> {
        if self.left == 0 {
            return Err(self.error(LlsdErrorKind::TooMany { limit: self.limit }));
        }
        self.left -= 1;
        let at = self.at;
        Ok(match self.byte("a value")? {
            b'!' => LlsdValue::Undef,
            b'0' => LlsdValue::Boolean(false),
            b'1' => LlsdValue::Boolean(true),
            b'i' => LlsdValue::Integer(i32::from_be_bytes(self.array("an integer")?)),
            b'r' => LlsdValue::Real(f64::from_be_bytes(self.array("a real")?)),
            b'd' => LlsdValue::Date(f64::from_le_bytes(self.array("a date")?)),
            b'u' => LlsdValue::Uuid(self.array("a UUID")?),
            b'b' => {
                LlsdValue::Binary(Cow::Borrowed(self.bytes("the length of a binary", "a binary")?))
            }
            b's' => LlsdValue::String(self.string("the length of a string", "a string")?),
            b'l' => LlsdValue::Uri(self.string("the length of a URI", "a URI")?),
            b'[' | b'{' if depth == MAX_DEPTH => {
                return Err(LlsdError::new(at, LlsdErrorKind::TooDeep));
            }
            b'[' => self.items(depth)?,
            b'{' => self.entries(depth)?,
            found => {
                let expected = "a value (one of ! 0 1 i r u b s l d [ {)";
                return Err(LlsdError::new(at, LlsdErrorKind::Unexpected { expected, found }));
            }
        })
    }

    fn items(&mut self, depth: usize) -> Result<LlsdValue<'a>, LlsdError> {
        let count = self.length("the count of an array")?;
        let mut items = Vec::with_capacity(count.min(RESERVED));
        for _ in 0..count {
            items.push(self.value(depth + 1)?);
        }
        self.exactly(b']', "] at the end of an array")?;
        Ok(LlsdValue::Array(items))
    }

    fn entries(&mut self, depth: usize) -> Result<LlsdValue<'a>, LlsdError> {
        let count = self.length("the count of a map")?;
        let mut map = Map::with_capacity(count.min(RESERVED));
        for _ in 0..count {
            self.exactly(b'k', "k before the key of a map")?;
            let key = self.string("the length of a key", "a key")?;
            map.push(key, self.value(depth + 1)?);
        }
        self.exactly(b'}', "} at the end of a map")?;
        Ok(LlsdValue::Map(map))
    }
}

impl LlsdValue<'_> {
    /// Encodes the value without a header line.
    ///
    /// # Errors
    /// [`LlsdErrorKind::TooLong`] for a length or count of 2³² or more.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::LlsdValue;
    /// assert_eq!(LlsdValue::from("hi").to_bytes()?, b"s\0\0\0\x02hi");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, LlsdError> {
        let mut out = Vec::new();
        self.write(&mut out)?;
        Ok(out)
    }

    /// Appends the encoded value to `out`.
    ///
    /// # Errors
    /// [`LlsdErrorKind::TooLong`] for a length or count of 2³² or more.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::llsd::*;
    /// let mut out = format!("{HEADER_LINE}\n").into_bytes();
    /// LlsdValue::Integer(-2).write(&mut out)?;
    /// assert_eq!(out, b"<? LLSD/Binary ?>\ni\xff\xff\xff\xfe");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), LlsdError> {
        match self {
            Self::Undef => out.push(b'!'),
            Self::Boolean(value) => out.push(if *value { b'1' } else { b'0' }),
            Self::Integer(value) => fixed(out, b'i', &value.to_be_bytes()),
            Self::Real(value) => fixed(out, b'r', &value.to_be_bytes()),
            Self::Date(value) => fixed(out, b'd', &value.to_le_bytes()),
            Self::Uuid(value) => fixed(out, b'u', value),
            Self::Binary(value) => sized(out, b'b', value)?,
            Self::String(value) => sized(out, b's', value.as_bytes())?,
            Self::Uri(value) => sized(out, b'l', value.as_bytes())?,
            Self::Array(items) => {
                length(out, b'[', items.len())?;
                for item in items {
                    item.write(out)?;
                }
                out.push(b']');
            }
            Self::Map(map) => {
                length(out, b'{', map.len())?;
                for (key, value) in map.iter() {
                    sized(out, b'k', key.as_bytes())?;
                    value.write(out)?;
                }
                out.push(b'}');
            }
        }
        Ok(())
    }
}

fn fixed(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(kind);
    out.extend_from_slice(bytes);
}

fn length(out: &mut Vec<u8>, kind: u8, length: usize) -> Result<(), LlsdError> {
    let length =
        u32::try_from(length).map_err(|_| LlsdError::new(out.len(), LlsdErrorKind::TooLong))?;
    fixed(out, kind, &length.to_be_bytes());
    Ok(())
}

fn sized(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) -> Result<(), LlsdError> {
    length(out, kind, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::llsd::Map;

    fn error_kind(bytes: &[u8]) -> (usize, LlsdErrorKind) {
        let error = LlsdValue::from_bytes(bytes).unwrap_err();
        (error.offset(), error.kind())
    }

    #[test]
    fn strings_keys_and_binaries_borrow() {
        let bytes = b"{\0\0\0\x02k\0\0\0\x01as\0\0\0\x02hik\0\0\0\x01bb\0\0\0\x03\0\x01\x02}";
        let LlsdValue::Map(map) = LlsdValue::from_bytes(bytes).unwrap() else {
            panic!("not a map")
        };
        let entries = map.into_entries();
        assert!(matches!(
            &entries[0],
            (Cow::Borrowed("a"), LlsdValue::String(Cow::Borrowed("hi")))
        ));
        assert!(matches!(
            &entries[1],
            (Cow::Borrowed("b"), LlsdValue::Binary(Cow::Borrowed([0, 1, 2])))
        ));
    }

    #[test]
    fn the_header_line_may_precede() {
        for line in ["<? LLSD/Binary ?>\n", "<?llsd/binary?>\r\n", "<? LLSD/Binary ?>"] {
            let bytes = [line.as_bytes(), b"1rest"].concat();
            let read = LlsdValue::read(&bytes, 1).unwrap();
            assert_eq!(read, (LlsdValue::Boolean(true), line.len() + 1));
        }
        assert_eq!(error_kind(b"<?llsd/xml?>\n"), (0, LlsdErrorKind::NotBinary));
        assert_eq!(error_kind(b"<?"), (0, LlsdErrorKind::NotBinary));
    }

    #[test]
    fn errors_name_the_byte() {
        let ends = |expected, needed, left| LlsdErrorKind::Ends { expected, needed, left };
        assert_eq!(error_kind(b""), (0, ends("a value", 1, 0)));
        assert_eq!(error_kind(b"i\0\0"), (1, ends("an integer", 4, 2)));
        assert_eq!(error_kind(b"s\0\0\0\x09abc"), (5, ends("a string", 9, 3)));
        assert_eq!(error_kind(b"s\0\0\0\x03ab\xff"), (7, LlsdErrorKind::NotUtf8));
        let (at, what) = error_kind(b"[\0\0\0\x01!}");
        assert_eq!(
            (at, what),
            (6, LlsdErrorKind::Unexpected { expected: "] at the end of an array", found: b'}' })
        );
        assert!(matches!(error_kind(b"x"), (0, LlsdErrorKind::Unexpected { found: b'x', .. })));
    }

    #[test]
    fn claimed_counts_and_depths_reserve_no_memory() {
        assert!(matches!(error_kind(b"[\xff\xff\xff\xff"), (5, LlsdErrorKind::Ends { .. })));
        let deep = b"[\0\0\0\x01".repeat(MAX_DEPTH + 1);
        assert_eq!(error_kind(&deep), (5 * MAX_DEPTH, LlsdErrorKind::TooDeep));
        let deep = b"{\0\0\0\x01k\0\0\0\x01a".repeat(MAX_DEPTH + 1);
        assert_eq!(error_kind(&deep), (11 * MAX_DEPTH, LlsdErrorKind::TooDeep));
        let mut many = b"[\0\x01\0\0".to_vec();
        many.resize(many.len() + (1 << 16), b'!');
        many.push(b']');
        assert!(matches!(error_kind(&many).1, LlsdErrorKind::TooMany { .. }));
    }

    fn any_value() -> impl Strategy<Value = LlsdValue<'static>> {
        let leaf = prop_oneof![
            Just(LlsdValue::Undef),
            any::<bool>().prop_map(LlsdValue::Boolean),
            any::<i32>().prop_map(LlsdValue::Integer),
            any::<f64>().prop_map(LlsdValue::Real),
            any::<f64>().prop_map(LlsdValue::Date),
            any::<[u8; 16]>().prop_map(LlsdValue::Uuid),
            any::<Vec<u8>>().prop_map(LlsdValue::from),
            any::<String>().prop_map(LlsdValue::from),
            any::<String>().prop_map(|uri| LlsdValue::Uri(Cow::Owned(uri))),
        ];
        leaf.prop_recursive(4, 40, 8, |inner| {
            let entry = (any::<String>(), inner.clone());
            prop_oneof![
                prop::collection::vec(inner, 0..8).prop_map(LlsdValue::Array),
                prop::collection::vec(entry, 0..8)
                    .prop_map(|entries| LlsdValue::Map(entries.into_iter().collect::<Map>())),
            ]
        })
    }

    proptest! {
        #[test]
        fn written_values_read_the_same(value in any_value()) {
            let bytes = value.to_bytes().unwrap();
            let (again, end) = LlsdValue::read(&bytes, 1000).unwrap();
            prop_assert_eq!(&again, &value);
            prop_assert_eq!(end, bytes.len());
            prop_assert_eq!(again.to_bytes().unwrap(), bytes);
        }
    }

    #[test]
    fn reals_are_big_endian_and_dates_little() {
        let one = 1.0_f64.to_be_bytes();
        assert_eq!(LlsdValue::Real(1.0).to_bytes().unwrap()[1..], one);
        assert_eq!(LlsdValue::Date(1.0).to_bytes().unwrap()[1..], 1.0_f64.to_le_bytes());
        assert_eq!(LlsdValue::Integer(-2).to_bytes().unwrap(), b"i\xff\xff\xff\xfe");
    }
}
