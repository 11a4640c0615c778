//! Spheres of declared, measured and skinned meshes.

use std::io;

use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
use serde_json::{Value, json};

use super::{Builder, assert_spheres, from_origin, read, warnings};
use crate::bounded::needed;
use crate::{SceneFile, SceneFileErrorKind, SceneLimits};

/// Corners of a box from (0, 0, 0) to (2, 4, 4), whose diagonal is 6.
const CORNERS: [f32; 6] = [2.0, 0.0, 4.0, 0.0, 4.0, 0.0];
const SPHERE: [f32; 4] = [1.0, 2.0, 2.0, 3.0];

fn with_positions(build: impl FnOnce(&mut Builder) -> usize) -> Builder {
    let mut builder = Builder::new();
    let positions = build(&mut builder);
    let mesh = builder.mesh(&json!({ "POSITION": positions }));
    builder.root(json!({ "name": "it", "mesh": mesh }));
    builder
}

#[track_caller]
fn assert_measured(builder: &Builder, sphere: [f32; 4]) {
    assert_spheres(&builder.read().expect("a scene"), &[("it", sphere)]);
}

#[test]
fn positions_without_bounds_are_measured() {
    assert_measured(&with_positions(|b| b.floats("VEC3", &CORNERS)), SPHERE);
    for (key, value) in
        [("min", json!([0, 0])), ("max", json!("high")), ("min", json!([null, null, null]))]
    {
        let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
        builder.json["accessors"][0]["min"] = json!([9, 9, 9]);
        builder.json["accessors"][0]["max"] = json!([9, 9, 9]);
        builder.json["accessors"][0][key] = value;
        assert_measured(&builder, SPHERE);
    }
}

#[test]
fn declared_bounds_are_not_measured() {
    let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    builder.json["accessors"][0]["min"] = json!([8, 8, 8]);
    builder.json["accessors"][0]["max"] = json!([8, 8, 10]);
    assert_measured(&builder, [8.0, 8.0, 9.0, 1.0]);
    let never = |_: &str, _| -> io::Result<Vec<u8>> { panic!("nothing is measured") };
    let bytes = builder.beside("a.bin");
    assert!(
        SceneFile::from_gltf_with(
            &bytes,
            never,
            &from_origin(),
            SceneLimits::default(),
            &Quota::default()
        )
        .is_ok()
    );
}

