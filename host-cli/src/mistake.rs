//! A mistake in a file: about whom, about what, and from there to its place in the file.

use std::ops::Range;

use crate::source::{Subject, spans};
use lodger_terminal::Source;
use lodger_terminal::{Diagnostic, Mark, Severity};

/// Something in a file that cannot be so.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    /// What it is about.
    pub(crate) subject: Subject,
    /// The key at fault, as in a TOML scene, or the scheduler's name of the quantity.
    pub(crate) field: &'static str,
    /// What is wrong and what is allowed.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// Who used the same name before.
    pub(crate) earlier: Option<Subject>,
}

impl Mistake {
    /// A mistake without help.
    pub(crate) fn new(subject: Subject, field: &'static str, message: impl Into<String>) -> Self {
        Self { subject, field, message: message.into(), help: None, earlier: None }
    }

    /// Adds what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at who used the same name before.
    pub(crate) fn earlier(mut self, first: Subject) -> Self {
        self.earlier = Some(first);
        self
    }

    /// Puts it at its place in the source.
    pub(crate) fn locate(self, severity: Severity, source: &Source) -> Diagnostic {
        let spans = spans(source, &self.places());
        self.at(severity, source, &mut spans.into_iter())
    }

    /// Its own place, then the earlier one (or its own again).
    fn places(&self) -> [(Subject, &'static str); 2] {
        let earlier = self.earlier.unwrap_or(self.subject);
        [(self.subject, self.field), (earlier, self.field)]
    }

    /// Takes the spans of its places.
    fn at(
        self,
        severity: Severity,
        source: &Source,
        spans: &mut impl Iterator<Item = Option<Range<usize>>>,
    ) -> Diagnostic {
        let here = spans.next().flatten();
        let earlier = spans.next().flatten().filter(|_| self.earlier.is_some());
        let mut diagnostic = Diagnostic::new(severity, self.message).in_source(source).at(here);
        let earlier = earlier.map(|span| Mark::labelled(span, "first used here"));
        diagnostic.marks.extend(earlier);
        diagnostic.help = self.help;
        diagnostic
    }
}

/// Puts mistakes at their places in the source, which is parsed once for all of them.
pub(crate) fn locate_all(
    severity: Severity,
    source: &Source,
    mistakes: Vec<Mistake>,
) -> Vec<Diagnostic> {
    let places: Vec<_> = mistakes.iter().flat_map(Mistake::places).collect();
    let mut spans = spans(source, &places).into_iter();
    mistakes.into_iter().map(|mistake| mistake.at(severity, source, &mut spans)).collect()
}
