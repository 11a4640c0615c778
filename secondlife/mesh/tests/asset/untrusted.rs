//! Reading of untrusted assets gives a value or an error, within bounded memory and work.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{Finding, FindingCost, FindingKind, MAX_THIN_NAMED, lint};
use lodger_mesh_asset::llsd::{LlsdValue, MAX_DEPTH, Map};
use lodger_mesh_asset::{
    Asset, AssetBlock, AssetBuilder, AssetErrorKind, AssetHeader, AssetLimits, Face, Faces,
    Geometry, PhysicsConvex, PhysicsCostData, PhysicsMesh, Quantized, Skin,
};

use super::sample;

fn peak(work: impl FnOnce()) -> usize {
    usize::try_from(allocation_counter::measure(work).bytes_max).unwrap()
}

const MIB: usize = 1 << 20;

/// Reads and rewrites a file; returns whether all of it is valid.
fn examine(file: &[u8]) -> bool {
    let Ok(asset) = Asset::parse(file) else {
        return false;
    };
    let again = AssetBuilder::from(&asset).encode().unwrap();
    Asset::parse(&again).unwrap();
    let _ = asset.physics().map(|inputs| inputs.shapes(ObjectScale::<f32>::ONE));
    asset.verify().is_ok()
}

fn examine_findings(file: &[u8]) {
    if let Ok(asset) = Asset::parse(file) {
        let findings = lint(&asset, ObjectScale::ONE);
        let _ = findings.iter().map(ToString::to_string).count();
    }
}

/// Calls `work` with every byte of `bytes` changed to every value that `patterns` gives.
fn with_each(bytes: &mut [u8], patterns: impl Fn(u8) -> Vec<u8>, mut work: impl FnMut(&[u8])) {
    for at in 0..bytes.len() {
        let old = bytes[at];
        for new in patterns(old) {
            bytes[at] = new;
            work(bytes);
        }
        bytes[at] = old;
    }
}

fn bits(old: u8) -> Vec<u8> {
    (0..8).map(|bit| old ^ (1 << bit)).chain([!old]).collect()
}

#[test]
fn every_byte_changed() {
    let mut file = sample::file();
    let used = peak(|| {
        with_each(&mut file, bits, |file| {
            _ = Asset::parse(file).map(|asset| asset.verify());
        });
        with_each(&mut file, |old| vec![!old], |file| _ = examine(file));
        with_each(&mut file, |old| vec![!old], examine_findings);
    });
    assert!(used < 4 * MIB, "{used}");
    assert!(examine(&file));
}

#[test]
fn every_byte_of_the_header_changed_to_everything() {
    let mut file = sample::file();
    let header = Asset::parse(&file).unwrap().header().end();
    file.truncate(header);
    let others = |old| (0..=255).filter(|new| *new != old).collect();
    let used = peak(|| {
        with_each(&mut file, others, |file| {
            if let Ok(header) = AssetHeader::parse(file) {
                let _ = (header.lod_bytes(), header.material_list());
            }
            let _ = Asset::parse(file);
        });
    });
    assert!(used < MIB, "{used}");
}

#[test]
fn cut_and_grown_at_every_length() {
    let file = sample::file();
    for length in 0..file.len() {
        assert!(!examine(&file[..length]), "{length}");
        let mut grown = file.clone();
        grown.insert(length, b'{');
        examine(&grown);
        let mut lost = file.clone();
        lost.remove(length);
        examine(&lost);
    }
    let mut longer = file;
    longer.extend([0; 100]);
    assert!(examine(&longer), "bytes behind the last block are ignored");
}

// Behind the checksum of zlib.
#[test]
fn every_inflated_byte_changed() {
    let file = sample::file();
    let asset = Asset::parse(&file).unwrap();
    let used = peak(|| {
        for block in AssetBlock::ALL {
            let Some(inflated) = asset.inflate(block).unwrap() else {
                continue;
            };
            let mut bytes = inflated.bytes().to_vec();
            with_each(&mut bytes, bits, decode);
            for length in 0..bytes.len() {
                decode(&bytes[..length]);
            }
        }
    });
    assert!(used < 4 * MIB, "{used}");
}

