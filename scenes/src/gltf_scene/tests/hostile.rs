//! Files that are cut or changed anywhere: read or refused, and never a panic.

use serde_json::json;

use super::build::{Builder, read};

/// A scene with all that is read from buffers: measured and sparse positions, a skin, instances, a group.
fn everything() -> Builder {
    let mut builder = Builder::new();
    let positions = builder.floats("VEC3", &[2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let joints = builder.whole(5121, "VEC4", 3, &[0; 12]);
    let weights = builder.whole(5121, "VEC4", 3, &[255; 12]);
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
fn everything_is_read() {
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
        // The file says that there is more than there is.
        let mut json = whole.json.clone();
        json["buffers"] = json!([{ "byteLength": whole.bin.len() }]);
        drop(read(&super::build::glb(json.to_string().as_bytes(), Some(&whole.bin[..length]))));
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
