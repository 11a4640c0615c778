//! Valid and invalid glTF scenes; tests of the command line have more invalid files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lodger_core::units::UnitCost;
use lodger_scheduler::{OutsideFactor, View};
use lodger_testkit::build::gltf::glb_with_lengths;
use serde_json::{Value, json};

use crate::{SceneFile, SceneFileError, SceneFileErrorKind, SceneLimits, SceneOverrides};
use lodger_quota::Quota;

mod bounds;
mod levels;
mod wrong;

/// Two nodes of 1000 triangles each, and a camera.
const SCENE: &str = r#"{"scenes": [{"nodes": [0, 1, 2]}], "cameras": [{"type": "perspective",
    "perspective": {"yfov": 1, "znear": 0.1}}], "nodes": [{"name": "cart", "mesh": 0}, {"mesh": 0,
    "translation": [0, 0, -5]}, {"camera": 0}], "meshes": [{"name": "box", "primitives": [
    {"attributes": {"POSITION": 0}, "indices": 1}]}], "asset": {"version": "2.0"}, "accessors": [
    {"componentType": 5126, "count": 9, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1]},
    {"componentType": 5123, "count": 3000, "type": "SCALAR"}]}"#;

fn read_text(text: &str, overrides: &SceneOverrides) -> Result<SceneFile, SceneFileError> {
    SceneFile::from_gltf(text.as_bytes(), overrides, SceneLimits::default(), &Quota::default())
}

#[test]
fn nodes_are_actors_of_one_module() {
    let mut file = read_text(SCENE, &SceneOverrides::default()).expect("a scene");
    let names: Vec<_> = file.actors.iter().map(|actor| &*actor.name).collect();
    assert_eq!(names, ["cart", "box"]);
    let plan = file.scene.tick();
    // The camera is in the cart, whose 1000 triangles at 1 ns are its highest level.
    let cart = plan.actor(file.actors[0].id).expect("present");
    assert_eq!((cart.lod.level(), cart.cost_ns), (4, 1_000));
}

#[test]
fn an_invalid_node_is_named() {
    let expensive =
        SceneOverrides { unit_cost: UnitCost::from_ns(4e9).ok(), ..SceneOverrides::default() };
    let error = read_text(SCENE, &expensive).expect_err("4000 s");
    let text = error.to_string();
    assert!(text.starts_with("node 0 `cart`: its work of 1000 units at 4000."), "{text}");
    assert!(text.ends_with("costs more than the 4.29 s that one actor may cost"), "{text}");
    let blind = SCENE.replace("\"camera\": 0", "\"name\": \"\"");
    let error = read_text(&blind, &SceneOverrides::default()).expect_err("no camera");
    assert!(matches!(error.kind(), SceneFileErrorKind::NoCamera));
}

struct Builder {
    json: Value,
    bin: Vec<u8>,
}

impl Builder {
    fn new() -> Self {
        let json = json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [] }] });
        Self { json, bin: Vec::new() }
    }

    /// Adds an element to a list of the file, and returns its index.
    fn add(&mut self, list: &str, value: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    fn root(&mut self, node: Value) -> usize {
        let index = self.add("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("nodes").push(json!(index));
        index
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0xee);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.add("bufferViews", view)
    }

    /// Adds floats without bounds.
    fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<_> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let count = values.len() / width;
        let accessor =
            json!({ "bufferView": view, "componentType": 5126, "type": kind, "count": count });
        self.add("accessors", accessor)
    }

    /// Adds integers without bounds.
    fn integers(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        let accessor =
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count });
        self.add("accessors", accessor)
    }

    /// Adds triangles in a box of 2 m around the origin.
    fn cube(&mut self, triangles: usize) -> usize {
        let positions = self.add(
            "accessors",
            json!({ "componentType": 5126, "type": "VEC3", "count": 8, "min": [-1, -1, -1],
                "max": [1, 1, 1] }),
        );
        let indices = json!({ "componentType": 5125, "type": "SCALAR", "count": 3 * triangles });
        let indices = self.add("accessors", indices);
        let part = json!({ "attributes": { "POSITION": positions }, "indices": indices });
        self.add("meshes", json!({ "primitives": [part] }))
    }

    fn mesh(&mut self, attributes: &Value) -> usize {
        self.add("meshes", json!({ "primitives": [{ "attributes": attributes }] }))
    }

    fn embedded(&self) -> Vec<u8> {
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bin));
        self.with_buffer(&json!({ "uri": uri, "byteLength": self.bin.len() }))
    }

    fn beside(&self, uri: &str) -> Vec<u8> {
        self.with_buffer(&json!({ "uri": uri, "byteLength": self.bin.len() }))
    }

    fn with_buffer(&self, buffer: &Value) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([buffer]);
        json.to_string().into_bytes()
    }

    fn glb(&self) -> Vec<u8> {
        let json = self.with_buffer(&json!({ "byteLength": self.bin.len() }));
        glb_with_lengths(&json, &self.bin, [None; 3])
    }

    /// Reads the file as .gltf and .glb, whose results must be equal, with a view from the origin.
    fn read(&self) -> Result<SceneFile, SceneFileError> {
        let file = read(&self.embedded());
        let other = read(&self.glb());
        match (&file, &other) {
            (Ok(file), Ok(other)) => assert_eq!(spheres(file), spheres(other)),
            (Err(error), Err(other)) => assert_eq!(message_of(error), message_of(other)),
            (file, other) => panic!("{file:?} and {other:?}"),
        }
        file
    }

    fn rejected(&self) -> String {
        self.read().expect_err("a mistake").to_string()
    }
}

