//! What the TOML parser takes for a text, before it is given one.

/// For each byte: the room for tokens that the parser guesses from the length, and copies of names and
/// of messages.
const BYTE: u64 = 12;
/// For each token: itself and an event, of 24 bytes each, in lists that grow to twice their length.
const TOKEN: u64 = 72;
/// For each entry of a table, in nodes that are at least half full, and what stands in for its value
/// where it has none.
const ENTRY: u64 = 330;
/// For each element of an array, which grows to twice its length.
const ELEMENT: u64 = 180;
/// For each end of a table: where none began, one is made up.
const STRAY: u64 = 480;
/// For each table of its own: a node with room for 11 entries.
const TABLE: u64 = 1_280;
/// For the outermost table, and a message.
const ROOT: u64 = 2_048;
/// Work for each byte, in units: some 50 ns.
pub(crate) const WORK: u64 = 16;

/// How the bytes of a token go together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Letters, digits and what is part of bare keys and numbers: any number is one token.
    Word,
    /// Blanks: any number is one token.
    Blank,
    /// Each is one token, or more.
    Mark,
}

/// The bytes that the parser takes at most for a text, all in all: no fewer than it was ever seen to
/// take for the worst that was thought of. Counting ends above `most`.
pub(crate) fn price(text: &str, most: u64) -> u64 {
    const PIECE: usize = 1 << 16;
    let (mut sum, mut before) = (ROOT, Class::Mark);
    for piece in text.as_bytes().chunks(PIECE) {
        for &byte in piece {
            let class = class(byte);
            let is_new = class == Class::Mark || class != before;
            sum += BYTE + if is_new { TOKEN } else { 0 } + of_mark(byte);
            before = class;
        }
        if sum > most {
            break;
        }
    }
    sum
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'+' | b':' | 0x80.. => Class::Word,
        b' ' | b'\t' => Class::Blank,
        _ => Class::Mark,
    }
}

/// What the parser makes where a mark stands.
const fn of_mark(byte: u8) -> u64 {
    match byte {
        b'.' | b'{' | b'[' => TABLE,
        b'=' => ENTRY,
        b',' => ELEMENT,
        b'}' => STRAY,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
