//! What is wrong with the physics shapes.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Hull, Hulls, TriangleMesh};

use super::limits::THINNEST;
use super::{Cost, Finding, Kind, lods};
use crate::asset::Asset;
use crate::block::Block;
use crate::error::Error;
use crate::geometry::Faces;
use crate::physics_mesh::corners;
use crate::quantized::Quantized;

/// Points that span a body.
const LEAST_POINTS: usize = 4;

/// A triangle is worth naming when it costs so many times the mean one.
const NOTABLE: f64 = 2.0;

/// By how much the same sum may differ from itself when it is made in two ways.
const ROUNDING: f64 = 1e-9;

/// Checks `physics_convex`.
pub(super) fn lint_hulls(asset: &Asset<'_>, findings: &mut Vec<Finding>) {
    let block = Some(Block::PhysicsConvex);
    let mut push = |kind| findings.push(Finding::new(kind, block));
    let Ok(inflated) = asset.inflate(Block::PhysicsConvex) else {
        return;
    };
    let Some(inflated) = inflated else {
        return push(hull_missing(asset));
    };
    let Ok(convex) = inflated.convex() else {
        return;
    };
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
        findings.push(Finding {
            hull: Some(most),
            ..Finding::new(Kind::TooManyHulls { hulls }, block)
        });
    }
}

fn hull_missing(asset: &Asset<'_>) -> Kind {
    let mut sources = Block::HULL_SOURCES.into_iter();
    Kind::HullMissing { made_from: sources.find(|block| asset.raw(*block).is_some()) }
}

/// Checks `physics_mesh`.
pub(super) fn lint_mesh(asset: &Asset<'_>, scale: ObjectScale<f64>, findings: &mut Vec<Finding>) {
    let block = Block::PhysicsMesh;
    let Ok(Some(inflated)) = asset.inflate(block) else {
        return;
    };
    let Ok(mesh) = inflated.lod() else { return };
    let first = findings.len();
    lods::faces_of(block, &mesh, findings);
    let whole = match mesh.measure(scale) {
        Ok(Some(whole)) => whole,
        Ok(None) => return,
        Err(problem) => {
            let kind = Kind::Unreadable(Error::from(problem));
            return findings.push(Finding::new(kind, Some(block)));
        }
    };
    let cost = Some(Cost::PhysicsOfMesh(whole.cost()));
    for finding in findings.iter_mut().skip(first) {
        if matches!(finding.kind, Kind::Degenerate | Kind::MoreDegenerate { .. }) {
            finding.cost = cost;
        }
    }
    thin_triangles(&mesh, scale, findings);
}

/// A triangle that is not degenerate, and what it costs.
struct Priced {
    cost: f64,
    face: usize,
    triangle: usize,
}

/// The triangles that have an area, with their faces and their places in them.
fn broad(mesh: &Faces) -> impl Iterator<Item = (usize, usize, [[f32; 3]; 3])> {
    mesh.geometries().flat_map(|(face, geometry)| {
        let triangles = geometry.triangles().zip(geometry.corners()).enumerate();
        let broad = triangles.filter(|(_, (indices, _))| !geometry.is_degenerate(*indices));
        broad.map(move |(triangle, (_, corners))| (face, triangle, corners))
    })
}

fn priced(mesh: &Faces, scale: ObjectScale<f64>) -> impl Iterator<Item = Priced> {
    broad(mesh).filter_map(move |(face, triangle, corners)| {
        let alone = measure([corners], scale)?;
        Some(Priced { cost: alone.cost_without_limits(), face, triangle })
    })
}

fn measure(
    triangles: impl IntoIterator<Item = [[f32; 3]; 3]>,
    scale: ObjectScale<f64>,
) -> Option<TriangleMesh<f64>> {
    TriangleMesh::measure(triangles.into_iter().map(corners), scale).ok().flatten()
}

/// Names the most expensive of the triangles that cost more than twice the mean. None is worth a word
/// where all together cost less than the least that a mesh costs anyway.
///
/// In two passes, so that memory does not grow with the mesh.
fn thin_triangles(mesh: &Faces, scale: ObjectScale<f64>, findings: &mut Vec<Finding>) {
    let Some(whole) = measure(broad(mesh).map(|(.., corners)| corners), scale) else {
        return;
    };
    let total = whole.cost_without_limits();
    if total < whole.cost() * (1.0 - ROUNDING) {
        return;
    }
    let least = NOTABLE * total / f64::from(whole.triangles());
    let mut worst: Vec<Priced> = Vec::with_capacity(THINNEST + 1);
    for one in priced(mesh, scale).filter(|one| one.cost > least) {
        let place = worst.partition_point(|other| other.cost >= one.cost);
        worst.insert(place, one);
        worst.truncate(THINNEST);
    }
    for (one, rank) in worst.iter().zip(1..) {
        findings.push(Finding {
            face: Some(one.face),
            triangle: Some(one.triangle),
            cost: Some(Cost::Physics(one.cost)),
            ..Finding::new(Kind::ThinTriangle { rank }, Some(Block::PhysicsMesh))
        });
    }
}