#[test]
fn the_lowest_of_normalised_integers_stands_for_minus_1() {
    let mut builder = with_positions(|b| b.integers(5120, "VEC3", 1, &[0, 0, 0]));
    builder.json["accessors"][0]["normalized"] = json!(true);
    builder.json["accessors"][0]["min"] = json!([-128, 0, 0]);
    builder.json["accessors"][0]["max"] = json!([127, 0, 0]);
    assert_measured(&builder, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn positions_may_be_quantized() {
    let bytes =
        |values: [i16; 8]| values.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<_>>();
    // Two positions of 6 bytes, 8 bytes apart.
    let shorts = bytes([2, 0, 4, 77, 0, 4, 0, 77]);
    let mut builder = with_positions(|b| b.integers(5122, "VEC3", 2, &shorts));
    builder.json["bufferViews"][0]["byteStride"] = json!(8);
    assert_measured(&builder, SPHERE);
    let shorts = bytes([32767, 0, 32767, 77, -32768, 0, 0, 77]);
    let mut builder = with_positions(|b| b.integers(5122, "VEC3", 2, &shorts));
    builder.json["bufferViews"][0]["byteStride"] = json!(8);
    builder.json["accessors"][0]["normalized"] = json!(true);
    assert_measured(&builder, [0.0, 0.0, 0.5, 1.25_f32.sqrt()]);
    let octets = [200, 0, 0, 0, 0, 100, 0, 0];
    let mut builder = with_positions(|b| b.integers(5121, "VEC3", 2, &octets));
    builder.json["bufferViews"][0]["byteStride"] = json!(4);
    assert_measured(&builder, [100.0, 50.0, 0.0, 12_500_f32.sqrt()]);
}

#[test]
fn sparse_positions_replace_others() {
    let with_sparse = |builder: &mut Builder, accessor: usize, indices: &[u8]| {
        let indices = builder.view(indices);
        let values: Vec<_> = [0.0_f32, 4.0, 4.0].into_iter().flat_map(f32::to_le_bytes).collect();
        let values = builder.view(&values);
        builder.json["accessors"][accessor]["sparse"] = json!({ "count": 1,
            "indices": { "bufferView": indices, "componentType": 5121 },
            "values": { "bufferView": values } });
        accessor
    };
    let builder = with_positions(|b| {
        let all = b.floats("VEC3", &[2.0, 0.0, 0.0, 99.0, 99.0, 99.0]);
        with_sparse(b, all, &[1])
    });
    assert_measured(&builder, SPHERE);
    let zeros = json!({ "componentType": 5126, "type": "VEC3", "count": 1_000 });
    let builder = with_positions(|b| {
        let all = b.add("accessors", zeros.clone());
        with_sparse(b, all, &[1])
    });
    assert_measured(&builder, [0.0, 2.0, 2.0, 8_f32.sqrt()]);
    for indices in [&[250][..], &[]] {
        let builder = with_positions(|b| {
            let all = b.floats("VEC3", &CORNERS);
            with_sparse(b, all, indices)
        });
        assert!(builder.rejected().contains("cannot be measured"), "{}", builder.rejected());
    }
}

#[test]
fn an_external_file_is_read_once() {
    let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    let again = builder.floats("VEC3", &[5.0, 5.0, 5.0]);
    let mesh = builder.mesh(&json!({ "POSITION": again }));
    builder.root(json!({ "name": "that", "mesh": mesh }));
    let mut requests = Vec::new();
    let external = |uri: &str, most| {
        requests.push((uri.to_owned(), most));
        Ok(builder.bin.clone())
    };
    let bytes = builder.beside("my%20data.bin");
    let file = SceneFile::from_gltf_with(
        &bytes,
        external,
        &from_origin(),
        SceneLimits::default(),
        &Quota::default(),
    );
    assert_spheres(&file.expect("a scene"), &[("it", SPHERE), ("that", [5.0, 5.0, 5.0, 0.0])]);
    assert_eq!(requests, [("my%20data.bin".to_owned(), 36)]);
}

#[test]
fn unmeasurable_positions_are_reported() {
    let builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    let error = read(&builder.beside("a.bin")).expect_err("another file");
    let text = error.to_string();
    assert!(text.contains("buffer 0 is in `a.bin`, which cannot be read: no other"), "{text}");
    let mesh =
        "node 0 `it`: mesh 0: primitive 0: its POSITION accessor has no `min` of three numbers";
    assert!(text.starts_with(mesh) && text.contains("cannot be measured: "), "{text}");
    let mut long = with_positions(|b| b.floats("VEC3", &CORNERS));
    long.bin.resize(2 << 20, 0);
    let external = |_: &str, _| -> io::Result<Vec<u8>> { panic!("it exceeds the quota") };
    let quota = Quota::new(QuotaLimits { memory: 1 << 20, ..QuotaLimits::default() });
    let (bytes, limits) = (long.beside("a.bin"), SceneLimits::default());
    let error = SceneFile::from_gltf_with(&bytes, external, &from_origin(), limits, &quota);
    let error = error.expect_err("it is too long");
    assert_eq!(error.to_string(), "it needs more than 1 MiB of memory");

    let error_of = |change: fn(&mut Value)| {
        let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
        change(&mut builder.json);
        builder.rejected()
    };
    for (change, message) in [
        (
            (|json| json["accessors"][0]["count"] = json!(3)) as fn(&mut Value),
            "accessor 0 ends beyond buffer 0",
        ),
        (|json| json["accessors"][0]["count"] = json!(400_000_000), "ends beyond buffer 0"),
        (|json| json["accessors"][0]["byteOffset"] = json!(u64::MAX), "ends beyond buffer 0"),
        (|json| json["bufferViews"][0]["byteStride"] = json!(u64::MAX), "ends beyond buffer 0"),
        (|json| json["bufferViews"][0]["byteLength"] = json!(25), "ends beyond buffer 0"),
        (|json| json["bufferViews"][0]["byteLength"] = json!(23), "ends beyond buffer 0"),
        (|json| json["bufferViews"][0]["byteOffset"] = json!(1), "ends beyond buffer 0"),
        (|json| json["bufferViews"][0]["buffer"] = json!(7), "buffer 7 does not exist"),
        (|json| json["accessors"][0]["bufferView"] = json!(7), "buffer view 7, which does not"),
        (|json| json["accessors"][0]["componentType"] = json!(5125), "the type that positions"),
        (|json| json["accessors"][0]["type"] = json!("MAT9"), "the type that positions"),
    ] {
        let text = error_of(change);
        assert!(text.contains(message), "{text}, not {message}");
    }
}

#[test]
fn compressed_data_is_named() {
    let positions = json!({ "componentType": 5126, "type": "VEC3", "count": 3 });
    let mut draco = with_positions(|b| b.add("accessors", positions));
    draco.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {} } });
    let text = draco.rejected();
    assert!(text.contains("compressed with KHR_draco_mesh_compression"), "{text}");
    let mut meshopt = with_positions(|b| b.floats("VEC3", &CORNERS));
    meshopt.json["bufferViews"][0]["extensions"] = json!({ "EXT_meshopt_compression": {} });
    // The uncompressed fallback is present.
    assert_measured(&meshopt, SPHERE);
    meshopt.json["bufferViews"][0]["buffer"] = json!(1);
    let mut json = meshopt.json.clone();
    json["buffers"] = json!([{ "byteLength": 24 }, { "byteLength": 24 }]);
    let error = read(json.to_string().as_bytes()).expect_err("no data");
    let compressed = "cannot be measured: it is compressed with EXT_meshopt_compression";
    assert!(error.to_string().contains(compressed), "{error}");
}

