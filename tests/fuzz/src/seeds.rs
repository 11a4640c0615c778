//! Seeds: valid inputs of all targets, made in code.

use lodger_core::budget::Load;
use lodger_mesh_asset::llsd::LlsdValue;
use lodger_mesh_asset::{
    AssetBlock, AssetBuilder, Face, Faces, Geometry, PhysicsConvex, PhysicsCostData, Quantized,
    Skin,
};
use lodger_testkit::build::archive::{
    ArchiveFile, PartXml, base64, coalesced, item, land_data, object_asset, region_object,
};
use lodger_testkit::build::compressed::gzip;
use lodger_testkit::build::gltf::{buffer, glb, model};
use lodger_testkit::build::mesh::tetrahedron;
use lodger_wire::FramedTransport;
use lodger_wire::conform::{NumberType, TestVector, TestVectors, WireRequest};
use lodger_wire::telemetry::{ModuleFrame, SIZE, TelemetryFrame};

use super::wire::MemoryTransport;

/// Makes the seeds of a target.
pub type Seeds = fn() -> Vec<Vec<u8>>;

/// Targets and the functions that make their seeds.
pub const TARGETS: [(&str, Seeds); 15] = [
    ("llsd", llsd),
    ("asset", assets),
    ("pricing", pricing_inputs),
    ("archive", archives),
    ("entries", entries),
    ("objects", objects),
    ("stream", files),
    ("choice", choices),
    ("scene", toml),
    ("gltf", gltf),
    ("sog", sog),
    ("linkset", linksets),
    ("terminal", texts),
    ("conform", requests),
    ("telemetry", frames),
];

/// The seeds of a target; none for an unknown name.
#[must_use]
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let named = TARGETS.into_iter().find(|(name, _)| *name == target);
    named.map_or_else(Vec::new, |(_, make)| make())
}

/// The UUID of an asset, and of everything else.
const ASSET: &str = "11111111-2222-3333-4444-555555555555";

type Files = Vec<(String, Vec<u8>)>;

fn archives() -> Vec<Vec<u8>> {
    all().iter().map(tar).collect()
}

fn entries() -> Vec<Vec<u8>> {
    let entry = |(path, content): &(String, Vec<u8>)| [path.as_bytes(), b"\n", content].concat();
    let entries = |files: &Files| files.iter().map(entry).collect::<Vec<_>>().join(&b"\n--\n"[..]);
    all().iter().map(entries).collect()
}

fn objects() -> Vec<Vec<u8>> {
    let [root, others @ ..] = linked_parts();
    let asset = object_asset(&root, &others);
    let both = coalesced(&[asset.clone(), asset]);
    vec![linked().into(), both.into(), chair().into()]
}

fn choices() -> Vec<Vec<u8>> {
    let [region, inventory] = [tar(&region()), tar(&inventory())];
    let choice = |wanted: &str, file: &[u8]| [wanted.as_bytes(), b"\n", file].concat();
    vec![
        choice("prism", &region),
        choice(ASSET, &region),
        choice("box", &inventory),
        choice("chair", chair().as_bytes()),
    ]
}

fn all() -> [Files; 3] {
    [meshes(), region(), inventory()]
}

fn meshes() -> Files {
    vec![
        ("archive.xml".into(), b"<archive major_version=\"0\" />".into()),
        (format!("assets/{ASSET}_mesh.llmesh"), assets().swap_remove(0)),
        ("objects/chair.xml".into(), chair().into()),
    ]
}

fn chair() -> String {
    region_object(&PartXml::mesh("chair", ASSET).scale("1", "2", "3"), &[])
}

fn linked() -> String {
    let [root, others @ ..] = linked_parts();
    region_object(&root, &others)
}

fn linked_parts() -> [PartXml; 3] {
    [("prism", 9, 16), ("ring", 9, 32), ("tree", 255, 16)].map(|(name, code, path)| {
        let part = PartXml::prim(name, path, 3).shape("PCode", &i32::to_string(&code));
        part.scale("1", "2", "3").id(ASSET).at("1.5", "2", "21").owner(ASSET)
    })
}

fn region() -> Files {
    let land = land_data(ASSET, "a square", ASSET, "AQAAAAAAAAA=");
    let files = ["regions/1_1_a", "regions/2_1_b"].map(|folder| {
        let parcel = (format!("{folder}/landdata/a.xml"), land.clone().into());
        [parcel, (format!("{folder}/objects/a.xml"), linked().into())]
    });
    files.into_iter().flatten().collect()
}

/// An item, its object, and an object in its inventory, which contains the first one.
fn inventory() -> Files {
    const INSIDE: &str = "22222222-2222-3333-4444-555555555555";
    let object = |holding: &str| object_asset(&PartXml::cube("box").holding(&[holding]), &[]);
    vec![
        (format!("inventory/A &#47; B__{ASSET}/a.xml"), item("box", 6, ASSET, ASSET).into()),
        (format!("assets/{ASSET}_object.xml"), object(INSIDE).into()),
        (format!("assets/{INSIDE}_object.xml"), object(ASSET).into()),
    ]
}

