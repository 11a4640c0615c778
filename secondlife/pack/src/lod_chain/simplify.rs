//! Simplification of meshes: edge collapses, grids, and removal of components.

use std::collections::HashMap;

use glam::DVec3;
use lodger_quota::{Quota, QuotaExceeded};
use meshopt::{
    SimplifyOptions, SimplifyVertex, simplify_sloppy_decoder,
    simplify_with_attributes_and_locks_decoder,
};

use crate::frame::Aabb;
use crate::lod_chain::bvh::normal;
use crate::lod_chain::merged_mesh::{ATTRIBUTES, MergedMesh};

const NORMALS: f32 = 0.5;
/// The weight of texture coordinates, scaled to a range of 1.
const TEXTURE: f32 = 0.5;
/// The weight of the mean place of a vertex's joints, over the object's greatest side: about 2 sin
/// 0.6, the change of a distance by a turn of 1.2 radians.
const JOINTS: f32 = 1.1;
/// Above this number of triangles, steps are longer, as such fine meshes are rarely selected.
const LONG_STEPS_ABOVE: usize = 100_000;
/// Below this number of triangles, each mesh is made from one of at least [`RESTART_RATIO`] times
/// as many, so that errors do not add up; above, from the previous mesh.
const RESTART_BELOW: usize = 20_000;
const RESTART_RATIO: usize = 4;
/// Units of work for each triangle of an edge-collapse input.
pub(super) const PER_COLLAPSED_TRIANGLE: u64 = 200;
/// No limit; meshopt squares it.
const ANY_ERROR: f32 = 1e9;

#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    weighed: bool,
    /// The lock of vertices that several submeshes share.
    between: SimplifyVertex,
    options: SimplifyOptions,
}

impl Manner {
    /// Attributes count; seams and vertices between submeshes stay.
    pub(super) const ATTRIBUTES: Self =
        Self { weighed: true, between: SimplifyVertex::Lock, options: SimplifyOptions::None };
    /// As [`ATTRIBUTES`](Self::ATTRIBUTES), but seams may close, and borders between submeshes
    /// shorten.
    pub(super) const SEAMS: Self = Self {
        between: SimplifyVertex::Protect,
        options: SimplifyOptions::Permissive,
        ..Self::ATTRIBUTES
    };
    pub(super) const POSITIONS: Self = Self { weighed: false, ..Self::SEAMS };
    /// By positions; small components vanish.
    pub(super) const PRUNED: Self = Self {
        options: SimplifyOptions::Permissive.union(SimplifyOptions::Prune),
        ..Self::POSITIONS
    };
}

/// The triangle counts to try, down to 1: each is four fifths of the previous one, or seven tenths
/// above [`LONG_STEPS_ABOVE`].
pub(super) fn targets(triangles: usize) -> Vec<usize> {
    let next = |&count: &usize| {
        let part = if count > LONG_STEPS_ABOVE { count / 10 * 7 } else { count * 4 / 5 };
        Some(part.min(count - 1)).filter(|&count| count > 0)
    };
    std::iter::successors(Some(triangles).filter(|&count| count > 0), next).skip(1).collect()
}

