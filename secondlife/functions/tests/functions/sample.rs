use lodger_mesh_asset::{AssetBlock, AssetBuilder, Faces, PhysicsConvex, PhysicsCostData, Skin};
use lodger_testkit::build::mesh::{mesh, rising_strip};

/// Builds a physics mesh whose triangles share an edge; 15 of 40 are far narrower than the others.
fn wedge() -> Faces<'static> {
    let corner = |i: u16| {
        [if i < 25 { 0.5 } else { 0.001 }, 0.001 * f32::from(i), if i < 25 { 0.1 } else { 0.0 }]
    };
    let corners: Vec<_> =
        [[0.0; 3], [0.0, 0.5, 0.0]].into_iter().chain((0..40).map(corner)).collect();
    mesh(&corners, &(2..42).map(|i| [0, 1, i]).collect::<Vec<_>>())
}

fn tetrahedron(at: f32) -> Vec<[f32; 3]> {
    vec![[at; 3], [at + 0.2, at, at], [at, at + 0.2, at], [at, at, at + 0.2]]
}

#[allow(clippy::struct_excessive_bools)] // one for each optional block
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct With {
    pub(crate) hull: bool,
    pub(crate) hulls: bool,
    pub(crate) mesh: bool,
    pub(crate) cost_data: bool,
    pub(crate) copied: bool,
    pub(crate) degenerate: u16,
}

pub(crate) fn file(detail: u16, with: With) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    for (block, triangles) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
        let triangles = if with.copied { 8 } else { triangles };
        builder.set_lod(block, &rising_strip(triangles * detail)).unwrap();
    }
    if with.degenerate > 0 {
        let flat = vec![[0, 1, 1]; with.degenerate.into()];
        builder.set_lod(AssetBlock::HighLod, &mesh(&tetrahedron(0.0), &flat)).unwrap();
    }
    if with.mesh {
        builder.set_lod(AssetBlock::PhysicsMesh, &wedge()).unwrap();
    }
    if with.hull || with.hulls {
        let hulls = [tetrahedron(0.0), tetrahedron(-0.4)];
        let hulls = if with.hulls { &hulls[..] } else { &[] };
        let hull = if with.hull { tetrahedron(-0.5) } else { Vec::new() };
        builder.set_convex(&PhysicsConvex::new(&hull, hulls).unwrap()).unwrap();
    }
    if with.cost_data {
        let data =
            PhysicsCostData { hull: Some(0.7), decomposition: Some(1.9), ..Default::default() };
        builder.set_cost_data(&data).unwrap();
        let joint_names = vec!["mPelvis".into(), "mTorso".into()];
        builder.set_skin(&Skin { joint_names, ..Skin::default() }).unwrap();
    }
    builder.encode().unwrap()
}

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
