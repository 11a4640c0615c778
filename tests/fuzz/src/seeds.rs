//! Valid files to start from, made in code.

use lodger_mesh_asset::llsd::Value;
use lodger_mesh_asset::{
    AssetBuilder, Block, Convex, Face, Faces, Geometry, PhysicsCostData, Quantized, Skin,
};

/// A linkset of three objects, one of them of two prims.
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

/// What is read from buffers: a skin on positions without bounds, instances, and a group with a level.
const BUFFERS: &str = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1,2,3,4]}],
"nodes":[{"mesh":0,"skin":0},{"name":"bone","translation":[0,1,0]},{"name":"tree","mesh":0,
"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":4}}}},
{"name":"house","children":[5],"extensions":{"MSFT_lod":{"ids":[5]}}},{"camera":0},
{"mesh":0,"extensions":{"KHR_node_visibility":{"visible":true}}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
"skins":[{"joints":[1],"inverseBindMatrices":3}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,
"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":0}}},
{"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
{"bufferView":2,"componentType":5121,"normalized":true,"count":3,"type":"VEC4"},
{"bufferView":3,"componentType":5126,"count":1,"type":"MAT4"},
{"bufferView":4,"componentType":5126,"count":2,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},
{"buffer":0,"byteOffset":48,"byteLength":12},{"buffer":0,"byteOffset":60,"byteLength":64},{"buffer":0,"byteOffset":124,"byteLength":24}],
"buffers":[{"byteLength":148,"uri":"data:;base64,AAAAQAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAA/wAAAP8AAAD/AAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAABBAAAAAA=="}]}"#;

/// A glTF scene of two nodes, one of them with a level of its own, and a camera.
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,2]}],
"cameras":[{"type":"perspective","perspective":{"yfov":1.0,"znear":0.1}}],
"nodes":[{"name":"cart","mesh":0,"children":[1],"translation":[0,0,-5],
"extensions":{"MSFT_lod":{"ids":[3]}}},{"mesh":0,"scale":[1,2,1]},{"camera":0},{"name":"far"}],
"meshes":[{"name":"box","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"componentType":5126,"count":500,"type":"VEC3","min":[-1,-1,-1],"max":[1,1,1]},
{"componentType":5123,"count":3000,"type":"SCALAR"}]}"#;

/// The name and the seeds of every target.
#[must_use]
pub fn all() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    vec![
        ("llsd", llsd()),
        ("asset", assets()),
        ("scene", scenes()),
        ("linkset", vec![LINKSET.into()]),
        ("archive", archives()),
    ]
}

fn scenes() -> Vec<Vec<u8>> {
    vec![lodger_scenes::EXAMPLE.into(), GLTF.into(), BUFFERS.into(), glb()]
}

/// The same glTF scene as a .glb file.
fn glb() -> Vec<u8> {
    let mut json = GLTF.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = |bytes: usize| u32::try_from(bytes).expect("a small file").to_le_bytes();
    let version = 2_u32.to_le_bytes();
    let (whole, part) = (length(20 + json.len()), length(json.len()));
    [&b"glTF"[..], &version, &whole, &part, b"JSON", &json].concat()
}

/// The blocks of an asset, and a value of every kind.
fn llsd() -> Vec<Vec<u8>> {
    let kinds: Value = [
        Value::Undef,
        Value::from(true),
        Value::from(-7),
        Value::Real(0.5),
        Value::Uuid([7; 16]),
        Value::Date(1.3e9),
        Value::from("text"),
        Value::from(vec![1_u8, 2, 3]),
        Value::Map([("key", 1)].into_iter().collect()),
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
    builder.set_lod(Block::HighLod, &lod(4)).expect("a short block");
    let small = builder.encode().expect("a small asset");
    for (block, quads) in Block::LODS.into_iter().zip(1..) {
        builder.set_lod(block, &lod(quads)).expect("a short block");
    }
    builder
        .set_lod(Block::PhysicsMesh, &lod(1))
        .and_then(|builder| builder.set_skin(&skin()))
        .and_then(|builder| builder.set_convex(&convex()))
        .and_then(|builder| builder.set_cost_data(&costs()))
        .expect("short blocks");
    vec![small, builder.encode().expect("a small asset")]
}

/// A face of two triangles for each quad, and one without geometry.
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

fn convex() -> Convex<'static> {
    let hull = [[-0.5; 3], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]];
    Convex::new(&hull, &[hull, hull]).expect("two hulls")
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

