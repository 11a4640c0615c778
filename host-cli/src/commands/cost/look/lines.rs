//! Verdicts and remarks.

use clap::builder::styling::AnsiColor;

use lodger_terminal::{Look, hint, labelled};

/// More notes than this are told only if all rows are.
const MOST_NOTES: usize = 5;

/// A sentence that is good news or bad.
pub(super) fn verdict(good: bool, text: &str, look: Look) -> String {
    let colour = if good { AnsiColor::Green } else { AnsiColor::Red };
    look.paint(colour.on_default().bold(), text)
}

/// Remarks, a line each; `--all` tells all of them.
pub(super) fn notes(notes: impl ExactSizeIterator<Item = String>, all: bool, look: Look) -> String {
    let more = if all { 0 } else { notes.len().saturating_sub(MOST_NOTES) };
    let shown = notes.len() - more;
    let yellow = AnsiColor::Yellow.on_default();
    let line = |note: String| labelled("note:", yellow, &note, look);
    let mut text: String = notes.take(shown).map(line).collect();
    if more > 0 {
        text += &hint(&format!("… and {more} more notes; --all shows all"), look);
    }
    text
}
