//! The part of a source around a mark.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Snippet};

use crate::Mark;
use crate::plain::{LONGEST_SENTENCE, clipped, is_obeyed};

/// The most bytes that are underlined.
const LONGEST_MARK: usize = 60;
/// The most bytes of a line before a mark that are given to the renderer. Of a longer one, what begins at
/// the mark is told in words.
const LINE_BEFORE_MARK: usize = 4_096;
/// The most bytes of a line behind the start of a mark that are given to the renderer.
const LINE_BEHIND_MARK: usize = 512;
/// The most characters of that.
const LONGEST_WORDS: usize = 60;

/// The line that a mark stands on, or the part of it around the mark.
pub(crate) struct Excerpt {
    path: String,
    line: usize,
    /// The place of the mark in its line, in characters from 1, where that is far from its beginning:
    /// then the text is what begins at the mark.
    column: Option<usize>,
    text: String,
    span: Range<usize>,
    label: Option<&'static str>,
    primary: bool,
}

impl Excerpt {
    /// The part of a text that a mark points at. The text is gone through a few times at most, and no
    /// more of it is copied than is shown.
    pub(crate) fn cut(path: &str, text: &str, mark: &Mark, primary: bool) -> Self {
        let start = text.floor_char_boundary(mark.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let most = text.floor_char_boundary(start.saturating_add(LINE_BEHIND_MARK));
        let line_end = text[start..most].find('\n').map_or(most, |at| start + at);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let start = start.min(line_end);
        let end = text.ceil_char_boundary(mark.span.end.min(start + LONGEST_MARK));
        let end = end.clamp(start, line_end);
        let is_far = start - line_start > LINE_BEFORE_MARK;
        let shown = if is_far { start } else { line_start };
        Self {
            path: clipped(path, LONGEST_SENTENCE).into_owned(),
            line: text[..line_start].matches('\n').count() + 1,
            column: is_far.then(|| text[line_start..start].chars().count() + 1),
            text: harmless(&text[shown..line_end]),
            span: start - shown..end - shown,
            label: mark.label,
            primary,
        }
    }

    /// Adds it to a message.
    pub(crate) fn add_to<'e>(&'e self, group: Group<'e>) -> Group<'e> {
        let Some(column) = self.column else { return group.element(self.snippet()) };
        let origin = Origin::path(self.path.as_str()).line(self.line).char_column(column);
        let words = format!("there begins `{}`", clipped(&self.text, LONGEST_WORDS));
        group.element(origin).element(Level::NOTE.message(words))
    }

    fn snippet(&self) -> Snippet<'_, Annotation<'_>> {
        let kind = if self.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        Snippet::source(self.text.as_str())
            .path(self.path.as_str())
            .line_start(self.line)
            .annotation(kind.span(self.span.clone()).label(self.label))
    }
}

/// Replaces what a terminal would obey and the renderer lets through, byte for byte: it knows the control
/// characters of ASCII, and those alone.
fn harmless(line: &str) -> String {
    let visible = |c: char| match c.len_utf8() {
        2 if is_obeyed(c) => '\u{b7}',
        3 if is_obeyed(c) => '\u{fffd}',
        _ => c,
    };
    line.chars().map(visible).collect()
}
