//! How many objects the span rule takes.

use lodger_scenes::{Linkset, Subject, span_of};
use lodger_terminal::{Diagnostic, Source};

/// Every piece is tested against every other, so the work and the answer grow with the square.
const MOST_OBJECTS: usize = 1024;

/// Refuses more objects than anybody waits for.
pub(super) fn check_size(linkset: &Linkset, source: &Source) -> Result<(), Diagnostic> {
    let found = linkset.objects.len();
    if found <= MOST_OBJECTS {
        return Ok(());
    }
    let message = format!("{found} objects; at most {MOST_OBJECTS} are tested pair by pair");
    let text = source.text.as_ref().map_or("", |text| text);
    Err(Diagnostic::error(message)
        .in_source(source)
        .at(span_of(text, Subject::Object(MOST_OBJECTS), "name"))
        .help("--rule sphere takes any number"))
}
