//! The files that are named: what could not be read, and where nothing is written.

use std::path::{Path, PathBuf};

use lodger_input::FileError;
use lodger_opensim::files::{Search, find_input};
use lodger_terminal::Diagnostic;

use crate::exit::Verdict;

/// What can be read.
const HELP: &str = "give mesh assets (.llmesh, .slm), archives (.iar, .oar), or folders of them";

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
