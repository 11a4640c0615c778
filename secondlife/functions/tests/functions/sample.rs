//! Assets made up for the tests.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::TriangleMesh;
use lodger_mesh_asset::{
    Asset, AssetBuilder, Block, Convex, Faces, Geometry, PhysicsCostData, Quantized, Skin,
};

/// A strip of so many triangles, each thinner than the one before.
pub(crate) fn strip(triangles: u16) -> Faces<'static> {
    let place = |i: u16| f32::from(i) / f32::from(triangles + 2);
    let corners: Vec<_> = (0..triangles + 2)
        .map(|i| [place(i) - 0.5, if i % 2 == 0 { 0.0 } else { 0.5 }, 0.3 * place(i)])
        .collect();
    of(&corners, &(0..triangles).map(|i| [i, i + 1, i + 2]).collect::<Vec<_>>())
}

/// One face.
pub(crate) fn of(corners: &[[f32; 3]], triangles: &[[u16; 3]]) -> Faces<'static> {
    let corners = Quantized::from_points(corners).unwrap();
    Faces::new([Geometry::new(corners, triangles).unwrap().into()])
}

/// A physics mesh whose triangles stand on one edge, 15 of 40 far narrower than the others.
pub(crate) fn wedge() -> Faces<'static> {
    let corner = |i: u16| {
        [if i < 25 { 0.5 } else { 0.001 }, 0.001 * f32::from(i), if i < 25 { 0.1 } else { 0.0 }]
    };
    let corners: Vec<_> =
        [[0.0; 3], [0.0, 0.5, 0.0]].into_iter().chain((0..40).map(corner)).collect();
    of(&corners, &(2..42).map(|i| [0, 1, i]).collect::<Vec<_>>())
}

pub(crate) fn tetrahedron(at: f32) -> Vec<[f32; 3]> {
    vec![[at; 3], [at + 0.2, at, at], [at, at + 0.2, at], [at, at, at + 0.2]]
}

pub(crate) fn skin() -> Skin<'static> {
    Skin { joint_names: vec!["mPelvis".into(), "mTorso".into()], ..Skin::default() }
}

/// What an asset is made with.
#[allow(clippy::struct_excessive_bools)] // each of a block that is there or not
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct With {
    pub(crate) hull: bool,
    pub(crate) hulls: bool,
    pub(crate) mesh: bool,
    pub(crate) cost_data: bool,
    pub(crate) copied: bool,
    pub(crate) degenerate: u16,
}

/// The file of an asset, larger for a larger `detail`.
pub(crate) fn file(detail: u16, with: With) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in Block::LODS.into_iter().zip([1, 2, 4, 8]) {
        let triangles = if with.copied { 8 } else { triangles };
        builder.set_lod(block, &strip(triangles * detail)).unwrap();
    }
    if with.degenerate > 0 {
        let flat = vec![[0, 1, 1]; with.degenerate.into()];
        builder.set_lod(Block::HighLod, &of(&tetrahedron(0.0), &flat)).unwrap();
    }
    if with.mesh {
        builder.set_lod(Block::PhysicsMesh, &wedge()).unwrap();
    }
    if with.hull || with.hulls {
        let hulls = [tetrahedron(0.0), tetrahedron(-0.4)];
        let hulls = if with.hulls { &hulls[..] } else { &[] };
        let hull = if with.hull { tetrahedron(-0.5) } else { Vec::new() };
        builder.set_convex(&Convex::new(&hull, hulls).unwrap()).unwrap();
    }
    if with.cost_data {
        let data =
            PhysicsCostData { hull: Some(0.7), decomposition: Some(1.9), ..Default::default() };
        builder.set_cost_data(&data).unwrap();
        builder.set_skin(&skin()).unwrap();
    }
    builder.encode().unwrap()
}

/// Assets of every kind.
pub(crate) fn all() -> Vec<(With, Vec<u8>)> {
    let choices = (0_u32..32).flat_map(|bits| {
        let is = |bit: u32| bits >> bit & 1 == 1;
        let with = With {
            hull: is(0),
            hulls: is(1),
            mesh: is(2),
            cost_data: is(3),
            copied: is(4),
            degenerate: 0,
        };
        [with, With { degenerate: 7, ..with }, With { degenerate: 1200, ..with }]
    });
    choices.map(|with| (with, file(3, with))).collect()
}

/// A block of triangles at a scale, by way of an asset; nothing for one that cannot be read, or that core refuses.
#[allow(clippy::option_option)] // the inner one is that of what is measured
pub(crate) fn measured(block: &[u8], scale: ObjectScale<f64>) -> Option<Option<TriangleMesh<f64>>> {
    if block.is_empty() {
        return None; // an asset without the block has no mesh, but a block without bytes is damaged
    }
    let mut builder = AssetBuilder::new();
    let file = builder.set_raw(Block::PhysicsMesh.key(), block).encode().unwrap();
    let asset = Asset::parse(&file).unwrap();
    let inflated = asset.inflate(Block::PhysicsMesh).ok()??;
    inflated.lod().ok()?.measure(scale).ok()
}