#[test]
fn data_uris_must_be_base64() {
    let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    builder.bin.push(0);
    let text = String::from_utf8(builder.embedded()).expect("text");
    assert!(text.contains("=="), "{text}");
    let unpadded = text.replace('=', "");
    assert!(read(unpadded.as_bytes()).is_ok());
    for (from, to) in [(";base64,", ","), (";base64,", ";base64,§"), (";base64,", ";base64")] {
        let error = read(text.replace(from, to).as_bytes()).expect_err("no base64");
        assert!(error.to_string().contains("but not as base64"), "{error}");
    }
}

#[test]
fn repeated_reads_are_charged() {
    let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    for _ in 0..10 {
        let again = builder.json["accessors"][0].clone();
        let again = builder.add("accessors", again);
        let mesh = builder.mesh(&json!({ "POSITION": again }));
        builder.root(json!({ "mesh": mesh }));
    }
    let bytes = builder.embedded();
    let json = 4 * bytes.len() as u64;
    let read = |elements: u64| {
        let quota =
            Quota::new(QuotaLimits { work: json + 16 * elements, ..QuotaLimits::default() });
        SceneFile::from_gltf(&bytes, &from_origin(), SceneLimits::default(), &quota)
    };
    assert!(read(22).is_ok());
    let error = read(21).expect_err("too many");
    assert!(
        matches!(error.kind(), SceneFileErrorKind::QuotaExceeded(QuotaExceeded::Work { .. })),
        "{error}"
    );
}

/// cos 45°, for a quarter turn.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// From the mesh to joints that were bound at (1, 0, 0) and at the origin.
const INVERSE: [f32; 32] = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0, //
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
];

