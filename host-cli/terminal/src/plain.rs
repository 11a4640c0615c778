//! A stranger's text, made safe for a terminal.

use std::borrow::Cow;

/// Replaces what a terminal would obey instead of print: control characters and changes of direction.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_obeyed) {
        Cow::Owned(text.chars().map(visible).collect())
    } else {
        Cow::Borrowed(text)
    }
}

fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    use super::plain;

    #[test]
    fn shows_what_a_terminal_would_obey() {
        assert_eq!(plain("red \x1b[31m\u{9b}\n\u{202e}\x7f"), "red ␛[31m\u{fffd}␊\u{fffd}␡");
        assert_eq!(plain("Kapuzenmäntel 🧥"), "Kapuzenmäntel 🧥");
    }
}
