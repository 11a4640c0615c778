//! What is wrong with a file, before it is known which file it is.

use lodger_allowance::Spent;

use crate::error::Error;

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub(super) struct Failure {
    problem: String,
    help: Option<String>,
    is_of_skin: bool,
}

impl Failure {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None, is_of_skin: false }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Marks a failure that does not occur where the skin is left out.
    pub(super) fn of_skin(self) -> Self {
        Self { is_of_skin: true, ..self }
    }

    /// Says in what of a file it is.
    pub(super) fn within(self, place: &str) -> Self {
        Self { problem: format!("{place}: {}", self.problem), ..self }
    }

    /// The error of a file.
    pub(super) fn in_file(self, file: &str) -> Error {
        let Self { problem, help, is_of_skin } = self;
        Error::Model { file: file.to_owned(), problem, help, is_of_skin }
    }
}

impl From<lodger_gltf::GltfFileError> for Failure {
    fn from(error: lodger_gltf::GltfFileError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Self {
        Self::new(spent.to_string())
    }
}
