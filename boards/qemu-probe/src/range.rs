//! Two addresses, as they are written on a command line.

use std::error::Error;
use std::fmt;
use std::num::ParseIntError;
use std::ops::Range;

/// Why a text is no range of addresses.
#[derive(Debug)]
pub(crate) enum BadRange {
    /// It has no two parts.
    OnePart,
    /// A part is no number.
    NoNumber(String, ParseIntError),
    /// It ends where it begins, or before.
    Empty,
}

impl fmt::Display for BadRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnePart => f.write_str("two addresses, like 0x0..0x40000"),
            Self::NoNumber(text, error) => write!(f, "{text}: {error}"),
            Self::Empty => f.write_str("it is empty"),
        }
    }
}

impl Error for BadRange {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoNumber(_, error) => Some(error),
            Self::OnePart | Self::Empty => None,
        }
    }
}

/// The range from the first address to before the second; both decimal, or hexadecimal with `0x`.
pub(crate) fn range(text: &str) -> Result<Range<u32>, BadRange> {
    let (start, end) = text.split_once("..").ok_or(BadRange::OnePart)?;
    let range = number(start)?..number(end)?;
    if range.is_empty() { Err(BadRange::Empty) } else { Ok(range) }
}

fn number(text: &str) -> Result<u32, BadRange> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| BadRange::NoNumber(text.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_decimal_or_hexadecimal() {
        assert_eq!(range("0x10..256").expect("a range"), 16..256);
        for (text, why) in
            [("1", "two addresses"), ("a..2", "a: invalid digit"), ("2..2", "it is empty")]
        {
            let error = range(text).expect_err("no range").to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
