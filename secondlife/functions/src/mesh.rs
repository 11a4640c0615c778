use std::fmt::Display;

use arrow::array::{
    BinaryBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
};
use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::PerLod;
use lodger_mesh_asset::lint::{Finding, FindingCost, FindingKind, survey};
use lodger_mesh_asset::{Asset, AssetBlock, AssetError, AssetLimits, PhysicsInputs};

use crate::columns;

const MAX_CHARACTERS: usize = 300;

/// Facts about a mesh asset: the inputs of its costs, and counts of its defects.
///
/// A value that cannot be read is `None` or 0, and [`error`](Self::error) gives the reason.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshRow {
    /// Bytes of each LOD, as the streaming cost counts them; 0 for a missing LOD. `None` if the
    /// header cannot be read.
    pub sizes: Option<PerLod<i32>>,
    /// Triangles in the geometry of each LOD.
    pub triangles: PerLod<Option<i32>>,
    /// Vertices in the geometry of each LOD.
    pub vertices: PerLod<Option<i32>>,
    /// Vertices of the hull around the mesh, 1 to 256.
    pub hull_vertices: Option<i32>,
    /// Whether the file has no hull, so that `hull_vertices` is an upper bound.
    pub hull_estimated: Option<bool>,
    /// Hulls of the decomposition; `None` without one.
    pub hulls: Option<i32>,
    /// Vertices of all hulls of the decomposition.
    pub hulls_vertices: Option<i32>,
    /// Cost of the hull that a simulator wrote into the asset.
    pub hull_cost: Option<f64>,
    /// Cost of the decomposition that a simulator wrote into the asset.
    pub decomposition_cost: Option<f64>,
    /// Triangles of the physics mesh; `None` without one.
    pub physics_triangles: Option<i32>,
    /// Compressed block of the physics mesh, from which its cost at a scale is measured.
    pub physics_mesh: Option<Vec<u8>>,
    /// Joints of the skin; 0 without one.
    pub joints: i32,
    /// Triangles without an area, in all LODs.
    pub degenerate: i32,
    /// Triangles of the physics mesh that cost more than twice the mean at a scale of 1 m, if that matters.
    pub thin: i32,
    /// LODs with the same geometry as the next finer LOD.
    pub copied: i32,
    /// Bytes of the copied LODs.
    pub copied_bytes: i64,
    /// The reason that a value could not be read, in one line.
    pub error: Option<String>,
}

columns! {
    /// Columns of [`MeshRow`]s; a row without a mesh is null in all of them.
    pub struct MeshColumns(row: Option<&MeshRow>) {
        nullable lowest: Int32Builder = row?.sizes?.lowest;
        nullable low: Int32Builder = row?.sizes?.low;
        nullable medium: Int32Builder = row?.sizes?.medium;
        nullable high: Int32Builder = row?.sizes?.high;
        nullable lowest_triangles: Int32Builder = row?.triangles.lowest?;
        nullable low_triangles: Int32Builder = row?.triangles.low?;
        nullable medium_triangles: Int32Builder = row?.triangles.medium?;
        nullable high_triangles: Int32Builder = row?.triangles.high?;
        nullable lowest_vertices: Int32Builder = row?.vertices.lowest?;
        nullable low_vertices: Int32Builder = row?.vertices.low?;
        nullable medium_vertices: Int32Builder = row?.vertices.medium?;
        nullable high_vertices: Int32Builder = row?.vertices.high?;
        nullable hull_vertices: Int32Builder = row?.hull_vertices?;
        nullable hull_estimated: BooleanBuilder = row?.hull_estimated?;
        nullable hulls: Int32Builder = row?.hulls?;
        nullable hulls_vertices: Int32Builder = row?.hulls_vertices?;
        nullable hull_cost: Float64Builder = row?.hull_cost?;
        nullable decomposition_cost: Float64Builder = row?.decomposition_cost?;
        nullable physics_triangles: Int32Builder = row?.physics_triangles?;
        nullable physics_mesh: BinaryBuilder = row?.physics_mesh.as_deref()?;
        nullable joints: Int32Builder = row?.joints;
        nullable degenerate: Int32Builder = row?.degenerate;
        nullable thin: Int32Builder = row?.thin;
        nullable copied: Int32Builder = row?.copied;
        nullable copied_bytes: Int64Builder = row?.copied_bytes;
        nullable error: StringBuilder = row?.error.as_deref()?;
    }
}

