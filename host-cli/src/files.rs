//! The files that are named: what could not be read, and where nothing is written.

use std::path::{Path, PathBuf};

use lodger_allowance::Spent;
use lodger_files::{Search, find_input};
use lodger_mesh_asset::Problem;
use lodger_terminal::{Diagnostic, raise};
use serde::Serialize;

use crate::exit::Verdict;

/// What can be read.
const HELP: &str = "give mesh assets (.llmesh, .slm), archives (.iar, .oar), or folders of them";

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

/// Refuses places for results that are files which are read, or the same.
pub(crate) fn check_outputs(
    outputs: &[(&str, Option<&Path>)],
    files: &[PathBuf],
) -> Result<(), Diagnostic> {
    lodger_terminal::check_outputs(outputs, |is| find_input(files, Search::Everything, is))
}

/// How a command ended that names what could not be read in its answer. Where that is everything, it is
/// told on stderr as well.
pub(crate) fn verdict(has_read: bool, errors: &[FileError]) -> Verdict {
    if has_read {
        return Verdict::of(errors.is_empty());
    }
    let told = errors.iter().map(|row| format!("`{}`: {}", row.file, row.error));
    lodger_terminal::tell_all(told, HELP);
    Verdict::NothingRead
}
