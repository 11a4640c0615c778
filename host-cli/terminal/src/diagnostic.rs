//! What is told to the user on stderr: where, what, and what to do.

use std::io::Write as _;
use std::ops::Range;

use annotate_snippets::{Group, Level, Origin, Renderer};

use crate::Source;
use crate::excerpt::Excerpt;
use crate::mark::Mark;
use crate::plain::{LONGEST_SENTENCE, clipped};

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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

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
