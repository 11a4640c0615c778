//! Checks for problems that an upload rejects or makes expensive.
//!
//! [`lint`] checks each block of an asset and returns a [`Finding`] for each problem. A block that cannot be read is a
//! finding too, so that it does not hide the others. The caller chooses the scale for physics costs, as an asset has none.
//!
//! Source: Second Life wiki, Mesh/Mesh physics (limits, degenerate and thin triangles),
//! Mesh/Mesh Asset Format (faces and triangles of the levels of detail).

mod checks;

use std::fmt;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull};
use lodger_core::cost::streaming::Lods;

use crate::asset::Asset;
use crate::error::AssetError;
use crate::geometry::GeometryCounts;
use crate::header::AssetBlock;
use crate::lint::checks::{lint_hulls, lint_lods, lint_mesh};
use crate::physics_inputs::{PhysicsInputs, PhysicsInputsBuilder};

/// Checks an asset at a scale. Findings are in order: unreadable blocks, levels of detail from the lowest, then physics,
/// with the most expensive thin triangles first.
///
/// Every block is inflated once. Time and [memory](crate::Limits::most_memory) depend only on the inflated sizes.
#[must_use]
pub fn lint(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Vec<Finding> {
    survey(asset, scale).findings
}

/// All results of one pass over the blocks of an asset.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Survey {
    /// Findings, as from [`lint`](lint()).
    pub findings: Vec<Finding>,
    /// Counts of each level of detail, as from [`Asset::counts`]; `None` for a level that is missing or invalid.
    pub counts: Lods<Option<GeometryCounts>>,
    /// Inputs of the physics cost, as from [`Asset::physics`].
    pub physics: Result<PhysicsInputs, AssetError>,
    /// Number of joints of the skin; `None` if it is missing or invalid.
    pub joints: Option<usize>,
    /// Number of thin triangles of the physics mesh, of which at most [`MAX_THIN_NAMED`] are findings.
    pub thin: usize,
}

