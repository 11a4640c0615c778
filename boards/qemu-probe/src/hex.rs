//! Hex digits, as gdb's protocol and the probe's write numbers and bytes.

use std::fmt::Write as _;

/// Two digits a byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The bytes that pairs of digits stand for.
pub(crate) fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

/// The number that one to sixteen digits stand for, the highest first.
pub(crate) fn number(digits: &[u8]) -> Option<u64> {
    if !(1..=16).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |number, &byte| Some(number << 4 | u64::from(digit(byte)?)))
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        assert_eq!(encode(&[0x0A, 0xF0]), "0af0");
    }

    #[test]
    fn what_is_not_hex_is_refused() {
        assert_eq!(decode(b"123"), None);
        assert_eq!(decode(b"+1"), None);
        assert_eq!(decode(&[0xC3, 0xA9]), None);
        assert_eq!(number(b""), None);
        assert_eq!(number(b"-1"), None);
        assert_eq!(number(b"00000000000000001"), None);
        assert_eq!(number(b"FFFFffffFFFFffff"), Some(u64::MAX));
    }
}
