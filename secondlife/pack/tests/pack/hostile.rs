//! Odd and damaged files: each becomes assets that are valid, or one clear error.

use std::f32::consts::TAU;

use lodger_mesh_asset::Asset;
use lodger_mesh_asset::lint::{FindingKind, lint};
use lodger_pack::{
    LodRule, Model, ObjectFile, PackError, PackOptions, PackedModel, PackedObject, pack,
};
use proptest::prelude::*;
use serde_json::json;

use crate::models::{
    Drawing, GltfBuilder, TRIANGLE, nine_material_cube, skinned_tube, sphere, tree_of_cards,
};
use crate::options;
use crate::read::{read_files, try_read};

fn packed(model: &mut Model, options: &PackOptions) -> Result<PackedModel, PackError> {
    pack(model, options, &crate::no_parts, &crate::plenty(), &|_| ())
}

#[track_caller]
fn sound(files: &[(&str, &[u8])]) -> (Model, PackedModel) {
    let mut model = read_files(files);
    let packed = packed(&mut model, &options(None, None)).unwrap_or_else(|error| panic!("{error}"));
    assert!(packed.land_impact.value <= packed.target);
    for (index, object) in packed.objects.iter().enumerate() {
        let asset = Asset::parse(&object.asset).expect("an asset");
        for finding in lint(&asset, object.frame.scale().expect("a size")) {
            assert!(matches!(finding.kind, FindingKind::SameAsNext { .. }), "{finding:?}");
        }
        let files = ObjectFile::ALL.into_iter().filter(|&file| file != ObjectFile::Asset);
        let files: Vec<_> = files
            .map(|file| (format!("it{}", file.ending()), file.bytes(&model, &packed, index)))
            .map(|(name, bytes)| (name, bytes.expect("a file")))
            .collect();
        let files: Vec<_> = files.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
        let again = read_files(&files);
        assert_eq!(again.objects.len(), 1);
        let high = object.chain.candidates()[object.selected.high].level.triangle_count();
        assert_eq!(again.objects[0].high.triangle_count(), high);
    }
    (model, packed)
}

#[track_caller]
fn sound_one(builder: &GltfBuilder) -> (Model, PackedModel) {
    sound(&[("it.glb", &builder.glb())])
}

/// Positions without anything else, three for each triangle.
fn bare(positions: &[f32]) -> GltfBuilder {
    let mut builder = GltfBuilder::new();
    let primitive = builder.primitive(positions);
    let mesh = builder.mesh(&[primitive]);
    builder.root(json!({ "name": "it", "mesh": mesh }));
    builder
}

fn notes(packed: &PackedModel) -> Vec<&str> {
    packed.notes.iter().map(|note| note.code).collect()
}

/// The corners of a lump of about `size` metres around a place.
fn lump(rows: u16, size: f32, [x, y, z]: [f32; 3]) -> Vec<f32> {
    let at = |i: u16, j: u16| {
        let (turn, rise) = (f32::from(i) / f32::from(rows), f32::from(j) / f32::from(rows));
        let wide = 0.5 * (rise * TAU / 2.0).sin() * (1.0 + 0.1 * (turn * TAU * 3.0).sin());
        let (sin, cos) = (turn * TAU).sin_cos();
        [x + size * wide * cos, y + size * (rise - 0.5), z + size * wide * sin]
    };
    let square = |i, j| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [a, c, b, a, d, c]
    };
    let squares = (0..rows).flat_map(|i| (0..rows).map(move |j| (i, j)));
    squares.flat_map(|(i, j)| square(i, j)).flatten().collect()
}

#[test]
fn one_triangle_without_normals_and_texture() {
    let (model, packed) = sound_one(&bare(&TRIANGLE));
    assert_eq!(model.objects[0].high.triangle_count(), 1);
    assert_eq!(
        (packed.land_impact.value, notes(&packed).contains(&"triangles-flattened")),
        (1, false)
    );
}

#[test]
fn triangles_without_an_area_in_16_bits() {
    // A needle of 10 µm along the diagonal of 10 m, and one with a sheet beside it.
    let needle = [0.0, 0.0, 0.0, 10.0, 10.0, -10.0, 5.0, 5.0, -5.00001];
    let mut model = read_files(&[("it.glb", &bare(&needle).glb())]);
    let alone = packed(&mut model, &options(None, None)).expect("a needle");
    assert!(notes(&alone).contains(&"triangles-flattened"), "{:?}", alone.notes);
    let sheet = [0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 9.0, 0.0];
    let (_, both) = sound_one(&bare(&[needle, sheet].concat()));
    assert_eq!(both.objects[0].chain.generated()[0].level.triangle_count(), 1);
    let note = both.notes.iter().find(|note| note.code == "triangles-flattened").expect("a note");
    assert!(note.text.starts_with("1 of its 2 triangles"), "{note}");
}

