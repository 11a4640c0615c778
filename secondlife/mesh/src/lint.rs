//! Checks for problems that an upload rejects or makes expensive.
//!
//! An unreadable block is a [`Finding`] too, so that it does not hide the others. The caller chooses the scale for
//! physics costs, as an asset has none.
//!
//! Source: Second Life wiki, Mesh/Mesh physics, Mesh/Mesh Asset Format.

mod checks;

use std::fmt;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull};
use lodger_core::cost::streaming::PerLod;

use crate::asset::Asset;
use crate::error::AssetError;
use crate::geometry::GeometryCounts;
use crate::header::AssetBlock;
use crate::lint::checks::{lint_hulls, lint_lods, lint_mesh};
use crate::physics_inputs::{PhysicsInputs, PhysicsInputsBuilder};

/// Checks an asset at a scale. Findings are in order: unreadable blocks, levels of detail from the lowest, then
/// physics, with the most expensive thin triangles first.
///
/// Every block is inflated once. Time and [memory](crate::AssetLimits::max_memory) depend only on the inflated sizes.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_mesh_asset::lint::lint;
/// use lodger_mesh_asset::{Asset, AssetBuilder};
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let asset = Asset::parse(&file)?;
/// assert_eq!(lint(&asset, ObjectScale::ONE), []);
///
/// let file = AssetBuilder::from(&asset).remove("high_lod").encode()?;
/// let findings = lint(&Asset::parse(&file)?, ObjectScale::ONE);
/// assert_eq!(findings[0].kind.code(), "no-high-lod");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lint(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Vec<Finding> {
    survey(asset, scale).findings
}

/// All results of one pass over the blocks of an asset.
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_mesh_asset::Asset;
/// use lodger_mesh_asset::lint::survey;
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let survey = survey(&Asset::parse(&file)?, ObjectScale::ONE);
/// assert_eq!(survey.counts.high.map(|counts| counts.triangles), Some(16));
/// assert_eq!(survey.physics?.hull.vertices(), 4);
/// assert_eq!((survey.joints, survey.thin), (Some(2), 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Survey {
    /// Findings, as from [`lint`](lint()).
    pub findings: Vec<Finding>,
    /// Counts of each level of detail, as from [`Asset::counts`]; `None` for a level that is missing or invalid.
    pub counts: PerLod<Option<GeometryCounts>>,
    /// Inputs of the physics cost, as from [`Asset::physics`].
    pub physics: Result<PhysicsInputs, AssetError>,
    /// Number of joints of the skin; `None` if it is missing or invalid.
    pub joints: Option<usize>,
    /// Number of thin triangles of the physics mesh, of which at most [`MAX_THIN_NAMED`] are findings.
    pub thin: usize,
}

/// Surveys an asset at a scale in one pass, in the time and memory of [`lint`](lint()).
///
/// # Examples
/// ```
/// # use lodger_core::cost::ObjectScale;
/// # use lodger_mesh_asset::{lint::{FindingSeverity, lint, survey}, *};
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let file = AssetBuilder::from(&Asset::parse(&file)?).remove("skin").encode()?;
/// let asset = Asset::parse(&file)?;
/// assert_eq!(survey(&asset, ObjectScale::ONE).joints, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn survey(asset: &Asset<'_>, scale: ObjectScale<f64>) -> Survey {
    let mut builder = PhysicsInputsBuilder::default();
    let mut counts = PerLod::default();
    let hulls = hulls(asset, &mut builder);
    let (mut findings, lods) = lint_lods(asset, |level| {
        let counted = match level.faces {
            Ok(faces) => Some(GeometryCounts::from_faces(faces)),
            Err(_) => level.inflated.and_then(|inflated| inflated.counts().ok()),
        };
        counts = counts.with(level.lod, counted);
        builder.level(level.block, level.faces);
    });
    let joints = joints(asset);
    // The physics mesh comes last, so that it is never kept beside two levels of detail.
    let mesh = mesh(asset, scale, &mut builder);
    let cost_data = asset.physics_cost_data();
    let mut report = |block, error: Option<&AssetError>| {
        let unreadable = |error: &AssetError| FindingKind::Unreadable(error.clone());
        findings.extend(error.map(|error| Finding::new(unreadable(error), Some(block))));
    };
    report(AssetBlock::Skin, joints.as_ref().err());
    report(AssetBlock::PhysicsConvex, hulls.as_ref().err());
    report(AssetBlock::PhysicsMesh, mesh.as_ref().err());
    report(AssetBlock::PhysicsCostData, cost_data.as_ref().err());
    let (mesh, thin) = mesh.unwrap_or_default();
    findings.extend(lods.into_iter().chain(hulls.unwrap_or_default()).chain(mesh));
    let (joints, physics) = (joints.unwrap_or_default(), builder.finish(|| cost_data));
    Survey { findings, counts, physics, joints, thin }
}

fn joints(asset: &Asset<'_>) -> Result<Option<usize>, AssetError> {
    let skin = asset.inflate(AssetBlock::Skin)?;
    skin.map(|skin| Ok(skin.skin()?.joint_names.len())).transpose()
}

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

/// Checks the physics mesh; returns findings and the number of thin triangles.
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

