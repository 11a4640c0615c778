//! Messages on stderr: file, location, error and advice.

use std::io::Write as _;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::text::{MAX_SENTENCE, is_interpreted, sanitize_to};

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The command cannot use the input.
    Error,
    /// The command continues, but with a deviation.
    Warning,
    /// Information.
    Note,
}

/// A message to the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The problem, and the allowed values.
    pub message: String,
    /// The file that the message concerns.
    pub source: Option<SourceFile>,
    /// Locations in that file, the most important first.
    pub marks: Vec<SpanLabel>,
    /// Advice, line by line.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// Creates a message without a file.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            message: message.into(),
            source: None,
            marks: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Creates an error without a file.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }

    /// Sets the file.
    #[must_use]
    pub fn in_source(mut self, source: &SourceFile) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// Marks a part of the file.
    #[must_use]
    pub fn at(mut self, span: Option<Range<usize>>) -> Self {
        self.marks.extend(span.map(SpanLabel::new));
        self
    }

    /// Writes the message to stderr, and ignores failures.
    pub fn print(&self) {
        let width = terminal_size::terminal_size_of(std::io::stderr())
            .map_or(100, |(columns, _)| usize::from(columns.0));
        let _ = writeln!(anstream::stderr(), "{}", self.render(width));
    }

    /// Renders the message with styles in `width` columns. Sentences are cut at [`MAX_SENTENCE`] characters, and
    /// control characters are replaced.
    #[must_use]
    pub fn render(&self, width: usize) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let excerpts = self.excerpts();
        let title = sanitize_to(&self.message, MAX_SENTENCE);
        let mut group = Group::with_title(level.primary_title(title));
        if excerpts.is_empty()
            && let Some(source) = &self.source
        {
            group = group.element(Origin::path(sanitize_to(&source.name, MAX_SENTENCE)));
        }
        for excerpt in &excerpts {
            group = excerpt.add_to(group);
        }
        if !self.help.is_empty() {
            let lines = self.help.iter().map(|line| sanitize_to(line, MAX_SENTENCE));
            group = group.element(Level::HELP.message(lines.collect::<Vec<_>>().join("\n")));
        }
        Renderer::styled().term_width(width).render(&[group])
    }

    fn excerpts(&self) -> Vec<Excerpt> {
        let Some(source) = &self.source else {
            return Vec::new();
        };
        let Some(text) = source.text.as_deref() else {
            return Vec::new();
        };
        let cut = |(index, mark)| Excerpt::cut(&source.name, text, mark, index == 0);
        self.marks.iter().enumerate().map(cut).collect()
    }
}

const MAX_PRINTED: usize = 8;

/// Writes the first 8 errors to stderr. The last one has the number of the others, and `help`.
pub fn print_errors(errors: impl ExactSizeIterator<Item = String>, help: &str) {
    let (count, printed) = (errors.len(), errors.len().min(MAX_PRINTED));
    for (number, message) in (1..=printed).zip(errors) {
        let mut error = Diagnostic::error(message);
        if number == printed && printed < count {
            let more = count - printed;
            error = error.help(format!("{more} more cannot be read; --format json has them all"));
        }
        if number == printed { error.help(help) } else { error }.print();
    }
}

/// Most underlined bytes.
const MAX_MARK: usize = 60;
/// Most bytes of a line before a mark in a snippet. Of a longer line, a note quotes the text from the mark on.
const LINE_BEFORE_MARK: usize = 4_096;
/// Most bytes of a line after the start of a mark.
const LINE_BEHIND_MARK: usize = 512;
/// Most characters of the note's quotation.
const MAX_WORDS: usize = 60;

pub(crate) struct Excerpt {
    path: String,
    line: usize,
    /// The column of a mark far from the beginning, in characters from 1; `text` then begins at the mark.
    column: Option<usize>,
    text: String,
    span: Range<usize>,
    label: Option<&'static str>,
    primary: bool,
}

