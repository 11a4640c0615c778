//! That reading a model takes no more memory than is paid for, and no more than is promised.

use allocation_counter::measure;
use lodger_quota::QuotaLimits;
use serde_json::json;

use super::build::{Builder, read_all};
use crate::models;

/// What errors, caches of the standard library and the like may take beside what is paid.
const SLACK: u64 = 64 << 10;

/// Reads a file with ever more memory until it is enough. Returns what that was.
#[track_caller]
fn check(name: &str, bytes: &[u8]) -> u64 {
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
fn geometry_takes_what_it_pays() {
    for drawing in [
        models::sphere(1.0, 30),
        models::terrain(80),
        models::tree_of_cards(200),
        models::nine_material_cube(),
        models::skinned_tube(40, 30),
    ] {
        let needed = check(drawing.name, &drawing.glb());
        let primitives = || drawing.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let corners: usize = primitives().map(|one| one.triangles.len() * 3).sum();
        let vertices: usize = primitives().map(|one| one.positions.len()).sum();
        // Positions, normals and texture coordinates, and indices of 32 bits.
        let decoded = (vertices * 32 + corners * 4) as u64;
        assert!(needed < (1 << 20) + 20 * decoded, "{}: {needed} of {decoded}", drawing.name);
    }
}

#[test]
fn faces_that_are_cut_take_what_they_pay() {
    let mut builder = Builder::new();
    let corners = |x: f32| [x, 0.0, 0.0, x + 1.0, 0.0, 0.0, x, 1.0, 0.0];
    let positions: Vec<f32> = (0..24_000_u16).flat_map(|at| corners(f32::from(at))).collect();
    let primitive = builder.primitive(&positions);
    let mesh = builder.mesh(&[primitive.clone(), primitive]);
    for name in ["it", "it_LOD1"] {
        builder.root(json!({ "mesh": mesh, "name": name }));
    }
    check("a large face", &builder.glb());
}

#[test]
fn lists_take_what_they_pay() {
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
        let mut builder = Builder::new();
        builder.materials(&["paint"]);
        let mesh = builder.painted([0]);
        builder.root(json!({ "mesh": mesh }));
        for _ in 0..2_000 {
            builder.add(list, element.clone());
        }
        check(list, &builder.glb());
    }
}
