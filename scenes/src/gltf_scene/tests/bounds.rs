//! Boxes: said by the file, or measured.

use std::io;

use lodger_allowance::{Allowance, Limits as Most, Spent};
use serde_json::{Value, json};

use super::build::{Builder, assert_spheres, read, seen};
use crate::limits::plenty;
use crate::{
    BufferError, DataError, ErrorKind, GltfError, Limits, MeshError, NodeError, SceneFile,
};

/// Corners of a box from (0, 0, 0) to (2, 4, 4), whose diagonal is 6.
const CORNERS: [f32; 6] = [2.0, 0.0, 4.0, 0.0, 4.0, 0.0];
const SPHERE: [f32; 4] = [1.0, 2.0, 2.0, 3.0];

/// One node with a mesh of these positions.
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
fn what_is_said_is_not_measured() {
    let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    builder.json["accessors"][0]["min"] = json!([8, 8, 8]);
    builder.json["accessors"][0]["max"] = json!([8, 8, 10]);
    assert_measured(&builder, [8.0, 8.0, 9.0, 1.0]);
    let never = |_: &str, _| -> io::Result<Vec<u8>> { panic!("nothing is to be measured") };
    let bytes = builder.beside("a.bin");
    assert!(
        SceneFile::from_gltf_with(&bytes, never, &seen(), Limits::default(), &plenty()).is_ok()
    );
}

#[test]
fn the_lowest_of_normalised_integers_stands_for_minus_1() {
    let mut builder = with_positions(|b| b.whole(5120, "VEC3", 1, &[0, 0, 0]));
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
    let mut builder = with_positions(|b| b.whole(5122, "VEC3", 2, &shorts));
    builder.json["bufferViews"][0]["byteStride"] = json!(8);
    assert_measured(&builder, SPHERE);
    let shorts = bytes([32767, 0, 32767, 77, -32768, 0, 0, 77]);
    let mut builder = with_positions(|b| b.whole(5122, "VEC3", 2, &shorts));
    builder.json["bufferViews"][0]["byteStride"] = json!(8);
    builder.json["accessors"][0]["normalized"] = json!(true);
    assert_measured(&builder, [0.0, 0.0, 0.5, 1.25_f32.sqrt()]);
    let octets = [200, 0, 0, 0, 0, 100, 0, 0];
    let mut builder = with_positions(|b| b.whole(5121, "VEC3", 2, &octets));
    builder.json["bufferViews"][0]["byteStride"] = json!(4);
    assert_measured(&builder, [100.0, 50.0, 0.0, 12_500_f32.sqrt()]);
}

#[test]
fn sparse_positions_stand_in_for_others() {
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
        assert!(builder.refused().contains("cannot be measured"), "{}", builder.refused());
    }
}

#[test]
fn another_file_is_asked_for_once() {
    let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    let again = builder.floats("VEC3", &[5.0, 5.0, 5.0]);
    let mesh = builder.mesh(&json!({ "POSITION": again }));
    builder.root(json!({ "name": "that", "mesh": mesh }));
    let mut asked = Vec::new();
    let outside = |uri: &str, most| {
        asked.push((uri.to_owned(), most));
        Ok(builder.bin.clone())
    };
    let bytes = builder.beside("my%20data.bin");
    let file = SceneFile::from_gltf_with(&bytes, outside, &seen(), Limits::default(), &plenty());
    assert_spheres(&file.expect("a scene"), &[("it", SPHERE), ("that", [5.0, 5.0, 5.0, 0.0])]);
    assert_eq!(asked, [("my%20data.bin".to_owned(), 36)]);
}

/// The reason why nothing can be measured.
fn data_error(error: &crate::Error) -> &DataError {
    match error.kind() {
        ErrorKind::Gltf(GltfError::Node {
            index: 0,
            error: NodeError::Mesh { index: 0, error: MeshError::NotMeasured { error, .. } },
            ..
        }) => error,
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn what_cannot_be_measured_says_why() {
    let builder = with_positions(|b| b.floats("VEC3", &CORNERS));
    let error = read(&builder.beside("a.bin")).expect_err("another file");
    let text = error.to_string();
    assert!(text.contains("buffer 0 is in `a.bin`, which cannot be read: no other"), "{text}");
    assert!(matches!(
        data_error(&error),
        DataError::Buffer { index: 0, error: BufferError::Outside(_) }
    ));
    let mut long = with_positions(|b| b.floats("VEC3", &CORNERS));
    long.bin.resize(2 << 20, 0);
    let outside = |_: &str, _| -> io::Result<Vec<u8>> { panic!("it is not paid") };
    let allowance = Allowance::new(Most { memory: 1 << 20, ..Most::default() });
    let (bytes, limits) = (long.beside("a.bin"), Limits::default());
    let error = SceneFile::from_gltf_with(&bytes, outside, &seen(), limits, &allowance);
    let error = error.expect_err("it is too long");
    assert_eq!(error.to_string(), "it needs more than 1 MiB of memory");

    let refused = |change: fn(&mut Value)| {
        let mut builder = with_positions(|b| b.floats("VEC3", &CORNERS));
        change(&mut builder.json);
        builder.refused()
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
        let text = refused(change);
        assert!(text.contains(message), "{text}, not {message}");
    }
}

#[test]
fn what_is_compressed_is_named() {
    let positions = json!({ "componentType": 5126, "type": "VEC3", "count": 3 });
    let mut draco = with_positions(|b| b.add("accessors", positions));
    draco.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {} } });
    let text = draco.refused();
    assert!(text.contains("compressed with KHR_draco_mesh_compression"), "{text}");
    let mut meshopt = with_positions(|b| b.floats("VEC3", &CORNERS));
    meshopt.json["bufferViews"][0]["extensions"] = json!({ "EXT_meshopt_compression": {} });
    // The bytes that stand in for those that are compressed are there.
    assert_measured(&meshopt, SPHERE);
    meshopt.json["bufferViews"][0]["buffer"] = json!(1);
    let mut json = meshopt.json.clone();
    json["buffers"] = json!([{ "byteLength": 24 }, { "byteLength": 24 }]);
    let error = read(json.to_string().as_bytes()).expect_err("no data");
    assert_eq!(
        *data_error(&error),
        DataError::Compressed { extension: "EXT_meshopt_compression" },
        "{error}"
    );
}

#[test]
fn uris_hold_base64_or_nothing() {
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
fn the_same_bytes_are_not_read_without_end() {
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
        let allowance = Allowance::new(Most { work: json + 16 * elements, ..Most::default() });
        SceneFile::from_gltf(&bytes, &seen(), Limits::default(), &allowance)
    };
    assert!(read(22).is_ok());
    let error = read(21).expect_err("too many");
    assert!(matches!(error.kind(), ErrorKind::Spent(Spent::Work { .. })), "{error}");
}
