mod geometry;
mod levels;
mod materials;
mod skins;

use std::cell::RefCell;
use std::io;

use allocation_counter::measure;
use lodger_mesh_asset::Influences;
use lodger_pack::{GltfSource, LodMesh, Model, ModelObject, PackError, SkinChoice, Submesh};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::least;
use serde_json::json;

use crate::models::{self, GltfBuilder, Primitive};

fn notes(model: &Model) -> Vec<(&str, &str)> {
    model.notes.iter().map(|note| (note.code, &*note.about)).collect()
}

fn row(builder: &mut GltfBuilder, triangles: u16) -> serde_json::Value {
    let corners = |x: f32| [x, 0.0, 0.0, x + 1.0, 0.0, 0.0, x, 1.0, 0.0];
    let positions: Vec<f32> = (0..triangles).flat_map(|at| corners(f32::from(at))).collect();
    builder.primitive(&positions)
}

type CornerData = ([f32; 3], [f32; 3], Option<[f32; 2]>);

fn corners(face: &Submesh) -> Vec<CornerData> {
    let corner = |&index: &u16| {
        let index = usize::from(index);
        let normal = face.normals[index].map(|axis| (axis * 1e4).round());
        (face.positions[index], normal, face.tex_coords.get(index).copied())
    };
    face.triangles.as_flattened().iter().map(corner).collect()
}

/// The same of a drawn primitive, Z up.
fn drawn_corners(drawn: &Primitive) -> Vec<CornerData> {
    let up = |[x, y, z]: [f32; 3]| [x, -z, y];
    let corner = |&index: &u32| {
        let index = index as usize;
        let normal = up(drawn.normals[index]).map(|axis| (axis * 1e4).round());
        (up(drawn.positions[index]), normal, drawn.tex_coords.get(index).map(|&[u, v]| [u, -v]))
    };
    drawn.triangles.as_flattened().iter().map(corner).collect()
}

#[test]
fn drawings_are_read_as_drawn() {
    for drawing in [
        models::sphere(1.5, 12),
        models::terrain(9),
        models::tree_of_cards(5),
        models::torus_knot(48, 8),
    ] {
        let model = read(&drawing.glb());
        let ([object], [mesh]) = (&model.objects[..], &drawing.meshes[..]) else {
            panic!("{}", model.objects.len())
        };
        assert_eq!(object.name, mesh.name);
        assert_eq!(object.high.submeshes.len(), mesh.primitives.len());
        for (index, (face, drawn)) in object.high.submeshes.iter().zip(&mesh.primitives).enumerate()
        {
            assert_eq!(object.materials[index], drawn.material.unwrap_or(0));
            assert!(corners(face) == drawn_corners(drawn));
        }
    }
}

#[test]
fn a_file_that_is_no_gltf_is_an_error() {
    for bytes in [&b""[..], b"{}", b"glTF", b"\x89PNG", &[0xff; 90]] {
        let PackError::Model { file, .. } = try_read(bytes).expect_err("no glTF") else {
            panic!("another error");
        };
        assert_eq!(file, "it.glb");
    }
}

#[test]
fn a_cut_or_changed_file_is_no_panic() {
    let whole = models::skinned_tube(3, 5).glb();
    for length in 0..whole.len() {
        assert!(try_read(&whole[..length]).is_err(), "{length}");
    }
    for at in 0..whole.len() {
        for value in [0, 0x7f, 0xff, b'9'] {
            let mut changed = whole.clone();
            changed[at] = value;
            if let Ok(model) = try_read(&changed) {
                check(&model);
            }
        }
    }
}

#[test]
fn nothing_to_show_is_an_error() {
    let mut empty = GltfBuilder::new();
    assert!(read_failure(&empty.glb()).contains("no node of its scene draws a triangle"));
    empty.json.as_object_mut().expect("an object").remove("scenes");
    let mesh = empty.triangle();
    empty.add("nodes", json!({ "mesh": mesh }));
    assert!(read_failure(&empty.glb()).contains("no scene"));
}

/// Bytes of errors and of caches of the standard library, which are not charged.
const SLACK: u64 = 64 << 10;

