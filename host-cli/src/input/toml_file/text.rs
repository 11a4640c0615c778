//! From bytes to raw values, with the parser's errors in the user's words.

use serde::de::DeserializeOwned;

use lodger_terminal::Diagnostic;
use lodger_terminal::Source;

/// The text of a file, without its byte order mark. `wanted` says what the file should have been.
pub(in crate::input) fn decode(
    name: &str,
    bytes: Vec<u8>,
    wanted: &str,
) -> Result<String, Diagnostic> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..at].split(|&b| b == b'\n').count();
        let message = format!(
            "`{name}` is not UTF-8 text: the byte at offset {at} (line {line}) cannot be read"
        );
        let help = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            "the file looks like UTF-16: save it as UTF-8"
        } else {
            wanted
        };
        Diagnostic::error(message).help(help)
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// Parses the text of a source.
pub(in crate::input) fn parse<T: DeserializeOwned>(source: &Source) -> Result<T, Diagnostic> {
    let text = source.text.as_deref().unwrap_or_default();
    toml::from_str(text).map_err(|mut error| {
        let span = error.span();
        error.set_input(None);
        let described = error.to_string();
        let mut lines = described.trim_end().lines();
        let message = reworded(lines.next().unwrap_or("this is not TOML"));
        let found = span.clone().and_then(|span| text.get(span));
        let help = found.and_then(|found| advice(found, &message));
        let message = match lines.last().and_then(path_of) {
            Some(path) => format!("`{path}`: {message}"),
            None => message,
        };
        let mut diagnostic = Diagnostic::error(message).in_source(source).at(span);
        diagnostic.help = help;
        diagnostic
    })
}

/// Says in words what serde says in names of types.
fn reworded(message: &str) -> String {
    message
        .replace("unknown field", "unknown key")
        .replace("missing field", "missing key")
        .replace("unknown variant", "unknown value")
        .replace("expected f64", "expected a number")
        .replace("expected u32", "expected a whole number from 0 to 4294967295")
        .replace("expected a sequence", "expected an array")
        .replace("invalid type: map", "this is a table")
        .replace("recursion limit", "its keys are nested too deeply")
}

/// The key in ``in `actor.radius` ``, which the error keeps to its text.
fn path_of(line: &str) -> Option<&str> {
    line.strip_prefix("in `")?.strip_suffix('`')
}

/// What was probably meant.
fn advice(found: &str, message: &str) -> Option<String> {
    if found.starts_with('[') && message.ends_with("a table, expected an array") {
        return Some(format!("write `[{found}]`: each of several has double brackets"));
    }
    let (what, allowed) = message.split_once(", expected ")?;
    if !what.starts_with("unknown ") {
        return None;
    }
    let allowed = allowed.split('`').skip(1).step_by(2);
    let nearest = nearest(found.trim_matches('"'), allowed)?;
    Some(format!("did you mean `{nearest}`?"))
}

/// The candidate most like `name`, if one is like it at all.
pub(in crate::input) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    const LONGEST_NAME: usize = 100;
    const ALIKE: f64 = 0.7;
    if name.len() > LONGEST_NAME {
        return None;
    }
    candidates
        .filter(|c| c.len() <= LONGEST_NAME)
        .map(|c| (strsim::normalized_damerau_levenshtein(name, c), c))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}
