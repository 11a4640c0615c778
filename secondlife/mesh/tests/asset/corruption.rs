//! Whatever is done to an asset, reading it gives a value or an error, and little memory is used.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::lint;
use lodger_mesh_asset::llsd::{MAX_DEPTH, Map, Value};
use lodger_mesh_asset::{
    Asset, AssetBuilder, Block, Convex, Faces, Header, Limits, PhysicsCostData, Problem, Skin,
};

use super::sample;

/// The most bytes that `work` had allocated at once.
fn peak(work: impl FnOnce()) -> usize {
    usize::try_from(allocation_counter::measure(work).bytes_max).unwrap()
}

const MIB: usize = 1 << 20;

/// Reads and rewrites a file; whether all of it could be read.
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

/// Every bit flipped alone, and all of them.
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
            if let Ok(header) = Header::parse(file) {
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
    assert!(examine(&longer), "what comes after the last block is nobody's");
}

/// Past the checksum of zlib: every byte of what the blocks inflate to.
#[test]
fn every_inflated_byte_changed() {
    let file = sample::file();
    let asset = Asset::parse(&file).unwrap();
    let used = peak(|| {
        for block in Block::ALL {
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
    let Ok(value) = Value::from_bytes(bytes) else {
        return;
    };
    if let Ok(lod) = Faces::from_value(&value) {
        let _ = lod.triangles().count();
        for (_, face) in lod.geometries() {
            let _ = face.triangles().filter(|t| face.is_degenerate(*t)).count();
        }
        assert_eq!(Faces::from_value(&lod.to_value()), Ok(lod.clone()));
    }
    if let Ok(convex) = Convex::from_value(&value) {
        let points: usize = convex.hulls().map(Iterator::count).sum();
        assert_eq!(points, convex.points().len());
    }
    let _ = Skin::from_value(&value).map(|skin| skin.to_value().to_bytes());
    let _ = PhysicsCostData::from_value(&value).map(|data| data.to_value());
}

/// An asset whose high LOD is `llsd`, compressed.
fn with_block(llsd: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(llsd).unwrap();
    let mut builder = AssetBuilder::new();
    builder.set_raw("high_lod", encoder.finish().unwrap());
    builder.encode().unwrap()
}

fn problem(file: &[u8]) -> Problem {
    let error = Asset::parse(file).unwrap().verify().unwrap_err();
    assert_eq!(error.block(), Some("high_lod"));
    assert!(error.offset().is_some());
    error.problem().clone()
}

#[test]
fn a_zip_bomb_needs_no_memory() {
    let bomb = with_block(&vec![b'!'; 65 * MIB]);
    let limit = Limits::default().block_bytes;
    let used = peak(|| assert_eq!(problem(&bomb), Problem::TooLarge { limit }));
    assert!(used < MIB, "{used}");
    let used = peak(|| drop(lint(&Asset::parse(&bomb).unwrap(), ObjectScale::ONE)));
    assert!(used < MIB, "{used}");
}

#[test]
fn the_limit_is_the_callers() {
    let file = sample::file();
    let small = Limits { block_bytes: 100, ..Limits::default() };
    let asset = Asset::parse_within(&file, small).unwrap();
    let error = asset.inflate(Block::HighLod).unwrap_err();
    assert_eq!(error.problem(), &Problem::TooLarge { limit: 100 });
}

#[test]
fn just_below_the_limit_is_just_below_the_limit() {
    let mut llsd = b"[\0\0\0\x01b\x03\x80\0\0".to_vec();
    llsd.resize(llsd.len() + 0x0380_0000, 0);
    llsd.push(b']');
    let file = with_block(&llsd);
    let used = peak(|| {
        let asset = Asset::parse(&file).unwrap();
        let block = asset.inflate(Block::HighLod).unwrap().unwrap();
        assert_eq!(block.bytes().len(), llsd.len());
        assert!(block.lod().is_err());
    });
    assert!(used < 64 * MIB, "{used}");
}

/// A small file that inflates to millions of triangles without area.
#[test]
fn many_findings_need_little_memory() {
    let entry = |key: &'static str, bytes: usize| (key, Value::from(vec![0; bytes]));
    let map: Map = [entry("Position", 6), entry("TriangleList", 6_000_000)].into_iter().collect();
    let value: Value = [Value::Map(map)].into_iter().collect();
    let file = with_block(&value.to_bytes().unwrap());
    let used = peak(|| drop(lint(&Asset::parse(&file).unwrap(), ObjectScale::ONE)));
    assert!(used < 32 * MIB, "{used}");
}

#[test]
fn counts_and_depth_are_not_believed() {
    for llsd in [
        &b"[\xff\xff\xff\xff!"[..],
        b"{\xff\xff\xff\xffk\xff\xff\xff\xff",
        b"b\xff\xff\xff\xff",
        &b"[\xff\xff\xff\xff".repeat(MAX_DEPTH + 1),
        &b"[\0\0\0\x01".repeat(1_000_000),
        &[b"[\x7f\xff\xff\xff".as_slice(), &vec![b'!'; 10 * MIB]].concat(),
    ] {
        let used = peak(|| {
            let whole = Value::from_bytes(llsd);
            assert!(whole.is_err());
        });
        assert!(used < 12 * MIB, "{used}");
        assert!(matches!(problem(&with_block(llsd)), Problem::Llsd(_)));
    }
}

#[test]
fn as_many_values_as_allowed_need_16_mib() {
    let maps = [b"[\0\0\x7f\xff".as_slice(), &b"{\0\0\0\x01k\0\0\0\0!}".repeat(0x7fff), b"]"];
    let keys = [b"{\0\0\xff\xff".as_slice(), &b"k\0\0\0\0!".repeat(0xffff), b"}"];
    for llsd in [maps.concat(), keys.concat()] {
        let used = peak(|| drop(Value::from_bytes(&llsd).unwrap()));
        assert!(used < 16 * MIB, "{used}");
    }
}

#[test]
fn a_block_out_of_bounds_is_named() {
    let mut file = sample::file();
    file.truncate(file.len() - 1);
    let error = Asset::parse(&file).unwrap_err();
    assert_eq!(error.block(), Some("novelty"), "the last one");
    assert!(matches!(error.problem(), Problem::OutOfBounds { .. }));
}
