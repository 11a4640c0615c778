//! Invalid files and unused parts of files. No truncated or changed file causes a panic.

use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::build::gltf::{glb, glb_with_lengths};
use serde_json::{Value, json};

use super::{Builder, read, warnings};
use crate::{SceneFile, SceneLimits, SceneOverrides};

fn cube() -> Builder {
    let mut builder = Builder::new();
    let mesh = builder.cube(12);
    builder.root(json!({ "mesh": mesh }));
    builder
}

fn message(bytes: &[u8]) -> String {
    read(bytes).expect_err("a mistake").to_string()
}

#[test]
fn unused_parts_are_skipped() {
    let mut builder = cube();
    let odd = [
        (
            "animations",
            json!([{ "channels": [{ "target": { "path": "pointer" } }], "samplers": 3 }]),
        ),
        ("materials", json!({ "not": "a list" })),
        ("images", json!([1, "two", null])),
        ("textures", json!("none")),
        ("cameras", json!([{ "type": "fisheye" }])),
        ("extras", json!([[[1e300, { "a": [] }]]])),
        ("extensions", json!({ "VENDOR_everything": 7, "KHR_lights_punctual": [] })),
        ("extensionsUsed", json!("many")),
    ];
    for (key, value) in odd {
        builder.json[key] = value;
    }
    let node = &mut builder.json["nodes"][0];
    node["extras"] = json!("text");
    node["name"] = json!(["not", { "a": "name" }]);
    node["weights"] = json!("none");
    node["extensions"] = json!({ "KHR_lights_punctual": "on", "MPEG_any": null });
    let part = &mut builder.json["meshes"][0]["primitives"][0];
    part["material"] = json!("gold");
    part["targets"] = json!(17);
    part["attributes"]["NORMAL"] = json!("up");
    part["attributes"]["JOINTS_x"] = json!({});
    part["extensions"] = json!({ "KHR_materials_variants": 1 });
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let text = String::from_utf8(builder.embedded()).expect("text");
    let text = text.replacen('{', &format!("{{\"deep\":{deep},\"number\":1e999,"), 1);
    let file = read(text.as_bytes()).expect("a scene");
    assert_eq!(&*file.actors[0].name, "node 0");
    assert!(file.warnings.is_empty());
}

#[test]
fn scenes_and_lists_may_be_left_out() {
    for json in [
        json!({ "asset": { "version": "2.0" } }),
        json!({ "asset": { "version": "2.0" }, "scenes": [{}] }),
        json!({ "asset": { "version": "2.1", "minVersion": "2.0" }, "scenes": [{ "nodes": [0] }],
            "nodes": [{}] }),
    ] {
        assert!(read(json.to_string().as_bytes()).expect("a scene").scene.is_empty());
    }
    let mut unseen = cube();
    unseen.json.as_object_mut().expect("an object").remove("scenes");
    let file = unseen.read().expect("no scene");
    assert!(file.scene.is_empty());
    assert_eq!(warnings(&file), ["the file has 1 nodes, but no scene that shows any of them"]);
    // Some exporters write integers as floats.
    let mut builder = cube();
    builder.json["scenes"][0]["nodes"] = json!([0.0]);
    builder.json["accessors"][1]["count"] = json!(36.0);
    assert_eq!(builder.read().expect("a scene").actors.len(), 1);
    builder.json["scenes"][0]["nodes"] = json!([0.5]);
    let error = builder.read().expect_err("half a node");
    let text = error.to_string();
    assert!(text.contains("broken: `scenes[0].nodes[0]`: this is the number `0.5`"), "{text}");
}

#[test]
fn other_versions_are_named() {
    let reads = "lodger reads 2.0";
    let first = json!({ "asset": { "version": "1.0" }, "nodes": { "n": {} }, "meshes": {} });
    assert_eq!(message(first.to_string().as_bytes()), format!("this is glTF 1.0; {reads}"));
    let mut binary = glb(b"{}", &[]);
    binary[4] = 1;
    assert_eq!(message(&binary), format!("this is glTF 1.0; {reads}"));
    for (asset, found) in [
        (json!({ "version": "3.0" }), "3.0"),
        (json!({ "version": "2.9", "minVersion": "3.1" }), "3.1"),
        (json!({ "version": "0.8" }), "0.8"),
    ] {
        let text = message(json!({ "asset": asset }).to_string().as_bytes());
        assert_eq!(text, format!("this is glTF {found}; {reads}"));
    }
    for none in ["{}", "{\"asset\": {}}", "{\"asset\": {\"version\": \" \"}, \"nodes\": [7]}"] {
        assert_eq!(message(none.as_bytes()), "this is not glTF: it has no `asset.version`");
    }
}