fn tar(files: &Files) -> Vec<u8> {
    let add =
        |archive: ArchiveFile, (path, content): &(String, Vec<u8>)| archive.with(path, content);
    files.iter().fold(ArchiveFile::default(), add).tar()
}

fn llsd() -> Vec<Vec<u8>> {
    let kinds: LlsdValue = [
        LlsdValue::Undef,
        LlsdValue::from(true),
        LlsdValue::from(-7),
        LlsdValue::Real(0.5),
        LlsdValue::Uuid([7; 16]),
        LlsdValue::Date(1.3e9),
        LlsdValue::from("text"),
        LlsdValue::from(vec![1_u8, 2, 3]),
        LlsdValue::Map([("key", 1)].into_iter().collect()),
    ]
    .into_iter()
    .collect();
    let (lod, convex, skin) = (lod(2), convex(), skin());
    let values = [kinds, lod.to_value(), convex.to_value(), skin.to_value(), costs().to_value()];
    values.iter().map(|value| value.to_bytes().expect("a short value")).collect()
}

fn assets() -> Vec<Vec<u8>> {
    let mut builder = AssetBuilder::new();
    builder.set_value("version", 1);
    builder.set_lod(AssetBlock::HighLod, &lod(4)).expect("a short block");
    let small = builder.encode().expect("a small asset");
    for (block, quads) in AssetBlock::LODS.into_iter().zip(1..) {
        builder.set_lod(block, &lod(quads)).expect("a short block");
    }
    builder
        .set_lod(AssetBlock::PhysicsMesh, &lod(1))
        .and_then(|builder| builder.set_skin(&skin()))
        .and_then(|builder| builder.set_convex(&convex()))
        .and_then(|builder| builder.set_cost_data(&costs()))
        .expect("short blocks");
    vec![small, builder.encode().expect("a small asset")]
}

fn lod(quads: u16) -> Faces<'static> {
    let corners: Vec<_> =
        (0..=quads).flat_map(|i| [0.0, 0.5].map(|y| [f32::from(i) * 0.1, y, 0.1])).collect();
    let triangles: Vec<_> = (0..2 * quads).map(|i| [i, i + 1, i + 2]).collect();
    let uv: Vec<_> = corners.iter().map(|&[x, y, _]| [x, y]).collect();
    let points =
        Quantized::from_points(&corners).and_then(|points| Geometry::new(points, &triangles));
    let face = points.and_then(|face| face.with_tex_coords(Quantized::from_points(&uv)?));
    Faces::new([face.expect("corners that exist").into(), Face::NoGeometry])
}

fn convex() -> PhysicsConvex<'static> {
    PhysicsConvex::new(&tetrahedron(), &[tetrahedron(), tetrahedron()]).expect("two hulls")
}

fn skin() -> Skin<'static> {
    Skin {
        joint_names: vec!["mPelvis".into()],
        bind_shape_matrix: Some([0.25; 16]),
        inverse_bind_matrix: vec![[1.0; 16]],
        ..Skin::default()
    }
}

fn costs() -> PhysicsCostData {
    PhysicsCostData {
        hull: Some(0.2),
        decomposition: Some(0.4),
        mesh_triangles: Some(4),
        ..PhysicsCostData::default()
    }
}

/// A physical object of 2 m by 1 m by 1.5 m, a sweep from 0.1 m to 64 m and a land impact of 4.
fn pricing_inputs() -> Vec<Vec<u8>> {
    let sides = [2.0_f32, 1.0, 1.5].map(f32::to_le_bytes).concat();
    let range = [0.1_f64, 64.0].map(f64::to_le_bytes).concat();
    let head = [&sides[..], &[0, 3, 3, 0], &range, &[4, 0]].concat();
    assets().into_iter().map(|asset| [&head[..], &asset].concat()).collect()
}

fn files() -> Vec<Vec<u8>> {
    let plain: [&[u8]; 8] = [
        b"",
        b"{\0\0\0\0}",
        b"<?llsd/binary?>\n{\0\0\0\0}",
        b"\xef\xbb\xbf<?xml version=\"1.0\"?><!-- a --><!DOCTYPE a [<!ENTITY b \"c\">]><a:scene />",
        b"{\"asset\":{\"version\":\"2.0\"}}",
        b"glTF\x02\0\0\0",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xfea\0",
    ];
    let packed = gzip(b"budget_ms = 8");
    plain.iter().map(|bytes| bytes.to_vec()).chain([packed]).collect()
}

fn texts() -> Vec<Vec<u8>> {
    let numbers = [1.0_f64, 0.002_5, f64::INFINITY].map(f64::to_le_bytes).concat();
    let texts = ["a chair\nof \u{1b}[31mwood\u{202e}", "Kapuzenm\u{e4}ntel \u{1f9e5} \u{9b}\t\r\n"];
    texts.iter().map(|text| [&numbers, text.as_bytes()].concat()).collect()
}

