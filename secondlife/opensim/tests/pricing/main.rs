//! Promises of pricing besides the formulas of lodger-core.

mod archives;
mod meshes;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::StreamingRules;
use lodger_mesh_asset::{
    AssetBlock, AssetBuilder, AssetLimits, Faces, Geometry, PhysicsConvex, Quantized,
};
use lodger_opensim::pricing::{MeshInputs, MeshReadLimits, MeshUse, Pricer};
use lodger_quota::{Quota, QuotaLimits};

fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}

fn within(quota: &Quota) -> MeshReadLimits<'_> {
    MeshReadLimits { limits: AssetLimits::default(), quota }
}

/// A strip of triangles, each thinner than the one before.
fn strip(triangles: u16) -> Faces<'static> {
    let place = |i: u16| f32::from(i) / f32::from(triangles + 2);
    let corners: Vec<_> = (0..triangles + 2)
        .map(|i| [place(i) - 0.5, if i % 2 == 0 { 0.0 } else { 0.5 }, 0.3 * place(i)])
        .collect();
    let triangles: Vec<_> = (0..triangles).map(|i| [i, i + 1, i + 2]).collect();
    let corners = Quantized::from_points(&corners).expect("finite corners");
    Faces::new([Geometry::new(corners, &triangles).expect("corners that exist").into()])
}

/// An asset of four LODs with a physics mesh, larger for a larger `detail`.
fn mesh_file(detail: u16) -> Vec<u8> {
    let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    let none: [Vec<[f32; 3]>; 0] = [];
    let mut builder = AssetBuilder::new();
    for (block, triangles) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
        builder.set_lod(block, &strip(triangles * detail)).expect("a block");
    }
    builder.set_lod(AssetBlock::PhysicsMesh, &strip(12)).expect("a block");
    builder.set_convex(&PhysicsConvex::new(&hull, &none).expect("a hull")).expect("a block");
    builder.encode().expect("an asset")
}

fn mesh() -> MeshInputs {
    MeshInputs::read(&mesh_file(300), AssetLimits::default()).expect("an asset")
}

fn viewer() -> Pricer {
    Pricer::new(StreamingRules::VIEWER).expect("valid rules")
}

fn of_scale(sides: [f64; 3]) -> MeshUse {
    MeshUse { scale: ObjectScale::new(sides).expect("a scale"), ..MeshUse::default() }
}
