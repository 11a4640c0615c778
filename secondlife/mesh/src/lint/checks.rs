//! Checks of levels of detail and of physics shapes.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull, TriangleMesh};
use lodger_core::cost::streaming::MeshLod;

use crate::asset::{Asset, BlockData};
use crate::convex::PhysicsConvex;
use crate::error::{AssetError, AssetErrorKind};
use crate::geometry::{FaceGroups, Faces};
use crate::header::AssetBlock;
use crate::lint::{Finding, FindingCost, FindingKind, MAX_DEGENERATE_NAMED, MAX_THIN_NAMED};
use crate::physics_inputs::{PhysicsMesh, corners};
use crate::quantized::Quantized;

struct LodSummary {
    block: AssetBlock,
    faces: usize,
    /// Finding of the comparison with the next lower level.
    compared: Option<Finding>,
    of_faces: Vec<Finding>,
}

struct LowerLod {
    block: AssetBlock,
    inflated: BlockData,
    triangles: usize,
}

pub(crate) struct InflatedLod<'s> {
    pub(crate) lod: MeshLod,
    pub(crate) block: AssetBlock,
    /// The inflated block; `None` if inflating failed.
    pub(crate) inflated: Option<&'s BlockData>,
    pub(crate) faces: Result<&'s Faces<'s>, &'s AssetError>,
}

