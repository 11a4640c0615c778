//! What could not be read, as a row of a result.

use lodger_allowance::Spent;
use lodger_mesh_asset::Problem;
use lodger_terminal::raise;
use serde::Serialize;

/// A file that nothing could be done with: a row of the result, and not its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileError {
    /// What the user calls it.
    pub(crate) file: String,
    /// What is wrong with it.
    pub(crate) error: String,
}

/// Why a mesh asset is not read.
pub(crate) fn bad_asset(error: &lodger_mesh_asset::Error) -> String {
    match error.problem() {
        Problem::Empty | Problem::NotAnAsset => error.to_string(),
        _ => format!("it is a damaged mesh asset: {error}"),
    }
}

/// That something needs more than it may take, and what to do about it.
pub(crate) fn needs_more(spent: Spent) -> String {
    format!("{spent}: {}", raise(spent))
}

/// What is wrong with a file.
pub(crate) fn problem(error: &lodger_files::FileError) -> String {
    error.problem().spent().map_or_else(|| error.problem().to_string(), needs_more)
}

impl From<lodger_files::FileError> for FileError {
    fn from(error: lodger_files::FileError) -> Self {
        Self { file: error.name().to_owned(), error: problem(&error) }
    }
}
