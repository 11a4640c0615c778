//! A stranger's text in a spreadsheet.

use std::borrow::Cow;

use crate::plain;

/// How a text begins that a spreadsheet takes for a formula: signs, also as full-width characters.
///
/// Source: OWASP, *CSV Injection*.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Control characters that a spreadsheet may take for the end of a cell, with a formula behind it.
const CONTROLS: [char; 2] = ['\t', '\r'];

/// A stranger's text as a cell of CSV: made safe as by [`plain`], and with a `'` before what a spreadsheet
/// would take for a formula, also behind spaces and characters without a width, which it may cut off. It is
/// not for numbers.
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
    let shown = plain(text);
    let is_formula =
        text.starts_with(CONTROLS) || text.trim_start_matches(is_blank).starts_with(SIGNS);
    if is_formula { Cow::Owned(format!("'{shown}")) } else { shown }
}

/// Whether a character shows nothing: a space of any kind, or one without a width.
///
/// Source: Unicode 16, `White_Space` and `Default_Ignorable_Code_Point`.
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
    use super::csv_text;

    #[test]
    fn signs_are_marked_also_behind_what_shows_nothing() {
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
}
