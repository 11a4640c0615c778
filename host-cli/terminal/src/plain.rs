//! A stranger's text, made safe for a terminal.

use std::borrow::Cow;

/// The most characters of a sentence that is shown: a message, a note, a reason in a table. A stranger's
/// file may hold a name of any length.
pub const LONGEST_SENTENCE: usize = 400;

/// The beginning of a stranger's text, at most so many characters, made safe as by [`plain`]. What is cut
/// off shows as `…`.
#[must_use]
pub fn clipped(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(plain(&text[..end]).into_owned() + "…"),
        None => plain(text),
    }
}

/// Replaces what a terminal would obey instead of print: control characters, newlines among them, and
/// changes of direction.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_obeyed) {
        Cow::Owned(text.chars().map(visible).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a terminal would obey a character: a control character, a separator of lines, or one that
/// changes the direction (the property `Bidi_Control` of Unicode).
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

fn visible(c: char) -> char {
    match c {
        '\0'..='\x1f' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\x7f' => '␡',
        c if is_obeyed(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::{clipped, plain};

    #[test]
    fn shows_what_a_terminal_would_obey() {
        assert_eq!(plain("red \x1b[31m\u{9b}\n\u{202e}\x7f"), "red ␛[31m\u{fffd}␊\u{fffd}␡");
        assert_eq!(plain("a\u{61c}b\u{200e}\r\n"), "a\u{fffd}b\u{fffd}␍␊");
        assert_eq!(plain("Kapuzenmäntel 🧥"), "Kapuzenmäntel 🧥");
    }

    #[test]
    fn a_clip_shows() {
        assert_eq!(clipped("Mäntel", 6), "Mäntel");
        assert_eq!(clipped("Mä\nntel", 3), "Mä␊…");
        assert_eq!(clipped(&"x".repeat(1 << 20), 400).chars().count(), 401);
        assert_eq!(clipped("", 0), "");
    }
}