fn decode(bytes: &[u8]) {
    let Ok(value) = LlsdValue::from_bytes(bytes) else {
        return;
    };
    if let Ok(lod) = Faces::from_value(&value) {
        let _ = lod.triangles().count();
        for (_, face) in lod.geometries() {
            let _ = face.triangles().filter(|t| face.is_degenerate(*t)).count();
        }
        assert_eq!(Faces::from_value(&lod.to_value()), Ok(lod.clone()));
    }
    if let Ok(convex) = PhysicsConvex::from_value(&value) {
        let points: usize = convex.hulls().map(Iterator::count).sum();
        assert_eq!(points, convex.points().len());
    }
    let _ = Skin::from_value(&value).map(|skin| skin.to_value().to_bytes());
    let _ = PhysicsCostData::from_value(&value).map(|data| data.to_value());
}

fn with_block(llsd: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(llsd).unwrap();
    let mut builder = AssetBuilder::new();
    builder.set_raw("high_lod", encoder.finish().unwrap());
    builder.encode().unwrap()
}

fn error_kind(file: &[u8]) -> AssetErrorKind {
    let error = Asset::parse(file).unwrap().verify().unwrap_err();
    assert_eq!(error.block(), Some("high_lod"));
    assert!(error.offset().is_some());
    error.kind().clone()
}

#[test]
fn a_zip_bomb_needs_no_memory() {
    let bomb = with_block(&vec![b'!'; 65 * MIB]);
    let limit = AssetLimits::default().block_bytes;
    let used = peak(|| assert_eq!(error_kind(&bomb), AssetErrorKind::TooLarge { limit }));
    assert!(used < MIB, "{used}");
    let used = peak(|| drop(lint(&Asset::parse(&bomb).unwrap(), ObjectScale::ONE)));
    assert!(used < MIB, "{used}");
}

#[test]
fn a_block_just_below_the_limit_is_kept_once() {
    let mut llsd = b"[\0\0\0\x01b\x03\x80\0\0".to_vec();
    llsd.resize(llsd.len() + 0x0380_0000, 0);
    llsd.push(b']');
    let file = with_block(&llsd);
    let used = peak(|| {
        let asset = Asset::parse(&file).unwrap();
        let block = asset.inflate(AssetBlock::HighLod).unwrap().unwrap();
        assert_eq!(block.bytes().len(), llsd.len());
        assert!(block.lod().is_err());
    });
    assert!(used < 64 * MIB, "{used}");
}

/// A small file that inflates to millions of triangles without area.
#[test]
fn many_findings_need_little_memory() {
    let entry = |key: &'static str, bytes: usize| (key, LlsdValue::from(vec![0; bytes]));
    let map: Map = [entry("Position", 6), entry("TriangleList", 6_000_000)].into_iter().collect();
    let value: LlsdValue = [LlsdValue::Map(map)].into_iter().collect();
    let file = with_block(&value.to_bytes().unwrap());
    let used = peak(|| drop(lint(&Asset::parse(&file).unwrap(), ObjectScale::ONE)));
    assert!(used < 32 * MIB, "{used}");
}

#[test]
fn claimed_counts_and_depths_reserve_no_memory() {
    for llsd in [
        &b"[\xff\xff\xff\xff!"[..],
        b"{\xff\xff\xff\xffk\xff\xff\xff\xff",
        b"b\xff\xff\xff\xff",
        &b"[\xff\xff\xff\xff".repeat(MAX_DEPTH + 1),
        &b"[\0\0\0\x01".repeat(1_000_000),
        &[b"[\x7f\xff\xff\xff".as_slice(), &vec![b'!'; 10 * MIB]].concat(),
    ] {
        let used = peak(|| {
            let whole = LlsdValue::from_bytes(llsd);
            assert!(whole.is_err());
        });
        assert!(used < 12 * MIB, "{used}");
        assert!(matches!(error_kind(&with_block(llsd)), AssetErrorKind::Llsd(_)));
    }
}

