//! What is wrong with the physics shapes.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Hull, Hulls, TriangleMesh};

use super::limits::THINNEST;
use super::{Cost, Finding, Kind, lods};
use crate::asset::Asset;
use crate::block::Block;
use crate::convex::Convex;
use crate::error::{Error, Problem};
use crate::geometry::{Faces, Groups};
use crate::physics_mesh::{PhysicsMesh, corners};
use crate::quantized::Quantized;

/// Points that span a body.
const LEAST_POINTS: usize = 4;

/// A triangle is worth naming when it costs so many times the mean one.
const NOTABLE: f64 = 2.0;

/// By how much the same sum may differ from itself when it is made in two ways.
const ROUNDING: f64 = 1e-9;

/// Checks `physics_convex`.
pub(super) fn lint_hulls(asset: &Asset<'_>, convex: Option<&Convex<'_>>) -> Vec<Finding> {
    let block = Some(Block::PhysicsConvex);
    let Some(convex) = convex else {
        return vec![Finding::new(hull_missing(asset), block)];
    };
    let mut findings = Vec::new();
    let mut push = |kind| findings.push(Finding::new(kind, block));
    if !convex.has_domain() {
        push(Kind::DomainMissing);
    }
    match convex.bounding().map(Quantized::len) {
        None => push(hull_missing(asset)),
        Some(vertices) if vertices < LEAST_POINTS => push(Kind::HullDegenerate { vertices }),
        Some(vertices) if vertices > usize::from(Hull::MOST_VERTICES) => {
            push(Kind::TooManyVertices { vertices });
        }
        Some(_) => {}
    }
    let (hulls, most) = (convex.hull_count(), usize::from(Hulls::MOST));
    if hulls > most {
        let too_many = Finding::new(Kind::TooManyHulls { hulls }, block);
        findings.push(Finding { hull: Some(most), ..too_many });
    }
    findings
}

fn hull_missing(asset: &Asset<'_>) -> Kind {
    let mut sources = Block::HULL_SOURCES.into_iter();
    Kind::HullMissing { made_from: sources.find(|block| asset.raw(*block).is_some()) }
}

/// Checks `physics_mesh`. Gives what there is to be said, and how many triangles are thin.
pub(super) fn lint_mesh(mesh: &Faces<'_>, scale: ObjectScale<f64>) -> (Vec<Finding>, usize) {
    let block = Block::PhysicsMesh;
    let mut findings = Vec::new();
    lods::faces_of(block, mesh, &mut findings);
    let triangles = mesh.groups(PhysicsMesh::MOST_KEPT_APART);
    let whole = match measure(triangles.corners(|_| true), scale) {
        Ok(Some(whole)) => whole,
        Ok(None) => return (findings, 0),
        Err(problem) => {
            let kind = Kind::Unreadable(Error::from(Problem::Refused(problem)));
            findings.push(Finding::new(kind, Some(block)));
            return (findings, 0);
        }
    };
    let cost = Some(Cost::PhysicsOfMesh(whole.cost()));
    for finding in &mut findings {
        if matches!(finding.kind, Kind::Degenerate | Kind::MoreDegenerate { .. }) {
            finding.cost = cost;
        }
    }
    let broad = if findings.iter().any(|finding| finding.kind == Kind::Degenerate) {
        measure(triangles.corners(|is_degenerate| !is_degenerate), scale).ok().flatten()
    } else {
        Some(whole)
    };
    let Some(broad) = broad else { return (findings, 0) };
    let (named, thin) = thin_triangles(mesh, &triangles, &broad);
    findings.extend(named);
    (findings, thin)
}

/// A triangle that is not degenerate, and what it costs.
#[derive(Clone, Copy)]
struct Priced<At> {
    cost: f64,
    at: At,
}

/// Adds one behind those that cost as much or more, of which no more are kept than are named.
fn keep<At>(worst: &mut Vec<Priced<At>>, one: Priced<At>) {
    let place = worst.partition_point(|other| other.cost >= one.cost);
    if place < THINNEST {
        worst.truncate(THINNEST - 1);
        worst.insert(place, one);
    }
}

/// Measures triangles, each with its number.
fn measure(
    triangles: impl IntoIterator<Item = ([[f32; 3]; 3], u32)>,
    scale: ObjectScale<f64>,
) -> Result<Option<TriangleMesh<f64>>, lodger_core::Error> {
    let triangles = triangles.into_iter().map(|(triangle, times)| (corners(triangle), times));
    TriangleMesh::measure_repeated(triangles, scale)
}

/// Names the most expensive of the triangles that cost more than twice the mean of those that have an
/// area, and counts all of them. None is worth a word where all these together cost less than the least
/// that a mesh costs anyway.
///
/// In passes, so that memory does not grow with the mesh.
fn thin_triangles(
    mesh: &Faces<'_>,
    triangles: &Groups<'_, '_>,
    broad: &TriangleMesh<f64>,
) -> (Vec<Finding>, usize) {
    let total = broad.cost_without_limits();
    if total < broad.cost() * (1.0 - ROUNDING) {
        return (Vec::new(), 0);
    }
    let least = NOTABLE * total / f64::from(broad.triangles());
    let (worst, thin) = worst(triangles, broad.scale(), least);
    let named = occurrences(mesh, triangles, &worst);
    let finding = |(one, rank): (&Priced<(usize, usize)>, usize)| Finding {
        face: Some(one.at.0),
        triangle: Some(one.at.1),
        cost: Some(Cost::Physics(one.cost)),
        ..Finding::new(Kind::ThinTriangle { rank }, Some(Block::PhysicsMesh))
    };
    (named.iter().zip(1..).map(finding).collect(), thin)
}

/// A triangle by its group and its indices.
type At = (usize, [u16; 3]);

/// The most expensive triangles above a cost, by their groups and indices, and how many there are.
fn worst(
    triangles: &Groups<'_, '_>,
    scale: ObjectScale<f64>,
    least: f64,
) -> (Vec<Priced<At>>, usize) {
    let mut worst = Vec::with_capacity(THINNEST);
    let mut thin: usize = 0;
    for (group, one) in triangles.groups.iter().enumerate() {
        let corners = one.corners();
        for (indices, times) in one.repeated().filter(|(indices, _)| !one.is_degenerate(*indices)) {
            let alone = measure([(corners(indices), 1)], scale).ok().flatten();
            let cost = alone.map_or(0.0, |alone| alone.cost_without_limits());
            if cost > least {
                keep(&mut worst, Priced { cost, at: (group, indices) });
                thin = thin.saturating_add(usize::try_from(times).unwrap_or(usize::MAX));
            }
        }
    }
    (worst, thin)
}

/// The places of some triangles, face by face: those of the most expensive first.
fn occurrences(
    mesh: &Faces<'_>,
    triangles: &Groups<'_, '_>,
    worst: &[Priced<(usize, [u16; 3])>],
) -> Vec<Priced<(usize, usize)>> {
    let mut found = Vec::with_capacity(THINNEST);
    for ((face, geometry), (_, group)) in mesh.geometries().zip(&triangles.faces) {
        let of_group: Vec<_> = worst.iter().filter(|one| one.at.0 == *group).collect();
        if of_group.is_empty() {
            continue;
        }
        for (triangle, indices) in geometry.triangles().enumerate() {
            if let Some(one) = of_group.iter().find(|one| one.at.1 == indices) {
                keep(&mut found, Priced { cost: one.cost, at: (face, triangle) });
            }
        }
    }
    found
}
