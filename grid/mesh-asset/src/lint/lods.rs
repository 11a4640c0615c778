//! What is wrong with the levels of detail.

use super::limits::MAX_NAMED;
use super::{Cost, Finding, Kind};
use crate::asset::{Asset, Inflated};
use crate::block::Block;
use crate::geometry::Faces;

/// Checks every level by itself, against the next higher one, and against the high one.
///
/// Blocks that cannot be read are passed over here; they are findings already.
pub(super) fn lint(asset: &Asset<'_>, findings: &mut Vec<Finding>) {
    let high = asset.inflate(Block::HighLod).ok().flatten();
    let high_faces = high.as_ref().and_then(|high| Some(high.lod().ok()?.faces().len()));
    let mut lower: Option<(Block, Inflated)> = None;
    for block in Block::LODS {
        let Some(inflated) = asset.inflate(block).ok().flatten() else {
            continue;
        };
        let Ok(lod) = inflated.lod() else { continue };
        if let Some((lower, inflated)) = &lower
            && let Ok(lower_lod) = inflated.lod()
        {
            compare(asset, (*lower, &lower_lod), (block, &lod), findings);
        }
        let faces = lod.faces().len();
        if let Some(high) = high_faces.filter(|high| *high != faces) {
            findings.push(Finding::new(Kind::FaceCount { faces, high }, Some(block)));
        }
        faces_of(block, &lod, findings);
        lower = Some((block, inflated));
    }
    if asset.raw(Block::HighLod).is_none() {
        findings.push(Finding::new(Kind::NoHighLod, None));
    }
}

fn compare(
    asset: &Asset<'_>,
    (block, lod): (Block, &Faces),
    (next, next_lod): (Block, &Faces),
    findings: &mut Vec<Finding>,
) {
    let (triangles, next_triangles) = (lod.triangle_count(), next_lod.triangle_count());
    if lod == next_lod {
        let bytes = asset.header().extent(block).map(|extent| extent.size);
        findings.push(Finding {
            cost: bytes.map(Cost::Bytes),
            ..Finding::new(Kind::SameAsNext { next }, Some(block))
        });
    } else if triangles > next_triangles {
        let kind = Kind::MoreTriangles { triangles, next, next_triangles };
        let size = |block| asset.header().extent(block).map_or(0, |extent| extent.size);
        let more = size(block).saturating_sub(size(next));
        findings.push(Finding {
            cost: (more > 0).then_some(Cost::Bytes(more)),
            ..Finding::new(kind, Some(block))
        });
    }
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