/// The minimum memory in bytes that reads a file. Asserts that the reader stays within each smaller
/// quota.
#[track_caller]
fn memory_needed(name: &str, bytes: &[u8]) -> u64 {
    let mut memory = 1 << 14;
    loop {
        let mut is_quota_exceeded = false;
        let info = measure(|| {
            let read =
                read_all(&[("it.glb", bytes)], QuotaLimits { memory, ..QuotaLimits::default() });
            is_quota_exceeded = read.is_err_and(|error| error.to_string().contains("of memory"));
        });
        let peak = info.bytes_max;
        assert!(peak <= memory + SLACK, "{name}: {peak} bytes where {memory} are allowed");
        if !is_quota_exceeded {
            return memory;
        }
        memory *= 2;
        assert!(memory < 4 << 30, "{name}: it is never enough");
    }
}

#[test]
fn geometry_is_charged_before_it_is_read() {
    for drawing in [
        models::sphere(1.0, 30),
        models::terrain(80),
        models::tree_of_cards(200),
        models::nine_material_cube(),
        models::skinned_tube(40, 30),
    ] {
        let needed = memory_needed(drawing.name, &drawing.glb());
        let primitives = || drawing.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let corners: usize = primitives().map(|one| one.triangles.len() * 3).sum();
        let vertices: usize = primitives().map(|one| one.positions.len()).sum();
        // Positions, normals and texture coordinates, and indices of 32 bits.
        let decoded = (vertices * 32 + corners * 4) as u64;
        assert!(needed < (1 << 20) + 20 * decoded, "{}: {needed} of {decoded}", drawing.name);
    }
}

#[test]
fn split_submeshes_are_charged() {
    let mut builder = GltfBuilder::new();
    let primitive = row(&mut builder, 24_000);
    let mesh = builder.mesh(&[primitive.clone(), primitive]);
    for name in ["it", "it_LOD1"] {
        builder.root(json!({ "mesh": mesh, "name": name }));
    }
    memory_needed("a large face", &builder.glb());
}

#[test]
fn lists_are_charged() {
    for (list, element) in [
        ("meshes", json!({ "primitives": [{}, {}, { "attributes": { "A": 0, "B": 1 } }] })),
        ("materials", json!({})),
        ("materials", json!({ "name": "x", "a": [{}, {}, [[]]], "b": { "c": { "d": 0 } } })),
        ("images", json!({ "uri": "data:;base64,AAAAAAAAAAAA" })),
        ("images", json!({ "uri": "x" })),
        ("textures", json!({ "source": 0 })),
        ("skins", json!({ "joints": [1, 1, 1] })),
        ("nodes", json!({ "name": "n" })),
    ] {
        let mut builder = GltfBuilder::new();
        builder.materials(&["paint"]);
        let mesh = builder.painted([0]);
        builder.root(json!({ "mesh": mesh }));
        for _ in 0..2_000 {
            builder.add(list, element.clone());
        }
        memory_needed(list, &builder.glb());
    }
}

/// A skinned mesh with indices, one without, and an image in a buffer, in its URI and in another file.
#[test]
fn a_model_charges_exact_memory_and_work() {
    const PNG: &[u8] = b"\x89PNG";
    let mut builder = models::skinned_tube(2, 3).builder();
    let view = builder.view(PNG);
    builder.add("images", json!({ "mimeType": "image/png", "bufferView": view }));
    builder.add("images", json!({ "uri": "data:image/png;base64,iVBORw==" }));
    builder.add("images", json!({ "uri": "a.png" }));
    let material = builder.add("materials", json!({ "name": "paint" }));
    let mesh = builder.painted([material]);
    builder.root(json!({ "name": "plain", "mesh": mesh }));
    let bytes = builder.glb();
    let needed = [SkinChoice::Keep, SkinChoice::Rest].map(|skin| {
        let is_read = |memory, work| {
            let (files, limits) = ([("it.glb", &bytes[..])], QuotaLimits { memory, work });
            let model = read_skinned(&files, skin, &mut |_, _| Ok(PNG.to_vec()), limits);
            model.is_ok_and(|model| model.images.len() == 3)
        };
        (least(|memory| is_read(memory, u64::MAX)), least(|work| is_read(u64::MAX, work)))
    });
    assert_eq!(needed, [(67_168_374, 17_848), (67_168_662, 17_848)]);
}

pub(crate) fn read_all(files: &[(&str, &[u8])], limits: QuotaLimits) -> Result<Model, PackError> {
    read_beside(files, &mut |_, _| Err(io::ErrorKind::NotFound.into()), limits)
}

