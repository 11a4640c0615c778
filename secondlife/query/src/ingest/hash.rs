//! What asset stores name files by.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256. Displayed, it is 64 small hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash([u8; 32]);

impl Hash {
    /// That of bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// 64 hexadecimal digits of either case.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
        let pairs: &[[u8; 2]; 32] = pairs.try_into().ok()?;
        let mut hash = [0; 32];
        for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Self(hash))
    }

    /// The half of it by which it is known.
    pub(super) fn short(&self) -> u128 {
        self.0.iter().take(16).fold(0, |sum, byte| sum << 8 | u128::from(*byte))
    }
}

fn digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
        let text: String =
            self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect();
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_in_either_case_and_written_in_small_letters() {
        // FIPS 180-2, B.1.
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let hash = Hash::of(b"abc");
        assert_eq!(hash.to_string(), text);
        assert_eq!(Hash::parse(text), Some(hash));
        assert_eq!(Hash::parse(&text.to_uppercase()), Some(hash));
        assert_eq!(format!("{:032x}", hash.short()), text[..32]);
        for wrong in
            ["", &text[..63], &format!("{text}0"), &text.replace('b', "g"), &"é".repeat(32)]
        {
            assert_eq!(Hash::parse(wrong), None, "{wrong}");
        }
    }
}