/// Checks all levels; returns the unreadable levels and the other findings.
pub(crate) fn lint_lods(
    asset: &Asset<'_>,
    mut observe: impl FnMut(InflatedLod<'_>),
) -> (Vec<Finding>, Vec<Finding>) {
    let (mut unreadable, mut levels) = (Vec::new(), Vec::new());
    let mut lower: Option<LowerLod> = None;
    for (lod, block) in MeshLod::ALL.into_iter().zip(AssetBlock::LODS) {
        let Some(inflated) = asset.inflate(block).transpose() else { continue };
        let read = match &inflated {
            Ok(inflated) => {
                let decoded = inflated.lod();
                let (inflated, faces) = (Some(inflated), decoded.as_ref());
                observe(InflatedLod { lod, block, inflated, faces });
                decoded.map(|faces| level(asset, lower.as_ref(), (block, &faces)))
            }
            Err(error) => {
                observe(InflatedLod { lod, block, inflated: None, faces: Err(error) });
                Err(error.clone())
            }
        };
        match (read, inflated) {
            (Ok((level, triangles)), Ok(inflated)) => {
                levels.push(level);
                lower = Some(LowerLod { block, inflated, triangles });
            }
            (Err(error), _) | (_, Err(error)) => {
                unreadable.push(Finding::new(FindingKind::Unreadable(error), Some(block)));
            }
        }
    }
    let high =
        levels.iter().find(|level| level.block == AssetBlock::HighLod).map(|high| high.faces);
    let mut findings: Vec<_> = levels.into_iter().flat_map(|level| level.findings(high)).collect();
    if asset.raw(AssetBlock::HighLod).is_none() {
        findings.push(Finding::new(FindingKind::NoHighLod, None));
    }
    (unreadable, findings)
}

fn level(
    asset: &Asset<'_>,
    lower: Option<&LowerLod>,
    (block, lod): (AssetBlock, &Faces<'_>),
) -> (LodSummary, usize) {
    let triangles = lod.triangle_count();
    let compared = lower.and_then(|lower| compare(asset, lower, (block, lod, triangles)));
    let mut of_faces = Vec::new();
    lint_faces(block, lod, &mut of_faces);
    (LodSummary { block, faces: lod.faces().len(), compared, of_faces }, triangles)
}

impl LodSummary {
    fn findings(self, high: Option<usize>) -> impl Iterator<Item = Finding> {
        let Self { block, faces, compared, of_faces } = self;
        let other = high.filter(|high| *high != faces);
        let other =
            other.map(|high| Finding::new(FindingKind::FaceCount { faces, high }, Some(block)));
        compared.into_iter().chain(other).chain(of_faces)
    }
}

fn compare(
    asset: &Asset<'_>,
    &LowerLod { block, ref inflated, triangles }: &LowerLod,
    (next, next_lod, next_triangles): (AssetBlock, &Faces, usize),
) -> Option<Finding> {
    // Decoded again only if the levels may be equal.
    if triangles == next_triangles && inflated.lod().is_ok_and(|lod| lod == *next_lod) {
        let bytes = asset.header().block_range(block).map(|extent| extent.size);
        let same = Finding::new(FindingKind::SameAsNext { next }, Some(block));
        return Some(Finding { cost: bytes.map(FindingCost::Bytes), ..same });
    }
    let kind = FindingKind::MoreTriangles { triangles, next, next_triangles };
    (triangles > next_triangles).then(|| {
        let size = |block| asset.header().block_range(block).map_or(0, |extent| extent.size);
        let more = size(block).saturating_sub(size(next));
        let cost = (more > 0).then_some(FindingCost::Bytes(more));
        Finding { cost, ..Finding::new(kind, Some(block)) }
    })
}

fn lint_faces(block: AssetBlock, lod: &Faces, findings: &mut Vec<Finding>) {
    let mut degenerate: usize = 0;
    for (face, geometry) in lod.geometries() {
        let at = |kind, triangle| Finding {
            face: Some(face),
            triangle,
            ..Finding::new(kind, Some(block))
        };
        if !geometry.has_domain() {
            findings.push(at(FindingKind::DomainMissing, None));
        }
        for (triangle, indices) in geometry.triangles().enumerate() {
            if geometry.is_degenerate(indices) {
                degenerate += 1;
                if degenerate <= MAX_DEGENERATE_NAMED {
                    findings.push(at(FindingKind::Degenerate, Some(triangle)));
                }
            }
        }
    }
    if let Some(triangles @ 1..) = degenerate.checked_sub(MAX_DEGENERATE_NAMED) {
        findings.push(Finding::new(FindingKind::MoreDegenerate { triangles }, Some(block)));
    }
}

const MIN_POINTS: usize = 4;

/// Minimum cost of a notable triangle, as a multiple of the mean.
const NOTABLE: f64 = 2.0;

/// Relative rounding error between two ways to compute the same sum.
const ROUNDING: f64 = 1e-9;

pub(crate) fn lint_hulls(asset: &Asset<'_>, convex: Option<&PhysicsConvex<'_>>) -> Vec<Finding> {
    let block = Some(AssetBlock::PhysicsConvex);
    let Some(convex) = convex else {
        return vec![Finding::new(hull_missing(asset), block)];
    };
    let mut findings = Vec::new();
    let mut push = |kind| findings.push(Finding::new(kind, block));
    if !convex.has_domain() {
        push(FindingKind::DomainMissing);
    }
    match convex.bounding().map(Quantized::len) {
        None => push(hull_missing(asset)),
        Some(vertices) if vertices < MIN_POINTS => push(FindingKind::HullDegenerate { vertices }),
        Some(vertices) if vertices > usize::from(ConvexHull::MAX_VERTICES) => {
            push(FindingKind::TooManyVertices { vertices });
        }
        Some(_) => {}
    }
    let (hulls, max) = (convex.hull_count(), usize::from(ConvexDecomposition::MOST));
    if hulls > max {
        let too_many = Finding::new(FindingKind::TooManyHulls { hulls }, block);
        findings.push(Finding { hull: Some(max), ..too_many });
    }
    findings
}

fn hull_missing(asset: &Asset<'_>) -> FindingKind {
    let mut sources = AssetBlock::HULL_SOURCES.into_iter();
    FindingKind::HullMissing { source: sources.find(|block| asset.raw(*block).is_some()) }
}

/// Checks a physics mesh; returns findings and the number of thin triangles.
pub(crate) fn lint_mesh(mesh: &Faces<'_>, scale: ObjectScale<f64>) -> (Vec<Finding>, usize) {
    let block = AssetBlock::PhysicsMesh;
    let mut findings = Vec::new();
    lint_faces(block, mesh, &mut findings);
    let triangles = mesh.groups(PhysicsMesh::MAX_UNMERGED);
    let whole = match measure(triangles.corners(|_| true), scale) {
        Ok(Some(whole)) => whole,
        Ok(None) => return (findings, 0),
        Err(error) => {
            let kind = FindingKind::Unreadable(AssetError::from(AssetErrorKind::Invalid(error)));
            findings.push(Finding::new(kind, Some(block)));
            return (findings, 0);
        }
    };
    let cost = Some(FindingCost::PhysicsOfMesh(whole.cost()));
    for finding in &mut findings {
        if matches!(finding.kind, FindingKind::Degenerate | FindingKind::MoreDegenerate { .. }) {
            finding.cost = cost;
        }
    }
    let broad = if findings.iter().any(|finding| finding.kind == FindingKind::Degenerate) {
        measure(triangles.corners(|is_degenerate| !is_degenerate), scale).ok().flatten()
    } else {
        Some(whole)
    };
    let Some(broad) = broad else { return (findings, 0) };
    let (named, thin) = thin_triangles(mesh, &triangles, &broad);
    findings.extend(named);
    (findings, thin)
}

#[derive(Clone, Copy)]
struct TriangleCost<TriangleRef> {
    cost: f64,
    at: TriangleRef,
}

/// Inserts a triangle by descending cost, behind equal ones.
fn keep<TriangleRef>(worst: &mut Vec<TriangleCost<TriangleRef>>, one: TriangleCost<TriangleRef>) {
    let place = worst.partition_point(|other| other.cost >= one.cost);
    if place < MAX_THIN_NAMED {
        worst.truncate(MAX_THIN_NAMED - 1);
        worst.insert(place, one);
    }
}

fn measure(
    triangles: impl IntoIterator<Item = ([[f32; 3]; 3], u32)>,
    scale: ObjectScale<f64>,
) -> Result<Option<TriangleMesh<f64>>, lodger_core::ValueError> {
    let triangles = triangles.into_iter().map(|(triangle, times)| (corners(triangle), times));
    TriangleMesh::measure_repeated(triangles, scale)
}

/// Finds the most expensive triangles above twice the mean cost of triangles with area, and counts all such
/// triangles. There are none if all triangles cost less than the minimum of a mesh. Works in passes, so that memory
/// does not grow with the mesh.
fn thin_triangles(
    mesh: &Faces<'_>,
    triangles: &FaceGroups<'_, '_>,
    broad: &TriangleMesh<f64>,
) -> (Vec<Finding>, usize) {
    let total = broad.cost_without_limits();
    if total < broad.cost() * (1.0 - ROUNDING) {
        return (Vec::new(), 0);
    }
    let min = NOTABLE * total / f64::from(broad.triangles());
    let (worst, thin) = worst(triangles, broad.scale(), min);
    let named = occurrences(mesh, triangles, &worst);
    let finding = |(one, rank): (&TriangleCost<(usize, usize)>, usize)| Finding {
        face: Some(one.at.0),
        triangle: Some(one.at.1),
        cost: Some(FindingCost::Physics(one.cost)),
        ..Finding::new(FindingKind::ThinTriangle { rank }, Some(AssetBlock::PhysicsMesh))
    };
    (named.iter().zip(1..).map(finding).collect(), thin)
}

type TriangleRef = (usize, [u16; 3]);

fn worst(
    triangles: &FaceGroups<'_, '_>,
    scale: ObjectScale<f64>,
    min: f64,
) -> (Vec<TriangleCost<TriangleRef>>, usize) {
    let mut worst = Vec::with_capacity(MAX_THIN_NAMED);
    let mut thin: usize = 0;
    for (group, one) in triangles.groups.iter().enumerate() {
        let corners = one.corners();
        for (indices, times) in one.repeated().filter(|(indices, _)| !one.is_degenerate(*indices)) {
            let alone = measure([(corners(indices), 1)], scale).ok().flatten();
            let cost = alone.map_or(0.0, |alone| alone.cost_without_limits());
            if cost > min {
                keep(&mut worst, TriangleCost { cost, at: (group, indices) });
                thin = thin.saturating_add(usize::try_from(times).unwrap_or(usize::MAX));
            }
        }
    }
    (worst, thin)
}

fn occurrences(
    mesh: &Faces<'_>,
    triangles: &FaceGroups<'_, '_>,
    worst: &[TriangleCost<(usize, [u16; 3])>],
) -> Vec<TriangleCost<(usize, usize)>> {
    let mut found = Vec::with_capacity(MAX_THIN_NAMED);
    for ((face, geometry), (_, group)) in mesh.geometries().zip(&triangles.faces) {
        let of_group: Vec<_> = worst.iter().filter(|one| one.at.0 == *group).collect();
        if of_group.is_empty() {
            continue;
        }
        for (triangle, indices) in geometry.triangles().enumerate() {
            if let Some(one) = of_group.iter().find(|one| one.at.1 == indices) {
                keep(&mut found, TriangleCost { cost: one.cost, at: (face, triangle) });
            }
        }
    }
    found
}
