//! A mesh asset of four LODs with a physics mesh.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::streaming::Rules;
use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Limits, Quantized};
use lodger_opensim::pricing::{Mesh, MeshUse, Pricing};

/// A strip of so many triangles, each thinner than the one before.
pub(crate) fn strip(triangles: u16) -> Faces<'static> {
    let place = |i: u16| f32::from(i) / f32::from(triangles + 2);
    let corners: Vec<_> = (0..triangles + 2)
        .map(|i| [place(i) - 0.5, if i % 2 == 0 { 0.0 } else { 0.5 }, 0.3 * place(i)])
        .collect();
    let triangles: Vec<_> = (0..triangles).map(|i| [i, i + 1, i + 2]).collect();
    let corners = Quantized::from_points(&corners).expect("finite corners");
    Faces::new([Geometry::new(corners, &triangles).expect("corners that exist").into()])
}

/// The file of an asset, larger for a larger `detail`.
pub(crate) fn file(detail: u16) -> Vec<u8> {
    let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    let none: [Vec<[f32; 3]>; 0] = [];
    let mut builder = AssetBuilder::new();
    for (block, triangles) in Block::LODS.into_iter().zip([1, 2, 4, 8]) {
        builder.set_lod(block, &strip(triangles * detail)).expect("a block");
    }
    builder.set_lod(Block::PhysicsMesh, &strip(12)).expect("a block");
    builder.set_convex(&Convex::new(&hull, &none).expect("a hull")).expect("a block");
    builder.encode().expect("an asset")
}

/// A mesh that only borrows nothing: its file is gone.
pub(crate) fn mesh() -> Mesh {
    Mesh::read(&file(300), Limits::default()).expect("an asset")
}

/// The rules of today's viewers.
pub(crate) fn viewer() -> Pricing {
    Pricing::new(Rules::VIEWER).expect("rules that hold")
}

/// An object of that scale.
pub(crate) fn of_scale(sides: [f64; 3]) -> MeshUse {
    MeshUse { scale: ObjectScale::new(sides).expect("a scale"), ..MeshUse::default() }
}
