//! What is wrong with the physics shapes.

use super::{Cost, Finding, Kind, MAX_HULLS, PhysicsPrices, THINNEST, lods};
use crate::asset::Asset;
use crate::block::Block;
use crate::geometry::Lod;
use crate::quantized::Quantized;

/// Points that span a body.
const LEAST_POINTS: usize = 4;

/// A triangle is worth naming when it costs so many times the mean one.
const NOTABLE: f64 = 2.0;

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
        Some(vertices) if vertices > MAX_HULLS => push(Kind::TooManyVertices { vertices }),
        Some(_) => {}
    }
    if convex.hull_count() > MAX_HULLS {
        push(Kind::TooManyHulls { hulls: convex.hull_count() });
    }
}

/// The document's order: "the physics shape, mid lod, or high lod".
fn hull_missing(asset: &Asset<'_>) -> Kind {
    let sources = [Block::PhysicsMesh, Block::MediumLod, Block::HighLod];
    Kind::HullMissing { made_from: sources.into_iter().find(|block| asset.raw(*block).is_some()) }
}

/// Checks `physics_mesh`.
pub(super) fn lint_mesh(
    asset: &Asset<'_>,
    prices: &dyn PhysicsPrices,
    findings: &mut Vec<Finding>,
) {
    let block = Block::PhysicsMesh;
    let Ok(Some(inflated)) = asset.inflate(block) else {
        return;
    };
    let Ok(mesh) = inflated.lod() else { return };
    let first = findings.len();
    lods::faces_of(block, &mesh, findings);
    let cost = Cost::PhysicsOfMesh(prices.mesh(&mut mesh.triangles()));
    for finding in findings.iter_mut().skip(first) {
        if matches!(finding.kind, Kind::Degenerate | Kind::MoreDegenerate { .. }) {
            finding.cost = Some(cost);
        }
    }
    thin_triangles(&mesh, prices, findings);
}

/// A triangle that is not degenerate, and what it costs.
struct Priced {
    cost: f64,
    face: usize,
    triangle: usize,
}

fn priced(mesh: &Lod, prices: &dyn PhysicsPrices) -> impl Iterator<Item = Priced> {
    mesh.geometries().flat_map(move |(face, geometry)| {
        let triangles = geometry.triangles().zip(geometry.corners()).enumerate();
        let broad = triangles.filter(|(_, (indices, _))| !geometry.is_degenerate(*indices));
        broad.map(move |(triangle, (_, corners))| Priced {
            cost: prices.triangle(corners),
            face,
            triangle,
        })
    })
}

/// Names the dearest of the triangles that cost more than twice the mean.
///
/// In two passes, so that memory does not grow with the mesh.
fn thin_triangles(mesh: &Lod, prices: &dyn PhysicsPrices, findings: &mut Vec<Finding>) {
    let sum = |(sum, count), one: Priced| (sum + one.cost, count + 1.0);
    let (total, count) = priced(mesh, prices).fold((0.0, 0.0), sum);
    let least = NOTABLE * total / count;
    let mut dearest: Vec<Priced> = Vec::with_capacity(THINNEST + 1);
    for one in priced(mesh, prices).filter(|one| one.cost > least) {
        let place = dearest.partition_point(|other| other.cost >= one.cost);
        dearest.insert(place, one);
        dearest.truncate(THINNEST);
    }
    for (one, rank) in dearest.iter().zip(1..) {
        findings.push(Finding {
            face: Some(one.face),
            triangle: Some(one.triangle),
            cost: Some(Cost::Physics(one.cost)),
            ..Finding::new(Kind::ThinTriangle { rank }, Some(Block::PhysicsMesh))
        });
    }
}
