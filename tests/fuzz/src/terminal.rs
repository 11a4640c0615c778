//! Untrusted text on a terminal.

use std::sync::Arc;

use lodger_terminal::{
    DecimalFormat, Diagnostic, MillisecondFormat, RenderOptions, Severity, SourceFile, SpanLabel,
    apportion, hint, length, percent, sanitize, tail, wrapped,
};
use lodger_testkit::promises::acts_on_terminal;

const HEAD: usize = 24;

/// Numbers and a text: no control character is left, wrapping keeps all words, and a message can have any span. Valid
/// if UTF-8.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn terminal(bytes: &[u8]) -> bool {
    let Some((head, text)) = bytes.split_first_chunk::<HEAD>() else { return false };
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let [width, from, to, max, ..] = head.map(usize::from);
    let shown = sanitize(text);
    assert!(!shown.chars().any(acts_on_terminal), "{shown:?}");
    assert_eq!(sanitize(&shown), shown);
    let look = RenderOptions { width, colour: max % 2 == 1 };
    let lines = wrapped(text, look);
    let words = |text| str::split(text, [' ', '\n']).filter(|word: &&str| !word.is_empty());
    assert!(words(&lines).eq(words(text)), "{lines:?}");
    assert!(hint(text, look).ends_with('\n'));
    assert!(tail(text, max).chars().count() <= max.max(1));
    render(text, width, from..to);
    format_numbers(head);
    true
}

fn render(text: &str, width: usize, span: std::ops::Range<usize>) {
    let source = SourceFile { name: text.to_owned(), text: Some(Arc::new(text.to_owned())) };
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let inside = span.start.min(text.len())..span.end.min(text.len());
        let mut message =
            Diagnostic::new(severity, text).in_source(&source).at(Some(inside.clone()));
        message.marks.push(SpanLabel::labelled(inside, "here"));
        let rendered = message.help(text).render(width);
        assert!(!rendered.is_empty());
    }
}

fn format_numbers(head: &[u8; HEAD]) {
    let number = |at: usize| {
        let bits =
            head.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
        f64::from_bits(bits.unwrap_or(0)).abs()
    };
    let column = [number(0), number(8), number(16)];
    let shown = MillisecondFormat::for_all(column.into_iter());
    for value in column {
        let texts = [shown.show(value), shown.say(value), length(value), percent(value)];
        assert!(texts.iter().all(|text| !text.is_empty()));
        assert!(!DecimalFormat::at_least(1, column).show(value).is_empty());
    }
    if !column.iter().any(|value| value.is_nan()) {
        let cells = apportion(usize::from(head[0]), &column);
        let sum: usize = cells.iter().sum();
        let some = column.iter().any(|value| *value > 0.0);
        let fits = usize::from(head[0]) >= column.len();
        assert!(!some || !fits || sum == usize::from(head[0]), "{cells:?} of {column:?}");
    }
}
