//! A mistake in a file, as it is told.

use std::fmt;
use std::sync::Arc;

use lodger_allowance::Spent;
use lodger_opensim::files::Kind;
use lodger_scenes::{Error, ErrorKind};
use lodger_terminal::{Diagnostic, Mark, Source, raise};

/// The text of a file. `wanted` says what the file should have been.
///
/// # Errors
/// That it is not UTF-8.
pub fn decode(name: String, bytes: Vec<u8>, wanted: &str) -> Result<Source, Diagnostic> {
    match lodger_scenes::decode(bytes) {
        Ok(text) => Ok(Source { name, text: Some(Arc::new(text)) }),
        Err(error) => {
            Err(Diagnostic::error(format!("`{name}` is {error}"))
                .help(error.help().unwrap_or(wanted)))
        }
    }
}

/// A file of a kind that is not `wanted`.
#[must_use]
pub fn unwanted(name: &str, kind: Kind, wanted: &str) -> Diagnostic {
    match kind {
        Kind::Empty => Diagnostic::error(format!("`{name}` is {kind}")),
        kind => Diagnostic::error(format!("`{name}` is {kind}, not {wanted}")),
    }
}

/// A file that takes more than it may.
#[must_use]
pub fn spent(name: &str, spent: Spent) -> Diagnostic {
    let told = fmt::from_fn(|f| spent.about(&format_args!("`{name}`"), f));
    Diagnostic::error(told.to_string()).help(raise(spent))
}

/// A mistake in a source.
#[must_use]
pub fn told(error: &Error, source: &Source) -> Diagnostic {
    if let ErrorKind::Spent(why) = error.kind() {
        return spent(&source.name, *why);
    }
    let mut diagnostic = Diagnostic::error(error.to_string()).in_source(source).at(error.span());
    let first_use = error.first_use().map(|span| Mark::labelled(span, "first used here"));
    diagnostic.marks.extend(first_use);
    diagnostic.help.extend(error.help().map(str::to_owned));
    diagnostic
}
