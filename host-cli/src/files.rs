//! What could not be read, as a row of a result.

use lodger_mesh_asset::Problem;
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

impl From<lodger_files::FileError> for FileError {
    fn from(error: lodger_files::FileError) -> Self {
        Self { file: error.name().to_owned(), error: error.problem().to_string() }
    }
}
