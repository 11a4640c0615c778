//! Written files, read by the crate `gltf`, which validates them.

use gltf::Gltf;
use gltf::mesh::util::ReadIndices;
use lodger_mesh_asset::{Influence, Influences};
use lodger_quota::{Quota, QuotaLimits};
use serde_json::json;

use super::*;
use crate::model::{Joint, Material};
use crate::read::GltfSource;
use crate::test_meshes::{cuboid, level};

fn model() -> Model {
    let material = |name: &str, gltf: Value| Material {
        name: name.into(),
        gltf: gltf.as_object().cloned().unwrap_or_default(),
        colour: [1.0; 4],
    };
    let textures = json!({
        "textures": [{ "source": 0, "name": "cloth" }],
        "images": [{ "uri": "cloth.png", "name": "linen" }],
        "samplers": [],
    });
    Model {
        materials: vec![
            material("unused", json!({})),
            material("wood", json!({ "extensions": { "KHR_materials_unlit": {} } })),
            material(
                "cloth",
                json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }),
            ),
        ],
        textures: textures.as_object().cloned().unwrap(),
        ..Model::default()
    }
}

fn face(height: f32) -> Submesh {
    let joint = |joint, weight| Influence { joint, weight };
    Submesh {
        positions: vec![[1.0, 2.0, height], [4.0, 2.5, height], [1.0, 6.0, height + 0.5]],
        normals: vec![[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        tex_coords: vec![[0.0, -1.0], [1.0, -0.25], [0.5, 0.0]],
        influences: vec![
            Influences::new([joint(1, 65_535)]),
            Influences::new([joint(0, 30_000), joint(1, 35_533)]),
            Influences::default(),
        ],
        triangles: vec![[0, 1, 2], [2, 1, 0], [0, 2, 1]],
    }
}

/// Two submeshes of one material, one without triangles and one of another material.
fn object() -> ModelObject {
    ModelObject {
        name: "Chair".into(),
        materials: vec![2, 1, 1, 2],
        high: LodMesh { submeshes: vec![face(0.0), Submesh::default(), face(1.0), face(-2.0)] },
        ..ModelObject::default()
    }
}

fn wide() -> ModelObject {
    ModelObject { high: level(&[[0.0; 3], [6.0; 3]], &[]), ..ModelObject::default() }
}

fn rig() -> Rig {
    let turned = [0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5, -2.0, 3.0, 1.0];
    let moved = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.5, -7.0, 1.0];
    let joint = |name: &str, inverse_bind| Joint { name: name.into(), inverse_bind };
    Rig { joints: vec![joint("mPelvis", turned), joint("mChest", moved)] }
}

fn read(file: &[u8]) -> (Gltf, Vec<u8>) {
    let mut read = Gltf::from_slice(file).unwrap();
    let blob = read.blob.take().unwrap();
    (read, blob)
}

fn z_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, 0.0 - z, y]
}

fn again(primitive: &gltf::Primitive<'_>, blob: &[u8]) -> Submesh {
    let reader = primitive.reader(|_| Some(blob));
    let ReadIndices::U16(indices) = reader.read_indices().unwrap() else { panic!("u16") };
    let indices: Vec<_> = indices.collect();
    let coords =
        reader.read_tex_coords(0).into_iter().flat_map(gltf::mesh::util::ReadTexCoords::into_f32);
    Submesh {
        positions: reader.read_positions().unwrap().map(z_up).collect(),
        normals: reader.read_normals().into_iter().flatten().map(z_up).collect(),
        tex_coords: coords.map(|[u, v]| [u, 0.0 - v]).collect(),
        influences: Vec::new(),
        triangles: indices.as_chunks().0.to_vec(),
    }
}

