//! A mistake in a file, as it is told.

use std::sync::Arc;

use lodger_files::Kind;
use lodger_scenes::{Error, ErrorKind, Limits};
use lodger_terminal::{Diagnostic, Mark, Source};

/// The text of a file. `wanted` says what the file should have been.
pub(crate) fn decode(name: String, bytes: Vec<u8>, wanted: &str) -> Result<Source, Diagnostic> {
    match lodger_scenes::decode(bytes, Limits::default()) {
        Ok(text) => Ok(Source { name, text: Some(Arc::from(text)) }),
        Err(error) => {
            let message = match error.kind() {
                ErrorKind::NotText { .. } => format!("`{name}` is {error}"),
                _ => format!("cannot read `{name}`: {error}"),
            };
            Err(Diagnostic::error(message).help(error.help().unwrap_or(wanted)))
        }
    }
}

/// A file of a kind that is not `wanted`.
pub(crate) fn unwanted(name: &str, kind: Kind, wanted: &str) -> Diagnostic {
    match kind {
        Kind::Empty => Diagnostic::error(format!("`{name}` is {kind}")),
        kind => Diagnostic::error(format!("`{name}` is {kind}, not {wanted}")),
    }
}

/// A mistake in a source.
pub(crate) fn told(error: &Error, source: &Source) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(error.to_string()).in_source(source).at(error.span());
    let first_use = error.first_use().map(|span| Mark::labelled(span, "first used here"));
    diagnostic.marks.extend(first_use);
    diagnostic.help.extend(error.help().map(str::to_owned));
    diagnostic
}