#[test]
fn as_many_values_as_allowed_need_16_mib() {
    let maps = [b"[\0\0\x7f\xff".as_slice(), &b"{\0\0\0\x01k\0\0\0\0!}".repeat(0x7fff), b"]"];
    let keys = [b"{\0\0\xff\xff".as_slice(), &b"k\0\0\0\0!".repeat(0xffff), b"}"];
    for llsd in [maps.concat(), keys.concat()] {
        let used = peak(|| drop(LlsdValue::from_bytes(&llsd).unwrap()));
        assert!(used < 16 * MIB, "{used}");
    }
}

const LIMITS: AssetLimits = AssetLimits { block_bytes: 1 << 20, values: 1 << 12 };

fn do_everything(file: &[u8]) {
    let Ok(asset) = Asset::parse_within(file, LIMITS) else { return };
    let _ = asset.verify();
    for block in AssetBlock::ALL {
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

/// An asset whose blocks are all the same.
fn of_block(block: &LlsdValue<'_>) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    let one = builder.set_block("one", block).unwrap().encode().unwrap();
    let one = &one[Asset::parse(&one).unwrap().header().end()..];
    builder.remove("one");
    for name in AssetBlock::ALL {
        builder.set_raw(name.key(), one);
    }
    builder.encode().unwrap()
}

fn noise(length: usize) -> Vec<u8> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let states = std::iter::successors(Some(1), next);
    states.map(|state: u32| state.to_be_bytes()[0]).take(length).collect()
}

fn indices(length: usize) -> Vec<u8> {
    let bytes = noise(length).into_iter().enumerate();
    bytes.map(|(at, byte)| if at % 2 == 0 { byte } else { 0 }).collect()
}

fn face(positions: Vec<u8>, triangles: Vec<u8>) -> LlsdValue<'static> {
    let mut map = Map::new();
    map.insert("Position", positions);
    map.insert("TriangleList", triangles);
    map.into()
}

fn faces(positions: usize, triangles: usize) -> LlsdValue<'static> {
    let count = LIMITS.block_bytes / (positions + triangles + 60);
    let (positions, triangles) = (noise(positions), indices(triangles));
    let face = || face(positions.clone(), triangles.clone());
    std::iter::repeat_with(face).take(count.min(LIMITS.values / 3 - 1)).collect()
}

fn values(one: &LlsdValue<'static>, each: usize) -> LlsdValue<'static> {
    std::iter::repeat_n(one, LIMITS.values / each - 1).cloned().collect()
}

#[test]
fn memory_stays_below_the_bound_of_the_limits() {
    let map = |key: &'static str, value: LlsdValue<'static>| {
        LlsdValue::Map([(key, value)].into_iter().collect())
    };
    let array = |value| [value].into_iter().collect::<LlsdValue>();
    let matrix: LlsdValue = [1.0; 16].map(LlsdValue::Real).into_iter().collect();
    let skin = map("inverse_bind_matrix", values(&matrix, 17));
    let names = map("joint_names", values(&LlsdValue::from("mPelvis"), 1));
    for (what, block) in [
        ("triangles of one face", faces(256 * 6, 900_000)),
        ("points of one face", faces(999_996, 0)),
        ("points and triangles", faces(480_000, 480_000)),
        ("many faces", faces(256 * 6, 3_000)),
        ("very many faces", faces(256 * 6, 6)),
        ("faces without geometry", values(&map("NoGeometry", true.into()), 2)),
        ("undefined values", values(&LlsdValue::Undef, 1)),
        ("maps in maps", values(&map("a", map("b", LlsdValue::Undef)), 3)),
        ("arrays in arrays", values(&array(array(LlsdValue::Undef)), 3)),
        ("matrices", skin),
        ("names", names),
    ] {
        let file = of_block(&block);
        let used = peak(|| do_everything(&file));
        let allowed = usize::try_from(LIMITS.max_memory(file.len())).unwrap();
        assert!(used <= allowed, "{what}: {used} of {allowed}");
    }
}

/// A wedge whose triangles share an edge, each narrower than the one before; `triangles` may exceed their number.
fn wedge(points: u16, triangles: usize) -> Geometry<'static> {
    let thin = (2..points).map(|i| [0.5 / f32::from(i - 1).powi(2), 0.0, 0.0]);
    let points: Vec<_> = [[0.0; 3], [0.0, 0.5, 0.0]].into_iter().chain(thin).collect();
    let indices = (2..u16::try_from(points.len()).unwrap()).map(|i| [0, 1, i]);
    let triangles: Vec<_> = indices.cycle().take(triangles).collect();
    Geometry::new(Quantized::from_points(&points).unwrap(), &triangles).unwrap()
}

