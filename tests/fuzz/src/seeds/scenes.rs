//! Scenes and linksets.

use lodger_testkit::build::gltf::glb;

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

/// Money that counts bytes, and qualities.
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

/// Two leaves with errors, of which one lacks a level.
const SOG: &str = r#"{"version":1,"asset":{"generator":"x"},"count":180,"counts":[100,50,30],"lodLevels":3,
"lodErrors":true,"filenames":["0_0/meta.json"],"tree":{"bound":{"min":[-1,0,-1],"max":[2,1,1]},"children":[
{"bound":{"min":[-1,0,-1],"max":[1,1,1]},"lods":{"0":{"file":0,"offset":0,"count":60},"1":{"file":1,
"offset":0,"count":50},"2":{"file":2,"offset":0,"count":30}},"errors":[0,0.5,1.25]},
{"bound":{"min":[1,0,-1],"max":[2,1,1]},"lods":{"0":{"file":0,"offset":60,"count":40}},"errors":[0,1e-1,2]}]}}"#;

/// One of before there were versions, with levels in a list.
const OLD_SOG: &str = r#"{"lodLevels":2,"environment":null,"tree":{"children":[
{"bound":{"min":[0,0,0],"max":[1,1,1]},"lods":[{"count":10},{"count":5}]}]}}"#;

/// A linkset.
pub(super) fn linksets() -> Vec<Vec<u8>> {
    vec![LINKSET.into()]
}

/// The scene that explains itself, and one with a unit of its own.
pub(super) fn toml() -> Vec<Vec<u8>> {
    vec![lodger_scenes::EXAMPLE.into(), TILES.into()]
}

/// Scenes as JSON and as a .glb file.
pub(super) fn gltf() -> Vec<Vec<u8>> {
    vec![GLTF.into(), BUFFERS.into(), glb(GLTF, &[])]
}

/// Indices of a Streamed SOG.
pub(super) fn sog() -> Vec<Vec<u8>> {
    vec![SOG.into(), OLD_SOG.into()]
}
