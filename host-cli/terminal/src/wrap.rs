//! Sentences within the width of a terminal.

use clap::builder::styling::Style;

use crate::Look;
use crate::plain::{LONGEST_SENTENCE, clipped};

/// The text with newlines where lines would be wider than the terminal.
#[must_use]
pub fn wrapped(text: &str, look: Look) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > look.width {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

/// What is good to know, in faint letters and with a newline at its end.
#[must_use]
pub fn hint(text: &str, look: Look) -> String {
    look.paint(Style::new().dimmed(), &wrapped(text, look)) + "\n"
}

/// A sentence whose first word says what it is, that word painted, and a newline at its end. The text may
/// be a stranger's: what a terminal would obey is replaced, and what is very long is clipped.
#[must_use]
pub fn labelled(label: &str, style: Style, text: &str, look: Look) -> String {
    let said = wrapped(&format!("{label} {}", clipped(text, LONGEST_SENTENCE)), look);
    format!("{}{}\n", look.paint(style, label), said.trim_start_matches(label))
}

/// The end of a text, which of a path tells more than its beginning.
#[must_use]
pub fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use clap::builder::styling::Style;

    use super::{labelled, tail, wrapped};
    use crate::Look;

    #[test]
    fn a_note_is_one_line_of_a_stated_length() {
        let look = Look { width: 100, colour: false };
        let note = |text: &str| labelled("note:", Style::new(), text, look);
        assert_eq!(note("one\ntwo"), "note: one␊two\n");
        assert_eq!(note(&"x".repeat(1 << 20)).chars().filter(|c| *c == 'x').count(), 400);
        assert_eq!(note(&"x ".repeat(1 << 20)).matches('x').count(), 200);
    }

    #[test]
    fn lines_end_between_words() {
        let look = Look { width: 9, colour: false };
        assert_eq!(wrapped("one two three", look), "one two\nthree");
        assert_eq!(wrapped("indivisible one", look), "indivisible\none");
    }

    #[test]
    fn the_end_of_a_path_is_kept() {
        assert_eq!(tail("a/long/path", 5), "…path");
        assert_eq!(tail("short", 5), "short");
    }
}
