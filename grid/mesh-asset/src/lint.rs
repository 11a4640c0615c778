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
mod limits;
mod lods;
mod physics;
mod survey;

pub use finding::{Cost, Finding, FindingSeverity, Kind};
pub use limits::{MAX_NAMED, THINNEST};
pub use survey::{Survey, survey};

use lodger_core::cost::ObjectScale;

use crate::asset::Asset;

/// Everything to be said about an asset at a scale: what cannot be read, then levels of detail, the
/// lowest before the highest, then physics, the most expensive of thin triangles first.
///
/// Every block is inflated once. How long it takes, and [how much memory](crate::Limits::most_memory),
/// depends on what the blocks inflate to, and not on how often anything is in them.
#[must_use]
pub fn lint(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Vec<Finding> {
    survey(asset, scale).findings
}
