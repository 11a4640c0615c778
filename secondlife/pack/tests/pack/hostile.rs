//! Files that nobody should write: read and packed, each is an asset or one clear error.

use std::f32::consts::TAU;

use lodger_mesh_asset::Asset;
use lodger_mesh_asset::lint::{Kind, lint};
use lodger_pack::{Error, LodRule, Model, ObjectFile, Options, Packed, pack};
use lodger_quota::QuotaLimits;
use serde_json::json;

use crate::goals::options;
use crate::read::build::{Builder, TRIANGLE, read_all};

fn packed(model: &mut Model, options: &Options) -> Result<Packed, Error> {
    pack(model, options, &crate::NO_PARTS, &crate::plenty(), &|_| ())
}

/// Reads and packs files: assets that lint accepts, and files that are read again.
#[track_caller]
fn sound(files: &[(&str, &[u8])]) -> (Model, Packed) {
    let mut model =
        read_all(files, QuotaLimits::default()).unwrap_or_else(|error| panic!("{error}"));
    let packed = packed(&mut model, &options(None, None)).unwrap_or_else(|error| panic!("{error}"));
    assert!(packed.land_impact.value <= packed.target);
    for (index, object) in packed.objects.iter().enumerate() {
        let asset = Asset::parse(&object.asset).expect("an asset");
        for finding in lint(&asset, object.frame.scale().expect("a size")) {
            assert!(matches!(finding.kind, Kind::SameAsNext { .. }), "{finding:?}");
        }
        let files = ObjectFile::ALL.into_iter().filter(|&file| file != ObjectFile::Asset);
        let files: Vec<_> = files
            .map(|file| (format!("it{}", file.ending()), file.bytes(&model, &packed, index)))
            .map(|(name, bytes)| (name, bytes.expect("a file")))
            .collect();
        let files: Vec<_> = files.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
        let again =
            read_all(&files, QuotaLimits::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.objects.len(), 1);
        let high = object.chain.candidates()[object.picks.high].level.triangle_count();
        assert_eq!(again.objects[0].high.triangle_count(), high);
    }
    (model, packed)
}

#[track_caller]
fn sound_one(builder: &Builder) -> (Model, Packed) {
    sound(&[("it.glb", &builder.glb())])
}

/// What is said of a file that becomes no model.
#[track_caller]
fn refused(files: &[(&str, &[u8])]) -> String {
    match read_all(files, QuotaLimits::default()) {
        Err(error) => error.to_string(),
        Ok(model) => panic!("it was read: {:?}", model.notes),
    }
}

/// Positions without anything else, three for each triangle.
fn bare(positions: &[f32]) -> Builder {
    let mut builder = Builder::new();
    let primitive = builder.primitive(positions);
    let mesh = builder.mesh(&[primitive]);
    builder.root(json!({ "name": "it", "mesh": mesh }));
    builder
}

fn notes(packed: &Packed) -> Vec<&str> {
    packed.notes.iter().map(|note| note.code).collect()
}

/// The corners of a lump of so many rows, of about `size` metres, around a place.
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
fn positions_that_are_no_numbers() {
    let mut positions = lump(6, 1.0, [0.0; 3]);
    positions[40] = f32::NAN;
    let said = refused(&[("it.glb", &bare(&positions).glb())]);
    assert!(said.contains("finite"), "{said}");
}

#[test]
fn nothing_has_an_area() {
    let line = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    let said = refused(&[("it.glb", &bare(&[line, [3.0; 9]].concat()).glb())]);
    assert!(said.contains("draws a triangle"), "{said}");
}

#[test]
fn what_has_no_area_in_16_bits() {
    // A needle of 10 µm along the diagonal of 10 m, and one with a sheet beside it.
    let needle = [0.0, 0.0, 0.0, 10.0, 10.0, -10.0, 5.0, 5.0, -5.00001];
    let mut model =
        read_all(&[("it.glb", &bare(&needle).glb())], QuotaLimits::default()).expect("a model");
    let alone = packed(&mut model, &options(None, None)).expect("a needle");
    assert!(notes(&alone).contains(&"triangles-flattened"), "{:?}", alone.notes);
    let sheet = [0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 9.0, 0.0];
    let (_, both) = sound_one(&bare(&[needle, sheet].concat()));
    assert_eq!(both.objects[0].chain.made()[0].level.triangle_count(), 1);
    let note = both.notes.iter().find(|note| note.code == "triangles-flattened").expect("a note");
    assert!(note.text.starts_with("1 of its 2 triangles"), "{note}");
}

#[test]
fn poles_that_fall_together() {
    let mut positions = lump(6, 2.0, [0.0; 3]);
    // Thinner and thinner rings at one end, at last below a step of 2 m / 65 535.
    for ring in 0..6_u8 {
        let (wide, high) = (1e-3 / 4.0_f32.powi(ring.into()), 1.0 + f32::from(ring) * 1e-6);
        positions.extend([0.0, high, 0.0, wide, high, 0.0, 0.0, high, wide]);
    }
    let (model, packed) = sound_one(&bare(&positions));
    let source = &packed.objects[0].chain.made()[0];
    assert!(source.level.triangle_count() < model.objects[0].high.triangle_count());
    assert!(source.error <= 0.0);
    assert!(notes(&packed).contains(&"triangles-flattened"));
}

