//! Whole runs of `lodger cost`: on a region of 10 000 mesh assets with an object for each, and on a
//! region of 5 000 objects of several parts.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use lodger_mesh_asset::{AssetBlock, AssetBuilder, Faces, Geometry, PhysicsConvex, Quantized};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, parcel, region_object};

const ASSETS: usize = 10_000;
const OBJECTS: usize = 5_000;
const MESHES: usize = 500;
const PARCELS: usize = 5;

/// A wavy sheet of `2·n²` triangles, different for each seed.
fn sheet(n: u16, seed: usize) -> Faces<'static> {
    let mut state = (seed as u64) << 32 | u64::from(n);
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from((state >> 48) as u16) / 65_535.0
    };
    let place = |i: u16| f32::from(i) / f32::from(n) - 0.5;
    let corners: Vec<[f32; 3]> = (0..=n)
        .flat_map(|y| (0..=n).map(move |x| (x, y)))
        .map(|(x, y)| [place(x), place(y), noise() - 0.5])
        .collect();
    let triangles: Vec<[u16; 3]> = (0..n)
        .flat_map(|y| (0..n).map(move |x| y * (n + 1) + x))
        .flat_map(|i| [[i, i + 1, i + n + 1], [i + 1, i + n + 2, i + n + 1]])
        .collect();
    let corners = Quantized::from_points(&corners).expect("finite corners");
    Faces::new([Geometry::new(corners, &triangles).expect("corners that exist").into()])
}

/// An asset of four LODs, with hull, decomposition and, every other one, a physics mesh.
fn asset(seed: usize) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    for (block, n) in AssetBlock::LODS.into_iter().zip([2, 4, 8, 16]) {
        builder.set_lod(block, &sheet(n, seed)).expect("a block");
    }
    let hull: Vec<[f32; 3]> = (0..20_u16)
        .map(|i| [f32::from(i % 5) / 5.0, f32::from(i % 4) / 4.0, f32::from(i) / 20.0])
        .collect();
    let hulls = if seed.is_multiple_of(2) { vec![hull.clone(); 5] } else { Vec::new() };
    builder.set_convex(&PhysicsConvex::new(&hull, &hulls).expect("hulls")).expect("a block");
    if !seed.is_multiple_of(2) {
        builder.set_lod(AssetBlock::PhysicsMesh, &sheet(6, seed)).expect("a block");
    }
    builder.encode().expect("an asset")
}

fn placed(part: PartXml, seed: usize) -> PartXml {
    let side = format!("{}.{}", seed % 10 + 1, seed % 4 * 25);
    part.id(&id((1 << 20) + seed))
        .at(&(seed % 251).to_string(), &(seed / 7 % 253).to_string(), "21")
        .scale(&side, &side, &side)
        .owner(&id((1 << 21) + seed % 20))
        .with("PhysicsShapeType", "0")
}

fn object(seed: usize) -> String {
    region_object(&placed(PartXml::mesh(&format!("object {seed}"), &id(seed)), seed), &[])
}

fn furniture(seed: usize) -> String {
    let mesh = |name: &str, which| PartXml::mesh(name, &id((seed + which) % MESHES));
    let [foot, wheel] = [PartXml::prim("foot", 16, 1), PartXml::prim("wheel", 32, 0)];
    let others = [mesh("cushion", 7), foot, wheel].map(|part| placed(part, seed));
    region_object(&placed(mesh(&format!("chair {}", seed % 900), 0), seed), &others)
}

fn region_of_assets() -> Vec<u8> {
    let add = |archive: ArchiveFile, seed: usize| {
        let archive = archive.with_mesh(&id(seed), asset(seed));
        archive.with(&format!("objects/object {seed}.xml"), object(seed))
    };
    (0..ASSETS).fold(ArchiveFile::new(), add).gzip()
}

fn region_of_objects() -> Vec<u8> {
    let land = (0..PARCELS).fold(ArchiveFile::new(), |archive, number| {
        let (own, name) = (id((1 << 22) + number), format!("parcel {number}"));
        let parcel = parcel(&own, &name, &id(1 << 21), 64, |_, y| y * PARCELS / 64 == number);
        archive.with_parcel("", &own, parcel)
    });
    let meshes = (0..MESHES).fold(land, |archive, seed| archive.with_mesh(&id(seed), asset(seed)));
    let add = |archive: ArchiveFile, seed: usize| {
        archive.with(&format!("objects/{seed}.xml"), furniture(seed))
    };
    (0..OBJECTS).fold(meshes, add).gzip()
}

fn run(group: &mut BenchmarkGroup<'_, WallTime>, file: &Path, arguments: &[&str]) {
    group.bench_function(format!("lodger cost {}", arguments.join(" ")), |b| {
        b.iter(|| {
            let status = Command::new(env!("CARGO_BIN_EXE_lodger"))
                .arg("cost")
                .args(arguments)
                .arg(file)
                .stdout(Stdio::null())
                .status();
            assert!(status.expect("lodger runs").success());
        });
    });
}

fn cost(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the archive");
    let file = folder.path().join("region.oar");
    let bytes = region_of_assets();
    println!("{ASSETS} assets in an archive of {} MB", bytes.len() >> 20);
    std::fs::write(&file, &bytes).expect("it is written");
    let mut group = c.benchmark_group(format!("{ASSETS} assets in an archive"));
    group.sample_size(10);
    group.throughput(Throughput::Elements(ASSETS as u64));
    run(&mut group, &file, &["--format", "json"]);
    group.bench_function("inflating the archive alone", |b| {
        b.iter(|| {
            let mut inflated = flate2::read::GzDecoder::new(&bytes[..]);
            black_box(std::io::copy(&mut inflated, &mut std::io::sink()).expect("it inflates"))
        });
    });
    group.finish();
    std::fs::write(&file, region_of_objects()).expect("it is written");
    let mut group = c.benchmark_group(format!("{OBJECTS} objects of {MESHES} meshes"));
    group.sample_size(10);
    group.throughput(Throughput::Elements(OBJECTS as u64));
    for arguments in
        [&["--format", "json"][..], &["--by", "parcel"], &["--parts", "--format", "csv"]]
    {
        run(&mut group, &file, arguments);
    }
}

criterion_group!(benches, cost);
criterion_main!(benches);
