//! Untrusted text, shortened and made safe for terminals and spreadsheets.

use std::borrow::Cow;

use lodger_quota::ellipsized;

/// Most characters of a sentence: a message, a note, a reason in a table.
pub const MAX_SENTENCE: usize = 400;

/// Cuts untrusted text at `most` characters, marks the cut with `…`, and makes the text safe as [`sanitize`] does.
#[must_use]
pub fn sanitize_to(text: &str, most: usize) -> Cow<'_, str> {
    match ellipsized(text, most) {
        Cow::Borrowed(text) => sanitize(text),
        Cow::Owned(text) => Cow::Owned(sanitize(&text).into_owned()),
    }
}

/// Replaces characters that a terminal interprets: control characters, including newlines, and changes of direction.
#[must_use]
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_interpreted) {
        Cow::Owned(text.chars().map(visible).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a terminal interprets a character: a control character, a separator of lines, or a change of direction
/// (`Bidi_Control` of Unicode).
pub(crate) fn is_interpreted(c: char) -> bool {
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
        c if is_interpreted(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Keeps the end of a text, which is the most specific part of a path.
#[must_use]
pub fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(count - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}

/// First characters of a formula in a spreadsheet, also as full-width characters. Source: OWASP, *CSV Injection*.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Control characters that may end a cell, with a formula after them.
const CONTROLS: [char; 2] = ['\t', '\r'];

/// Converts untrusted text, not numbers, to a cell of CSV: safe as by [`sanitize`], and with a `'` before a formula,
/// also after invisible characters that a spreadsheet may remove.
///
/// # Examples
/// ```
/// use lodger_terminal::csv_text;
///
/// assert_eq!(csv_text("chair"), "chair");
/// assert_eq!(csv_text("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
/// assert_eq!(csv_text("-x.llmesh"), "'-x.llmesh");
/// assert_eq!(csv_text("\t=1"), "'␉=1");
/// assert_eq!(csv_text("\u{a0}＝1"), "'\u{a0}＝1");
/// assert_eq!(csv_text("two\nlines"), "two␊lines");
/// ```
#[must_use]
pub fn csv_text(text: &str) -> Cow<'_, str> {
    let shown = sanitize(text);
    let is_formula =
        text.starts_with(CONTROLS) || text.trim_start_matches(is_blank).starts_with(SIGNS);
    if is_formula { Cow::Owned(format!("'{shown}")) } else { shown }
}

/// Whether a character is a space or has no width. Source: Unicode 16, `White_Space` and
/// `Default_Ignorable_Code_Point`.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(sanitize("red \x1b[31m\u{9b}\n\u{202e}\x7f"), "red ␛[31m\u{fffd}␊\u{fffd}␡");
        assert_eq!(sanitize("a\u{61c}b\u{200e}\r\n"), "a\u{fffd}b\u{fffd}␍␊");
        assert_eq!(sanitize("Kapuzenmäntel 🧥"), "Kapuzenmäntel 🧥");
    }

    #[test]
    fn a_cut_is_marked() {
        assert_eq!(sanitize_to("Mäntel", 6), "Mäntel");
        assert_eq!(sanitize_to("Mä\nntel", 3), "Mä␊…");
        assert_eq!(sanitize_to(&"x".repeat(1 << 20), 400).chars().count(), 401);
        assert_eq!(sanitize_to("", 0), "");
    }

    #[test]
    fn signs_are_marked_also_after_invisible_characters() {
        let blanks = [
            "",
            " ",
            "   ",
            "\u{a0}",
            "\u{3000}",
            "\u{200b}",
            "\u{feff}",
            "\u{2064}",
            "\u{3164}",
            " \u{feff}\u{a0} ",
        ];
        for blank in blanks {
            for sign in ["=", "+", "-", "@", "＝", "＋", "－", "＠"] {
                let text = format!("{blank}{sign}1");
                assert_eq!(csv_text(&text), format!("'{text}"), "{text:?}");
            }
            let text = format!("{blank}chair = 1");
            assert_eq!(csv_text(&text), text, "{text:?}");
        }
        assert_eq!(csv_text(""), "");
        assert_eq!(csv_text("\u{200b}"), "\u{200b}");
    }

    #[test]
    fn the_end_of_a_path_is_kept() {
        assert_eq!(tail("a/long/path", 5), "…path");
        assert_eq!(tail("short", 5), "short");
    }
}