#[test]
fn more_vertices_than_a_face_has() {
    // Apart from each other: 70 200 vertices of a grid of triangles.
    let mut positions = Vec::with_capacity(3 * 70_200);
    for index in 0..23_400_u16 {
        let (x, y) = (f32::from(index % 200), f32::from(index / 200));
        positions.extend([x, y, 0.0, x + 0.7, y, 0.0, x, y + 0.7, (x * 0.1).sin()]);
    }
    let mut model =
        read_all(&[("it.glb", &bare(&positions).glb())], QuotaLimits::default()).expect("a model");
    assert_eq!(model.objects[0].high.faces.len(), 2);
    model.objects[0].high.faces.iter_mut().for_each(|face| face.triangles.truncate(900));
    let options = options(None, Some([9.0, 5.0, 1.0]));
    packed(&mut model, &options).expect("two faces");
}

#[test]
fn more_materials_than_an_object_has() {
    let mut builder = Builder::new();
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
    // Outside stays outside, and it is three times as large.
    assert!(
        volume(0).abs() > 0.05 && (volume(1) / volume(0) - 3.0).abs() < 1e-2,
        "{} {}",
        volume(0),
        volume(1)
    );
}

#[test]
fn a_cycle_of_nodes() {
    let mut builder = bare(&TRIANGLE);
    builder.json["nodes"][0]["children"] = json!([1]);
    builder.add("nodes", json!({ "children": [0] }));
    let said = refused(&[("it.glb", &builder.glb())]);
    assert!(said.contains("node"), "{said}");
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
    let mut large =
        read_all(&[("it.glb", &bare(&lump(4, 65.0, [0.0; 3])).glb())], QuotaLimits::default())
            .expect("a model");
    let error = packed(&mut large, &options(None, None)).expect_err("too large").to_string();
    assert!(error.contains("no prim is larger than 64 m"), "{error}");
}

#[test]
fn two_equal_objects() {
    let mut builder = bare(&lump(5, 1.0, [0.0; 3]));
    builder.root(json!({ "name": "it", "mesh": 0 }));
    let (model, packed) = sound_one(&builder);
    let [one, other] = &packed.objects[..] else { panic!("{}", packed.objects.len()) };
    let forms = |object: &lodger_pack::PackedObject| -> Vec<_> {
        object.chain.made().iter().map(|form| (form.level.clone(), form.bytes)).collect()
    };
    assert!(forms(one) == forms(other), "the same is made of both");
    assert_ne!(model.objects[0].name, model.objects[1].name);
}

#[test]
fn a_thousand_kilometres_away() {
    let mut builder = bare(&lump(5, 3.0, [0.0; 3]));
    builder.json["nodes"][0]["translation"] = json!([1e6, 0.0, -1e6]);
    sound_one(&builder);
    let both = bare(&[lump(3, 1.0, [0.0; 3]), lump(3, 1.0, [1e6; 3])].concat());
    let mut model = read_all(&[("it.glb", &both.glb())], QuotaLimits::default()).expect("a model");
    let error = packed(&mut model, &options(None, None)).expect_err("too large").to_string();
    assert!(error.contains("no prim is larger than 64 m"), "{error}");
}

/// A file of lumps of so many rows, in that material.
fn painted(rows: u16, material: &str) -> Vec<u8> {
    let mut builder = bare(&lump(rows, 1.0, [0.0; 3]));
    builder.materials(&[material]);
    builder.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    builder.glb()
}

#[test]
fn a_level_of_another_material() {
    let said = refused(&[("it.glb", &painted(5, "wood")), ("it_LOD1.glb", &painted(4, "iron"))]);
    assert!(said.contains("`iron`") && said.contains("does not have"), "{said}");
}

#[test]
fn levels_that_are_too_heavy_are_told() {
    let (high, medium, low) = (painted(5, "wood"), painted(6, "wood"), painted(4, "wood"));
    let files: [(&str, &[u8]); 3] =
        [("it.glb", &high), ("it_LOD2.glb", &medium), ("it_LOD1.glb", &low)];
    let (mut model, packed) = sound(&files);
    let told: Vec<_> = packed.notes.iter().filter(|note| note.code == "level-left-out").collect();
    let [note] = &told[..] else { panic!("{told:?}") };
    assert!(note.text.starts_with("its medium level is left out"), "{note}");
    assert!(note.text.contains("heavier than the high level"), "{note}");
    let auto = Options { lods: LodRule::Auto, ..options(None, None) };
    let auto = self::packed(&mut model, &auto).expect("all of them made");
    assert!(!notes(&auto).contains(&"level-left-out"));
}

#[test]
fn levels_that_are_brought_decide_what_is_paid() {
    let (high, low) = (painted(10, "wood"), painted(9, "wood"));
    let files: [(&str, &[u8]); 2] = [("it.glb", &high), ("it_LOD2.glb", &low)];
    let mut model = read_all(&files, QuotaLimits::default()).expect("a model");
    let large = |land_impact| options(land_impact, Some([30.0; 3]));
    let free = packed(&mut model, &large(None)).expect("what they cost");
    assert_eq!(free.objects[0].picks.high, 0, "nobody asked for less");
    let thirds = Options { lods: LodRule::Auto, ..large(None) };
    let thirds = packed(&mut model, &thirds).expect("thirds");
    assert!(thirds.target < free.target, "{} {}", thirds.target, free.target);
    let Err(Error::TooDear(dear)) = packed(&mut model, &large(Some(1))) else {
        panic!("too little")
    };
    packed(&mut model, &large(Some(dear.least))).expect("the least that was told");
    let Err(Error::TooDear(less)) = packed(&mut model, &large(Some(dear.least - 1))) else {
        panic!("less than the least")
    };
    assert_eq!(less.least, dear.least);
}

#[test]
fn more_objects_than_are_linked() {
    let mut builder = Builder::new();
    let mesh = builder.triangle();
    for _ in 0..257 {
        builder.root(json!({ "mesh": mesh }));
    }
    let said = refused(&[("it.glb", &builder.glb())]);
    assert!(said.contains("256"), "{said}");
}
