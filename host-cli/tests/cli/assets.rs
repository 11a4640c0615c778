//! Mesh assets to start from.

use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Quantized};

/// Triangles over corners, as a mesh of one face.
pub(crate) fn mesh(corners: &[[f32; 3]], triangles: &[[u16; 3]]) -> Faces<'static> {
    let corners = Quantized::from_points(corners).expect("finite corners");
    Faces::new([Geometry::new(corners, triangles).expect("corners that exist").into()])
}

/// A strip of so many triangles, 1 m long and 0.5 m wide.
pub(crate) fn strip(triangles: u16) -> Faces<'static> {
    let quads = triangles.div_ceil(2);
    let corners: Vec<_> = (0..=quads)
        .flat_map(|i| [0.0, 0.5].map(|y| [f32::from(i) / f32::from(quads) - 0.5, y, 0.1]))
        .collect();
    let triangles: Vec<_> = (0..triangles).map(|i| [i, i + 1, i + 2]).collect();
    mesh(&corners, &triangles)
}

/// The corners of a hull.
pub(crate) fn tetrahedron() -> Vec<[f32; 3]> {
    vec![[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]]
}

/// An asset with nothing to complain about: four levels, a hull and a decomposition.
pub(crate) fn good() -> AssetBuilder<'static> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in Block::LODS.into_iter().zip([2, 4, 8, 16]) {
        builder.set_lod(block, &strip(triangles)).expect("a short block");
    }
    let convex = Convex::new(&tetrahedron(), &[tetrahedron(), tetrahedron()]);
    builder.set_convex(&convex.expect("two hulls")).expect("a short block");
    builder
}

/// The bytes of an asset.
pub(crate) fn bytes(builder: &AssetBuilder) -> Vec<u8> {
    builder.encode().expect("a small asset")
}
