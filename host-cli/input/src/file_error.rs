//! Files that cannot be read, as rows of a result.

use lodger_allowance::Spent;
use lodger_mesh_asset::Problem;
use lodger_terminal::raise;
use serde::Serialize;

/// A file that could not be read or priced: a row of the result, and not its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileError {
    /// The name that the user gave it.
    pub file: String,
    /// What is wrong with it.
    pub error: String,
}

impl From<lodger_opensim::files::FileError> for FileError {
    fn from(error: lodger_opensim::files::FileError) -> Self {
        Self { file: error.name().to_owned(), error: unreadable(&error) }
    }
}

/// Why a mesh asset is not read.
#[must_use]
pub fn bad_asset(error: &lodger_mesh_asset::Error) -> String {
    match error.problem() {
        Problem::Empty | Problem::NotAnAsset => error.to_string(),
        _ => format!("it is a damaged mesh asset: {error}"),
    }
}

/// Names an exceeded limit, and the option that raises it.
#[must_use]
pub fn needs_more(spent: Spent) -> String {
    format!("{spent}: {}", raise(spent))
}

/// Why a file is not read.
#[must_use]
pub fn unreadable(error: &lodger_opensim::files::FileError) -> String {
    error.problem().spent().map_or_else(|| error.problem().to_string(), needs_more)
}