/// The kind of a [`Finding`]. The text describes the problem.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::lint::FindingKind;
///
/// let kind = FindingKind::FaceCount { faces: 1, high: 2 };
/// assert_eq!(kind.to_string(), "1 faces, but the high level has 2");
/// ```
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
    /// There are more degenerate triangles than [`MAX_DEGENERATE_NAMED`].
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
        /// Block from which an uploader would generate the hull: physics mesh, else medium, else high.
        source: Option<AssetBlock>,
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
    /// The stable identifier of the kind, for machines.
    ///
    /// # Examples
    /// ```
    /// # use lodger_mesh_asset::lint::FindingKind;
    /// assert_eq!(FindingKind::ThinTriangle { rank: 1 }.code(), "thin-triangle");
    /// ```
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

/// The severity of a finding.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::lint::FindingSeverity;
///
/// assert_eq!(FindingSeverity::Note.code(), "note");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingSeverity {
    /// A problem to fix before an upload.
    Warning,
    /// Information that requires no action.
    Note,
}

impl FindingSeverity {
    /// The stable word: `warning` or `note`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// The cost of a finding.
///
/// # Examples
/// ```
/// use lodger_mesh_asset::lint::FindingCost;
///
/// assert_eq!(FindingCost::Physics(1.5).to_string(), "1.500 of the physics cost");
/// ```
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
///
/// # Examples
/// ```
/// use lodger_core::cost::ObjectScale;
/// use lodger_mesh_asset::lint::{FindingCost, lint};
/// use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder, Faces, Geometry, Quantized};
///
/// let file = std::fs::read("samples/strip.llmesh")?;
/// let points = Quantized::from_points(&[[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]])?;
/// let mesh = Geometry::new(points, &[[0, 1, 2], [0, 1, 1]])?;
/// let mut builder = AssetBuilder::from(&Asset::parse(&file)?);
/// builder.set_lod(AssetBlock::PhysicsMesh, &Faces::new([mesh.into()]))?;
/// let file = builder.encode()?;
/// let findings = lint(&Asset::parse(&file)?, ObjectScale::ONE);
/// assert_eq!((findings[0].face, findings[0].triangle), (Some(0), Some(1)));
/// // The width of a triangle without area is clamped to 1 mm.
/// assert_eq!(findings[0].cost, Some(FindingCost::PhysicsOfMesh(100.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the problem.
    pub kind: FindingKind,
    /// Block with the problem.
    pub block: Option<AssetBlock>,
    /// Index of the face.
    pub face: Option<usize>,
    /// Index of the triangle in the face.
    pub triangle: Option<usize>,
    /// Index of the hull of the decomposition; the first beyond the limit.
    pub hull: Option<usize>,
    /// Cost of the problem.
    pub cost: Option<FindingCost>,
}

impl Finding {
    pub(crate) const fn new(kind: FindingKind, block: Option<AssetBlock>) -> Self {
        Self { kind, block, face: None, triangle: None, hull: None, cost: None }
    }

    /// The severity. A level that equals the next higher one is only a note, as an asset may have all four levels.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_mesh_asset::{lint::{FindingSeverity, lint, survey}, *};
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let asset = Asset::parse(&file)?;
    /// let high = asset.raw(AssetBlock::HighLod).ok_or("no high LOD")?;
    /// let file = AssetBuilder::from(&asset).set_raw("medium_lod", high).encode()?;
    /// let findings = lint(&Asset::parse(&file)?, ObjectScale::ONE);
    /// assert_eq!(findings[0].severity(), FindingSeverity::Note);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn severity(&self) -> FindingSeverity {
        match self.kind {
            FindingKind::SameAsNext { .. } => FindingSeverity::Note,
            _ => FindingSeverity::Warning,
        }
    }

    /// The location as text.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_mesh_asset::{lint::{FindingSeverity, lint, survey}, *};
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let file = AssetBuilder::from(&Asset::parse(&file)?).remove("physics_convex").encode()?;
    /// let findings = lint(&Asset::parse(&file)?, ObjectScale::ONE);
    /// assert_eq!(findings[0].location(), "physics_convex");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn location(&self) -> String {
        let parts = [("face", self.face), ("triangle", self.triangle), ("hull", self.hull)];
        let part = |(what, index): (&str, Option<usize>)| Some(format!(", {what} {}", index?));
        let parts: String = parts.into_iter().filter_map(part).collect();
        self.block.map_or("asset", AssetBlock::key).to_owned() + &parts
    }

    /// The recommended action.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::cost::ObjectScale;
    /// # use lodger_mesh_asset::{lint::{FindingSeverity, lint, survey}, *};
    /// let file = std::fs::read("samples/strip.llmesh")?;
    /// let file = AssetBuilder::from(&Asset::parse(&file)?).remove("physics_convex").encode()?;
    /// let findings = lint(&Asset::parse(&file)?, ObjectScale::ONE);
    /// assert_eq!(findings[0].advice(), "upload again, so that a hull is made");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        write!(f, "{}: {}", self.location(), self.kind)?;
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
            Self::HullMissing { source } => {
                f.write_str("there is no hull around the mesh")?;
                match source {
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
                let max = ConvexHull::MAX_VERTICES;
                write!(f, "a hull of {vertices} vertices, at most {max} are allowed")
            }
        }
    }
}
