//! Assets as today's viewer writes them: levels, skins and collision shapes as blocks.

mod deflate;
mod level;

use lodger_core::cost::Provenance;
use lodger_mesh_asset::{
    AssetBlock, AssetBuilder, AssetError, AssetErrorKind, PhysicsConvex, Skin,
};

pub use crate::encode::deflate::deflate;
use crate::encode::level::block;
pub(crate) use crate::encode::level::{faces, has_area, level_block, with_areas};
use crate::frame::ObjectFrame;
use crate::model::{LodMesh, Rig, Submesh};
use crate::physics::CollisionShape;

/// The provenance of the block sizes of a written asset, whose bytes grids count.
pub const ASSET_SIZES: Provenance = Provenance::Exact;

/// The provenance of block sizes after an upload of .glb files: a viewer merges and orders vertices
/// in its own way, and may use another version of zlib-ng.
pub const UPLOAD_SIZES: Provenance = Provenance::Estimated;

const MAX_VERTICES: usize = 256;

type HullPoints = Vec<[f32; 3]>;

/// Encodes the bounding hull and the decomposition, in metres, with one domain; coordinates are
/// truncated.
///
/// # Errors
///
/// [`AssetErrorKind::Count`] for a hull of no or more than 256 vertices,
/// [`AssetErrorKind::NotFinite`].
pub(crate) fn convex(
    bounding: &[[f32; 3]],
    parts: &[HullPoints],
    frame: &ObjectFrame,
) -> Result<PhysicsConvex<'static>, AssetError> {
    if bounding.is_empty() || bounding.len() > MAX_VERTICES {
        let found = bounding.len();
        return Err(AssetErrorKind::Count {
            field: "BoundingVerts",
            found,
            expected: MAX_VERTICES,
        }
        .into());
    }
    let in_unit_space = |hull: &[[f32; 3]]| -> HullPoints {
        hull.iter().map(|&point| frame.to_unit(point)).collect()
    };
    let parts: Vec<_> = parts.iter().map(|part| in_unit_space(part)).collect();
    Ok(PhysicsConvex::floored(&in_unit_space(bounding), &parts)?)
}

/// Encodes the skin of an object. The bind shape matrix maps unit space to metres.
///
/// Source: `LLMeshSkinInfo::asLLSD` of the viewer (`indra/llprimitive/llmodel.cpp`). Without a
/// pelvis offset, which only joint positions that replace the avatar's need.
pub(crate) fn skin<'a>(rig: &'a Rig, frame: &ObjectFrame) -> Skin<'a> {
    Skin {
        joint_names: rig.joints.iter().map(|joint| joint.name.as_str().into()).collect(),
        bind_shape_matrix: Some(bind_shape(frame)),
        inverse_bind_matrix: rig.joints.iter().map(|joint| joint.inverse_bind).collect(),
        ..Skin::default()
    }
}

/// The matrix from unit space to metres, for row vectors.
fn bind_shape(frame: &ObjectFrame) -> [f64; 16] {
    let ([x, y, z], [width, depth, height]) = (frame.centre(), frame.sides());
    let rows =
        [[width, 0.0, 0.0, 0.0], [0.0, depth, 0.0, 0.0], [0.0, 0.0, height, 0.0], [x, y, z, 1.0]];
    let mut matrix = [0.0; 16];
    for (place, number) in matrix.iter_mut().zip(rows.as_flattened()) {
        *place = *number;
    }
    matrix
}

/// Writes an asset: a header with block offsets and sizes; then skin, physics, the levels, lowest
/// first, and the physics mesh, unless there is a decomposition.
///
/// Source: `LLModel::writeModel` and `writeModelToStream` of the viewer
/// (`indra/llprimitive/llmodel.cpp`).
///
/// # Errors
///
/// [`AssetErrorKind`]: hulls of too many vertices, a physics mesh that [`level_block`] rejects, 2
///   GiB in all.
pub(crate) fn asset(
    levels: [&[u8]; 4],
    physics: &CollisionShape,
    rig: Option<&Rig>,
    frame: &ObjectFrame,
) -> Result<Vec<u8>, AssetError> {
    let mut builder = AssetBuilder::new();
    if let Some(rig) = rig {
        builder.set_raw(AssetBlock::Skin.key(), block(&skin(rig, frame).to_value())?);
    }
    let convex = convex(&physics.bounding, &physics.parts, frame)?;
    builder.set_raw(AssetBlock::PhysicsConvex.key(), block(&convex.to_value())?);
    for (name, bytes) in AssetBlock::LODS.into_iter().zip(levels) {
        builder.set_raw(name.key(), bytes);
    }
    if let Some(mesh) = physics.mesh.as_ref().filter(|_| physics.parts.is_empty()) {
        builder.set_raw(
            AssetBlock::PhysicsMesh.key(),
            level::level_block(&without_attributes(mesh), frame)?,
        );
    }
    builder.sort_header().encode()
}

