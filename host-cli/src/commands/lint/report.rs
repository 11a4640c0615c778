//! The findings of all files, and their JSON.

use lodger_input::FileError;
use lodger_mesh_asset::Block;
use lodger_mesh_asset::lint::{Cost, Finding, FindingSeverity};
use serde::{Serialize, Serializer};
use serde_json::json;

/// What was found. Serialised, it is the JSON of schema 1.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LintReport {
    /// The version of this shape.
    schema: u32,
    /// The files that could be read, in the order in which they were named.
    pub(crate) files: Vec<FileFindings>,
    /// The others.
    pub(crate) errors: Vec<FileError>,
}

/// What was found in a file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FileFindings {
    /// What the user calls it.
    pub(crate) file: String,
    /// Everything to be said about it.
    #[serde(serialize_with = "as_rows")]
    pub(crate) findings: Vec<Finding>,
    /// Whether it is an archive in which there is nothing to check.
    #[serde(skip)]
    pub(crate) is_without_meshes: bool,
}

impl FileFindings {
    /// What was found in a mesh asset.
    pub(crate) fn new(file: String, findings: Vec<Finding>) -> Self {
        Self { file, findings, is_without_meshes: false }
    }

    /// An archive with nothing to check.
    pub(crate) fn without_meshes(file: &str) -> Self {
        Self { file: file.to_owned(), findings: Vec::new(), is_without_meshes: true }
    }
}

/// A finding as JSON has it; what does not apply is null.
#[derive(Debug, Serialize)]
struct Row {
    kind: &'static str,
    severity: &'static str,
    block: Option<&'static str>,
    face: Option<usize>,
    triangle: Option<usize>,
    hull: Option<usize>,
    /// An object with one key, which says what the number means.
    cost: Option<serde_json::Value>,
    message: String,
    advice: &'static str,
}

impl LintReport {
    /// The report on some files.
    pub(crate) fn new(checked: Vec<Result<FileFindings, FileError>>) -> Self {
        let mut report = Self { schema: 1, files: Vec::new(), errors: Vec::new() };
        for file in checked {
            match file {
                Ok(file) => report.files.push(file),
                Err(error) => report.errors.push(error),
            }
        }
        report
    }

    /// Whether all files could be read, and no finding is a warning.
    pub(crate) fn is_clean(&self) -> bool {
        let mut findings = self.files.iter().flat_map(|file| &file.findings);
        self.errors.is_empty() && findings.all(|found| found.severity() != FindingSeverity::Warning)
    }
}

impl From<&Finding> for Row {
    fn from(finding: &Finding) -> Self {
        let cost = finding.cost.map(|cost| match cost {
            Cost::Bytes(bytes) => json!({ "bytes": bytes }),
            Cost::Physics(cost) => json!({ "physics": cost }),
            Cost::PhysicsOfMesh(cost) => json!({ "physics_of_mesh": cost }),
        });
        Self {
            kind: finding.kind.code(),
            severity: finding.severity().code(),
            block: finding.block.map(Block::key),
            face: finding.face,
            triangle: finding.triangle,
            hull: finding.hull,
            cost,
            message: finding.kind.to_string(),
            advice: finding.advice(),
        }
    }
}

fn as_rows<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(Row::from))
}
