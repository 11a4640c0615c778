//! Simpler forms of what has many parts, such as a tree of leaves: fewer parts, evenly left out.
//!
//! By edges, parts that are alike would go in the order in which they were made, one end of a tree before the other.

use std::collections::HashMap;

use glam::DVec3;

use lodger_quota::{Quota, QuotaExceeded};

use super::merged_mesh::MergedMesh;

/// Fewer parts are no crowd.
const FEW: usize = 8;
/// For more parts it would take too long: with their square.
const MANY: usize = 1 << 14;

/// Triangles that hang together.
struct Part {
    /// Which triangles.
    triangles: Vec<usize>,
    centre: DVec3,
    radius: f64,
}

/// Forms with fewer and fewer parts, each with at most a target's triangles: three vertices for each triangle. Every next
/// part is the one that reaches farthest from the middles of those that are there, so that the greatest
/// distance to a part that is missing is at most about twice the least that as many parts could have.
///
/// Source: González, Clustering to minimize the maximum intercluster distance, 1985.
pub(super) fn thinned(
    joined: &MergedMesh<'_>,
    targets: &[usize],
    quota: &Quota,
) -> Result<Vec<Vec<u32>>, QuotaExceeded> {
    let parts = parts(joined);
    if !(FEW..=MANY).contains(&parts.len()) {
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

/// A part that is not in order yet.
struct Rest {
    part: usize,
    centre: DVec3,
    radius: f64,
    /// How far it reaches from the middles of those before it; its radius while there is none.
    reach: f64,
}

/// The largest part, and then always the one that reaches farthest from all before it.
fn order(parts: &[Part]) -> Vec<usize> {
    let rest = parts.iter().enumerate().map(|(part, &Part { centre, radius, .. })| Rest {
        part,
        centre,
        radius,
        reach: radius,
    });
    let mut rest: Vec<Rest> = rest.collect();
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

/// What hangs together by vertices at the same place.
fn parts(joined: &MergedMesh<'_>) -> Vec<Part> {
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
    parts.into_iter().map(|triangles| Part::new(joined, triangles)).collect()
}

/// For each vertex one that stands for all that hang together with it.
fn roots(joined: &MergedMesh<'_>) -> Vec<usize> {
    let mut places: HashMap<[u32; 3], usize> = HashMap::new();
    let place = |(vertex, position): (usize, &[f32; 3])| {
        // −0 is where 0 is.
        *places.entry(position.map(|x| (x + 0.0).to_bits())).or_insert(vertex)
    };
    let mut roots: Vec<usize> = joined.positions.iter().enumerate().map(place).collect();
    for corners in joined.indices.as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|corner| root(&mut roots, corner as usize));
        let least = a.min(b).min(c);
        for other in [a, b, c] {
            roots[other] = least;
        }
    }
    for vertex in 0..roots.len() {
        roots[vertex] = root(&mut roots, vertex);
    }
    roots
}

/// The vertex at the end of the way, which becomes half as long.
fn root(roots: &mut [usize], mut vertex: usize) -> usize {
    while roots[vertex] != vertex {
        roots[vertex] = roots[roots[vertex]];
        vertex = roots[vertex];
    }
    vertex
}

impl Part {
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
