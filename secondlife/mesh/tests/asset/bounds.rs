//! Reading an asset takes no more memory than the limits say, and no more work than what is different
//! in it.

use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{Cost, Kind, THINNEST, lint};
use lodger_mesh_asset::llsd::{Map, Value};
use lodger_mesh_asset::{
    Asset, AssetBuilder, Block, Face, Faces, Geometry, Limits, PhysicsMesh, Quantized,
};

use super::sample;

/// The limits of these tests: blocks of 1 MiB.
const LIMITS: Limits = Limits { block_bytes: 1 << 20, values: 1 << 12 };

/// The most bytes that `work` had allocated at once.
fn peak(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).bytes_max
}

/// Everything that is ever done to an asset, one after the other.
fn everything(file: &[u8]) {
    let Ok(asset) = Asset::parse_within(file, LIMITS) else { return };
    let _ = asset.verify();
    for block in Block::ALL {
        let _ = asset.counts(block);
    }
    if let Ok(inputs) = asset.physics() {
        let scales = [[1.0; 3], [1.0, 2.0, 3.0]].map(ObjectScale::<f64>::new);
        for scale in scales.into_iter().flatten() {
            let _ = inputs.shapes(scale);
        }
    }
    drop(lint(&asset, ObjectScale::ONE));
}

/// An asset all of whose blocks are one.
fn of(block: &Value<'_>) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    let one = builder.set_block("one", block).unwrap().encode().unwrap();
    let one = &one[Asset::parse(&one).unwrap().header().end()..];
    builder.remove("one");
    for name in Block::ALL {
        builder.set_raw(name.key(), one);
    }
    builder.encode().unwrap()
}

/// Bytes that nothing shortens.
fn noise(length: usize) -> Vec<u8> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let states = std::iter::successors(Some(1), next);
    states.map(|state: u32| state.to_be_bytes()[0]).take(length).collect()
}

/// Indices below 256, little-endian.
fn indices(length: usize) -> Vec<u8> {
    let bytes = noise(length).into_iter().enumerate();
    bytes.map(|(at, byte)| if at % 2 == 0 { byte } else { 0 }).collect()
}

fn face(positions: Vec<u8>, triangles: Vec<u8>) -> Value<'static> {
    let mut map = Map::new();
    map.insert("Position", positions);
    map.insert("TriangleList", triangles);
    map.into()
}

/// As many faces with so many bytes of positions and triangles as a block has room for.
fn faces(positions: usize, triangles: usize) -> Value<'static> {
    let count = LIMITS.block_bytes / (positions + triangles + 60);
    let (positions, triangles) = (noise(positions), indices(triangles));
    let face = || face(positions.clone(), triangles.clone());
    std::iter::repeat_with(face).take(count.min(LIMITS.values / 3 - 1)).collect()
}

fn values(one: &Value<'static>, each: usize) -> Value<'static> {
    std::iter::repeat_n(one, LIMITS.values / each - 1).cloned().collect()
}

#[test]
fn nothing_takes_more_memory_than_the_limits_say() {
    let map =
        |key: &'static str, value: Value<'static>| Value::Map([(key, value)].into_iter().collect());
    let array = |value| [value].into_iter().collect::<Value>();
    let matrix: Value = [1.0; 16].map(Value::Real).into_iter().collect();
    let skin = map("inverse_bind_matrix", values(&matrix, 17));
    let names = map("joint_names", values(&Value::from("mPelvis"), 1));
    for (what, block) in [
        ("triangles of one face", faces(256 * 6, 900_000)),
        ("points of one face", faces(999_996, 0)),
        ("points and triangles", faces(480_000, 480_000)),
        ("many faces", faces(256 * 6, 3_000)),
        ("very many faces", faces(256 * 6, 6)),
        ("faces without geometry", values(&map("NoGeometry", true.into()), 2)),
        ("undefined values", values(&Value::Undef, 1)),
        ("maps in maps", values(&map("a", map("b", Value::Undef)), 3)),
        ("arrays in arrays", values(&array(array(Value::Undef)), 3)),
        ("matrices", skin),
        ("names", names),
    ] {
        let file = of(&block);
        let (used, allowed) = (peak(|| everything(&file)), LIMITS.most_memory(file.len()));
        println!("{what}: {} KiB of {}", used >> 10, allowed >> 10);
        assert!(used <= allowed, "{what}: {used} of {allowed}");
    }
}

/// A wedge of so many points, whose triangles stand on the same edge, each narrower than the one before;
/// and those triangles, repeated in that order.
fn wedge(points: u16, triangles: usize) -> Geometry<'static> {
    let thin = (2..points).map(|i| [0.5 / f32::from(i - 1).powi(2), 0.0, 0.0]);
    let points: Vec<_> = [[0.0; 3], [0.0, 0.5, 0.0]].into_iter().chain(thin).collect();
    let indices = (2..u16::try_from(points.len()).unwrap()).map(|i| [0, 1, i]);
    let triangles: Vec<_> = indices.cycle().take(triangles).collect();
    Geometry::new(Quantized::from_points(&points).unwrap(), &triangles).unwrap()
}

