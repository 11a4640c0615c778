//! What is told to the user on stderr: where, what, and what to do.

use std::io::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::Source;
use crate::plain;

/// The most characters of one message; a stranger's file may hold a key of any length.
const LONGEST_MESSAGE: usize = 400;
/// The most bytes that are underlined.
const LONGEST_MARK: usize = 60;
/// The most bytes of a line behind the start of a mark that are given to the renderer.
const LINE_BEHIND_MARK: usize = 512;

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

/// A part of the source to point at.
#[derive(Clone, Debug)]
pub struct Mark {
    span: Range<usize>,
    label: Option<&'static str>,
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
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A message about no file in particular.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self { severity, message: message.into(), source: None, marks: Vec::new(), help: None }
    }

    /// An error about no file in particular.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
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

    /// As text of so many columns, with styles.
    #[must_use]
    pub fn render(&self, width: usize) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let excerpts = self.excerpts();
        let title = clipped(&self.message);
        let mut group = Group::with_title(level.primary_title(title));
        if excerpts.is_empty()
            && let Some(source) = &self.source
        {
            group = group.element(Origin::path(plain(&source.name)));
        }
        for excerpt in &excerpts {
            group = group.element(excerpt.snippet());
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(clipped(help)));
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

fn clipped(text: &str) -> String {
    let mut clipped: String = text.chars().take(LONGEST_MESSAGE).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

/// The line that a mark stands on, or the part of it around the mark.
struct Excerpt {
    path: String,
    line: usize,
    text: String,
    span: Range<usize>,
    label: Option<&'static str>,
    primary: bool,
}

impl Excerpt {
    fn cut(path: &str, text: &str, mark: &Mark, primary: bool) -> Self {
        let start = text.floor_char_boundary(mark.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let start = start.min(line_end);
        let end = text.ceil_char_boundary(mark.span.end.min(start + LONGEST_MARK));
        let end = end.clamp(start, line_end);
        let to = text.floor_char_boundary(start.saturating_add(LINE_BEHIND_MARK)).min(line_end);
        Self {
            path: plain(path).into_owned(),
            line: text[..line_start].matches('\n').count() + 1,
            text: harmless(&text[line_start..to]),
            span: start - line_start..end.min(to) - line_start,
            label: mark.label,
            primary,
        }
    }

    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let kind = if self.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        Snippet::source(self.text.as_str())
            .path(self.path.as_str())
            .line_start(self.line)
            .annotation(kind.span(self.span.clone()).label(self.label))
    }
}

/// Replaces the control characters that the renderer lets through, byte for byte.
fn harmless(line: &str) -> String {
    line.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "\u{b7}")
}