#[test]
fn only_different_triangles_are_measured() {
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
fn the_first_of_many_equal_thin_triangles_are_named() {
    let with = |face: Geometry<'static>| {
        let mut builder = sample::builder();
        let mesh = Faces::new([Face::NoGeometry, face.clone().into(), face.into()]);
        builder.set_lod(AssetBlock::PhysicsMesh, &mesh).unwrap();
        let file = builder.encode().unwrap();
        lint(&Asset::parse(&file).unwrap(), ObjectScale::ONE)
    };
    let found = with(wedge(42, 40_000));
    assert_eq!(found.len(), MAX_THIN_NAMED);
    for (index, found) in found.iter().enumerate() {
        let rank = index + 1;
        assert_eq!(found.kind, FindingKind::ThinTriangle { rank });
        assert_eq!((found.face, found.triangle), (Some(1), Some(40 * rank - 1)));
    }
    let cost = |found: &[Finding]| match found[0].cost {
        Some(FindingCost::Physics(cost)) => cost.to_bits(),
        other => panic!("{other:?}"),
    };
    assert_eq!(cost(&found), cost(&with(wedge(42, 400))), "with few triangles it costs the same");
}

#[test]
fn errors_truncate_long_names() {
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
    builder.set_block(name.clone(), &LlsdValue::Undef).unwrap();
    let file = builder.encode().unwrap();
    let inflated = Asset::parse(&file).unwrap().inflate_named(&name).unwrap().unwrap();
    is_cut(Some(inflated.name()));
    is_cut(inflated.lod().unwrap_err().block());
    let beyond = [("offset", 0), ("size", 5)].into_iter().collect::<Map>();
    let header = LlsdValue::Map([(name, LlsdValue::Map(beyond))].into_iter().collect());
    is_cut(Asset::parse(&header.to_bytes().unwrap()).unwrap_err().block());
}

#[test]
fn a_key_precedes_its_alias_and_the_first_of_repeated_keys_counts() {
    let at = |offset: i32| LlsdValue::Map([("offset", offset), ("size", 1)].into_iter().collect());
    let entries =
        ["physics_shape", "physics_mesh", "physics_mesh", "decomposition", "decomposition"];
    // Written by hand, as a builder takes each key once.
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
    let offset = |block| asset.header().block_range(block).map(|range| range.offset);
    assert_eq!(offset(AssetBlock::PhysicsMesh), Some(1));
    assert_eq!(offset(AssetBlock::PhysicsConvex), Some(3));
    assert_eq!(offset(AssetBlock::HighLod), None);
    let named = asset.inflate(AssetBlock::PhysicsConvex).unwrap_err();
    assert_eq!(named.block(), Some("decomposition"));
}
