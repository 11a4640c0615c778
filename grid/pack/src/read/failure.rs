//! What is wrong with a file, before it is known which file it is.

use lodger_allowance::Spent;

use crate::error::Error;

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub(super) struct Failure {
    problem: String,
    help: Option<String>,
}

impl Failure {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Says in what of a file it is.
    pub(super) fn within(self, place: &str) -> Self {
        Self { problem: format!("{place}: {}", self.problem), ..self }
    }

    /// The error of a file.
    pub(super) fn in_file(self, file: &str) -> Error {
        Error::Model { file: file.to_owned(), problem: self.problem, help: self.help }
    }
}

impl From<lodger_gltf::Error> for Failure {
    fn from(error: lodger_gltf::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Self {
        Self::new(spent.to_string())
    }
}
