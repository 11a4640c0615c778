//! All that is known of an asset after one look at each of its blocks.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Lods;

use super::{Finding, Kind, lods, physics};
use crate::asset::Asset;
use crate::block::Block;
use crate::cost_inputs::{Gathered, PhysicsInputs};
use crate::error::Error;
use crate::geometry::Counts;

/// All that is known of an asset after one look at each of its blocks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Survey {
    /// Everything to be said about it: what [`lint`](super::lint) gives.
    pub findings: Vec<Finding>,
    /// The triangles and vertices of each level of detail, as [`Asset::counts`] gives them; `None` for
    /// one that is missing or cannot be counted.
    pub counts: Lods<Option<Counts>>,
    /// What the physics cost depends on: what [`Asset::physics`] gives.
    pub physics: Result<PhysicsInputs, Error>,
    /// The joints of the skin; `None` without one, or where it cannot be read.
    pub joints: Option<usize>,
    /// The thin triangles of the physics mesh, of which the findings name no more than
    /// [`THINNEST`](super::THINNEST).
    pub thin: usize,
}

/// All that is known of an asset at a scale, with every block inflated once. It takes what
/// [`lint`](super::lint) takes, of time and of memory.
#[must_use]
pub fn survey(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Survey {
    let mut gathered = Gathered::default();
    let mut counts = Lods::default();
    let hulls = hulls(asset, &mut gathered);
    let (mut findings, lods) = lods::lint(asset, |seen| {
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
fn hulls(asset: &Asset<'_>, gathered: &mut Gathered) -> Result<Vec<Finding>, Error> {
    let mut read = || {
        let Some(inflated) = asset.inflate(Block::PhysicsConvex)? else {
            return Ok(physics::lint_hulls(asset, None));
        };
        let convex = inflated.convex()?;
        gathered.convex(&convex);
        Ok(physics::lint_hulls(asset, Some(&convex)))
    };
    read().inspect_err(|error: &Error| gathered.fail(error.clone()))
}

/// What there is to be said about the physics mesh, which is gathered, and how many triangles are thin.
fn mesh(
    asset: &Asset<'_>,
    scale: ObjectScale<f64>,
    gathered: &mut Gathered,
) -> Result<(Vec<Finding>, usize), Error> {
    let mut read = || {
        let Some(inflated) = asset.inflate(Block::PhysicsMesh)? else { return Ok((Vec::new(), 0)) };
        let mesh = inflated.lod()?;
        let said = physics::lint_mesh(&mesh, scale);
        gathered.mesh(&mesh);
        Ok(said)
    };
    read().inspect_err(|error: &Error| gathered.fail(error.clone()))
}