fn requests() -> Vec<Vec<u8>> {
    let conversation = |backend| {
        let vectors = TestVectors::new(7, backend).take(24).chain([TestVector::End]);
        let requests = (0..).zip(vectors).map(|(id, vector)| WireRequest { id, backend, vector });
        let mut memory = MemoryTransport::default();
        let mut frames = FramedTransport::new(&mut memory);
        requests.for_each(|request| frames.send(&request).expect("a short message"));
        memory.sent
    };
    [NumberType::F32, NumberType::Fixed, NumberType::Micro].map(conversation).into()
}

fn frames() -> Vec<Vec<u8>> {
    let frame = |number| {
        let module = ModuleFrame {
            name: "cloth".try_into().expect("a short name"),
            levels: [3, 1, 0].into_iter().collect(),
            quarantined: 1,
            units: 500,
            planned: 70_000,
            measured: 71_234,
            unit_cost: 140 << 32,
            raw_unit_cost: 139 << 32,
        };
        let modules = [module].into_iter().collect();
        let (budget, scale) = (Some(4_000_000), 1 << 31);
        let (headroom, load) = (1 << 18, Load::Tight);
        TelemetryFrame {
            number,
            budget,
            overcommit: 0,
            scale,
            headroom,
            load,
            decision_time: 912,
            modules,
        }
    };
    let encoded = |frame: TelemetryFrame| frame.encode(&mut [0; SIZE]).map(<[u8]>::to_vec);
    vec![[0, u32::MAX].into_iter().filter_map(|number| encoded(frame(number))).flatten().collect()]
}

const LINKSET: &str = "\
[[object]]
name = \"root\"
[[object.prim]]
position = [-18, 0, 0]
scale = [10, 10, 10]

[[object]]
name = \"second\"
[[object.prim]]
position = [0, 18, 0.5]
scale = [10, 64, 0.01]
[[object.prim]]
position = [0, 20, 0]
scale = [1, 1, 1]

[[object]]
name = \"third\"
[[object.prim]]
position = [1.8e1, 0, 0]
scale = [10, 10, 10]
";

const TILES: &str = "\
unit = \"byte\"
budget = 140_000
policy = \"optimal\"
[[module]]
name = \"tiles\"
unit_cost = 1.5
quality = [0, 0.7, 1]
overhead = 7
[[actor]]
name = \"near\"
module = \"tiles\"
benefit = 1
work = [0, 40_000, 100_000]
quality = [0, 0.1, 0.2]
";

const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,2]}],
"cameras":[{"type":"perspective","perspective":{"yfov":1.0,"znear":0.1}}],
"nodes":[{"name":"cart","mesh":0,"children":[1],"translation":[0,0,-5],
"extensions":{"MSFT_lod":{"ids":[3]}}},{"mesh":0,"scale":[1,2,1]},{"camera":0},{"name":"far"}],
"meshes":[{"name":"box","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"componentType":5126,"count":500,"type":"VEC3","min":[-1,-1,-1],"max":[1,1,1]},
{"componentType":5123,"count":3000,"type":"SCALAR"}]}"#;

/// Two leaves with errors, of which one lacks a level.
const SOG: &str = r#"{"version":1,"asset":{"generator":"x"},"count":180,"counts":[100,50,30],"lodLevels":3,
"lodErrors":true,"filenames":["0_0/meta.json"],"tree":{"bound":{"min":[-1,0,-1],"max":[2,1,1]},"children":[
{"bound":{"min":[-1,0,-1],"max":[1,1,1]},"lods":{"0":{"file":0,"offset":0,"count":60},"1":{"file":1,
"offset":0,"count":50},"2":{"file":2,"offset":0,"count":30}},"errors":[0,0.5,1.25]},
{"bound":{"min":[1,0,-1],"max":[2,1,1]},"lods":{"0":{"file":0,"offset":60,"count":40}},"errors":[0,1e-1,2]}]}}"#;

/// An index without a version, with levels in a list.
const OLD_SOG: &str = r#"{"lodLevels":2,"environment":null,"tree":{"children":[
{"bound":{"min":[0,0,0],"max":[1,1,1]},"lods":[{"count":10},{"count":5}]}]}}"#;

fn linksets() -> Vec<Vec<u8>> {
    vec![LINKSET.into()]
}

fn toml() -> Vec<Vec<u8>> {
    let views = lodger_testkit::build::scene::of_actors(2);
    vec![lodger_scenes::EXAMPLE.into(), TILES.into(), views.into()]
}

fn gltf() -> Vec<Vec<u8>> {
    let mut embedded = model();
    embedded["buffers"][0]["uri"] = format!("data:;base64,{}", base64(&buffer())).into();
    vec![GLTF.into(), embedded.to_string().into(), glb(GLTF, &[])]
}

fn sog() -> Vec<Vec<u8>> {
    vec![SOG.into(), OLD_SOG.into()]
}