/// Three vertices on two joints: one at (10, 0, 0) turned by 90° around z, one at (0, 0, 4).
///
/// | vertex | joint | placed |
/// |---|---|---|
/// | (2, 0, 0) | first | less (1, 0, 0), turned (0, 1, 0), moved (10, 1, 0) |
/// | (1, 0, 0) | first | (10, 0, 0) |
/// | (2, 0, 0) | half each | between (10, 1, 0) and (2, 0, 4): (6, 0.5, 2) |
fn walker(weights: impl FnOnce(&mut Builder) -> Value) -> Builder {
    let mut builder = Builder::new();
    let positions = builder.floats("VEC3", &[2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    builder.json["accessors"][positions]["min"] = json!([1, 0, 0]);
    builder.json["accessors"][positions]["max"] = json!([2, 0, 0]);
    let mut attributes = weights(&mut builder);
    attributes["POSITION"] = json!(positions);
    let mesh = builder.mesh(&attributes);
    let inverse = builder.floats("MAT4", &INVERSE);
    builder.root(json!({ "name": "walker", "mesh": mesh, "skin": 0, "translation": [0, 70, 0] }));
    let turned = json!({ "translation": [10, 0, 0], "rotation": [0, 0, HALF, HALF] });
    let first = builder.add("nodes", turned);
    builder.root(json!({ "name": "hips", "children": [first] }));
    let second = builder.root(json!({ "translation": [0, 0, 4] }));
    builder.add("skins", json!({ "joints": [first, second], "inverseBindMatrices": inverse }));
    builder
}

const WALKING: [f32; 4] = [8.0, 0.5, 1.0, 2.291_288];

type Change = fn(&mut Builder);

fn plain(builder: &mut Builder) -> Value {
    let joints = builder.integers(5121, "VEC4", 3, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    let weights = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0];
    let weights = builder.floats("VEC4", &weights);
    json!({ "JOINTS_0": joints, "WEIGHTS_0": weights })
}

#[test]
fn joints_place_vertices() {
    let file = walker(plain).read().expect("a scene");
    assert_spheres(&file, &[("walker", WALKING)]);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
}

#[test]
fn joints_may_be_sparse() {
    let sparse = |builder: &mut Builder| {
        let attributes = plain(builder);
        let (indices, values) = (builder.view(&[2]), builder.view(&[0, 1, 0, 0]));
        let joints = &mut builder.json["accessors"][1];
        joints.as_object_mut().expect("an accessor").remove("bufferView");
        joints["sparse"] = json!({ "count": 1, "values": { "bufferView": values },
            "indices": { "bufferView": indices, "componentType": 5121 } });
        attributes
    };
    let file = walker(sparse).read().expect("a scene");
    assert_spheres(&file, &[("walker", WALKING)]);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
}

#[test]
fn joints_may_be_in_several_sets_and_weights_normalised() {
    let builder = walker(|builder| {
        let joints = |joints: [u16; 12]| joints.into_iter().flat_map(u16::to_le_bytes).collect();
        let first: Vec<_> = joints([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        let second: Vec<_> = joints([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let first = builder.integers(5123, "VEC4", 3, &first);
        let second = builder.integers(5123, "VEC4", 3, &second);
        let weights = builder.integers(5121, "VEC4", 3, &[255, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0]);
        let more = builder.integers(5121, "VEC4", 3, &[0, 0, 0, 0, 0, 0, 0, 255, 127, 0, 0, 0]);
        for accessor in [weights, more] {
            builder.json["accessors"][accessor]["normalized"] = json!(true);
        }
        json!({ "JOINTS_0": first, "WEIGHTS_0": weights, "JOINTS_1": second, "WEIGHTS_1": more })
    });
    let file = builder.read().expect("a scene");
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    // 128/255 of (2, 0, 4) and 127/255 of (10, 1, 0).
    let (on_second, on_first) = (128.0_f32 / 255.0, 127.0_f32 / 255.0);
    let third = [2.0 * on_second + 10.0 * on_first, on_first, 4.0 * on_second];
    let (low, high) = ([third[0], 0.0, 0.0], [10.0, 1.0, third[2]]);
    let half = [0, 1, 2].map(|i| (high[i] - low[i]) / 2.0);
    let radius = half.map(|h| h * h).iter().sum::<f32>().sqrt();
    let sphere = [low[0] + half[0], half[1], half[2], radius];
    assert_spheres(&file, &[("walker", sphere)]);
}

#[test]
fn without_matrices_the_bind_pose_is_the_identity() {
    let mut builder = walker(plain);
    builder.json["skins"][0]["inverseBindMatrices"] = Value::Null;
    // (2, 0, 0) turned is (0, 2, 0), moved (10, 2, 0); (1, 0, 0) is at (10, 1, 0); (6, 1, 2).
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("walker", [8.0, 1.5, 1.0, 2.291_288])]);
}

#[test]
fn the_same_skin_counts_for_every_node() {
    let mut builder = walker(plain);
    builder.root(json!({ "name": "twin", "mesh": 0, "skin": 0, "scale": [9, 9, 9] }));
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("walker", WALKING), ("twin", WALKING)]);
}

#[test]
fn the_sphere_of_a_group_encloses_skinned_meshes() {
    let mut builder = walker(plain);
    let low = builder.cube(1);
    let low = builder.add("nodes", json!({ "mesh": low }));
    let group = json!({ "name": "crowd", "children": [0, 2, 3],
        "extensions": { "MSFT_lod": { "ids": [low] } } });
    let group = builder.add("nodes", group);
    builder.json["scenes"][0]["nodes"] = json!([group]);
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("crowd", WALKING)]);
    builder.json["nodes"][0]["skin"] = json!(4);
    let file = builder.read().expect("a scene");
    assert_spheres(&file, &[("crowd", [1.5, 70.0, 0.0, 0.5])]);
    assert!(warnings(&file)[0].starts_with("node 0 `walker` has a skin"), "{:?}", warnings(&file));
}

