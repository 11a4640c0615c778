//! Binary LLSD, the data notation of Second Life.
//!
//! A value is one type byte and its payload. Lengths, counts, integers and reals are big-endian;
//! a date is little-endian, because the first implementation wrote it as its processor had it and
//! every other followed.
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
//! Reading borrows: strings, keys and binaries point into the input. No count is believed before
//! its values have been seen, nesting ends at [`MAX_DEPTH`], and the number of values is capped, so
//! that memory is bounded whatever the input says.
//!
//! Source: Second Life wiki, LLSD, binary serialization.
//!
//! # Examples
//! ```
//! use lodger_mesh_asset::llsd::Value;
//!
//! let value = Value::from_bytes(b"[\0\0\0\x02i\0\0\0\x2as\0\0\0\x02hi]")?;
//! let items = value.as_array().unwrap_or_default();
//! assert_eq!(items[0].as_integer(), Some(42));
//! assert_eq!(items[1].as_str(), Some("hi"));
//! # Ok::<(), lodger_mesh_asset::llsd::Error>(())
//! ```

mod binary;
mod value;

pub use value::{Error, HEADER_LINE, MAX_DEPTH, MAX_VALUES, Map, Problem, Value};
