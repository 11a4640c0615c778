//! What an upload would refuse, and what it would punish.
//!
//! [`lint`] goes through an asset block by block and gives a [`Finding`] for everything its maker
//! should know. A block that cannot be read is a finding too, so that one bad block does not hide the
//! others.
//!
//! Physics costs are those of core, at a scale that is the caller's: an asset has none.
//!
//! Source: Second Life wiki, Mesh/Mesh physics (limits, degenerate and thin triangles),
//! Mesh/Mesh Asset Format (faces and triangles of the levels of detail).

mod finding;
mod lods;
mod physics;

pub use finding::{Cost, Finding, Kind};

use lodger_core::cost::Scale;

use crate::asset::Asset;
use crate::block::Block;

/// How many thin triangles [`lint`] names at most.
pub const THINNEST: usize = 10;

/// How many degenerate triangles of a block [`lint`] names at most; the rest is one finding.
pub const MAX_NAMED: usize = 1000;

/// The greatest number of hulls of a decomposition, and of vertices of a hull.
///
/// Source: Second Life wiki, Mesh/Mesh physics, physics shapes and decompositions.
pub const MAX_HULLS: usize = 256;

/// Everything to be said about an asset at a scale: what cannot be read, then levels of detail, the
/// lowest before the highest, then physics, the dearest of thin triangles first.
#[must_use]
pub fn lint(asset: &Asset<'_>, scale: Scale<f64>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for block in Block::ALL {
        if let Err(error) = asset.check(block) {
            findings.push(Finding::new(Kind::Unreadable(error), Some(block)));
        }
    }
    lods::lint(asset, &mut findings);
    physics::lint_hulls(asset, &mut findings);
    physics::lint_mesh(asset, scale, &mut findings);
    findings
}