/// Removes columns of JSON, which differ between .gltf and .glb.
fn message_of(error: &SceneFileError) -> String {
    let message = error.to_string();
    if message.contains("(line ") { "JSON".to_owned() } else { message }
}

fn from_origin() -> SceneOverrides {
    SceneOverrides { view: View::from_position([0.0; 3]).ok(), ..SceneOverrides::default() }
}

fn read(bytes: &[u8]) -> Result<SceneFile, SceneFileError> {
    SceneFile::from_gltf(bytes, &from_origin(), SceneLimits::default(), &Quota::default())
}

/// The actors' names and spheres: centre and radius.
fn spheres(file: &SceneFile) -> Vec<(&str, [f32; 4])> {
    let sphere = |id| {
        let [x, y, z] = file.scene.position(id).expect("a position");
        [x, y, z, file.scene.radius(id).expect("a radius")]
    };
    file.actors.iter().map(|actor| (&*actor.name, sphere(actor.id))).collect()
}

fn work(file: &SceneFile, actor: usize) -> &[u32] {
    file.scene.work(file.actors[actor].id).expect("work")
}

fn warnings(file: &SceneFile) -> Vec<String> {
    file.warnings.iter().map(ToString::to_string).collect()
}

/// Compares spheres with values that were computed by hand, up to rounding.
#[track_caller]
fn assert_spheres(file: &SceneFile, expected: &[(&str, [f32; 4])]) {
    let found = spheres(file);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((name, sphere), (other, wanted)) in found.iter().zip(expected) {
        assert_eq!(name, other);
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
        assert!(sphere.iter().zip(wanted).all(is_near), "{name}: {sphere:?}, not {wanted:?}");
    }
}

/// The scene with another node of the camera, and whether each actor is in view.
fn from_camera(camera: &str, overrides: &SceneOverrides) -> (SceneFile, [Option<bool>; 2]) {
    let text = SCENE.replace("{\"camera\": 0}", camera);
    let mut file = read_text(&text, overrides).expect("a scene");
    file.scene.tick();
    let in_view = [0, 1].map(|index| file.scene.is_in_view(file.actors[index].id));
    (file, in_view)
}

#[test]
fn a_camera_gives_its_direction_and_its_perspective() {
    let outside = SceneOverrides { outside: Some(OutsideFactor::ZERO), ..Default::default() };
    let ahead = r#"{"camera": 0, "translation": [0, 0, 9], "scale": [1, 2, 3]}"#;
    let (file, in_view) = from_camera(ahead, &outside);
    assert_eq!(in_view, [Some(true); 2]);
    assert_eq!(file.lens.fov, Some(1.0_f64.to_degrees()));
    assert!(file.warnings.is_empty());
    // Between both, which are at z = 0 and −5, the camera is turned around.
    let turned = r#"{"camera": 0, "translation": [0, 0, -2], "rotation": [0, 1, 0, 0]}"#;
    let (file, in_view) = from_camera(turned, &outside);
    assert_eq!(in_view, [Some(true), Some(false)]);
    let plan = file.scene.plan();
    assert_eq!(plan.actor(file.actors[1].id).map(|box_| box_.benefit.bits()), Some(0));
    // Without a factor nothing is outside, and the lens still has the field of view.
    let (file, in_view) = from_camera(turned, &SceneOverrides::default());
    assert_eq!((in_view, file.lens.half_width()), ([Some(true); 2], None));
}

#[test]
fn a_camera_without_a_perspective_is_a_position() {
    let perspective = "\"perspective\": {\"yfov\": 1, \"znear\": 0.1}";
    let orthographic = "\"orthographic\": {\"xmag\": 1, \"ymag\": 1, \"znear\": 0, \"zfar\": 9}";
    let wide = "\"perspective\": {\"yfov\": 4, \"znear\": 0.1}";
    let overrides = SceneOverrides { outside: Some(OutsideFactor::ZERO), ..Default::default() };
    for other in [
        orthographic,
        wide,
        "\"perspective\": {\"yfov\": 0}",
        "\"perspective\": {\"yfov\": 1, \"aspectRatio\": 1e300}",
    ] {
        assert!(SCENE.contains(perspective));
        let mut file = read_text(&SCENE.replace(perspective, other), &overrides).expect("a scene");
        let warning = "camera 0 has no valid perspective: it counts as a position, and nothing is outside of its view";
        assert_eq!(file.warnings[0].to_string(), warning);
        file.scene.tick();
        assert!(file.actors.iter().all(|actor| file.scene.is_in_view(actor.id) == Some(true)));
    }
}
