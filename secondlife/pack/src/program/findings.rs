//! What lint says of what was made.

use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{Finding, FindingSeverity, lint};
use lodger_mesh_asset::{Asset, Block, Error};
use serde::Serialize;

/// A finding of lint, as JSON has it; what does not apply is null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FindingRow {
    /// A word that does not change.
    pub(super) kind: &'static str,
    /// `warning` or `note`.
    pub(super) severity: &'static str,
    pub(super) block: Option<&'static str>,
    face: Option<usize>,
    triangle: Option<usize>,
    hull: Option<usize>,
    pub(super) message: String,
    pub(super) advice: &'static str,
    /// Where, in words.
    #[serde(skip)]
    pub(super) place: String,
}

impl FindingRow {
    /// Whether it is something to look at.
    pub(super) fn is_warning(&self) -> bool {
        self.severity == FindingSeverity::Warning.code()
    }

    /// Everything that lint says of an asset at a scale.
    pub(super) fn of_asset(asset: &[u8], scale: ObjectScale<f64>) -> Result<Vec<Self>, Error> {
        let asset = Asset::parse(asset)?;
        Ok(lint(&asset, scale).iter().map(Self::from).collect())
    }
}

impl From<&Finding> for FindingRow {
    fn from(finding: &Finding) -> Self {
        Self {
            kind: finding.kind.code(),
            severity: finding.severity().code(),
            block: finding.block.map(Block::key),
            face: finding.face,
            triangle: finding.triangle,
            hull: finding.hull,
            message: finding.kind.to_string(),
            advice: finding.advice(),
            place: finding.place(),
        }
    }
}
