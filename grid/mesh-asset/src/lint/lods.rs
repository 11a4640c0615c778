//! What is wrong with the levels of detail.

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

/// Checks every level by itself, against the next higher one, and against the high one. Gives the
/// levels that cannot be read, and what there is to be said about the others.
pub(super) fn lint(asset: &Asset<'_>) -> (Vec<Finding>, Vec<Finding>) {
    let (mut unreadable, mut levels) = (Vec::new(), Vec::new());
    let mut lower: Option<(Block, Inflated)> = None;
    for block in Block::LODS {
        let inflated = asset.inflate(block).transpose();
        let read = inflated.map(|inflated| {
            let inflated = inflated?;
            let level = level(asset, lower.as_ref(), (block, &inflated))?;
            Ok((level, inflated))
        });
        match read {
            None => {}
            Some(Ok((level, inflated))) => {
                levels.push(level);
                lower = Some((block, inflated));
            }
            Some(Err(error)) => {
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

fn level(
    asset: &Asset<'_>,
    lower: Option<&(Block, Inflated)>,
    (block, inflated): (Block, &Inflated),
) -> Result<Level, Error> {
    let lod = inflated.lod()?;
    let compared = lower.and_then(|(lower, inflated)| {
        compare(asset, (*lower, &inflated.lod().ok()?), (block, &lod))
    });
    let mut of_its_faces = Vec::new();
    faces_of(block, &lod, &mut of_its_faces);
    Ok(Level { block, faces: lod.faces().len(), compared, of_its_faces })
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
    (block, lod): (Block, &Faces),
    (next, next_lod): (Block, &Faces),
) -> Option<Finding> {
    let (triangles, next_triangles) = (lod.triangle_count(), next_lod.triangle_count());
    if lod == next_lod {
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