/// Simplifies step by step to the targets; returns three vertices for each triangle. `pay` gets the
/// triangle count of each input.
pub(super) fn descend_edges(
    joined: &MergedMesh<'_>,
    from: &[u32],
    targets: &[usize],
    manner: Manner,
    pay: &dyn Fn(usize) -> Result<(), QuotaExceeded>,
) -> Result<Vec<Vec<u32>>, QuotaExceeded> {
    let work = Simplifier::new(joined, manner);
    let mut made: Vec<Vec<u32>> = Vec::new();
    for &target in targets {
        let last = made.last().map_or(from, Vec::as_slice);
        if last.len() <= 3 * target {
            continue;
        }
        let over = if target > RESTART_BELOW { 1 } else { RESTART_RATIO };
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

/// A mesh and settings as meshopt's arguments.
struct Simplifier<'a> {
    joined: &'a MergedMesh<'a>,
    manner: Manner,
    locks: Vec<SimplifyVertex>,
    weights: [f32; ATTRIBUTES],
}

impl<'a> Simplifier<'a> {
    fn new(joined: &'a MergedMesh<'a>, manner: Manner) -> Self {
        let lock = |&shared: &bool| if shared { manner.between } else { SimplifyVertex::None };
        let size = joined.texture_size();
        let texture = if size > 0.0 { TEXTURE / size } else { 0.0 };
        // meshopt skips attributes of weight 0, which is faster.
        let joints = if joined.is_rigged { JOINTS } else { 0.0 };
        Self {
            joined,
            manner,
            locks: joined.shared.iter().map(lock).collect(),
            weights: [NORMALS, NORMALS, NORMALS, texture, texture, joints, joints, joints],
        }
    }

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

/// Units of work for a triangle on a grid.
const PER_GRID_TRIANGLE: u64 = 100;
const MAX_GRID_POINTS: usize = 1024;

/// Simplifies on ever finer grids, each submesh by itself, up to `max_triangles`; the coarsest mesh
/// is last. `made_one` is called for each grid.
pub(super) fn grids(
    joined: &MergedMesh<'_>,
    max_triangles: usize,
    quota: &Quota,
    made_one: &dyn Fn(),
) -> Result<Vec<Vec<u32>>, QuotaExceeded> {
    let faces = face_meshes(joined);
    let side = faces.iter().map(|face| face.side).fold(0.0, f32::max);
    let mut made: Vec<Vec<u32>> = Vec::new();
    let mut points = 2;
    while points <= MAX_GRID_POINTS {
        made_one();
        quota.charge_work(PER_GRID_TRIANGLE.saturating_mul(joined.indices.len() as u64 / 3))?;
        let all: Vec<u32> = faces.iter().flat_map(|face| face.on_grid(points, side)).collect();
        if all.len() > 3 * max_triangles {
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

/// The triangle of far vertices of the largest submesh; `None` if it has no area.
pub(super) fn largest_triangle(joined: &MergedMesh<'_>) -> Option<Vec<u32>> {
    let faces = face_meshes(joined);
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

struct FaceMesh<'a> {
    positions: &'a [[f32; 3]],
    indices: Vec<u32>,
    start: u32,
    side: f32,
}

fn face_meshes<'a>(joined: &'a MergedMesh<'_>) -> Vec<FaceMesh<'a>> {
    let part = |range: std::ops::Range<usize>| {
        let positions = &joined.positions[range.clone()];
        let start = u32::try_from(range.start).unwrap_or(u32::MAX);
        let triangles = joined.indices.as_chunks::<3>().0.iter();
        let inside = triangles.filter(|corners| range.contains(&(corners[0] as usize))).flatten();
        let indices = inside.map(|&vertex| vertex - start).collect();
        let side = Aabb::around(positions.iter().copied()).greatest_side();
        FaceMesh { positions, indices, start, side }
    };
    joined.ranges().map(part).collect()
}

impl FaceMesh<'_> {
    /// Simplifies on a grid with `points` along the greatest side of all submeshes.
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
        // meshopt computes the number of points from the error over the side, rounded down.
        let error = 1.0 / (points as f32 + 0.5);
        let left = simplify_sloppy_decoder(&self.indices, self.positions, 0, error, None);
        left.into_iter().map(|vertex| vertex + self.start).collect()
    }

    fn corners(&self) -> impl Iterator<Item = [[f32; 3]; 3]> {
        let triangles = self.indices.as_chunks::<3>().0.iter();
        triangles.map(|corners| corners.map(|vertex| self.positions[vertex as usize]))
    }

    /// Twice the area.
    fn area(&self) -> f64 {
        self.corners().map(|corners| normal(corners).length()).sum()
    }
}

/// Meshes of fewer components are not thinned.
const MIN_COMPONENTS: usize = 8;
/// Meshes of more components are not thinned: the time grows with the square.
const MAX_COMPONENTS: usize = 1 << 14;

struct ConnectedComponent {
    triangles: Vec<usize>,
    centre: DVec3,
    radius: f64,
}

/// Meshes of fewer and fewer components, each with at most a target's triangles. The next component
/// is always the one that reaches farthest from the centres of the previous ones: the greatest
/// distance to a missing component is at most about twice the optimum. Edge collapses would remove
/// similar components in modelling order.
///
/// Source: González, Clustering to minimize the maximum intercluster distance, 1985.
pub(super) fn thin(
    joined: &MergedMesh<'_>,
    targets: &[usize],
    quota: &Quota,
) -> Result<Vec<Vec<u32>>, QuotaExceeded> {
    let parts = connected_components(joined);
    if !(MIN_COMPONENTS..=MAX_COMPONENTS).contains(&parts.len()) {
        return Ok(Vec::new());
    }
    quota.charge_work((parts.len() * parts.len()) as u64)?;
    let order = order(&parts);
    let form = |&target: &usize| {
        let mut triangles: Vec<usize> = Vec::new();
        for &part in &order {
            if triangles.len() + parts[part].triangles.len() > target {
                break;
            }
            triangles.extend(&parts[part].triangles);
        }
        triangles.sort_unstable();
        let corners = joined.indices.as_chunks::<3>().0;
        triangles.iter().flat_map(|&triangle| corners[triangle]).collect::<Vec<u32>>()
    };
    let mut forms: Vec<Vec<u32>> = targets.iter().map(form).collect();
    forms.retain(|form| !form.is_empty());
    forms.dedup();
    Ok(forms)
}

/// A component that is not ordered yet.
struct QueuedComponent {
    part: usize,
    centre: DVec3,
    radius: f64,
    /// The greatest distance of its points from the centres of the ordered ones; at first its
    /// radius.
    reach: f64,
}

/// The largest component, then always the one that reaches farthest from all previous ones.
fn order(parts: &[ConnectedComponent]) -> Vec<usize> {
    let rest =
        parts.iter().enumerate().map(|(part, &ConnectedComponent { centre, radius, .. })| {
            QueuedComponent { part, centre, radius, reach: radius }
        });
    let mut rest: Vec<QueuedComponent> = rest.collect();
    let mut order = Vec::with_capacity(parts.len());
    let largest = (0..rest.len()).max_by(|&a, &b| rest[a].reach.total_cmp(&rest[b].reach));
    let mut next = largest.unwrap_or(0);
    while next < rest.len() {
        let taken = rest.swap_remove(next);
        let is_first = order.is_empty();
        order.push(taken.part);
        let mut farthest = f64::NEG_INFINITY;
        next = 0;
        for (place, other) in rest.iter_mut().enumerate() {
            let from_it = other.centre.distance(taken.centre) + other.radius;
            other.reach = if is_first { from_it } else { other.reach.min(from_it) };
            if other.reach >= farthest {
                (next, farthest) = (place, other.reach);
            }
        }
    }
    order
}

/// Components of triangles that share vertex positions.
fn connected_components(joined: &MergedMesh<'_>) -> Vec<ConnectedComponent> {
    let roots = roots(joined);
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (triangle, corners) in joined.indices.as_chunks::<3>().0.iter().enumerate() {
        let part = *numbers.entry(roots[corners[0] as usize]).or_insert(parts.len());
        if part == parts.len() {
            parts.push(Vec::new());
        }
        parts[part].push(triangle);
    }
    parts.into_iter().map(|triangles| ConnectedComponent::new(joined, triangles)).collect()
}

/// A representative of the component of each vertex.
fn roots(joined: &MergedMesh<'_>) -> Vec<usize> {
    let mut places: HashMap<[u32; 3], usize> = HashMap::new();
    let place = |(vertex, position): (usize, &[f32; 3])| {
        // −0 equals 0.
        *places.entry(position.map(|x| (x + 0.0).to_bits())).or_insert(vertex)
    };
    let mut roots: Vec<usize> = joined.positions.iter().enumerate().map(place).collect();
    for corners in joined.indices.as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|corner| root(&mut roots, corner as usize));
        let min = a.min(b).min(c);
        for other in [a, b, c] {
            roots[other] = min;
        }
    }
    for vertex in 0..roots.len() {
        roots[vertex] = root(&mut roots, vertex);
    }
    roots
}

fn root(roots: &mut [usize], mut vertex: usize) -> usize {
    while roots[vertex] != vertex {
        roots[vertex] = roots[roots[vertex]];
        vertex = roots[vertex];
    }
    vertex
}

impl ConnectedComponent {
    fn new(joined: &MergedMesh<'_>, triangles: Vec<usize>) -> Self {
        let corners = joined.indices.as_chunks::<3>().0;
        let points = || {
            triangles
                .iter()
                .flat_map(|&triangle| corners[triangle])
                .map(|corner| DVec3::from_array(joined.positions[corner as usize].map(f64::from)))
        };
        let (min, max) = points()
            .fold((DVec3::MAX, DVec3::MIN), |(min, max), point| (min.min(point), max.max(point)));
        let centre = min.midpoint(max);
        let radius = points().map(|point| point.distance(centre)).fold(0.0, f64::max);
        Self { triangles, centre, radius }
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
