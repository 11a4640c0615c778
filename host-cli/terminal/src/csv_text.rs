//! A stranger's text in a spreadsheet.

use std::borrow::Cow;

use crate::plain;

/// How a text begins that a spreadsheet takes for a formula.
///
/// Source: OWASP, *CSV Injection*.
const OF_FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A stranger's text as a cell of CSV: made safe as by [`plain`], and with a `'` before what a spreadsheet
/// would take for a formula. It is not for numbers.
///
/// # Examples
/// ```
/// use lodger_terminal::csv_text;
///
/// assert_eq!(csv_text("chair"), "chair");
/// assert_eq!(csv_text("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
/// assert_eq!(csv_text("-x.llmesh"), "'-x.llmesh");
/// assert_eq!(csv_text("\t=1"), "'␉=1");
/// assert_eq!(csv_text("two\nlines"), "two␊lines");
/// ```
#[must_use]
pub fn csv_text(text: &str) -> Cow<'_, str> {
    let shown = plain(text);
    if text.starts_with(OF_FORMULAS) { Cow::Owned(format!("'{shown}")) } else { shown }
}
