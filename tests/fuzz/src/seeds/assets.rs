//! Mesh assets and what they are made of.

use lodger_mesh_asset::llsd::Value;
use lodger_mesh_asset::{
    AssetBuilder, Block, Convex, Face, Faces, Geometry, PhysicsCostData, Quantized, Skin,
};

/// The blocks of an asset, and a value of every kind.
pub(super) fn llsd() -> Vec<Vec<u8>> {
    let kinds: Value = [
        Value::Undef,
        Value::from(true),
        Value::from(-7),
        Value::Real(0.5),
        Value::Uuid([7; 16]),
        Value::Date(1.3e9),
        Value::from("text"),
        Value::from(vec![1_u8, 2, 3]),
        Value::Map([("key", 1)].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let (lod, convex, skin) = (lod(2), convex(), skin());
    let values = [kinds, lod.to_value(), convex.to_value(), skin.to_value(), costs().to_value()];
    values.iter().map(|value| value.to_bytes().expect("a short value")).collect()
}

/// An asset of one LOD, and one of every block.
pub(super) fn assets() -> Vec<Vec<u8>> {
    let mut builder = AssetBuilder::new();
    builder.set_value("version", 1);
    builder.set_lod(Block::HighLod, &lod(4)).expect("a short block");
    let small = builder.encode().expect("a small asset");
    for (block, quads) in Block::LODS.into_iter().zip(1..) {
        builder.set_lod(block, &lod(quads)).expect("a short block");
    }
    builder
        .set_lod(Block::PhysicsMesh, &lod(1))
        .and_then(|builder| builder.set_skin(&skin()))
        .and_then(|builder| builder.set_convex(&convex()))
        .and_then(|builder| builder.set_cost_data(&costs()))
        .expect("short blocks");
    vec![small, builder.encode().expect("a small asset")]
}

/// A face of two triangles for each quad, and one without geometry.
fn lod(quads: u16) -> Faces<'static> {
    let corners: Vec<_> =
        (0..=quads).flat_map(|i| [0.0, 0.5].map(|y| [f32::from(i) * 0.1, y, 0.1])).collect();
    let triangles: Vec<_> = (0..2 * quads).map(|i| [i, i + 1, i + 2]).collect();
    let uv: Vec<_> = corners.iter().map(|&[x, y, _]| [x, y]).collect();
    let points =
        Quantized::from_points(&corners).and_then(|points| Geometry::new(points, &triangles));
    let face = points.and_then(|face| face.with_tex_coords(Quantized::from_points(&uv)?));
    Faces::new([face.expect("corners that exist").into(), Face::NoGeometry])
}

fn convex() -> Convex<'static> {
    let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    Convex::new(&hull, &[hull, hull]).expect("two hulls")
}

fn skin() -> Skin<'static> {
    Skin {
        joint_names: vec!["mPelvis".into()],
        bind_shape_matrix: Some([0.25; 16]),
        inverse_bind_matrix: vec![[1.0; 16]],
        ..Skin::default()
    }
}

fn costs() -> PhysicsCostData {
    PhysicsCostData {
        hull: Some(0.2),
        decomposition: Some(0.4),
        mesh_triangles: Some(4),
        ..PhysicsCostData::default()
    }
}

/// An object of 2 m by 1 m by 1.5 m that moves, swept from 0.1 m to 64 m and held to a land impact of 4.
pub(super) fn asked() -> Vec<Vec<u8>> {
    let sides = [2.0_f32, 1.0, 1.5].map(f32::to_le_bytes).concat();
    let range = [0.1_f64, 64.0].map(f64::to_le_bytes).concat();
    let head = [&sides[..], &[0, 3, 3, 0], &range, &[4, 0]].concat();
    assets().into_iter().map(|asset| [&head[..], &asset].concat()).collect()
}