#[test]
fn a_level_is_read_as_it_was() {
    let (model, object) = (model(), object());
    let file = level_file(&model, &object, &object.high, "Chair_LOD1").unwrap();
    let (gltf, blob) = read(&file);
    let node = gltf.default_scene().unwrap().nodes().next().unwrap();
    let mesh = node.mesh().unwrap();
    assert_eq!((node.name(), mesh.name()), (Some("Chair_LOD1"), Some("Chair_LOD1")));
    let faces: Vec<_> = mesh.primitives().map(|primitive| again(&primitive, &blob)).collect();
    let shown = object.high.submeshes.iter().filter(|face| !face.triangles.is_empty()).cloned();
    let bare: Vec<_> = shown.map(|face| Submesh { influences: Vec::new(), ..face }).collect();
    assert_eq!(faces, bare);
    let names: Vec<_> =
        mesh.primitives().map(|one| one.material().name().map(String::from)).collect();
    assert_eq!(names, ["cloth", "wood", "cloth"].map(|name| Some(name.into())));
    let bounds = mesh.primitives().next().unwrap().bounding_box();
    assert_eq!((bounds.min, bounds.max), ([1.0, 0.0, -6.0], [4.0, 0.5, -2.0]));
}

#[test]
fn files_have_the_materials_of_their_object() {
    let (model, object) = (model(), object());
    let file = level_file(&model, &object, &object.high, "Chair").unwrap();
    let (gltf, _) = read(&file);
    let names: Vec<_> =
        gltf.materials().map(|material| material.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["cloth", "wood"]);
    let cloth = gltf.materials().next().unwrap();
    let texture = cloth.pbr_metallic_roughness().base_color_texture().unwrap().texture();
    assert_eq!(texture.name(), Some("cloth"));
    assert_eq!(texture.source().name(), Some("linen"));
    assert!(matches!(texture.source().source(), gltf::image::Source::Uri { uri: "cloth.png", .. }));
    assert_eq!(gltf.extensions_used().collect::<Vec<_>>(), ["KHR_materials_unlit"]);
    assert_eq!(gltf.samplers().len(), 0);
}

#[test]
fn everything_is_aligned_and_as_long_as_it_says() {
    let (model, object) = (model(), object());
    let rigged = ModelObject { rig: Some(rig()), ..object };
    let file = level_file(&model, &rigged, &rigged.high, "Chair").unwrap();
    let number = |at: usize| u32::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize;
    assert_eq!(number(8), file.len());
    let binary = 20 + number(12);
    assert_eq!((binary % 4, number(binary) % 4), (0, 0));
    assert_eq!(binary + 8 + number(binary), file.len());
    let (gltf, blob) = read(&file);
    assert!(
        gltf.views()
            .all(|view| view.offset() % 4 == 0 && view.offset() + view.length() <= blob.len())
    );
    assert_eq!(gltf.buffers().next().unwrap().length(), blob.len());
}

