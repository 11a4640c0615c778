//! Bytes as they stand in CSV.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The bytes of a text: hexadecimal behind `0x` (`MySQL`) or `\x` (`PostgreSQL`), else base64. White space in
/// base64 is passed over. `None` if it is neither.
pub(super) fn bytes(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let digits = [&b"0x"[..], b"0X", b"\\x"].iter().find_map(|start| text.strip_prefix(*start));
    match digits {
        Some(digits) => hexadecimal(digits),
        None if text.iter().any(u8::is_ascii_whitespace) => {
            let whole: Vec<u8> =
                text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
            STANDARD.decode(whole).ok()
        }
        None => STANDARD.decode(text).ok(),
    }
}

fn hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_chunks() else { return None };
    pairs.iter().map(|&[high, low]| Some(nibble(high)? << 4 | nibble(low)?)).collect()
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn its_beginning_says_how_bytes_are_written() {
        let some = Some(vec![0, 0x7f, 0xab]);
        for text in ["0x007fab", "0X007FAB", "\\x007fAb", "AH+r", " AH\n+r "] {
            assert_eq!(bytes(text.as_bytes()), some, "{text}");
        }
        for nothing in ["", "0x", "\\x"] {
            assert_eq!(bytes(nothing.as_bytes()), Some(Vec::new()));
        }
        for wrong in ["0x0", "0xgg", "\\x 00", "AH+", "%"] {
            assert_eq!(bytes(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