#[test]
fn poles_that_fall_together() {
    let mut positions = lump(6, 2.0, [0.0; 3]);
    // Ever thinner rings at one end, down to less than a step of 2 m / 65 535.
    for ring in 0..6_u8 {
        let (wide, high) = (1e-3 / 4.0_f32.powi(ring.into()), 1.0 + f32::from(ring) * 1e-6);
        positions.extend([0.0, high, 0.0, wide, high, 0.0, 0.0, high, wide]);
    }
    let (model, packed) = sound_one(&bare(&positions));
    let source = &packed.objects[0].chain.generated()[0];
    assert!(source.level.triangle_count() < model.objects[0].high.triangle_count());
    assert!(source.error <= 0.0);
    assert!(notes(&packed).contains(&"triangles-flattened"));
}

#[test]
fn more_materials_than_an_object_has() {
    let mut builder = GltfBuilder::new();
    let names: Vec<String> = (0..30).map(|index| format!("paint {index}")).collect();
    builder.materials(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mesh = builder.painted(0..30);
    builder.root(json!({ "name": "it", "mesh": mesh }));
    let (model, packed) = sound_one(&builder);
    assert_eq!((model.objects.len(), packed.land_impact.value), (4, 2));
    assert!(notes(&packed).contains(&"materials-split"));
}

#[test]
fn nested_and_mirrored() {
    let mut builder = bare(&lump(6, 1.0, [0.3, 0.1, -0.2]));
    let inner = builder.add(
        "nodes",
        json!({ "mesh": 0, "name": "inner", "scale": [1.0, -2.0, 1.0],
        "rotation": [0.5, 0.5, 0.5, 0.5] }),
    );
    let middle = builder.add("nodes", json!({ "children": [inner], "scale": [-1.0, 1.0, 1.5] }));
    builder.root(
        json!({ "children": [middle], "translation": [4.0, 0.0, 0.0], "scale": [1.0, 1.0, -1.0] }),
    );
    let (model, _) = sound_one(&builder);
    let volume = |index: usize| {
        let cone = |[a, b, c]: [[f32; 3]; 3]| {
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        model.objects[index].high.corners().map(cone).sum::<f32>() / 6.0
    };
    assert_eq!(model.objects.len(), 2);
    // The winding is right, and the volume three times as large.
    assert!(
        volume(0).abs() > 0.05 && (volume(1) / volume(0) - 3.0).abs() < 1e-2,
        "{} {}",
        volume(0),
        volume(1)
    );
}

#[test]
fn flat_and_thin() {
    let quad =
        [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 3.0, 0.0];
    sound_one(&bare(&quad));
    let thin = quad.map(|x| if x > 2.9 { 1e-6 } else { x });
    sound_one(&bare(&thin));
}

#[test]
fn as_large_and_as_small_as_can_be() {
    for size in [60.0, 0.001] {
        let (_, packed) = sound_one(&bare(&lump(6, size, [0.0; 3])));
        assert!((packed.objects[0].frame.sides()[2] - f64::from(size)).abs() < 1e-4);
    }
    let lump = |size: f32, at: f32| lump(3, size, [at; 3]);
    for positions in [lump(65.0, 0.0), [lump(1.0, 0.0), lump(1.0, 1e6)].concat()] {
        let mut large = read_files(&[("it.glb", &bare(&positions).glb())]);
        let error = packed(&mut large, &options(None, None)).expect_err("too large").to_string();
        assert!(error.contains("no prim is larger than 64 m"), "{error}");
    }
}

#[test]
fn two_equal_objects() {
    let mut builder = bare(&lump(5, 1.0, [0.0; 3]));
    builder.root(json!({ "name": "it", "mesh": 0 }));
    let (model, packed) = sound_one(&builder);
    let [one, other] = &packed.objects[..] else { panic!("{}", packed.objects.len()) };
    let forms = |object: &PackedObject| -> Vec<_> {
        object.chain.generated().iter().map(|form| (form.level.clone(), form.bytes)).collect()
    };
    assert!(forms(one) == forms(other), "the same is made of both");
    assert_ne!(model.objects[0].name, model.objects[1].name);
}

/// Packs a ball of 10 cm on a node this far out along each axis; also checks the note and the
/// origin.
#[expect(clippy::float_cmp, reason = "the centre of a ball is exactly at its node")]
fn packed_at(far: f64) -> PackedModel {
    let mut builder = sphere(0.05, 8).builder();
    builder.json["nodes"][0]["translation"] = json!([far, far, far]);
    let (model, packed) = sound_one(&builder);
    assert_eq!(model.origin.map(f64::abs), [far; 3]);
    assert_eq!(notes(&packed).contains(&"origin-moved"), far > 0.0);
    packed
}

#[test]
fn a_ball_is_the_same_anywhere() {
    let near = packed_at(0.0);
    for far in [1e3, 1e4, 1e6] {
        let packed = packed_at(far);
        let (there, here) = (packed.objects[0].frame.sides(), near.objects[0].frame.sides());
        for (a, b) in there.into_iter().zip(here) {
            assert!((a - b).abs() < 1e-8, "{far}: {a} instead of {b}");
        }
        assert!((packed.streaming - near.streaming).abs() < 0.01 * near.streaming);
        assert!((packed.physics - near.physics).abs() < 1e-9);
    }
}

fn painted(rows: u16, material: &str) -> Vec<u8> {
    let mut builder = bare(&lump(rows, 1.0, [0.0; 3]));
    builder.materials(&[material]);
    builder.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    builder.glb()
}

#[test]
fn levels_that_are_too_heavy_are_notes() {
    let (high, medium, low) = (painted(5, "wood"), painted(6, "wood"), painted(4, "wood"));
    let files: [(&str, &[u8]); 3] =
        [("it.glb", &high), ("it_LOD2.glb", &medium), ("it_LOD1.glb", &low)];
    let (mut model, packed) = sound(&files);
    let left_out: Vec<_> =
        packed.notes.iter().filter(|note| note.code == "level-left-out").collect();
    let [note] = &left_out[..] else { panic!("{left_out:?}") };
    assert!(note.text.starts_with("its medium level is left out"), "{note}");
    assert!(note.text.contains("heavier than the high level"), "{note}");
    let auto = PackOptions { lods: LodRule::Auto, ..options(None, None) };
    let auto = self::packed(&mut model, &auto).expect("all of them made");
    assert!(!notes(&auto).contains(&"level-left-out"));
}

#[test]
fn authored_levels_determine_the_land_impact() {
    let (high, low) = (painted(10, "wood"), painted(9, "wood"));
    let files: [(&str, &[u8]); 2] = [("it.glb", &high), ("it_LOD2.glb", &low)];
    let mut model = read_files(&files);
    let large = |land_impact| options(land_impact, Some([30.0; 3]));
    let free = packed(&mut model, &large(None)).expect("what they cost");
    assert_eq!(free.objects[0].selected.high, 0, "the source");
    let thirds = PackOptions { lods: LodRule::Auto, ..large(None) };
    let thirds = packed(&mut model, &thirds).expect("thirds");
    assert!(thirds.target < free.target, "{} {}", thirds.target, free.target);
    let Err(PackError::TargetInfeasible(dear)) = packed(&mut model, &large(Some(1))) else {
        panic!("too little")
    };
    packed(&mut model, &large(Some(dear.minimum))).expect("the least that was reported");
    let Err(PackError::TargetInfeasible(less)) = packed(&mut model, &large(Some(dear.minimum - 1)))
    else {
        panic!("less than the least")
    };
    assert_eq!(less.minimum, dear.minimum);
}

fn drawings() -> [Drawing; 4] {
    [sphere(1.0, 4), tree_of_cards(4), nine_material_cube(), skinned_tube(4, 6)]
}

fn try_it(bytes: &[u8]) -> Result<(), PackError> {
    let packed = packed(&mut try_read(bytes)?, &options(None, None))?;
    assert!(packed.land_impact.value <= packed.target);
    for object in &packed.objects {
        Asset::parse(&object.asset).expect("an asset").verify().expect("a valid asset");
    }
    Ok(())
}

/// Replaces a number in the JSON, so that a count, index or offset is wrong.
fn with_another_number(file: &[u8], which: usize, number: &str) -> Vec<u8> {
    let length = u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize;
    let json = std::str::from_utf8(&file[20..20 + length]).expect("JSON").trim_end();
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let starts: Vec<_> = (1..json.len())
        .filter(|&at| is_digit(json.as_bytes()[at]) && b":[,".contains(&json.as_bytes()[at - 1]))
        .collect();
    let start = starts[which % starts.len()];
    let end = json[start..]
        .find(|letter: char| !letter.is_ascii_digit())
        .map_or(json.len(), |end| start + end);
    let json = format!("{}{number}{}", &json[..start], &json[end..]);
    lodger_testkit::build::gltf::glb(json, &file[20 + length + 8..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn bytes_that_were_hit(
        drawing in 0_usize..4, hits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)
    ) {
        let mut file = drawings()[drawing].glb();
        for (place, byte) in hits {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if let Err(error) = try_it(&file) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn numbers_that_lie(
        drawing in 0_usize..4, which in any::<usize>(),
        number in prop::sample::select(vec!["0", "1", "2", "7", "255", "65536", "4294967296", "18446744073709551615", "-1", "1e300"])
    ) {
        let file = with_another_number(&drawings()[drawing].glb(), which, number);
        if let Err(error) = try_it(&file) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