/// Surveys an asset at a scale in one pass, in the time and memory of [`lint`](lint()).
#[must_use]
pub fn survey(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Survey {
    let mut builder = PhysicsInputsBuilder::default();
    let mut counts = Lods::default();
    let hulls = hulls(asset, &mut builder);
    let (mut findings, lods) = lint_lods(asset, |level| {
        let counted = match level.faces {
            Ok(faces) => Some(GeometryCounts::of(faces)),
            Err(_) => level.inflated.and_then(|inflated| inflated.counts().ok()),
        };
        counts = counts.with(level.lod, counted);
        builder.level(level.block, level.faces);
    });
    let joints = joints(asset);
    // The physics mesh comes last, so that it is never kept beside two levels of detail.
    let mesh = mesh(asset, scale, &mut builder);
    let cost_data = asset.physics_cost_data();
    let mut note = |block, error: Option<&AssetError>| {
        let unreadable = |error: &AssetError| FindingKind::Unreadable(error.clone());
        findings.extend(error.map(|error| Finding::new(unreadable(error), Some(block))));
    };
    note(AssetBlock::Skin, joints.as_ref().err());
    note(AssetBlock::PhysicsConvex, hulls.as_ref().err());
    note(AssetBlock::PhysicsMesh, mesh.as_ref().err());
    note(AssetBlock::PhysicsCostData, cost_data.as_ref().err());
    let (mesh, thin) = mesh.unwrap_or_default();
    findings.extend(lods.into_iter().chain(hulls.unwrap_or_default()).chain(mesh));
    let (joints, physics) = (joints.unwrap_or_default(), builder.finish(|| cost_data));
    Survey { findings, counts, physics, joints, thin }
}

fn joints(asset: &Asset<'_>) -> Result<Option<usize>, AssetError> {
    let skin = asset.inflate(AssetBlock::Skin)?;
    skin.map(|skin| Ok(skin.skin()?.joint_names.len())).transpose()
}

/// Checks the hulls and adds them to the physics inputs.
fn hulls(
    asset: &Asset<'_>,
    builder: &mut PhysicsInputsBuilder,
) -> Result<Vec<Finding>, AssetError> {
    let mut read = || {
        let Some(inflated) = asset.inflate(AssetBlock::PhysicsConvex)? else {
            return Ok(lint_hulls(asset, None));
        };
        let convex = inflated.convex()?;
        builder.convex(&convex);
        Ok(lint_hulls(asset, Some(&convex)))
    };
    read().inspect_err(|error: &AssetError| builder.fail(error.clone()))
}

/// Checks the physics mesh and adds it to the physics inputs; returns findings and the number of thin triangles.
fn mesh(
    asset: &Asset<'_>,
    scale: ObjectScale<f64>,
    builder: &mut PhysicsInputsBuilder,
) -> Result<(Vec<Finding>, usize), AssetError> {
    let mut read = || {
        let Some(inflated) = asset.inflate(AssetBlock::PhysicsMesh)? else {
            return Ok((Vec::new(), 0));
        };
        let mesh = inflated.lod()?;
        let findings = lint_mesh(&mesh, scale);
        builder.mesh(&mesh);
        Ok(findings)
    };
    read().inspect_err(|error: &AssetError| builder.fail(error.clone()))
}

/// Maximum number of thin triangles that [`lint`](lint()) names.
pub const MAX_THIN_NAMED: usize = 10;

/// Maximum number of degenerate triangles of a block that [`lint`](lint()) names; the rest is one finding.
pub const MAX_DEGENERATE_NAMED: usize = 1000;

/// Kind of a finding.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FindingKind {
    /// The block cannot be read.
    Unreadable(AssetError),
    /// There is no high level of detail.
    NoHighLod,
    /// A level has another number of faces than the high one.
    FaceCount {
        /// Faces of the level.
        faces: usize,
        /// Faces of the high level.
        high: usize,
    },
    /// A level equals the next higher one.
    SameAsNext {
        /// Next higher level in the file.
        next: AssetBlock,
    },
    /// A level has more triangles than the next higher one.
    MoreTriangles {
        /// Triangles of the level.
        triangles: usize,
        /// Next higher level in the file.
        next: AssetBlock,
        /// Triangles of the next higher level.
        next_triangles: usize,
    },
    /// A triangle has no area.
    Degenerate,
    /// There are more such triangles than [`MAX_DEGENERATE_NAMED`].
    MoreDegenerate {
        /// Number of triangles that are not named.
        triangles: usize,
    },
    /// A triangle of the physics mesh is thin and costs more than twice the mean.
    ThinTriangle {
        /// Rank by cost, 1 for the most expensive.
        rank: usize,
    },
    /// The domain of the positions, or one corner of it, is missing.
    DomainMissing,
    /// There is no hull around the mesh.
    HullMissing {
        /// Block from which an uploader would generate it: physics mesh, else medium, else high.
        made_from: Option<AssetBlock>,
    },
    /// The hull around the mesh has fewer points than a body needs.
    HullDegenerate {
        /// Points of the hull.
        vertices: usize,
    },
    /// There are more than 256 hulls.
    TooManyHulls {
        /// Hulls of the decomposition.
        hulls: usize,
    },
    /// A hull has more than 256 vertices.
    TooManyVertices {
        /// Vertices of the hull.
        vertices: usize,
    },
}

impl FindingKind {
    /// Stable identifier for machines; [`Display`](fmt::Display) is for people.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::NoHighLod => "no-high-lod",
            Self::FaceCount { .. } => "face-count",
            Self::SameAsNext { .. } => "same-as-next",
            Self::MoreTriangles { .. } => "more-triangles",
            Self::Degenerate => "degenerate",
            Self::MoreDegenerate { .. } => "more-degenerate",
            Self::ThinTriangle { .. } => "thin-triangle",
            Self::DomainMissing => "domain-missing",
            Self::HullMissing { .. } => "hull-missing",
            Self::HullDegenerate { .. } => "hull-degenerate",
            Self::TooManyHulls { .. } => "too-many-hulls",
            Self::TooManyVertices { .. } => "too-many-vertices",
        }
    }
}

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingSeverity {
    /// A problem to fix before an upload.
    Warning,
    /// Information that requires no action.
    Note,
}

impl FindingSeverity {
    /// Stable word: `warning` or `note`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Cost of a finding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FindingCost {
    /// Bytes that viewers download without use.
    Bytes(u32),
    /// Part of the physics cost of the mesh.
    Physics(f64),
    /// Physics cost of the whole mesh, which the finding determines.
    PhysicsOfMesh(f64),
}

impl fmt::Display for FindingCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "{bytes} bytes for nothing"),
            Self::Physics(cost) => write!(f, "{cost:.3} of the physics cost"),
            Self::PhysicsOfMesh(cost) => {
                write!(f, "and makes the whole physics mesh cost {cost:.3}")
            }
        }
    }
}

