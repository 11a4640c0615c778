//! Errors of glTF files, and shortened texts for messages.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;

use lodger_quota::QuotaExceeded;

const MAX_NAME: usize = 160;
const MAX_MESSAGE: usize = 400;

/// An error of a glTF file, or of a file that it names; its `Display` says which part is wrong, and why.
#[derive(Clone, Debug)]
pub struct GltfFileError {
    message: String,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

impl GltfFileError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None }
    }

    pub(crate) fn caused_by(
        message: impl Into<String>,
        source: impl StdError + Send + Sync + 'static,
    ) -> Self {
        Self { message: message.into(), source: Some(Arc::new(source)) }
    }

    /// Puts words before the message.
    pub(crate) fn within(self, place: &str) -> Self {
        Self { message: format!("{place} {}", self.message), ..self }
    }

    /// Creates an error for data that an unsupported extension compresses.
    #[must_use]
    pub fn compressed(extension: &str) -> Self {
        Self::new(format!("it is compressed with {extension}, which lodger does not read"))
    }

    /// The predicate of a sentence about a buffer in another file.
    pub(crate) fn external(uri: &str, error: io::Error) -> Self {
        let uri = ellipsized(uri);
        Self::caused_by(format!("is in `{uri}`, which cannot be read: {error}"), error)
    }
}

impl From<QuotaExceeded> for GltfFileError {
    fn from(exceeded: QuotaExceeded) -> Self {
        Self::caused_by(exceeded.to_string(), exceeded)
    }
}

impl fmt::Display for GltfFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for GltfFileError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

/// An error of invalid JSON, or of a value of another type than glTF gives it.
#[derive(Debug)]
pub struct JsonError {
    message: String,
    error: serde_json::Error,
}

impl JsonError {
    /// Rewords an error of serde without names of Rust types.
    #[must_use]
    pub fn new(error: serde_json::Error) -> Self {
        let described = error.to_string();
        let what = described.rsplit_once(" at line ").map_or(described.as_str(), |(what, _)| what);
        let message = if error.is_eof() {
            "it ends too early".to_owned()
        } else {
            reworded(&ellipsized_message(what))
        };
        Self { message, error }
    }

    /// Returns the part of the JSON that was read when the error occurred.
    pub(crate) fn read_part<'a>(&self, json: &'a [u8]) -> &'a [u8] {
        let lines = json.split_inclusive(|&byte| byte == b'\n');
        let before: usize = lines.take(self.error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        // A wrong byte was seen and not read.
        let column = self.error.column().saturating_sub(self.error.is_syntax().into());
        &json[..json.len().min(before + column)]
    }

    /// Adds the path of keys and indices to the value, for example `accessors[0].count`.
    #[must_use]
    pub fn at(self, path: &str) -> Self {
        Self { message: format!("`{path}`: {}", self.message), ..self }
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
        let Self { message, error } = self;
        write!(f, "{message} (line {}, column {})", error.line(), error.column())
    }
}

impl StdError for JsonError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}

/// Cuts an untrusted name after 160 characters.
#[must_use]
pub fn ellipsized(name: &str) -> Cow<'_, str> {
    lodger_quota::ellipsized(name, MAX_NAME)
}

/// Cuts a message that quotes a file after 400 characters.
#[must_use]
pub fn ellipsized_message(message: &str) -> Cow<'_, str> {
    lodger_quota::ellipsized(message, MAX_MESSAGE)
}
