//! A text that is not the JSON that it should be.

use std::error::Error as StdError;
use std::fmt;

use crate::clip::short;

/// A text that is not JSON, or whose values have other types than glTF gives them.
#[derive(Debug)]
pub struct JsonError {
    path: Option<String>,
    message: String,
    error: serde_json::Error,
}

impl JsonError {
    /// Says in words what serde says in names of types.
    #[must_use]
    pub fn new(error: serde_json::Error) -> Self {
        let described = error.to_string();
        let what = described.rsplit_once(" at line ").map_or(described.as_str(), |(what, _)| what);
        let message =
            if error.is_eof() { "it ends too early".to_owned() } else { reworded(&short(what)) };
        Self { path: None, message, error }
    }

    /// Says at which value it is, by the keys and indices that lead there.
    #[must_use]
    pub fn at(self, path: String) -> Self {
        Self { path: Some(path), ..self }
    }

    /// The keys and indices that lead to a value that is wrong, as in `accessors[0].count`; `None` for
    /// what is no JSON at all.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The line of the mistake, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.error.line()
    }

    /// The column of the mistake, in bytes from 1; 0 at the end of the line before.
    #[must_use]
    pub fn column(&self) -> usize {
        self.error.column()
    }
}

fn reworded(message: &str) -> String {
    message
        .replace("expected value", "this is no JSON value")
        .replace("expected ident", "this is no JSON value")
        .replace("trailing characters", "something stands behind its end")
        .replace("recursion limit exceeded", "its values are nested too deeply")
        .replace("missing field", "missing key")
        .replace("duplicate field", "repeated key")
        .replace("expected f32", "expected a number")
        .replace("expected f64", "expected a number")
        .replace("expected a sequence", "expected an array")
        .replace("expected a borrowed string", "expected a text")
        .replace("expected a string", "expected a text")
        .replace("invalid type: map", "this is an object")
        .replace("invalid type: sequence", "this is an array")
        .replace("invalid type: null", "this is null")
        .replace("invalid type: ", "this is the ")
        .replace("invalid value: ", "this is the ")
        .replace("invalid length ", "this is of length ")
        .replace("floating point `", "number `")
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message, error } = self;
        if let Some(path) = path {
            write!(f, "`{path}`: ")?;
        }
        write!(f, "{message} (line {}, column {})", error.line(), error.column())
    }
}

impl StdError for JsonError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}
