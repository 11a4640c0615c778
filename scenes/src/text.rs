//! From bytes to text, and from text to what a TOML file holds.

use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::toml_error::TomlError;

/// The text of a file, without its byte order mark. What points into a file counts from there.
///
/// # Errors
/// [`ErrorKind::TooLong`], and [`ErrorKind::NotText`] for what is not UTF-8.
///
/// # Examples
/// ```
/// use lodger_scenes::{Limits, decode};
///
/// let text = decode(b"\xef\xbb\xbfbudget_ms = 8".to_vec(), Limits::default())?;
/// assert_eq!(text, "budget_ms = 8");
/// let error = decode(b"caf\xe9".to_vec(), Limits::default()).expect_err("Latin 1");
/// assert!(error.to_string().starts_with("not UTF-8 text: the byte at offset 3 (line 1)"));
/// # Ok::<(), lodger_scenes::Error>(())
/// ```
pub fn decode(bytes: Vec<u8>, limits: Limits) -> Result<String, Error> {
    check_length(&bytes, limits)?;
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..offset].split(|&byte| byte == b'\n').count();
        let refused = Error::of_file(ErrorKind::NotText { offset, line });
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            refused.with_help("the file looks like UTF-16: save it as UTF-8")
        } else {
            refused
        }
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// Refuses a file that is longer than the limit.
pub(crate) fn check_length(bytes: &[u8], limits: Limits) -> Result<(), Error> {
    if bytes.len() > limits.bytes {
        return Err(Error::of_file(ErrorKind::TooLong { bytes: limits.bytes }));
    }
    Ok(())
}

/// Parses a text of limited length.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, limits: Limits) -> Result<T, Error> {
    check_length(text.as_bytes(), limits)?;
    toml::from_str(text).map_err(|error| {
        let span = error.span();
        let help = span.clone().and_then(|span| advice(text.get(span)?, error.message()));
        let refused = Error::of_file(ErrorKind::Toml(TomlError::new(error))).at(span);
        match help {
            Some(help) => refused.with_help(help),
            None => refused,
        }
    })
}

/// What was probably meant.
fn advice(found: &str, message: &str) -> Option<String> {
    if found.starts_with('[') && message.ends_with("map, expected a sequence") {
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
pub(crate) fn nearest<'a>(
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
