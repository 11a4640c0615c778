//! Simpler forms without regard to topology: what lies in a cell of a grid becomes a point.

use meshopt::simplify_sloppy_decoder;

use lodger_quota::{Quota, QuotaExceeded};

use super::merged_mesh::MergedMesh;
use crate::aabb::Aabb;
use crate::chain::bvh::normal;
use glam::DVec3;

/// Units of work for a triangle on a grid.
const PER_TRIANGLE: u64 = 100;
/// The finest grid: that many points along the greatest side.
const FINEST: usize = 1024;

/// The forms that ever coarser grids leave, from at most `most` triangles down: three vertices for each triangle.
/// Each face by itself, in cells of one size. `made_one` hears of each.
pub(super) fn grids(
    joined: &MergedMesh<'_>,
    most: usize,
    quota: &Quota,
    made_one: &dyn Fn(),
) -> Result<Vec<Vec<u32>>, QuotaExceeded> {
    let faces = parts(joined);
    let side = faces.iter().map(|face| face.side).fold(0.0, f32::max);
    let mut made: Vec<Vec<u32>> = Vec::new();
    let mut points = 2;
    while points <= FINEST {
        made_one();
        quota.charge_work(PER_TRIANGLE.saturating_mul(joined.indices.len() as u64 / 3))?;
        let all: Vec<u32> = faces.iter().flat_map(|face| face.on_grid(points, side)).collect();
        if all.len() > 3 * most {
            break;
        }
        if !all.is_empty() && made.last() != Some(&all) {
            made.push(all);
        }
        points += (points / 6).max(1);
    }
    made.reverse();
    Ok(made)
}

/// A single triangle that reaches as far as one can from the middle of the largest face; `None` if none has an area.
pub(super) fn least(joined: &MergedMesh<'_>) -> Option<Vec<u32>> {
    let faces = parts(joined);
    let face = faces.iter().max_by(|a, b| a.area().total_cmp(&b.area()))?;
    let at = |vertex: u32| DVec3::from_array(face.positions[vertex as usize].map(f64::from));
    let farthest = |from: &dyn Fn(DVec3) -> f64| {
        face.indices.iter().copied().max_by(|&a, &b| from(at(a)).total_cmp(&from(at(b))))
    };
    #[expect(clippy::cast_precision_loss, reason = "a mean need not be exact")]
    let middle = face.indices.iter().map(|&vertex| at(vertex)).sum::<DVec3>()
        / face.indices.len().max(1) as f64;
    let a = farthest(&|point| point.distance_squared(middle))?;
    let b = farthest(&|point| point.distance_squared(at(a)))?;
    let c = farthest(&|point| (point - at(a)).cross(at(b) - at(a)).length_squared())?;
    let across = (at(b) - at(a)).cross(at(c) - at(a));
    let facing = face.corners().map(normal).sum::<DVec3>();
    let corners = if across.dot(facing) < 0.0 { [a, c, b] } else { [a, b, c] };
    (across != DVec3::ZERO).then(|| corners.map(|corner| corner + face.start).to_vec())
}

/// A face by itself.
struct Part<'a> {
    positions: &'a [[f32; 3]],
    indices: Vec<u32>,
    /// What its first vertex is called in the whole mesh.
    start: u32,
    /// The greatest side of its box.
    side: f32,
}

fn parts<'a>(joined: &'a MergedMesh<'_>) -> Vec<Part<'a>> {
    let part = |range: std::ops::Range<usize>| {
        let positions = &joined.positions[range.clone()];
        let start = u32::try_from(range.start).unwrap_or(u32::MAX);
        let triangles = joined.indices.as_chunks::<3>().0.iter();
        let inside = triangles.filter(|corners| range.contains(&(corners[0] as usize))).flatten();
        let indices = inside.map(|&vertex| vertex - start).collect();
        Part { positions, indices, start, side: greatest_side(positions) }
    };
    joined.ranges().map(part).collect()
}

impl Part<'_> {
    /// What is left on a grid of that many points along a side, or of as many as come nearest to cells of that size.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "at most a few more points than the finest grid has"
    )]
    fn on_grid(&self, points: usize, side: f32) -> Vec<u32> {
        let cells = (points - 1) as f32 * (self.side / side);
        let points = if cells.is_finite() { cells.round() as usize + 1 } else { 1 };
        if points < 2 || self.indices.is_empty() {
            return Vec::new();
        }
        // An error that is allowed, of the side, is what meshopt takes the size of cells from: one above it
        // would be rounded to a point less.
        let error = 1.0 / (points as f32 + 0.5);
        let left = simplify_sloppy_decoder(&self.indices, self.positions, 0, error, None);
        left.into_iter().map(|vertex| vertex + self.start).collect()
    }

    fn corners(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        let triangles = self.indices.as_chunks::<3>().0.iter();
        triangles.map(|corners| corners.map(|vertex| self.positions[vertex as usize]))
    }

    /// Twice its area.
    fn area(&self) -> f64 {
        self.corners().map(|corners| normal(corners).length()).sum()
    }
}

fn greatest_side(positions: &[[f32; 3]]) -> f32 {
    Aabb::around(positions.iter().copied()).sides().into_iter().fold(0.0, f32::max)
}
