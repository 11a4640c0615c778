//! Messages in one line, with what strangers put into them.

use std::fmt::Display;

/// The most characters of a message.
const LONGEST: usize = 300;

/// A message as one line of at most 300 characters, with nothing in it that a terminal would obey.
pub(crate) fn one_line(message: &impl Display) -> String {
    let text = message.to_string();
    let shown = |c| if is_obeyed(c) { char::REPLACEMENT_CHARACTER } else { c };
    let mut line: String = text.chars().take(LONGEST).map(shown).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

/// A control character, a separator of lines, or one that changes the direction.
fn is_obeyed(c: char) -> bool {
    let changes_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}');
    c.is_control() || changes_direction || matches!(c, '\u{2028}'..='\u{202e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_plain() {
        assert_eq!(one_line(&"a\nb\u{1b}[2J\u{202e}c"), "a\u{fffd}b\u{fffd}[2J\u{fffd}c");
        let long = one_line(&"ä".repeat(1000));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
        assert_eq!(one_line(&"x".repeat(LONGEST)).len(), LONGEST);
    }
}