#[test]
fn a_skin_that_cannot_be_applied_is_ignored() {
    let cases: [(Change, &str); 9] = [
        (|b| b.json["nodes"][0]["skin"] = json!(4), "there is no skin 4"),
        (|b| b.json["skins"][0]["joints"][0] = json!(99), "node 99, which is a joint, is not in"),
        (|b| b.json["skins"][0]["joints"] = json!([1]), "a vertex has joint 1, but the skin has 1"),
        (|b| b.json["accessors"][3]["count"] = json!(1), "fewer inverse bind matrices"),
        (|b| b.json["accessors"][3]["bufferView"] = json!(9), "inverseBindMatrices cannot be read"),
        (|b| b.json["accessors"][1]["count"] = json!(2), "not equally many"),
        (|b| b.json["accessors"][1]["componentType"] = json!(5126), "JOINTS_n cannot be read"),
        (
            |b| b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = Value::Null,
            "expected",
        ),
        (|b| b.bin.truncate(90), "inverseBindMatrices cannot be read: accessor 3 ends beyond"),
    ];
    for (change, message) in cases {
        let mut builder = walker(plain);
        change(&mut builder);
        let file = match builder.read() {
            Ok(file) => file,
            Err(error) => {
                assert!(error.to_string().contains(message), "{error}");
                continue;
            }
        };
        assert_spheres(&file, &[("walker", [1.5, 70.0, 0.0, 0.5])]);
        let [warning] = &warnings(&file)[..] else { panic!("{:?}", file.warnings) };
        assert!(warning.starts_with("node 0 `walker` has a skin, but stands"), "{warning}");
        assert!(warning.contains(message), "{warning}, not {message}");
    }
}

#[test]
fn a_primitive_without_joints_or_weights_is_not_skinned() {
    for (key, message) in [("JOINTS_0", "no JOINTS_0"), ("WEIGHTS_0", "no WEIGHTS_n")] {
        let mut builder = walker(plain);
        let attributes = &mut builder.json["meshes"][0]["primitives"][0]["attributes"];
        attributes.as_object_mut().expect("attributes").remove(key);
        let file = builder.read().expect("a scene");
        let warning = &warnings(&file)[0];
        assert!(warning.contains(&format!("primitive 0 has {message}")), "{warning}");
    }
    let mut builder = walker(plain);
    builder.bin[48..96].fill(0);
    let file = builder.read().expect("a scene");
    assert!(warnings(&file)[0].contains("nowhere"), "{:?}", warnings(&file));
}

/// A skinned node, seven instances, and a group with a level.
#[test]
fn a_gltf_scene_charges_exact_memory_and_work() {
    let mut builder = walker(plain);
    let places = builder.floats("VEC3", &[0.0; 3 * 7]);
    builder.root(json!({ "mesh": 0, "extensions":
        { "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": places } } } }));
    let measured = builder.floats("VEC3", &CORNERS);
    let (indices, values) = (builder.view(&[1]), builder.view(&[0; 12]));
    builder.json["accessors"][measured]["sparse"] = json!({ "count": 1,
        "indices": { "bufferView": indices, "componentType": 5121 },
        "values": { "bufferView": values } });
    let mesh = builder.mesh(&json!({ "POSITION": measured }));
    let low = builder.add("nodes", json!({ "mesh": mesh }));
    let child = builder.add("nodes", json!({ "mesh": mesh }));
    builder.root(json!({ "name": "group", "children": [child],
        "extensions": { "MSFT_lod": { "ids": [low] } } }));
    let found = |bytes: &[u8]| {
        needed(|quota| {
            let (external, limits) = (|_: &str, _| Ok(builder.bin.clone()), SceneLimits::default());
            match SceneFile::from_gltf_with(bytes, external, &from_origin(), limits, quota) {
                Ok(file) => file.warnings.is_empty() && file.actors.len() == 9,
                Err(error) => !error.is_quota_exceeded(),
            }
        })
    };
    let (embedded, beside) = (builder.embedded(), builder.beside("a.bin"));
    assert_eq!([embedded, beside].map(|bytes| found(&bytes)), [(57_174, 8_580), (55_146, 6_596)]);
}
