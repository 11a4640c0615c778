//! What is wrong with the levels of detail.

use lodger_core::cost::streaming::MeshLod;

use super::limits::MAX_NAMED;
use super::{Cost, Finding, Kind};
use crate::asset::{Asset, Inflated};
use crate::block::Block;
use crate::error::Error;
use crate::geometry::Faces;

/// What was found about one level.
struct Level {
    block: Block,
    faces: usize,
    /// What comparing the next lower level with it gave.
    compared: Option<Finding>,
    of_its_faces: Vec<Finding>,
}

/// A level that was read, and how many triangles it has.
struct Lower {
    block: Block,
    inflated: Inflated,
    triangles: usize,
}

/// A level of detail as it is shown to others, who need not inflate it again.
pub(super) struct Seen<'s> {
    pub(super) lod: MeshLod,
    pub(super) block: Block,
    /// What it inflates to, unless it does not.
    pub(super) inflated: Option<&'s Inflated>,
    pub(super) faces: Result<&'s Faces<'s>, &'s Error>,
}

/// Checks every level by itself, against the next higher one, and against the high one. Gives the
/// levels that cannot be read, and what there is to be said about the others. `seen` is shown each.
pub(super) fn lint(
    asset: &Asset<'_>,
    mut seen: impl FnMut(Seen<'_>),
) -> (Vec<Finding>, Vec<Finding>) {
    let (mut unreadable, mut levels) = (Vec::new(), Vec::new());
    let mut lower: Option<Lower> = None;
    for (lod, block) in MeshLod::ALL.into_iter().zip(Block::LODS) {
        let Some(inflated) = asset.inflate(block).transpose() else { continue };
        let read = match &inflated {
            Ok(inflated) => {
                let decoded = inflated.lod();
                let (inflated, faces) = (Some(inflated), decoded.as_ref());
                seen(Seen { lod, block, inflated, faces });
                decoded.map(|faces| level(asset, lower.as_ref(), (block, &faces)))
            }
            Err(error) => {
                seen(Seen { lod, block, inflated: None, faces: Err(error) });
                Err(error.clone())
            }
        };
        match (read, inflated) {
            (Ok((level, triangles)), Ok(inflated)) => {
                levels.push(level);
                lower = Some(Lower { block, inflated, triangles });
            }
            (Err(error), _) | (_, Err(error)) => {
                unreadable.push(Finding::new(Kind::Unreadable(error), Some(block)));
            }
        }
    }
    let high = levels.iter().find(|level| level.block == Block::HighLod).map(|high| high.faces);
    let mut findings: Vec<_> = levels.into_iter().flat_map(|level| level.findings(high)).collect();
    if asset.raw(Block::HighLod).is_none() {
        findings.push(Finding::new(Kind::NoHighLod, None));
    }
    (unreadable, findings)
}

/// What was found about a level, and its triangles.
fn level(
    asset: &Asset<'_>,
    lower: Option<&Lower>,
    (block, lod): (Block, &Faces<'_>),
) -> (Level, usize) {
    let triangles = lod.triangle_count();
    let compared = lower.and_then(|lower| compare(asset, lower, (block, lod, triangles)));
    let mut of_its_faces = Vec::new();
    faces_of(block, lod, &mut of_its_faces);
    (Level { block, faces: lod.faces().len(), compared, of_its_faces }, triangles)
}

impl Level {
    /// All of them, given the faces of the high level.
    fn findings(self, high: Option<usize>) -> impl Iterator<Item = Finding> {
        let Self { block, faces, compared, of_its_faces } = self;
        let other = high.filter(|high| *high != faces);
        let other = other.map(|high| Finding::new(Kind::FaceCount { faces, high }, Some(block)));
        compared.into_iter().chain(other).chain(of_its_faces)
    }
}

/// What is to be said about a level beside the next higher one.
fn compare(
    asset: &Asset<'_>,
    &Lower { block, ref inflated, triangles }: &Lower,
    (next, next_lod, next_triangles): (Block, &Faces, usize),
) -> Option<Finding> {
    // Decoded once more, and only where it may be the same.
    if triangles == next_triangles && inflated.lod().is_ok_and(|lod| lod == *next_lod) {
        let bytes = asset.header().extent(block).map(|extent| extent.size);
        let same = Finding::new(Kind::SameAsNext { next }, Some(block));
        return Some(Finding { cost: bytes.map(Cost::Bytes), ..same });
    }
    let kind = Kind::MoreTriangles { triangles, next, next_triangles };
    (triangles > next_triangles).then(|| {
        let size = |block| asset.header().extent(block).map_or(0, |extent| extent.size);
        let more = size(block).saturating_sub(size(next));
        let cost = (more > 0).then_some(Cost::Bytes(more));
        Finding { cost, ..Finding::new(kind, Some(block)) }
    })
}

/// What concerns the faces of one block: domains and degenerate triangles.
pub(super) fn faces_of(block: Block, lod: &Faces, findings: &mut Vec<Finding>) {
    let mut degenerate: usize = 0;
    for (face, geometry) in lod.geometries() {
        let at = |kind, triangle| Finding {
            face: Some(face),
            triangle,
            ..Finding::new(kind, Some(block))
        };
        if !geometry.has_domain() {
            findings.push(at(Kind::DomainMissing, None));
        }
        for (triangle, indices) in geometry.triangles().enumerate() {
            if geometry.is_degenerate(indices) {
                degenerate += 1;
                if degenerate <= MAX_NAMED {
                    findings.push(at(Kind::Degenerate, Some(triangle)));
                }
            }
        }
    }
    if let Some(triangles @ 1..) = degenerate.checked_sub(MAX_NAMED) {
        findings.push(Finding::new(Kind::MoreDegenerate { triangles }, Some(block)));
    }
}
