//! glTF files of every kind that a modeller might write, and some that nobody should.

mod bounded;
pub(crate) mod build;
mod dropped;
mod geometry;
mod levels;
mod materials;
mod rest;
mod skins;
mod split;

use lodger_pack::{Error, Face, Model};

use crate::models;
use build::{Builder, read, read_all, refused};

/// The codes of the notes of a model, and what they are about.
fn notes(model: &Model) -> Vec<(&str, &str)> {
    model.notes.iter().map(|note| (note.code, &*note.about)).collect()
}

#[test]
fn what_is_drawn_is_read() {
    for drawing in [
        models::sphere(1.5, 12),
        models::terrain(9),
        models::plane(4),
        models::tree_of_cards(5),
        models::torus_knot(48, 8),
    ] {
        let (read, drawn) = (read(&drawing.glb()), drawing.model());
        assert_eq!(read.objects.len(), 1);
        let (object, expected) = (&read.objects[0], &drawn.objects[0]);
        assert_eq!(object.name, expected.name);
        assert_eq!(object.materials, expected.materials);
        // Vertices that no triangle has are left out.
        for (face, expected) in object.high.faces.iter().zip(&expected.high.faces) {
            assert!(corners(face).eq(corners(expected)));
        }
    }
}

/// The positions, normals and texture coordinates of all corners.
fn corners(face: &Face) -> impl Iterator<Item = ([f32; 3], [f32; 3], Option<[f32; 2]>)> {
    face.triangles.as_flattened().iter().map(|&index| {
        let index = usize::from(index);
        // Normals are made to be of length 1, whatever rounding left.
        let normal = face.normals[index].map(|axis| (axis * 1e4).round());
        (face.positions[index], normal, face.tex_coords.get(index).copied())
    })
}

#[test]
fn a_file_that_is_no_gltf_says_so() {
    for bytes in [&b""[..], b"{}", b"glTF", b"\x89PNG", &[0xff; 90]] {
        let Error::Model { file, .. } = build::try_read(bytes).expect_err("no glTF") else {
            panic!("another error");
        };
        assert_eq!(file, "it.glb");
    }
}

#[test]
fn a_cut_or_changed_file_is_no_panic() {
    let whole = models::skinned_tube(3, 5).glb();
    for length in 0..whole.len() {
        assert!(build::try_read(&whole[..length]).is_err(), "{length}");
    }
    for at in 0..whole.len() {
        for value in [0, 0x7f, 0xff, b'9'] {
            let mut changed = whole.clone();
            changed[at] = value;
            if let Ok(model) = build::try_read(&changed) {
                build::check(&model);
            }
        }
    }
}

#[test]
fn nothing_to_show_is_an_error() {
    let mut empty = Builder::new();
    assert!(refused(&empty.glb()).contains("no node of its scene draws a triangle"));
    empty.json.as_object_mut().expect("an object").remove("scenes");
    let mesh = empty.triangle();
    empty.add("nodes", serde_json::json!({ "mesh": mesh }));
    assert!(refused(&empty.glb()).contains("no scene"));
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let bytes = models::sphere(1.0, 40).glb();
    let limits = lodger_quota::QuotaLimits { memory: 100_000, ..Default::default() };
    let error = read_all(&[("it.glb", &bytes)], limits).expect_err("too little");
    assert!(error.to_string().contains("memory"), "{error}");
}
