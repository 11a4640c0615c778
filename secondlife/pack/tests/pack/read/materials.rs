use std::io;

use lodger_quota::QuotaLimits;
use serde_json::{Value, json};

use super::{notes, read, read_all, read_beside};
use crate::models::GltfBuilder;

const PNG: &[u8] = b"\x89PNG and so on";

fn painted(image: Value) -> GltfBuilder {
    let mut builder = GltfBuilder::new();
    builder.add("images", image);
    builder.add("samplers", json!({ "wrapS": 33071 }));
    builder.add("textures", json!({ "source": 0, "sampler": 0 }));
    builder.add(
        "materials",
        json!({ "doubleSided": true, "pbrMetallicRoughness": {
        "baseColorFactor": [0.5, 0.25, 2.0, 1.0], "baseColorTexture": { "index": 0 } },
        "normalTexture": { "index": 0, "scale": 2 }, "extras": { "index": 0 } }),
    );
    let mesh = builder.painted([0]);
    builder.root(json!({ "mesh": mesh, "name": "it" }));
    builder
}

#[test]
fn materials_stay_as_they_are_written() {
    let model = read(&painted(json!({ "uri": "data:image/png;base64,iVBORw==" })).glb());
    let [material] = &model.materials[..] else { panic!("{:?}", model.materials) };
    assert_eq!((&*material.name, material.colour), ("material 0", [0.5, 0.25, 1.0, 1.0]));
    assert_eq!(material.gltf["doubleSided"], json!(true));
    assert_eq!(material.gltf["name"], json!("material 0"));
    assert_eq!(material.gltf["normalTexture"], json!({ "index": 0, "scale": 2 }));
    assert_eq!(model.textures["samplers"], json!([{ "wrapS": 33071 }]));
    assert_eq!(model.textures["images"], json!([{ "uri": "image0.png" }]));
    assert_eq!(model.images, [("image0.png".to_owned(), b"\x89PNG".to_vec())]);
}

#[test]
fn a_primitive_without_a_material_has_a_plain_one() {
    let mut builder = GltfBuilder::new();
    let mesh = builder.triangle();
    builder.root(json!({ "mesh": mesh }));
    let model = read(&builder.glb());
    assert_eq!((&*model.materials[0].name, model.materials[0].colour), ("default", [1.0; 4]));
    assert!(model.textures.is_empty());
    assert_eq!(model.objects[0].name, "object 0");
}

#[test]
fn images_in_a_buffer_become_files() {
    let mut builder = painted(json!({ "mimeType": "image/png", "name": "../bark" }));
    let view = builder.view(PNG);
    builder.json["images"][0]["bufferView"] = json!(view);
    let model = read(&builder.glb());
    assert_eq!(model.images, [("bark.png".to_owned(), PNG.to_vec())]);
    let expected = json!([{ "mimeType": "image/png", "name": "../bark", "uri": "bark.png" }]);
    assert_eq!(model.textures["images"], expected);
}

#[test]
fn images_beside_the_file_are_read_and_lose_their_folders() {
    let bytes = painted(json!({ "uri": "../tex/bark.png" })).glb();
    let mut outside = |uri: &str, _: u64| match uri {
        "../tex/bark.png" => Ok(PNG.to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let model = read_beside(&[("it.glb", &bytes)], &mut outside, QuotaLimits::default());
    assert_eq!(model.expect("a model").images, [("bark.png".to_owned(), PNG.to_vec())]);
    // An unreadable image still gets a name.
    let model = read(&bytes);
    assert!(model.images.is_empty());
    assert_eq!(model.textures["images"], json!([{ "uri": "bark.png" }]));
    assert!(notes(&model).contains(&("image-missing", "bark.png")));
}

#[test]
fn textures_of_several_files_stand_behind_each_other() {
    let mut other = painted(json!({ "uri": "data:;base64,/9j/" }));
    other.json["materials"][0]["name"] = json!("other");
    other.json["nodes"][0]["name"] = json!("that");
    let first = painted(json!({ "uri": "data:;base64,iVBORw==" })).glb();
    let files: [(&str, &[u8]); 2] = [("a.glb", &first), ("b.glb", &other.glb())];
    let model = read_all(&files, QuotaLimits::default()).expect("a model");
    assert_eq!(model.objects.len(), 2);
    let second = &model.materials[1].gltf;
    assert_eq!(second["pbrMetallicRoughness"]["baseColorTexture"], json!({ "index": 1 }));
    assert_eq!(second["normalTexture"]["index"], json!(1));
    assert_eq!(second["extras"], json!({ "index": 0 }), "no texture");
    assert_eq!(model.textures["textures"][1], json!({ "source": 1, "sampler": 1 }));
    let names: Vec<_> = model.images.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["image0.png", "image0.jpg"]);
}

#[test]
fn materials_of_the_same_name_in_a_file_stay_apart() {
    let mut builder = GltfBuilder::new();
    builder.materials(&["paint", "paint", ""]);
    let mesh = builder.painted([0, 1, 2]);
    builder.root(json!({ "mesh": mesh }));
    let model = read(&builder.glb());
    let names: Vec<_> = model.materials.iter().map(|material| &*material.name).collect();
    assert_eq!(names, ["paint", "paint-2", "material 2"]);
    assert_eq!(model.objects[0].materials, [0, 1, 2]);
}
