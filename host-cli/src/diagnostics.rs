//! Errors of files as messages and as rows of a result, and the status with which a command ends.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use lodger_mesh_asset::AssetErrorKind;
use lodger_opensim::files::{FileFilter, FileKind, find_input};
use lodger_quota::QuotaExceeded;
use lodger_scenes::{SceneFileError, SceneFileErrorKind};
use lodger_terminal::{Diagnostic, SourceFile, SpanLabel, quota_exceeded, quota_help};
use serde::Serialize;

const FINDINGS: u8 = 1;
pub(crate) const USAGE_OR_INPUT: u8 = 2;

/// Exit codes, for the help of every command. Ctrl-C ends the program with 130.
pub(crate) const EXIT_CODES: &str = "Exit codes: 0 fine, 1 findings or some rows failed, 2 usage or \
    input, or nothing could be read. Use --help for more.";

/// The status of a command that returned a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandStatus {
    Fine,
    /// There are findings, or some inputs could not be read.
    Findings,
    /// No input could be read; the result has the reasons.
    NothingRead,
}

impl CommandStatus {
    pub(crate) fn from_success(fine: bool) -> Self {
        if fine { Self::Fine } else { Self::Findings }
    }
}

impl From<CommandStatus> for ExitCode {
    fn from(status: CommandStatus) -> Self {
        match status {
            CommandStatus::Fine => Self::SUCCESS,
            CommandStatus::Findings => Self::from(FINDINGS),
            CommandStatus::NothingRead => Self::from(USAGE_OR_INPUT),
        }
    }
}

const HELP: &str = "give mesh assets (.llmesh, .slm), archives (.iar, .oar), or folders of them";

pub(crate) fn check_outputs(
    outputs: &[(&str, Option<&Path>)],
    files: &[PathBuf],
) -> Result<(), Diagnostic> {
    lodger_terminal::check_outputs(outputs, |is| find_input(files, FileFilter::All, is))
}

/// Returns the status of a command whose result has a row for each unreadable file. If no file
/// could be read, these rows are also printed on stderr.
pub(crate) fn status(has_read: bool, errors: &[ErrorRow]) -> CommandStatus {
    if has_read {
        return CommandStatus::from_success(errors.is_empty());
    }
    let lines = errors.iter().map(|row| format!("`{}`: {}", row.file, row.error));
    lodger_terminal::print_errors(lines, HELP);
    CommandStatus::NothingRead
}

/// A row of a file that could not be read or priced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ErrorRow {
    pub(crate) file: String,
    pub(crate) error: String,
}

impl From<lodger_opensim::files::FileError> for ErrorRow {
    fn from(error: lodger_opensim::files::FileError) -> Self {
        Self { file: error.name().to_owned(), error: unreadable(&error) }
    }
}

pub(crate) fn bad_asset(error: &lodger_mesh_asset::AssetError) -> String {
    match error.kind() {
        AssetErrorKind::Empty | AssetErrorKind::NotAnAsset => error.to_string(),
        _ => format!("it is a damaged mesh asset: {error}"),
    }
}

pub(crate) fn needs_more(exceeded: QuotaExceeded) -> String {
    format!("{exceeded}: {}", quota_help(exceeded))
}

pub(crate) fn unreadable(error: &lodger_opensim::files::FileError) -> String {
    error.kind().quota_exceeded().map_or_else(|| error.kind().to_string(), needs_more)
}

/// Decodes the text of a file. `wanted` describes the expected file if it is not UTF-8.
pub(crate) fn decode(name: String, bytes: Vec<u8>, wanted: &str) -> Result<SourceFile, Diagnostic> {
    match lodger_scenes::decode(bytes) {
        Ok(text) => Ok(SourceFile { name, text: Some(Arc::new(text)) }),
        Err(error) => {
            Err(Diagnostic::error(format!("`{name}` is {error}"))
                .help(error.help().unwrap_or(wanted)))
        }
    }
}

pub(crate) fn wrong_kind(name: &str, kind: FileKind, wanted: &str) -> Diagnostic {
    match kind {
        FileKind::Empty => Diagnostic::error(format!("`{name}` is {kind}")),
        kind => Diagnostic::error(format!("`{name}` is {kind}, not {wanted}")),
    }
}

pub(crate) fn to_diagnostic(error: &SceneFileError, source: &SourceFile) -> Diagnostic {
    if let SceneFileErrorKind::QuotaExceeded(why) = error.kind() {
        return quota_exceeded(&format_args!("`{}`", source.name), *why);
    }
    let mut diagnostic = Diagnostic::error(error.to_string()).in_source(source).at(error.span());
    let first_use = error.first_use().map(|span| SpanLabel::labelled(span, "first used here"));
    diagnostic.marks.extend(first_use);
    diagnostic.help.extend(error.help().map(str::to_owned));
    diagnostic
}
