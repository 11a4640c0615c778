//! Simpler forms by edges that become points, in several manners.

use lodger_quota::QuotaExceeded;
use meshopt::{SimplifyOptions, SimplifyVertex, simplify_with_attributes_and_locks_decoder};

use super::merged_mesh::{ATTRIBUTES, MergedMesh};

/// How much a normal weighs beside a position: as gltfpack has it.
const NORMALS: f32 = 0.5;
/// How much texture coordinates weigh, where those of the whole object are 1 apart.
const TEXTURE: f32 = 0.5;
/// How much the mean place of a vertex's joints weighs, where the object's greatest side is 1: about the way that a turn
/// by 1.2 radians makes of a distance between joints, 2 sin 0.6.
const JOINTS: f32 = 1.1;
/// With more triangles steps are longer, as what is so fine is hardly ever chosen.
const MANY: usize = 100_000;
/// Up to so many triangles each form is made from one that has [`OVER`] times as many at least, so that errors do
/// not add up; above it from the one before, as time counts there.
const FEW: usize = 20_000;
/// See [`FEW`].
const OVER: usize = 4;
/// Units of work for each triangle that edges are taken from.
pub(super) const PER_TRIANGLE: u64 = 200;
/// No limit: meshopt squares it.
const ANY_ERROR: f32 = 1e9;

/// In what manner edges become points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Whether attributes are weighed.
    weighed: bool,
    /// What vertices are that several faces have.
    between: SimplifyVertex,
    options: SimplifyOptions,
}

impl Manner {
    /// Attributes are weighed, seams stay whole, vertices between faces where they are.
    pub(super) const ATTRIBUTES: Self =
        Self { weighed: true, between: SimplifyVertex::Lock, options: SimplifyOptions::None };
    /// As [`ATTRIBUTES`](Self::ATTRIBUTES), but seams may close, and borders between faces become shorter.
    pub(super) const SEAMS: Self = Self {
        between: SimplifyVertex::Protect,
        options: SimplifyOptions::Permissive,
        ..Self::ATTRIBUTES
    };
    /// By positions alone.
    pub(super) const POSITIONS: Self = Self { weighed: false, ..Self::SEAMS };
    /// By positions, and small parts vanish.
    pub(super) const PRUNED: Self = Self {
        options: SimplifyOptions::Permissive.union(SimplifyOptions::Prune),
        ..Self::POSITIONS
    };
}

/// The numbers of triangles that are tried for so many: four fifths of the one before, where there are very many seven
/// tenths, down to 1.
pub(super) fn targets(triangles: usize) -> Vec<usize> {
    let next = |&count: &usize| {
        let part = if count > MANY { count / 10 * 7 } else { count * 4 / 5 };
        Some(part.min(count - 1)).filter(|&count| count > 0)
    };
    std::iter::successors(Some(triangles).filter(|&count| count > 0), next).skip(1).collect()
}

/// Simpler and simplier forms of triangles in one manner, as near to the targets as they come, until it goes no
/// farther: three vertices for each triangle. Before each `pay` is told from how many triangles it is made.
pub(super) fn descend(
    joined: &MergedMesh<'_>,
    from: &[u32],
    targets: &[usize],
    manner: Manner,
    pay: &dyn Fn(usize) -> Result<(), QuotaExceeded>,
) -> Result<Vec<Vec<u32>>, QuotaExceeded> {
    let work = Work::new(joined, manner);
    let mut made: Vec<Vec<u32>> = Vec::new();
    for &target in targets {
        let last = made.last().map_or(from, Vec::as_slice);
        if last.len() <= 3 * target {
            continue;
        }
        let over = if target > FEW { 1 } else { OVER };
        let base = made.iter().rev().find(|one| one.len() >= 3 * target * over);
        let base = if over == 1 { last } else { base.map_or(from, Vec::as_slice) };
        pay(base.len() / 3)?;
        let next = work.simplified(base, target);
        if next.is_empty() || next.len() >= last.len() {
            break;
        }
        made.push(next);
    }
    Ok(made)
}

/// A mesh and a manner, as meshopt wants them.
struct Work<'a> {
    joined: &'a MergedMesh<'a>,
    manner: Manner,
    locks: Vec<SimplifyVertex>,
    weights: [f32; ATTRIBUTES],
}

impl<'a> Work<'a> {
    fn new(joined: &'a MergedMesh<'a>, manner: Manner) -> Self {
        let lock = |&shared: &bool| if shared { manner.between } else { SimplifyVertex::None };
        let size = joined.texture_size();
        let texture = if size > 0.0 { TEXTURE / size } else { 0.0 };
        // meshopt leaves out what weighs nothing, which is faster.
        let joints = if joined.is_rigged { JOINTS } else { 0.0 };
        Self {
            joined,
            manner,
            locks: joined.shared.iter().map(lock).collect(),
            weights: [NORMALS, NORMALS, NORMALS, texture, texture, joints, joints, joints],
        }
    }

    /// With no more triangles than that, if it can be had.
    fn simplified(&self, from: &[u32], target: usize) -> Vec<u32> {
        let Self { joined, manner, locks, weights } = self;
        let whole = from.len() == joined.indices.len();
        let sparse = if whole { SimplifyOptions::None } else { SimplifyOptions::Sparse };
        let weights = if manner.weighed { &weights[..] } else { &[] };
        simplify_with_attributes_and_locks_decoder(
            from,
            &joined.positions,
            &joined.attributes,
            weights,
            size_of::<f32>() * ATTRIBUTES,
            locks,
            3 * target,
            ANY_ERROR,
            manner.options.union(sparse),
            None,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_fall_to_one() {
        assert_eq!(targets(0), [0; 0]);
        assert_eq!(targets(1), [0; 0]);
        assert_eq!(targets(10), [8, 6, 4, 3, 2, 1]);
        let many = targets(1_000_000);
        assert_eq!((many[0], many.last()), (700_000, Some(&1)));
        assert!(many.is_sorted_by(|a, b| a > b) && many.len() < 70, "{}", many.len());
    }
}