/// Source: the formula of glTF 2.0, 3.7.3.1: Σ weight · joint · inverse bind · position.
#[test]
fn at_rest_a_rigged_mesh_is_as_it_was_modelled() {
    let rigged = ModelObject { rig: Some(rig()), ..object() };
    let file = level_file(&model(), &rigged, &rigged.high, "Chair").unwrap();
    let (gltf, blob) = read(&file);
    let skin = gltf.skins().next().unwrap();
    let names: Vec<_> = skin.joints().map(|joint| joint.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["mPelvis", "mChest"]);
    let mat4 = |columns: [[f32; 4]; 4]| glam::Mat4::from_cols_array_2d(&columns);
    let binds = skin.reader(|_| Some(&blob)).read_inverse_bind_matrices().unwrap();
    let joints = skin.joints().map(|joint| mat4(joint.transform().matrix()));
    let at_rest: Vec<_> = joints.zip(binds).map(|(joint, bind)| joint * mat4(bind)).collect();
    let node = gltf.nodes().find(|node| node.mesh().is_some()).unwrap();
    assert_eq!(node.skin().map(|skin| skin.index()), Some(0));
    for primitive in node.mesh().unwrap().primitives() {
        let reader = primitive.reader(|_| Some(&blob));
        let joints = reader.read_joints(0).unwrap().into_u16();
        let weights: Vec<_> = reader.read_weights(0).unwrap().into_f32().collect();
        for ((position, joints), weights) in
            reader.read_positions().unwrap().zip(joints).zip(weights)
        {
            let place = glam::Vec3::from(position);
            let part =
                |i: usize| at_rest[usize::from(joints[i])].transform_point3(place) * weights[i];
            let rest = part(0) + part(1) + part(2) + part(3);
            assert!((rest - place).length() < 1e-5, "{rest} {place}");
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }
    let first = node.mesh().unwrap().primitives().next().unwrap();
    let weights: Vec<_> =
        first.reader(|_| Some(&blob)).read_weights(0).unwrap().into_f32().collect();
    assert!((weights[1][0] - 30_000.0 / 65_533.0).abs() < 1e-4);
}

#[test]
fn each_hull_is_a_primitive_and_closed() {
    let cube = cuboid([0.0; 3], [1.0; 3]).positions;
    let far = cube.iter().map(|&[x, y, z]| [x + 5.0, y, z]).take(7).collect();
    let file = hulls_file(&wide(), &[cube, far], "Chair_PHYS").unwrap();
    let (gltf, blob) = read(&file);
    let mesh = gltf.meshes().next().unwrap();
    assert_eq!(mesh.name(), Some("Chair_PHYS"));
    let faces: Vec<_> = mesh.primitives().map(|primitive| again(&primitive, &blob)).collect();
    assert_eq!(faces.iter().map(|face| face.triangles.len()).collect::<Vec<_>>(), [12, 10]);
    assert_eq!(gltf.materials().len(), 0);
}

/// A viewer computes bounds from all vertices, used or not.
#[test]
fn a_smaller_level_is_as_large_as_its_object() {
    let rigged = ModelObject { rig: Some(rig()), materials: vec![1], ..wide() };
    let level = LodMesh { submeshes: vec![face(1.0)] };
    for file in [
        level_file(&model(), &rigged, &level, "Chair_LOD0").unwrap(),
        mesh_file(&rigged, &level, "Chair_PHYS").unwrap(),
    ] {
        let (gltf, blob) = read(&file);
        let primitive = gltf.meshes().next().unwrap().primitives().next().unwrap();
        let bounds = primitive.bounding_box();
        assert_eq!((bounds.min, bounds.max), ([0.0, 0.0, -6.0], [6.0, 6.0, 0.0]));
        let mut read = again(&primitive, &blob);
        assert_eq!(read.triangles, face(1.0).triangles, "no triangle has the corners");
        assert_eq!(read.positions.drain(3..).collect::<Vec<_>>(), [[0.0; 3], [6.0; 3]]);
        assert_eq!(read.positions, face(1.0).positions);
        let coords = read.tex_coords;
        assert!(coords.is_empty() || (coords.len() == 5 && coords[3..] == [coords[0]; 2]));
    }
}

#[test]
fn a_mesh_has_positions_alone() {
    let file = mesh_file(&object(), &object().high, "Chair_PHYS").unwrap();
    let (gltf, _) = read(&file);
    for primitive in gltf.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        assert_eq!(primitive.attributes().count(), 1);
        assert_eq!(primitive.material().index(), None);
    }
}

#[test]
fn unwritable_objects_are_errors() {
    let (model, mut object) = (model(), object());
    let broken: [fn(&mut ModelObject); 6] = [
        |object| object.high.submeshes.truncate(0),
        |object| object.high.submeshes[0].triangles[2][1] = 3,
        |object| object.high.submeshes[0].normals.truncate(2),
        |object| object.high.submeshes[0].influences.truncate(1),
        |object| object.high.submeshes[3].positions[0][2] = f32::INFINITY,
        |object| object.rig = Some(Rig { joints: rig().joints[..1].to_vec() }),
    ];
    for (case, break_it) in broken.iter().enumerate() {
        break_it(&mut object);
        assert!(level_file(&model, &object, &object.high, "Chair").is_err(), "{case}");
        object = self::object();
    }
    assert!(hulls_file(&object, &[vec![[0.0; 3]; 5]], "Flat_PHYS").is_err());
    assert!(hulls_file(&object, &[], "None_PHYS").is_err());
}