pub(crate) fn without_attributes(level: &LodMesh) -> LodMesh {
    let bare = |face: &Submesh| {
        let (positions, triangles) = (face.positions.clone(), face.triangles.clone());
        Submesh { positions, triangles, ..Submesh::default() }
    };
    LodMesh { submeshes: level.submeshes.iter().map(bare).collect() }
}

#[cfg(test)]
mod tests {
    use lodger_mesh_asset::lint::lint;
    use lodger_mesh_asset::{Asset, Influence, Influences};

    use super::*;
    use crate::model::Joint;
    use crate::test_meshes::{self, cuboid};

    const CORNERS: [[f32; 3]; 5] =
        [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 9.0], [1.234, 0.567, 2.891]];

    fn frame() -> ObjectFrame {
        test_meshes::frame(&CORNERS)
    }

    #[test]
    fn quantised_points_are_less_than_a_quantum_below() {
        let parts = [CORNERS.to_vec(), CORNERS[..4].to_vec()];
        let convex = convex(&CORNERS, &parts, &frame()).unwrap();
        assert_eq!(convex.hull_sizes().collect::<Vec<_>>(), [5, 4]);
        let bounding = convex.bounding().unwrap();
        assert_eq!(bounding.len(), 5);
        let written = bounding.iter().chain(convex.hulls().flatten());
        for (again, corner) in written.zip(CORNERS.iter().cycle()) {
            let again = frame().to_metres(again);
            for (axis, side) in frame().sides().into_iter().enumerate() {
                let below = f64::from(corner[axis]) - f64::from(again[axis]);
                assert!((-1e-6..side / 65_535.0 + 1e-6).contains(&below), "{again:?} {corner:?}");
            }
        }
        let inner = frame().to_metres(bounding.get(4).unwrap());
        assert_ne!(inner.map(f32::to_bits), CORNERS[4].map(f32::to_bits), "quantised");
    }

    #[test]
    fn hulls_of_no_or_too_many_vertices_are_refused() {
        let many = vec![[1.0; 3]; 257];
        assert!(convex(&[], &[], &frame()).is_err());
        assert!(convex(&many, &[], &frame()).is_err());
        assert!(convex(&CORNERS, std::slice::from_ref(&many), &frame()).is_err());
        assert!(convex(&many[..256], &[many[..256].to_vec()], &frame()).is_ok());
    }

    fn transform(point: [f32; 3], matrix: [f64; 16]) -> [f64; 3] {
        std::array::from_fn(|column| {
            let part = |row: usize| f64::from(point[row]) * matrix[4 * row + column];
            part(0) + part(1) + part(2) + matrix[12 + column]
        })
    }

    #[test]
    fn the_bind_shape_undoes_the_normalisation() {
        let corners = [[-1.0, 2.0, 3.0], [5.0, 2.5, 3.0], [0.0, 2.0, 10.0]];
        let frame = test_meshes::frame(&corners);
        let joint = Joint {
            name: "mHead".into(),
            inverse_bind: [
                0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5,
            ],
        };
        let rig =
            Rig { joints: vec![joint.clone(), Joint { name: "mNeck".into(), ..joint.clone() }] };
        let skin = skin(&rig, &frame);
        for corner in corners {
            let again = transform(frame.to_unit(corner), skin.bind_shape_matrix.unwrap());
            for axis in 0..3 {
                assert!((again[axis] - f64::from(corner[axis])).abs() < 1e-6, "{again:?}");
            }
        }
        assert_eq!(skin.joint_names, ["mHead", "mNeck"]);
        assert_eq!(skin.inverse_bind_matrix, [joint.inverse_bind; 2]);
        assert_eq!((skin.pelvis_offset, skin.alt_inverse_bind_matrix.len()), (None, 0));
    }

    fn cube(steps: u16) -> LodMesh {
        let mut submeshes = test_meshes::cube(steps, |_, _| 0.0);
        let joint = |joint, weight| Influence { joint, weight };
        let influences = Influences::new([joint(0, 50_000), joint(1, 15_535)]);
        for face in &mut submeshes {
            face.influences = vec![influences; face.positions.len()];
        }
        LodMesh { submeshes }
    }

    fn corners() -> Vec<[f32; 3]> {
        cuboid([-1.0; 3], [1.0; 3]).positions
    }

    fn rig() -> Rig {
        let joint = |name: &str| Joint { name: name.into(), inverse_bind: [0.25; 16] };
        Rig { joints: vec![joint("mHead"), joint("mNeck")] }
    }

    fn written(physics: &CollisionShape) -> Vec<u8> {
        let levels = [1, 2, 4, 8].map(cube);
        let frame = ObjectFrame::from_mesh(&levels[3]);
        let blocks = levels.map(|level| level::level_block(&level, &frame).unwrap());
        let rig = rig();
        asset([0, 1, 2, 3].map(|level: usize| &blocks[level][..]), physics, Some(&rig), &frame)
            .unwrap()
    }

    #[test]
    fn a_good_object_has_no_findings_and_the_order_of_a_viewer() {
        let physics = CollisionShape {
            bounding: corners(),
            mesh: Some(cube(1)),
            ..CollisionShape::default()
        };
        let file = written(&physics);
        let asset = Asset::parse(&file).unwrap();
        let scale = ObjectFrame::from_mesh(&cube(1)).scale().unwrap();
        assert_eq!(lint(&asset, scale), []);
        let header: Vec<_> = asset.header().map().iter().map(|(key, _)| key).collect();
        assert!(header.is_sorted(), "{header:?}");
        let mut blocks: Vec<_> =
            asset.header().blocks().map(|(name, at)| (at.offset, name)).collect();
        blocks.sort_unstable();
        let expected = [
            "skin",
            "physics_convex",
            "lowest_lod",
            "low_lod",
            "medium_lod",
            "high_lod",
            "physics_mesh",
        ];
        assert!(blocks.iter().map(|(_, name)| *name).eq(expected), "{blocks:?}");
        assert_eq!(header.len(), expected.len(), "and nothing else");
        let sizes: u32 = asset.header().blocks().map(|(_, at)| at.size).sum();
        assert_eq!(sizes as usize, asset.body().len());
    }

    #[test]
    fn written_assets_can_be_read() {
        let physics = CollisionShape {
            bounding: corners(),
            mesh: Some(cube(2)),
            ..CollisionShape::default()
        };
        let file = written(&physics);
        let asset = Asset::parse(&file).unwrap();
        let frame = ObjectFrame::from_mesh(&cube(1));
        let read = |block| asset.inflate(block).unwrap().unwrap();
        for (block, steps) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
            assert_eq!(read(block).lod().unwrap(), level::faces(&cube(steps), &frame).unwrap());
        }
        let skin_block = read(AssetBlock::Skin);
        assert_eq!(skin_block.skin().unwrap(), skin(&rig(), &frame));
        let mesh_block = read(AssetBlock::PhysicsMesh);
        let mesh = mesh_block.lod().unwrap();
        let (_, face) = mesh.geometries().next().unwrap();
        assert!(
            face.normals().is_none() && face.tex_coords().is_none() && face.weights().is_none()
        );
        for (again, &position) in face.positions().iter().zip(&cube(2).submeshes[0].positions) {
            for (axis, side) in frame.sides().into_iter().enumerate() {
                let below = f64::from(position[axis]) - f64::from(frame.to_metres(again)[axis]);
                assert!((-1e-6..side / 65_535.0 + 1e-6).contains(&below), "{again:?}");
            }
        }
    }

    #[test]
    fn beside_a_decomposition_there_is_no_physics_mesh() {
        let parts = vec![corners(), corners()[..4].to_vec()];
        let physics = CollisionShape {
            bounding: corners(),
            parts,
            mesh: Some(cube(1)),
            ..CollisionShape::default()
        };
        let file = written(&physics);
        let asset = Asset::parse(&file).unwrap();
        assert_eq!(asset.raw(AssetBlock::PhysicsMesh), None);
        let convex_block = asset.inflate(AssetBlock::PhysicsConvex).unwrap().unwrap();
        let convex = convex_block.convex().unwrap();
        assert_eq!(convex.hull_sizes().collect::<Vec<_>>(), [8, 4]);
        assert_eq!(convex.bounding().unwrap().len(), 8);
    }
}
