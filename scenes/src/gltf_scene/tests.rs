//! What glTF scenes say and do not say; broken files are tested on the command line.

mod bounds;
mod build;
mod hostile;
mod instances;
mod levels;
mod skins;
mod wrong;

use std::error::Error as _;

use lodger_core::units::UnitCost;

use crate::limits::plenty;
use crate::{Error, ErrorKind, GltfError, Limits, NodeError, SceneFile, Settings, WorkError};

/// Two nodes of 1000 triangles each, and a camera.
const SCENE: &str = r#"{"scenes": [{"nodes": [0, 1, 2]}], "cameras": [{"type": "perspective",
    "perspective": {"yfov": 1, "znear": 0.1}}], "nodes": [{"name": "cart", "mesh": 0}, {"mesh": 0,
    "translation": [0, 0, -5]}, {"camera": 0}], "meshes": [{"name": "box", "primitives": [
    {"attributes": {"POSITION": 0}, "indices": 1}]}], "asset": {"version": "2.0"}, "accessors": [
    {"componentType": 5126, "count": 9, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1]},
    {"componentType": 5123, "count": 3000, "type": "SCALAR"}]}"#;

fn read(text: &str, settings: &Settings) -> Result<SceneFile, Error> {
    SceneFile::from_gltf(text.as_bytes(), settings, Limits::default(), &plenty())
}

#[test]
fn nodes_are_actors_of_one_module() {
    let mut file = read(SCENE, &Settings::default()).expect("a scene");
    let names: Vec<_> = file.actors.iter().map(|actor| &*actor.name).collect();
    assert_eq!(names, ["cart", "box"]);
    let plan = file.scene.tick();
    // The camera is in the cart, whose 1000 triangles at 1 ns are its highest level.
    let cart = plan.actor(file.actors[0].id).expect("it is there");
    assert_eq!((cart.lod.level(), cart.cost_ns), (4, 1_000));
}

#[test]
fn a_node_that_cannot_be_says_why() {
    let expensive = Settings { unit_cost: UnitCost::from_ns(4e9).ok(), ..Settings::default() };
    let error = read(SCENE, &expensive).expect_err("4000 s");
    let ErrorKind::Gltf(GltfError::Node { index: 0, error: node, .. }) = error.kind() else {
        panic!("{error:?}");
    };
    assert!(matches!(node, NodeError::Work(WorkError::TooExpensive { units: 1000, .. })), "{node}");
    let gltf = error.source().expect("what is wrong with the file");
    assert!(gltf.source().and_then(|node| node.downcast_ref::<NodeError>()).is_some());
    let blind = SCENE.replace("\"camera\": 0", "\"name\": \"\"");
    let error = read(&blind, &Settings::default()).expect_err("no camera");
    assert!(matches!(error.kind(), ErrorKind::NoCamera));
}
