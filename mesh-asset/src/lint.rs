//! What an upload would refuse, and what it would punish.
//!
//! [`lint`] goes through an asset block by block and gives a [`Finding`] for everything its maker
//! should know. A block that cannot be read is a finding too, so that one bad block does not hide the
//! others.
//!
//! Costs come from a formula that is not here: [`PhysicsPrices`] is what the caller brings, with the
//! scale of the object already in it.
//!
//! Source: Second Life wiki, Mesh/Mesh physics (limits, degenerate and thin triangles),
//! Mesh/Mesh Asset Format (faces and triangles of the levels of detail).

mod finding;
mod lods;
mod physics;

pub use finding::{Cost, Finding, Kind};

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

/// What triangles of a physics mesh cost, at a scale that is the caller's.
///
/// Triangles are three corners in unit space.
pub trait PhysicsPrices {
    /// What one triangle adds to the cost of a mesh while neither of the formula's limits decides:
    /// 0.05/w, w being its width.
    fn triangle(&self, corners: [[f32; 3]; 3]) -> f64;

    /// What a mesh costs, with the limits.
    fn mesh(&self, triangles: &mut dyn Iterator<Item = [[f32; 3]; 3]>) -> f64;
}

/// Everything to be said about an asset: levels of detail first, the lowest before the highest, then
/// physics, the dearest of thin triangles first.
pub fn lint(asset: &Asset<'_>, prices: &dyn PhysicsPrices) -> Vec<Finding> {
    let mut findings = Vec::new();
    for block in Block::ALL {
        if let Err(error) = asset.check(block) {
            findings.push(Finding::new(Kind::Unreadable(error), Some(block)));
        }
    }
    lods::lint(asset, &mut findings);
    physics::lint_hulls(asset, &mut findings);
    physics::lint_mesh(asset, prices, &mut findings);
    findings
}