/// A problem of an asset. Faces, triangles and hulls count from 0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the problem.
    pub kind: FindingKind,
    /// Block with the problem.
    pub block: Option<AssetBlock>,
    /// Face.
    pub face: Option<usize>,
    /// Triangle of the face.
    pub triangle: Option<usize>,
    /// Hull of the decomposition; the first beyond the limit.
    pub hull: Option<usize>,
    /// Cost of the problem.
    pub cost: Option<FindingCost>,
}

impl Finding {
    pub(crate) const fn new(kind: FindingKind, block: Option<AssetBlock>) -> Self {
        Self { kind, block, face: None, triangle: None, hull: None, cost: None }
    }

    /// Severity. A level that equals the next higher one is only a note, as an asset may have all four levels.
    #[must_use]
    pub const fn severity(&self) -> FindingSeverity {
        match self.kind {
            FindingKind::SameAsNext { .. } => FindingSeverity::Note,
            _ => FindingSeverity::Warning,
        }
    }

    /// Location as text.
    #[must_use]
    pub fn place(&self) -> String {
        let parts = [("face", self.face), ("triangle", self.triangle), ("hull", self.hull)];
        let part = |(what, index): (&str, Option<usize>)| Some(format!(", {what} {}", index?));
        let parts: String = parts.into_iter().filter_map(part).collect();
        self.block.map_or("asset", AssetBlock::key).to_owned() + &parts
    }

    /// Recommended action.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self.kind {
            FindingKind::Unreadable(_) => "export or download the file again",
            FindingKind::NoHighLod => {
                "upload a high level of detail: without it there is nothing to show"
            }
            FindingKind::FaceCount { .. } => {
                "give every level the same materials; a face may be without geometry"
            }
            FindingKind::SameAsNext { .. } => "leave the lower level out or simplify it",
            FindingKind::MoreTriangles { .. } => {
                "a lower level must be simpler: swap or simplify it"
            }
            FindingKind::Degenerate | FindingKind::MoreDegenerate { .. } => {
                "delete the triangle or merge its vertices"
            }
            FindingKind::ThinTriangle { .. } => "widen or dissolve the triangle",
            FindingKind::DomainMissing => {
                "write Min and Max; readers that go on take a cube of side 1 instead"
            }
            FindingKind::HullMissing { .. } => "upload again, so that a hull is made",
            FindingKind::HullDegenerate { .. } => {
                "give the mesh a volume, so that its hull has one"
            }
            FindingKind::TooManyHulls { .. } => "decompose more coarsely",
            FindingKind::TooManyVertices { .. } => "simplify the hull",
        }
    }
}

impl fmt::Display for Finding {
    /// Location, problem, cost and advice in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.kind)?;
        if let Some(cost) = self.cost {
            write!(f, " ({cost})")?;
        }
        write!(f, "; {}", self.advice())
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read, {error}"),
            Self::NoHighLod => f.write_str("there is no high level of detail"),
            Self::FaceCount { faces, high } => {
                write!(f, "{faces} faces, but the high level has {high}")
            }
            Self::SameAsNext { next } => {
                write!(f, "the same as {next}: more to download, the same cost")
            }
            Self::MoreTriangles { triangles, next, next_triangles } => {
                write!(f, "{triangles} triangles, but {next} has {next_triangles}")
            }
            Self::Degenerate => f.write_str("a triangle without area"),
            Self::MoreDegenerate { triangles } => {
                write!(f, "{triangles} more triangles without area")
            }
            Self::ThinTriangle { rank } => write!(f, "a thin triangle, number {rank} by cost"),
            Self::DomainMissing => f.write_str("Min or Max of the positions is missing"),
            Self::HullMissing { made_from } => {
                f.write_str("there is no hull around the mesh")?;
                match made_from {
                    Some(block) => write!(f, "; an uploader would make it from {block}"),
                    None => f.write_str(", nor a mesh to make it from"),
                }
            }
            Self::HullDegenerate { vertices } => {
                write!(f, "the hull has {vertices} points, a body needs 4")
            }
            Self::TooManyHulls { hulls } => {
                write!(f, "{hulls} hulls, at most {} are allowed", ConvexDecomposition::MOST)
            }
            Self::TooManyVertices { vertices } => {
                let max = ConvexHull::MOST_VERTICES;
                write!(f, "a hull of {vertices} vertices, at most {max} are allowed")
            }
        }
    }
}
