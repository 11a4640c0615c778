//! A text that is not the TOML that it should be.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

use serde::de::Error as _;

use lodger_gltf::{clipped, short};

/// A text that is not TOML, or whose keys or types are not those that they should be.
#[derive(Debug)]
pub struct TomlError {
    message: String,
    error: toml::de::Error,
}

impl TomlError {
    /// Says in words what serde says in names of types.
    pub(crate) fn new(mut error: toml::de::Error) -> Self {
        error.set_input(None);
        let described = error.to_string();
        let mut lines = described.trim_end().lines();
        let message = reworded(&short(lines.next().unwrap_or("this is not TOML")));
        let message = match lines.last().and_then(path_of) {
            Some(path) => format!("`{}`: {message}", clipped(path)),
            None => message,
        };
        let error = match short(error.message()) {
            Cow::Borrowed(_) => error,
            Cow::Owned(message) => toml::de::Error::custom(message),
        };
        Self { message, error }
    }
}

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

impl fmt::Display for TomlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for TomlError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}
