//! Promises of pricing besides the formulas of lodger-core.

mod archives;
mod meshes;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::StreamingRules;
use lodger_mesh_asset::{AssetBlock, AssetBuilder, AssetLimits, PhysicsConvex};
use lodger_opensim::pricing::{MeshInputs, MeshReadLimits, MeshUse, Pricer};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::build::mesh::{rising_strip, tetrahedron};

fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}

fn within(quota: &Quota) -> MeshReadLimits<'_> {
    MeshReadLimits { limits: AssetLimits::default(), quota }
}

/// An asset of four LODs with a physics mesh, larger for a larger `detail`.
fn mesh_file(detail: u16) -> Vec<u8> {
    let none: [Vec<[f32; 3]>; 0] = [];
    let mut builder = AssetBuilder::new();
    for (block, triangles) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
        builder.set_lod(block, &rising_strip(triangles * detail)).expect("a block");
    }
    builder.set_lod(AssetBlock::PhysicsMesh, &rising_strip(12)).expect("a block");
    builder
        .set_convex(&PhysicsConvex::new(&tetrahedron(), &none).expect("a hull"))
        .expect("a block");
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
