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

mod checks;
mod finding;
pub use finding::{Cost, Finding, FindingSeverity, Kind, MAX_NAMED, THINNEST};

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Lods;

use crate::asset::Asset;
use crate::error::Error;
use crate::geometry::Counts;
use crate::header::Block;
use crate::lint::checks::{lint_hulls, lint_lods, lint_mesh};
use crate::physics_inputs::{PhysicsInputs, PhysicsInputsBuilder};

/// Everything to be said about an asset at a scale: what cannot be read, then levels of detail, the
/// lowest before the highest, then physics, the most expensive of thin triangles first.
///
/// Every block is inflated once. How long it takes, and [how much memory](crate::Limits::most_memory),
/// depends on what the blocks inflate to, and not on how often anything is in them.
#[must_use]
pub fn lint(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Vec<Finding> {
    survey(asset, scale).findings
}

/// All that is known of an asset after one look at each of its blocks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Survey {
    /// Everything to be said about it: what [`lint`](lint()) gives.
    pub findings: Vec<Finding>,
    /// The triangles and vertices of each level of detail, as [`Asset::counts`] gives them; `None` for
    /// one that is missing or cannot be counted.
    pub counts: Lods<Option<Counts>>,
    /// What the physics cost depends on: what [`Asset::physics`] gives.
    pub physics: Result<PhysicsInputs, Error>,
    /// The joints of the skin; `None` without one, or where it cannot be read.
    pub joints: Option<usize>,
    /// The thin triangles of the physics mesh, of which the findings name no more than
    /// [`THINNEST`].
    pub thin: usize,
}

/// All that is known of an asset at a scale, with every block inflated once. It takes what
/// [`lint`](lint()) takes, of time and of memory.
#[must_use]
pub fn survey(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Survey {
    let mut gathered = PhysicsInputsBuilder::default();
    let mut counts = Lods::default();
    let hulls = hulls(asset, &mut gathered);
    let (mut findings, lods) = lint_lods(asset, |seen| {
        let counted = match seen.faces {
            Ok(faces) => Some(Counts::of(faces)),
            Err(_) => seen.inflated.and_then(|inflated| inflated.counts().ok()),
        };
        counts = counts.with(seen.lod, counted);
        gathered.level(seen.block, seen.faces);
    });
    let joints = joints(asset);
    // The physics mesh comes last, so that what is kept of it is never beside two levels of detail.
    let mesh = mesh(asset, scale, &mut gathered);
    let cost_data = asset.physics_cost_data();
    let mut note = |block, error: Option<&Error>| {
        let unreadable = |error: &Error| Kind::Unreadable(error.clone());
        findings.extend(error.map(|error| Finding::new(unreadable(error), Some(block))));
    };
    note(Block::Skin, joints.as_ref().err());
    note(Block::PhysicsConvex, hulls.as_ref().err());
    note(Block::PhysicsMesh, mesh.as_ref().err());
    note(Block::PhysicsCostData, cost_data.as_ref().err());
    let (mesh, thin) = mesh.unwrap_or_default();
    findings.extend(lods.into_iter().chain(hulls.unwrap_or_default()).chain(mesh));
    let (joints, physics) = (joints.unwrap_or_default(), gathered.finish(|| cost_data));
    Survey { findings, counts, physics, joints, thin }
}

fn joints(asset: &Asset<'_>) -> Result<Option<usize>, Error> {
    let skin = asset.inflate(Block::Skin)?;
    skin.map(|skin| Ok(skin.skin()?.joint_names.len())).transpose()
}

/// What there is to be said about the hulls, which are gathered.
fn hulls(asset: &Asset<'_>, gathered: &mut PhysicsInputsBuilder) -> Result<Vec<Finding>, Error> {
    let mut read = || {
        let Some(inflated) = asset.inflate(Block::PhysicsConvex)? else {
            return Ok(lint_hulls(asset, None));
        };
        let convex = inflated.convex()?;
        gathered.convex(&convex);
        Ok(lint_hulls(asset, Some(&convex)))
    };
    read().inspect_err(|error: &Error| gathered.fail(error.clone()))
}

/// What there is to be said about the physics mesh, which is gathered, and how many triangles are thin.
fn mesh(
    asset: &Asset<'_>,
    scale: ObjectScale<f64>,
    gathered: &mut PhysicsInputsBuilder,
) -> Result<(Vec<Finding>, usize), Error> {
    let mut read = || {
        let Some(inflated) = asset.inflate(Block::PhysicsMesh)? else { return Ok((Vec::new(), 0)) };
        let mesh = inflated.lod()?;
        let said = lint_mesh(&mesh, scale);
        gathered.mesh(&mesh);
        Ok(said)
    };
    read().inspect_err(|error: &Error| gathered.fail(error.clone()))
}