impl Excerpt {
    /// Cuts the text around a mark. It scans the text a few times at most, and copies only the shown part.
    pub(crate) fn cut(path: &str, text: &str, mark: &SpanLabel, primary: bool) -> Self {
        let start = text.floor_char_boundary(mark.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let most = text.floor_char_boundary(start.saturating_add(LINE_BEHIND_MARK));
        let line_end = text[start..most].find('\n').map_or(most, |at| start + at);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let start = start.min(line_end);
        let end = text.ceil_char_boundary(mark.span.end.min(start + MAX_MARK));
        let end = end.clamp(start, line_end);
        let is_far = start - line_start > LINE_BEFORE_MARK;
        let shown = if is_far { start } else { line_start };
        Self {
            path: sanitize_to(path, MAX_SENTENCE).into_owned(),
            line: text[..line_start].matches('\n').count() + 1,
            column: is_far.then(|| text[line_start..start].chars().count() + 1),
            text: harmless(&text[shown..line_end]),
            span: start - shown..end - shown,
            label: mark.label,
            primary,
        }
    }

    pub(crate) fn add_to<'e>(&'e self, group: Group<'e>) -> Group<'e> {
        let Some(column) = self.column else { return group.element(self.snippet()) };
        let origin = Origin::path(self.path.as_str()).line(self.line).char_column(column);
        let words = format!("there begins `{}`", sanitize_to(&self.text, MAX_WORDS));
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

/// Replaces characters that a terminal interprets, with the same number of bytes; the renderer replaces only control
/// characters of ASCII.
fn harmless(line: &str) -> String {
    let visible = |c: char| match c.len_utf8() {
        2 if is_interpreted(c) => '\u{b7}',
        3 if is_interpreted(c) => '\u{fffd}',
        _ => c,
    };
    line.chars().map(visible).collect()
}

/// A marked part of a file.
#[derive(Clone, Debug)]
pub struct SpanLabel {
    pub(crate) span: Range<usize>,
    pub(crate) label: Option<&'static str>,
}

impl SpanLabel {
    /// Creates a mark without a label.
    #[must_use]
    pub fn new(span: Range<usize>) -> Self {
        Self { span, label: None }
    }

    /// Creates a mark with a label.
    #[must_use]
    pub fn labelled(span: Range<usize>, label: &'static str) -> Self {
        Self { span, label: Some(label) }
    }
}

/// The name of a file, and its text if messages can quote it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name that the user gave.
    pub name: String,
    /// The text, if it can be quoted.
    pub text: Option<Arc<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: String, at: usize) -> String {
        let source = SourceFile { name: "a.toml".to_owned(), text: Some(Arc::from(text)) };
        let diagnostic = Diagnostic::error("wrong").in_source(&source).at(Some(at..at + 3));
        anstream::adapter::strip_str(&diagnostic.render(100)).to_string()
    }

    #[test]
    fn a_mark_far_into_a_line_has_a_column_and_the_text_from_there() {
        let text = format!("a = 1\n{}bad{}", "ä".repeat(1 << 20), "x".repeat(1 << 20));
        let shown = rendered(text, 6 + (2 << 20));
        assert!(shown.contains("--> a.toml:2:1048577"), "{shown}");
        assert!(shown.contains("= note: there begins `badxxx") && shown.contains("x…`"), "{shown}");
        assert!(shown.len() < 4_000, "{}", shown.len());
    }

    #[test]
    fn a_mark_near_the_beginning_is_shown_with_its_line() {
        let shown = rendered("key = \"\u{61c}\u{9b}\u{200f}\"\r\nb = 2".to_owned(), 0);
        assert!(shown.contains("--> a.toml:1:1"), "{shown}");
        assert!(shown.contains("key = \"··\u{fffd}\""), "{shown}");
    }

    #[test]
    fn a_newline_in_untrusted_text_starts_no_line() {
        let diagnostic =
            Diagnostic::error("no `a\nerror: b`").help("did you mean `c\nd`?").help("or e");
        let shown = anstream::adapter::strip_str(&diagnostic.render(100)).to_string();
        assert!(shown.contains("no `a␊error: b`") && shown.contains("`c␊d`?\n"), "{shown}");
        let long = Diagnostic::error("x".repeat(1 << 20)).help("y".repeat(1 << 20)).render(100);
        assert!(long.len() < 4_000, "{}", long.len());
    }
}
