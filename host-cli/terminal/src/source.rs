//! The file that a message is about.

use std::sync::Arc;

/// A file by its name, and its text where messages can point into it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the user calls it.
    pub name: String,
    /// Its text, if it has one.
    pub text: Option<Arc<String>>,
}