fn corners(face: &Submesh) -> Vec<[f32; 8]> {
    let corner = |&index: &u16| {
        let index = usize::from(index);
        let ([x, y, z], [u, v]) = (face.positions[index], face.tex_coords[index]);
        let [across, along, up] = face.normals[index];
        [x, y, z, across, along, up, u, v]
    };
    face.triangles.as_flattened().iter().map(corner).collect()
}

#[test]
fn files_of_levels_are_read_as_one_object() {
    let one_way = |height| Submesh { triangles: vec![[0, 1, 2]], ..face(height) };
    let object = ModelObject {
        high: LodMesh { submeshes: vec![one_way(0.0), one_way(2.0)] },
        materials: vec![2, 1],
        rig: Some(rig()),
        ..object()
    };
    let low = LodMesh { submeshes: vec![one_way(0.5), Submesh::default()] };
    let shape = LodMesh { submeshes: vec![one_way(1.0)] };
    let files = [
        ("Chair.glb", level_file(&model(), &object, &object.high, "Chair").unwrap()),
        ("Chair_LOD1.glb", level_file(&model(), &object, &low, "Chair_LOD1").unwrap()),
        ("Chair_PHYS.glb", mesh_file(&object, &shape, "Chair_PHYS").unwrap()),
    ];
    let mut outside = files.each_ref().map(|_| |_: &str, _: u64| Ok(b"a picture".to_vec()));
    let mut sources: Vec<_> = (files.iter().zip(&mut outside))
        .map(|((name, bytes), external)| GltfSource { name, bytes, external })
        .collect();
    let again = crate::read::read(
        &mut sources,
        crate::SkinChoice::Keep,
        &Quota::new(QuotaLimits::default()),
    )
    .unwrap();
    let [read] = &again.objects[..] else { panic!("{:?}", again.notes) };
    assert_eq!(read.name, "Chair");
    let names: Vec<_> = read.materials.iter().map(|&index| &again.materials[index].name).collect();
    assert_eq!(names, ["cloth", "wood"]);
    let levels = [(&object.high, &read.high), (&low, read.authored.low.as_ref().unwrap())];
    for (written, read) in levels {
        assert_eq!(read.submeshes.len(), written.submeshes.len());
        for (written, read) in written.submeshes.iter().zip(&read.submeshes) {
            // Joint matrices of floats change it.
            for (read, written) in corners(read).into_iter().zip(corners(written)) {
                for (read, written) in read.into_iter().zip(written) {
                    assert!((read - written).abs() <= 4.0 * f32::EPSILON, "{read} {written}");
                }
            }
        }
    }
    let corner = |level: &LodMesh| level.corners().collect::<Vec<_>>();
    assert_eq!(corner(read.physics.as_ref().unwrap()), corner(&shape));
    let joints = &read.rig.as_ref().unwrap().joints;
    // Joints in a world have no rotation at rest: only their places are read again.
    let by = |[x, y, z]: [f64; 3], m: &[f64; 16]| -> [f64; 3] {
        std::array::from_fn(|axis| x * m[axis] + y * m[4 + axis] + z * m[8 + axis] + m[12 + axis])
    };
    for written in rig().joints {
        let read = joints.iter().find(|joint| joint.name == written.name).unwrap();
        let [x, y, z] = [12, 13, 14].map(|entry| -read.inverse_bind[entry]);
        assert!(by([x, y, z], &written.inverse_bind).iter().all(|axis| axis.abs() < 1e-6));
        assert!([0, 5, 10].iter().all(|&entry| (read.inverse_bind[entry] - 1.0).abs() < 1e-6));
    }
}