/// An asset, and whatever else needs an identifier.
const ASSET: &str = "11111111-2222-3333-4444-555555555555";

/// Tar files, not compressed: of a mesh and an object that uses it, of regions, of an inventory.
fn archives() -> Vec<Vec<u8>> {
    let object = format!(
        "<SceneObjectGroup><SceneObjectPart><Name>chair</Name><Shape><PathCurve>32</PathCurve>\
         <SculptType>5</SculptType><SculptTexture><UUID>{ASSET}</UUID></SculptTexture>\
         <SculptEntry>true</SculptEntry></Shape><Scale><X>1</X><Y>2</Y><Z>3</Z></Scale>\
         </SceneObjectPart><OtherParts /></SceneObjectGroup>"
    );
    let mesh = assets().swap_remove(0);
    let mut archive = Vec::new();
    entry(&mut archive, "archive.xml", b"<archive major_version=\"0\" />");
    entry(&mut archive, &format!("assets/{ASSET}_mesh.llmesh"), &mesh);
    entry(&mut archive, "objects/chair.xml", object.as_bytes());
    archive.resize(archive.len() + 1024, 0);
    vec![archive, region(), inventory()]
}

/// Two regions, in each a parcel of one square and an object on it.
fn region() -> Vec<u8> {
    let part = |name: &str, code: u8, path: u8| {
        format!(
            "<SceneObjectPart><UUID><UUID>{ASSET}</UUID></UUID><OwnerID><UUID>{ASSET}</UUID></OwnerID>\
             <Name>{name}</Name><GroupPosition><X>1.5</X><Y>2</Y><Z>21</Z></GroupPosition><Shape>\
             <PCode>{code}</PCode><ProfileCurve>3</ProfileCurve><PathCurve>{path}</PathCurve></Shape>\
             <Scale><X>1</X><Y>2</Y><Z>3</Z></Scale></SceneObjectPart>"
        )
    };
    let (prism, ring, tree) = (part("prism", 9, 16), part("ring", 9, 32), part("tree", 255, 16));
    let object = format!(
        "<SceneObjectGroup>{prism}<OtherParts>{ring}{tree}</OtherParts></SceneObjectGroup>"
    );
    let land = format!(
        "<LandData><GlobalID>{ASSET}</GlobalID><Bitmap>AQAAAAAAAAA=</Bitmap><Name>a square</Name>\
         <OwnerID>{ASSET}</OwnerID></LandData>"
    );
    let mut archive = Vec::new();
    for folder in ["regions/1_1_a", "regions/2_1_b"] {
        entry(&mut archive, &format!("{folder}/landdata/a.xml"), land.as_bytes());
        entry(&mut archive, &format!("{folder}/objects/a.xml"), object.as_bytes());
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// An item, its object, and the object in there, which holds the first one.
fn inventory() -> Vec<u8> {
    const INSIDE: &str = "22222222-2222-3333-4444-555555555555";
    let object = |holding: &str| {
        format!(
            "<SceneObjectGroup><RootPart><SceneObjectPart><Shape><ProfileCurve>1</ProfileCurve>\
             <PathCurve>16</PathCurve></Shape><Scale><X>1</X><Y>1</Y><Z>1</Z></Scale><TaskInventory>\
             <TaskInventoryItem><AssetID><UUID>{holding}</UUID></AssetID><Type>6</Type>\
             </TaskInventoryItem></TaskInventory></SceneObjectPart></RootPart></SceneObjectGroup>"
        )
    };
    let item = format!(
        "<InventoryItem><Name>box</Name><Owner>{ASSET}</Owner><AssetType>6</AssetType>\
         <AssetID>{ASSET}</AssetID></InventoryItem>"
    );
    let mut archive = Vec::new();
    entry(&mut archive, &format!("inventory/A &#47; B__{ASSET}/a.xml"), item.as_bytes());
    entry(&mut archive, &format!("assets/{ASSET}_object.xml"), object(INSIDE).as_bytes());
    entry(&mut archive, &format!("assets/{INSIDE}_object.xml"), object(ASSET).as_bytes());
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// Adds a file to a tar archive.
fn entry(archive: &mut Vec<u8>, path: &str, content: &[u8]) {
    let mut header = [0_u8; 512];
    header[..path.len()].copy_from_slice(path.as_bytes());
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
    header[148..156].fill(b' ');
    header[156] = b'0';
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    header[154] = 0;
    archive.extend(header);
    archive.extend(content);
    archive.resize(archive.len().next_multiple_of(512), 0);
}
