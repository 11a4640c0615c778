//! What is known of a mesh asset.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Lods;
use lodger_mesh_asset::lint::{Cost, Finding, Kind, survey};
use lodger_mesh_asset::{Asset, Block, Error, Limits, PhysicsInputs};

use crate::line::one_line;

/// What is known of a mesh asset: all that its costs depend on, and what an operator looks for.
///
/// What could not be read is `None` or 0, and [`error`](Self::error) says why.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshRow {
    /// Bytes of each LOD, as the streaming cost counts them; 0 for one that is missing. `None` where the header cannot
    /// be read.
    pub sizes: Option<Lods<i32>>,
    /// The triangles that each LOD really has.
    pub triangles: Lods<Option<i32>>,
    /// The vertices that each LOD really has.
    pub vertices: Lods<Option<i32>>,
    /// The vertices of the hull around everything: 1 to 256.
    pub hull_vertices: Option<i32>,
    /// Whether the file has no hull, so that `hull_vertices` is the most that could come out.
    pub hull_estimated: Option<bool>,
    /// The hulls of the decomposition; `None` without one.
    pub hulls: Option<i32>,
    /// Their vertices together.
    pub hulls_vertices: Option<i32>,
    /// What a simulator wrote into the asset as the cost of the hull.
    pub hull_cost: Option<f64>,
    /// What a simulator wrote into the asset as the cost of the decomposition.
    pub decomposition_cost: Option<f64>,
    /// The triangles of the physics mesh; `None` without one.
    pub physics_triangles: Option<i32>,
    /// The block of the physics mesh as the file has it, compressed: what its cost at a scale is measured from.
    pub physics_mesh: Option<Vec<u8>>,
    /// The joints of the skin; 0 without one.
    pub joints: i32,
    /// Triangles without an area, in all LODs.
    pub degenerate: i32,
    /// Triangles of the physics mesh that a check calls thin at a scale of 1 m: those that cost more than twice what
    /// its mean one does, where that matters.
    pub thin: i32,
    /// LODs whose geometry is that of the next finer one.
    pub copied: i32,
    /// The bytes of those LODs.
    pub copied_bytes: i64,
    /// Why something of it could not be read, in one line.
    pub error: Option<String>,
}

impl MeshRow {
    /// Reads the file of an asset within limits. Never fails: what is wrong is in [`error`](Self::error).
    ///
    /// Every block is inflated once. The hull, the decomposition and the physics mesh are there only if all that
    /// physics needs could be read, so that a mesh without a price has none here either.
    #[must_use]
    pub fn of(file: &[u8], limits: Limits) -> Self {
        match Asset::parse_within(file, limits) {
            Ok(asset) => Self::of_asset(&asset),
            Err(error) => Self { error: Some(one_line(&error)), ..Self::default() },
        }
    }

    fn of_asset(asset: &Asset<'_>) -> Self {
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
            row.add_physics(physics, asset.raw(Block::PhysicsMesh));
        }
        row
    }

    /// Counts what a check found of the levels of detail.
    fn count(&mut self, finding: &Finding) {
        let of_lod = finding.block.is_some_and(|block| Block::LODS.contains(&block));
        match (&finding.kind, finding.cost) {
            (Kind::Degenerate, _) if of_lod => self.degenerate = self.degenerate.saturating_add(1),
            (Kind::MoreDegenerate { triangles }, _) if of_lod => {
                self.degenerate = self.degenerate.saturating_add(saturated(*triangles));
            }
            (Kind::SameAsNext { .. }, cost) => {
                self.copied = self.copied.saturating_add(1);
                if let Some(Cost::Bytes(bytes)) = cost {
                    self.copied_bytes = self.copied_bytes.saturating_add(bytes.into());
                }
            }
            _ => {}
        }
    }

    fn add_physics(&mut self, physics: &PhysicsInputs, mesh: Option<&[u8]>) {
        self.hull_vertices = Some(physics.hull.vertices().into());
        self.hull_estimated = Some(physics.hull_made_from.is_some());
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

/// The first block that cannot be read.
fn unreadable(findings: &[Finding]) -> Option<&Error> {
    findings.iter().find_map(|finding| match &finding.kind {
        Kind::Unreadable(error) => Some(error),
        _ => None,
    })
}

fn saturated(count: impl TryInto<i32>) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}