#[test]
fn measuring_costs_what_is_different() {
    let few = Faces::new([wedge(42, 40).into(), wedge(22, 20).into()]);
    let many = |times: usize| {
        let pairs = [(wedge(42, 40 * times), 3), (wedge(22, 20 * times), 3)];
        let face = |(face, times)| std::iter::repeat_n(Face::from(face), times);
        Faces::new(pairs.into_iter().flat_map(face))
    };
    let of = |lod: &Faces| PhysicsMesh::new(lod).unwrap();
    let (few, many) = (of(&few), of(&many(400)));
    assert_eq!((few.triangle_count(), few.measured_count(), few.is_merged()), (60, 60, false));
    assert_eq!((many.triangle_count(), many.measured_count()), (60 * 1200, 60));
    assert!(many.is_merged());
    for sides in [[1.0; 3], [3.0, 0.25, 7.0]] {
        let scale = ObjectScale::<f64>::new(sides).unwrap();
        let [few, many] = [&few, &many].map(|mesh| mesh.measure(scale).unwrap());
        let (few, many) = (few.cost_without_limits(), many.cost_without_limits());
        assert!((few * 1200.0 - many).abs() <= 1e-12 * many, "{few} {many}");
    }
}

#[test]
fn the_thinnest_of_many_equal_triangles_are_the_first() {
    let with = |face: Geometry<'static>| {
        let mut builder = sample::builder();
        let mesh = Faces::new([Face::NoGeometry, face.clone().into(), face.into()]);
        builder.set_lod(Block::PhysicsMesh, &mesh).unwrap();
        let file = builder.encode().unwrap();
        lint(&Asset::parse(&file).unwrap(), ObjectScale::ONE)
    };
    let found = with(wedge(42, 40_000));
    assert_eq!(found.len(), THINNEST);
    for (index, found) in found.iter().enumerate() {
        let rank = index + 1;
        assert_eq!(found.kind, Kind::ThinTriangle { rank });
        assert_eq!((found.face, found.triangle), (Some(1), Some(40 * rank - 1)));
    }
    let cost = |found: &[lodger_mesh_asset::lint::Finding]| match found[0].cost {
        Some(Cost::Physics(cost)) => cost.to_bits(),
        other => panic!("{other:?}"),
    };
    assert_eq!(cost(&found), cost(&with(wedge(42, 400))), "with few triangles it costs the same");
}

#[test]
fn long_names_are_cut_where_an_error_is_made() {
    let name = "é".repeat(1 << 16);
    let is_cut = |shown: Option<&str>| {
        let shown = shown.unwrap();
        assert_eq!(shown.chars().count(), 161);
        assert!(shown.ends_with("é…"));
    };
    let mut builder = sample::builder();
    builder.set_raw(name.clone(), b"no zlib".as_slice());
    let file = builder.encode().unwrap();
    let asset = Asset::parse(&file).unwrap();
    let error = asset.inflate_named(&name).unwrap_err();
    is_cut(error.block());
    assert!(error.to_string().len() < 500);
    builder.set_block(name.clone(), &Value::Undef).unwrap();
    let file = builder.encode().unwrap();
    let inflated = Asset::parse(&file).unwrap().inflate_named(&name).unwrap().unwrap();
    is_cut(Some(inflated.name()));
    is_cut(inflated.lod().unwrap_err().block());
    let beyond = [("offset", 0), ("size", 5)].into_iter().collect::<Map>();
    let header = Value::Map([(name, Value::Map(beyond))].into_iter().collect());
    is_cut(Asset::parse(&header.to_bytes().unwrap()).unwrap_err().block());
}

#[test]
fn a_block_is_found_by_its_name_before_its_alias_and_the_first_of_several() {
    let at = |offset: i32| Value::Map([("offset", offset), ("size", 1)].into_iter().collect());
    let entries =
        ["physics_shape", "physics_mesh", "physics_mesh", "decomposition", "decomposition"];
    // A map of the tests' own: one that is built takes each key once.
    let mut header = b"{\0\0\0\x05".to_vec();
    for (entry, offset) in entries.into_iter().zip(0..) {
        header.push(b'k');
        header.extend(u32::try_from(entry.len()).unwrap().to_be_bytes());
        header.extend(entry.as_bytes());
        header.extend(at(offset).to_bytes().unwrap());
    }
    header.push(b'}');
    header.extend([0; 5]);
    let asset = Asset::parse(&header).unwrap();
    let offset = |block| asset.header().extent(block).map(|extent| extent.offset);
    assert_eq!(offset(Block::PhysicsMesh), Some(1));
    assert_eq!(offset(Block::PhysicsConvex), Some(3));
    assert_eq!(offset(Block::HighLod), None);
    let named = asset.inflate(Block::PhysicsConvex).unwrap_err();
    assert_eq!(named.block(), Some("decomposition"));
}
