//! Messages on stderr: the file and the place, the error, and help.

use std::io::Write as _;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::text::{LONGEST_SENTENCE, clipped, is_obeyed};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing can be done with this input.
    Error,
    /// The work goes on, but not quite as asked.
    Warning,
    /// Good to know.
    Note,
}

/// One message to the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what is allowed.
    pub message: String,
    /// The file it is about.
    pub source: Option<Source>,
    /// The places in that file, the most important first.
    pub marks: Vec<Mark>,
    /// What to do about it, line by line.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A message about no file in particular.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            message: message.into(),
            source: None,
            marks: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An error about no file in particular.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Adds a line that says what to do about it.
    #[must_use]
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }

    /// Says which file it is about.
    #[must_use]
    pub fn in_source(mut self, source: &Source) -> Self {
        self.source = Some(source.clone());
        self
    }

    /// Points at a part of the source.
    #[must_use]
    pub fn at(mut self, span: Option<Range<usize>>) -> Self {
        self.marks.extend(span.map(Mark::new));
        self
    }

    /// Writes it to stderr. A stderr that cannot be written to is nobody's concern.
    pub fn print(&self) {
        let width = terminal_size::terminal_size_of(std::io::stderr())
            .map_or(100, |(columns, _)| usize::from(columns.0));
        let _ = writeln!(anstream::stderr(), "{}", self.render(width));
    }

    /// As text of so many columns, with styles. Of each of its sentences at most [`LONGEST_SENTENCE`]
    /// characters show, each in one line but for wrapping.
    #[must_use]
    pub fn render(&self, width: usize) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let excerpts = self.excerpts();
        let title = clipped(&self.message, LONGEST_SENTENCE);
        let mut group = Group::with_title(level.primary_title(title));
        if excerpts.is_empty()
            && let Some(source) = &self.source
        {
            group = group.element(Origin::path(clipped(&source.name, LONGEST_SENTENCE)));
        }
        for excerpt in &excerpts {
            group = excerpt.add_to(group);
        }
        if !self.help.is_empty() {
            let lines = self.help.iter().map(|line| clipped(line, LONGEST_SENTENCE));
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

/// Of many errors, so many are told.
const TOLD: usize = 8;

/// Writes errors to stderr, the last of which says how many more there are and what to do.
pub fn tell_all(errors: impl ExactSizeIterator<Item = String>, help: &str) {
    let (count, told) = (errors.len(), errors.len().min(TOLD));
    for (number, message) in (1..=told).zip(errors) {
        let mut error = Diagnostic::error(message);
        if number == told && told < count {
            let more = count - told;
            error = error.help(format!("{more} more cannot be read; --format json has them all"));
        }
        if number == told { error.help(help) } else { error }.print();
    }
}

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

/// A part of the source to point at.
#[derive(Clone, Debug)]
pub struct Mark {
    pub(crate) span: Range<usize>,
    pub(crate) label: Option<&'static str>,
}

impl Mark {
    /// A mark without words.
    #[must_use]
    pub fn new(span: Range<usize>) -> Self {
        Self { span, label: None }
    }

    /// A mark with words under it.
    #[must_use]
    pub fn labelled(span: Range<usize>, label: &'static str) -> Self {
        Self { span, label: Some(label) }
    }
}

/// A file by its name, and its text where messages can point into it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the user calls it.
    pub name: String,
    /// Its text, if it has one.
    pub text: Option<Arc<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: String, at: usize) -> String {
        let source = Source { name: "a.toml".to_owned(), text: Some(Arc::from(text)) };
        let diagnostic = Diagnostic::error("wrong").in_source(&source).at(Some(at..at + 3));
        anstream::adapter::strip_str(&diagnostic.render(100)).to_string()
    }

    #[test]
    fn a_mark_far_into_a_line_has_its_place_and_what_begins_there() {
        let text = format!("a = 1\n{}bad{}", "ä".repeat(1 << 20), "x".repeat(1 << 20));
        let told = told(text, 6 + (2 << 20));
        assert!(told.contains("--> a.toml:2:1048577"), "{told}");
        assert!(told.contains("= note: there begins `badxxx") && told.contains("x…`"), "{told}");
        assert!(told.len() < 4_000, "{}", told.len());
    }

    #[test]
    fn a_mark_near_the_beginning_is_shown_with_its_line() {
        let told = told("key = \"\u{61c}\u{9b}\u{200f}\"\r\nb = 2".to_owned(), 0);
        assert!(told.contains("--> a.toml:1:1"), "{told}");
        assert!(told.contains("key = \"··\u{fffd}\""), "{told}");
    }

    #[test]
    fn a_strangers_newline_is_no_line() {
        let diagnostic =
            Diagnostic::error("no `a\nerror: b`").help("did you mean `c\nd`?").help("or e");
        let told = anstream::adapter::strip_str(&diagnostic.render(100)).to_string();
        assert!(told.contains("no `a␊error: b`") && told.contains("`c␊d`?\n"), "{told}");
        let long = Diagnostic::error("x".repeat(1 << 20)).help("y".repeat(1 << 20)).render(100);
        assert!(long.len() < 4_000, "{}", long.len());
    }
}
