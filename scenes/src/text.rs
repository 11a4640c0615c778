//! From bytes to text, and from text to what a TOML file holds.

use lodger_allowance::Allowance;
use serde::de::DeserializeOwned;
use toml::de::DeTable;

use crate::error::{Error, ErrorKind};
use crate::toml_error::TomlError;
use crate::toml_price::{WORK, price};

/// The bytes of a text that are parsed where there is too little memory for all of it.
const BEGINNING: usize = 1 << 12;

/// The text of a file, without its byte order mark, in the memory of its bytes. What points into a file
/// counts from there.
///
/// # Errors
/// [`ErrorKind::NotText`] for what is not UTF-8.
///
/// # Examples
/// ```
/// use lodger_scenes::decode;
///
/// assert_eq!(decode(b"\xef\xbb\xbfbudget_ms = 8".to_vec())?, "budget_ms = 8");
/// let error = decode(b"caf\xe9".to_vec()).expect_err("Latin 1");
/// assert!(error.to_string().starts_with("not UTF-8 text: the byte at offset 3 (line 1)"));
/// # Ok::<(), lodger_scenes::Error>(())
/// ```
pub fn decode(bytes: Vec<u8>) -> Result<String, Error> {
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

/// Parses a text. Memory is taken for as long as that lasts, and kept for nothing. Of a text for which there
/// is too little it is told whether its beginning is no TOML: that is often why it is so long.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, allowance: &Allowance) -> Result<T, Error> {
    allowance.work(WORK * text.len() as u64)?;
    let found = match allowance.reserve(price(text, allowance.left())) {
        Ok(_reserved) => return parse_unpaid(text),
        Err(spent) => spent,
    };
    let beginning = &text[..text.floor_char_boundary(BEGINNING)];
    let _reserved = allowance.reserve(price(beginning, allowance.left()))?;
    match DeTable::parse(beginning) {
        Err(error) if error.span().is_some_and(|span| span.end < beginning.len()) => {
            Err(refused(error, beginning))
        }
        _ => Err(found.into()),
    }
}

/// Parses a text, for which memory was taken.
pub(crate) fn parse_unpaid<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| refused(error, text))
}

fn refused(error: toml::de::Error, text: &str) -> Error {
    let span = error.span();
    let help = span.clone().and_then(|span| advice(text.get(span)?, error.message()));
    let refused = Error::of_file(ErrorKind::Toml(TomlError::new(error))).at(span);
    match help {
        Some(help) => refused.with_help(help),
        None => refused,
    }
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