pub(crate) fn read_beside(
    files: &[(&str, &[u8])],
    outside: &mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
    limits: QuotaLimits,
) -> Result<Model, PackError> {
    read_skinned(files, SkinChoice::Keep, outside, limits)
}

fn read_skinned(
    files: &[(&str, &[u8])],
    skin: SkinChoice,
    outside: &mut dyn FnMut(&str, u64) -> io::Result<Vec<u8>>,
    limits: QuotaLimits,
) -> Result<Model, PackError> {
    let outside = RefCell::new(outside);
    let mut readers: Vec<_> =
        files.iter().map(|_| |uri: &str, max: u64| (outside.borrow_mut())(uri, max)).collect();
    let mut sources: Vec<_> = files
        .iter()
        .zip(&mut readers)
        .map(|(&(name, bytes), external)| GltfSource { name, bytes, external })
        .collect();
    lodger_pack::read(&mut sources, skin, &Quota::new(limits))
}

pub(crate) fn try_read(bytes: &[u8]) -> Result<Model, PackError> {
    read_all(&[("it.glb", bytes)], QuotaLimits::default())
}

#[track_caller]
pub(crate) fn read(bytes: &[u8]) -> Model {
    read_files(&[("it.glb", bytes)])
}

#[track_caller]
pub(crate) fn read_files(files: &[(&str, &[u8])]) -> Model {
    let model = read_all(files, QuotaLimits::default()).unwrap_or_else(|error| panic!("{error}"));
    check(&model);
    model
}

pub(crate) fn read_at_rest(bytes: &[u8]) -> Result<Model, PackError> {
    let none = &mut |_: &str, _| Err(io::ErrorKind::NotFound.into());
    let model = read_skinned(&[("it.glb", bytes)], SkinChoice::Rest, none, QuotaLimits::default())?;
    check(&model);
    Ok(model)
}

#[track_caller]
pub(crate) fn read_failure(bytes: &[u8]) -> String {
    failure_text(try_read(bytes))
}

#[track_caller]
pub(crate) fn failure_text(read: Result<Model, PackError>) -> String {
    match read {
        Err(PackError::Model { problem, help, .. }) => {
            [problem, help.unwrap_or_default()].join("; ")
        }
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("it was read"),
    }
}

#[track_caller]
pub(crate) fn check(model: &Model) {
    assert!((1..=256).contains(&model.objects.len()));
    for object in &model.objects {
        let faces = object.materials.len();
        assert!((1..=8).contains(&faces) && object.high.triangle_count() > 0, "{}", object.name);
        assert!(object.materials.iter().all(|&material| material < model.materials.len()));
        let given = &object.authored;
        let levels = [&given.lowest, &given.low, &given.medium].into_iter().flatten();
        for level in levels.chain([&object.high]) {
            assert!(
                level.submeshes.len() == faces && level.triangle_count() > 0,
                "{}",
                object.name
            );
            level.submeshes.iter().for_each(|face| check_face(face, object));
        }
        let physics = object.physics.iter().flat_map(|level: &LodMesh| &level.submeshes);
        physics.for_each(|face| check_face(face, &ModelObject::default()));
        assert!(object.rig.iter().all(|rig| rig.joints.len() <= 110));
    }
}

#[track_caller]
fn check_face(face: &Submesh, object: &ModelObject) {
    let vertices = face.positions.len();
    assert!(vertices < 65_535);
    assert!(face.positions.as_flattened().iter().all(|axis| axis.is_finite()));
    assert!(face.triangles.as_flattened().iter().all(|&index| usize::from(index) < vertices));
    assert_eq!(face.normals.len(), vertices);
    for normal in &face.normals {
        let length: f32 = normal.iter().map(|axis| axis * axis).sum();
        assert!((length - 1.0).abs() < 1e-5, "{normal:?}");
    }
    assert!([0, vertices].contains(&face.tex_coords.len()));
    let joints = object.rig.as_ref().map_or(0, |rig| rig.joints.len());
    assert_eq!(face.influences.len(), if joints > 0 { vertices } else { 0 });
    for influence in face.influences.iter().flat_map(Influences::as_slice) {
        assert!(usize::from(influence.joint) < joints);
    }
}