#[test]
fn the_version_is_checked_before_the_types_of_values() {
    let nodes = "\"nodes\": {\"n\": {\"meshes\": [\"m\"]}}";
    // glTF 1.0 may go without `asset`, and older files have a number for their version.
    for (asset, text) in [
        ("\"asset\": {\"version\": \"1.0.1\"}", "this is glTF 1.0.1; lodger reads 2.0"),
        ("\"asset\": {\"version\": 1}", "this is glTF 1; lodger reads 2.0"),
        ("\"asset\": {\"version\": 0.8}", "this is glTF 0.8; lodger reads 2.0"),
        (
            "\"asset\": {}",
            "this is not glTF 2.0: it has no `asset.version`, and its `nodes` is an object, as in glTF 1.0",
        ),
        (
            "\"asset\": {\"version\": \"2.0\"}",
            "this glTF file is broken: `nodes`: this is an object, expected an array (line 1, column 10)",
        ),
    ] {
        let json = format!("{{{nodes}, {asset}}}");
        assert_eq!(message(json.as_bytes()), text);
        assert_eq!(message(&glb(json.as_bytes(), &[])), text);
    }
    assert!(read(b"{\"asset\": {\"version\": 2}}").is_ok());
}

#[test]
fn finding_the_version_is_charged() {
    let nodes = format!("{{\"nodes\": {{}}, \"extras\": \"{}\"", "x".repeat(100_000));
    for (asset, passes) in [("\"version\": \"1.0\"", 2), ("\"version\": \"2.0\"", 3)] {
        let json = format!("{nodes}, \"asset\": {{{asset}}}}}");
        let work = 4 * json.len() as u64 * passes;
        for (work, is_quota_exceeded) in [(work, false), (work - 1, true)] {
            let quota = Quota::new(QuotaLimits { work, ..QuotaLimits::default() });
            let file_quota = lodger_gltf::FileQuota::new(&quota);
            assert!(lodger_gltf::parse(json.as_bytes(), &file_quota).is_err());
            assert_eq!(file_quota.exceeded().is_some(), is_quota_exceeded, "{asset}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let builder = cube();
    let json = [b"\xef\xbb\xbf", &builder.embedded()[..]].concat();
    assert!(read(&json).is_ok());
    assert!(read(&glb(&json, &[])).is_ok());
    let padded = [&json[..], b"\0\0\0"].concat();
    assert!(read(&glb(&padded, &[])).is_ok());
}

#[test]
fn json_errors_have_no_rust_types() {
    for (text, parts) in [
        ("", "this is not glTF: it ends too early (line 1, column 0)"),
        ("{\n  \"nodes\": [", "this is not glTF: it ends too early (line 2, column 12)"),
        ("[]", "this is not glTF: "),
        ("{\"nodes\": {}} x", "this is an object, expected an array (line 1, column 10)"),
        ("{\"nodes\": 1} x", "this is the integer `1`, expected an array"),
        ("{} x", "something stands behind its end (line 1, column 4)"),
        ("{a}", "key must be a string (line 1, column 2)"),
    ] {
        let text = message(text.as_bytes());
        assert!(text.contains(parts), "{text}, not {parts}");
        for internal in ["serde", "f32", "u32", "struct", "map,", "sequence", "at line"] {
            assert!(!text.contains(internal), "{text}");
        }
    }
    for (node, part) in [
        ("\"mesh\": -1", "this is the integer `-1`, expected a whole number of at"),
        ("\"scale\": [1, 2]", "this is of length 2, expected an array of 3 num"),
        ("\"scale\": \"x\"", "this is the string \"x\", expected an array of 3"),
    ] {
        let json = format!("{{\"nodes\": [{{{node}}}], \"asset\": {{\"version\": \"2.0\"}}}}");
        assert!(message(json.as_bytes()).contains(part), "{}", message(json.as_bytes()));
    }
    assert!(message(b"{\n!").ends_with("(line 2, column 1)"));
    assert!(
        message(&glb(b"{\"nodes\": 1} x", &[])).starts_with("the JSON of this .glb file is bro")
    );
}

#[test]
fn a_glb_file_is_whole() {
    let whole = cube().glb();
    for (at, value, part) in [
        (8, 3_u32, "its header says 3 bytes"),
        (8, u32::MAX, "its header says 4294967295 bytes, but it has"),
        (4, 3, "this is glTF 3.0"),
        (12, u32::MAX, "a chunk of 4294967295 bytes ends beyond it"),
        (16, 0, "it does not begin with JSON"),
    ] {
        let mut lying = whole.clone();
        lying[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert!(message(&lying).contains(part), "{}", message(&lying));
    }
    // Bytes behind the end, and chunks of other kinds, are skipped.
    let mut longer = glb(cube().embedded(), &[]);
    longer.extend_from_slice(b"anything");
    assert!(read(&longer).is_ok());
    for length in longer.len() - 7..=longer.len() {
        let mut cut = longer[..length].to_vec();
        cut[8..12].copy_from_slice(&u32::try_from(length).expect("small").to_le_bytes());
        let text = message(&cut);
        assert!(text.contains("ends within a header") || text.contains("chunk"), "{text}");
    }
    let mut chunks = whole;
    chunks.extend_from_slice(b"\x04\0\0\0WHAT....");
    let length = u32::try_from(chunks.len()).expect("small");
    chunks[8..12].copy_from_slice(&length.to_le_bytes());
    assert!(read(&chunks).is_ok());
}

#[test]
fn unsupported_required_extensions_are_warnings() {
    let mut builder = cube();
    let fine = [
        "KHR_materials_unlit",
        "EXT_texture_webp",
        "KHR_mesh_quantization",
        "MSFT_lod",
        "KHR_node_visibility",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "KHR_xmp_json_ld",
        "EXT_mesh_gpu_instancing",
        "KHR_animation_pointer",
    ];
    builder.json["extensionsRequired"] = json!(fine);
    assert!(builder.read().expect("a scene").warnings.is_empty());
    builder.json["extensionsRequired"] =
        json!(["KHR_draco_mesh_compression", "EXT_meshopt_compression", "CESIUM_RTC", 7]);
    let said = warnings(&builder.read().expect("a scene"));
    let declares = "which lodger does not read: triangles and boxes are as the file declares them";
    assert_eq!(said.len(), 3);
    assert_eq!(said[0], format!("the file requires KHR_draco_mesh_compression, {declares}"));
    assert_eq!(said[1], format!("the file requires EXT_meshopt_compression, {declares}"));
    assert!(said[2].starts_with("the file requires CESIUM_RTC, which lodger does not"), "{said:?}");
}

#[test]
fn a_scene_is_chosen_by_its_number() {
    let mut builder = cube();
    let other = builder.add("nodes", json!({ "name": "other", "mesh": 0 }));
    builder.add("scenes", json!({ "nodes": [other] }));
    let names = |scene: Option<usize>, json: &Value| {
        let overrides = SceneOverrides { scene, ..super::from_origin() };
        let file = SceneFile::from_gltf(
            json.to_string().as_bytes(),
            &overrides,
            SceneLimits::default(),
            &Quota::default(),
        );
        file.map(|file| file.actors[0].name.to_string()).map_err(|error| error.to_string())
    };
    let json = &mut builder.json;
    assert_eq!(names(None, json), Ok("node 0".to_owned()));
    assert_eq!(names(Some(1), json), Ok("other".to_owned()));
    json["scene"] = json!(1);
    assert_eq!(names(None, json), Ok("other".to_owned()));
    assert_eq!(names(Some(0), json), Ok("node 0".to_owned()));
    let beyond = names(Some(2), json).expect_err("there are two");
    assert_eq!(beyond, "there is no scene 2: the file has 2, 0 to 1");
    json["scenes"] = json!([{}]);
    let beyond = names(Some(1), json).expect_err("there is one");
    assert_eq!(beyond, "there is no scene 1: the file has 1, which is scene 0");
    json["scenes"] = json!([]);
    let beyond = names(Some(0), json).expect_err("there is none");
    assert_eq!(beyond, "there is no scene 0: the file has none");
}

/// A scene with measured and sparse positions, a skin, instances and a group.
fn everything() -> Builder {
    let mut builder = Builder::new();
    let positions = builder.floats("VEC3", &[2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let joints = builder.integers(5121, "VEC4", 3, &[0; 12]);
    let weights = builder.integers(5121, "VEC4", 3, &[255; 12]);
    let identity: [f32; 16] = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
    let inverse = builder.floats("MAT4", &identity);
    let indices = builder.view(&[1, 2]);
    let values = builder.view(&[7; 24]);
    builder.json["accessors"][positions]["sparse"] = json!({ "count": 2,
        "indices": { "bufferView": indices, "componentType": 5121 },
        "values": { "bufferView": values } });
    let mesh =
        builder.mesh(&json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights }));
    let bone = builder.root(json!({ "translation": [0, 1, 0] }));
    builder.root(json!({ "mesh": mesh, "skin": 0 }));
    builder.add("skins", json!({ "joints": [bone], "inverseBindMatrices": inverse }));
    let turns = builder.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    builder.root(json!({ "mesh": mesh, "extensions": { "EXT_mesh_gpu_instancing":
        { "attributes": { "ROTATION": turns } } } }));
    let part = builder.add("nodes", json!({ "mesh": mesh }));
    builder.root(json!({ "children": [part], "extensions": { "MSFT_lod": { "ids": [part] } } }));
    builder
}

#[test]
fn all_extensions_are_read_together() {
    let file = everything().read().expect("a scene");
    assert_eq!(file.actors.len(), 4);
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
}

#[test]
fn a_cut_file_is_refused() {
    let whole = everything().glb();
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "{length}");
    }
    let json = everything().embedded();
    for length in 0..json.len() {
        assert!(read(&json[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_cut_buffer_is_no_panic() {
    let whole = everything();
    for length in 0..whole.bin.len() {
        let mut cut = everything();
        cut.bin.truncate(length);
        drop(cut.read());
        // The declared length exceeds the bytes.
        let mut json = whole.json.clone();
        json["buffers"] = json!([{ "byteLength": whole.bin.len() }]);
        drop(read(&glb_with_lengths(json.to_string().as_bytes(), &whole.bin[..length], [None; 3])));
    }
}

#[test]
fn any_changed_byte_is_no_panic() {
    let whole = everything().glb();
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, b'9', b'-'] {
            let mut changed = whole.clone();
            changed[at] = value;
            if let Ok(mut file) = read(&changed) {
                assert_eq!(file.scene.tick().actors().count(), file.actors.len());
            }
        }
    }
}
