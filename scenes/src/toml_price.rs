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
/// For each end of a line: two more events, where there was a mistake before.
const LINE: u64 = 40;
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
    // Each word or text that no mark accounts for may be an element of an array without commas.
    let (mut words, mut accounted) = (0_u64, 0_u64);
    for piece in text.as_bytes().chunks(PIECE) {
        for &byte in piece {
            let class = class(byte);
            let is_new = class == Class::Mark || class != before;
            let is_quote = matches!(byte, b'"' | b'\'');
            words += u64::from(is_quote || is_new && class == Class::Word);
            let of_mark = of_mark(byte);
            accounted += of_mark.words;
            sum += BYTE + if is_new { TOKEN } else { 0 } + of_mark.bytes;
            before = class;
        }
        if sum > most {
            break;
        }
    }
    sum + ELEMENT * words.saturating_sub(accounted)
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'+' | b':' | 0x80.. => Class::Word,
        b' ' | b'\t' => Class::Blank,
        _ => Class::Mark,
    }
}

/// What a mark stands for.
#[derive(Clone, Copy)]
struct Mark {
    bytes: u64,
    /// How many words there are beside it.
    words: u64,
}

const fn of_mark(byte: u8) -> Mark {
    let (bytes, words) = match byte {
        b'.' | b'{' | b'[' => (TABLE, 1),
        b'=' => (ENTRY, 2),
        b',' => (ELEMENT, 1),
        b'}' => (STRAY, 0),
        b'\n' | b'\r' => (LINE, 0),
        _ => (0, 0),
    };
    Mark { bytes, words }
}

#[cfg(test)]
mod tests;