impl MeshRow {
    /// Reads the file of an asset within limits. A fault of the file is in [`error`](Self::error).
    ///
    /// Every block is inflated once. The values of physics are there only if all inputs of the
    /// physics cost can be read, so that a mesh without a price has none of them.
    #[must_use]
    pub fn read(file: &[u8], limits: AssetLimits) -> Self {
        match Asset::parse_within(file, limits) {
            Ok(asset) => Self::from_asset(&asset),
            Err(error) => Self { error: Some(one_line(&error)), ..Self::default() },
        }
    }

    fn from_asset(asset: &Asset<'_>) -> Self {
        let survey = survey(asset, ObjectScale::ONE);
        let error = survey.physics.as_ref().err().or_else(|| unreadable(&survey.findings));
        let mut row = Self {
            sizes: Some(asset.header().lod_bytes()),
            triangles: survey.counts.map(|counts| Some(saturated(counts?.triangles))),
            vertices: survey.counts.map(|counts| Some(saturated(counts?.vertices))),
            joints: survey.joints.map_or(0, saturated),
            thin: saturated(survey.thin),
            error: error.map(one_line),
            ..Self::default()
        };
        survey.findings.iter().for_each(|finding| row.count(finding));
        if let Ok(physics) = &survey.physics {
            row.add_physics(physics, asset.raw(AssetBlock::PhysicsMesh));
        }
        row
    }

    fn count(&mut self, finding: &Finding) {
        let is_in_lod = finding.block.is_some_and(|block| AssetBlock::LODS.contains(&block));
        match (&finding.kind, finding.cost) {
            (FindingKind::Degenerate, _) if is_in_lod => {
                self.degenerate = self.degenerate.saturating_add(1);
            }
            (FindingKind::MoreDegenerate { triangles }, _) if is_in_lod => {
                self.degenerate = self.degenerate.saturating_add(saturated(*triangles));
            }
            (FindingKind::SameAsNext { .. }, cost) => {
                self.copied = self.copied.saturating_add(1);
                if let Some(FindingCost::Bytes(bytes)) = cost {
                    self.copied_bytes = self.copied_bytes.saturating_add(bytes.into());
                }
            }
            _ => {}
        }
    }

    fn add_physics(&mut self, physics: &PhysicsInputs, mesh: Option<&[u8]>) {
        self.hull_vertices = Some(physics.hull.vertices().into());
        self.hull_estimated = Some(physics.hull_source.is_some());
        self.hulls = physics.decomposition.map(|hulls| hulls.count().into());
        self.hulls_vertices = physics.decomposition.map(|hulls| saturated(hulls.vertices()));
        self.hull_cost = physics.cost_data.and_then(|data| data.hull);
        self.decomposition_cost = physics.cost_data.and_then(|data| data.decomposition);
        if let Some(triangles) = &physics.mesh {
            self.physics_triangles = Some(saturated(triangles.triangle_count()));
            self.physics_mesh = mesh.map(<[u8]>::to_vec);
        }
    }
}

/// The error of the first block that cannot be read.
fn unreadable(findings: &[Finding]) -> Option<&AssetError> {
    findings.iter().find_map(|finding| match &finding.kind {
        FindingKind::Unreadable(error) => Some(error),
        _ => None,
    })
}

fn saturated(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

/// Formats a message, which may quote untrusted input, as one line of at most 300 characters
/// without control characters.
pub(crate) fn one_line(message: &impl Display) -> String {
    let text = message.to_string();
    let shown = |c| if is_control(c) { char::REPLACEMENT_CHARACTER } else { c };
    let mut line: String = text.chars().take(MAX_CHARACTERS).map(shown).collect();
    if text.chars().nth(MAX_CHARACTERS).is_some() {
        line.push('…');
    }
    line
}

/// Whether a terminal interprets a character: a control character, a line separator or a change of
/// direction.
fn is_control(c: char) -> bool {
    let changes_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}');
    c.is_control() || changes_direction || matches!(c, '\u{2028}'..='\u{202e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_short_line_without_control_characters() {
        assert_eq!(one_line(&"a\nb\u{1b}[2J\u{202e}c"), "a\u{fffd}b\u{fffd}[2J\u{fffd}c");
        let long = one_line(&"ä".repeat(1000));
        assert_eq!(long.chars().count(), MAX_CHARACTERS + 1);
        assert!(long.ends_with('…'));
        assert_eq!(one_line(&"x".repeat(MAX_CHARACTERS)).len(), MAX_CHARACTERS);
    }
}
