//! `lodger cost` on a region of 10 000 mesh assets with an object for each, as a whole.

use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;
use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Quantized};

const ASSETS: u32 = 10_000;

/// A wavy sheet of `2·n²` triangles, another one for each seed.
fn sheet(n: u16, seed: u32) -> Faces<'static> {
    let mut state = u64::from(seed) << 32 | u64::from(n);
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
fn asset(seed: u32) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    for (block, n) in Block::LODS.into_iter().zip([2, 4, 8, 16]) {
        builder.set_lod(block, &sheet(n, seed)).expect("a block");
    }
    let hull: Vec<[f32; 3]> = (0..20_u16)
        .map(|i| [f32::from(i % 5) / 5.0, f32::from(i % 4) / 4.0, f32::from(i) / 20.0])
        .collect();
    let hulls = if seed.is_multiple_of(2) { vec![hull.clone(); 5] } else { Vec::new() };
    builder.set_convex(&Convex::new(&hull, &hulls).expect("hulls")).expect("a block");
    if !seed.is_multiple_of(2) {
        builder.set_lod(Block::PhysicsMesh, &sheet(6, seed)).expect("a block");
    }
    builder.encode().expect("an asset")
}

/// An object of one part that shows the mesh, as its own shape collides.
fn object(seed: u32) -> String {
    let side = 0.5 + f64::from(seed % 40) / 4.0;
    format!(
        "<SceneObjectGroup><SceneObjectPart><Name>object {seed}</Name><Shape>\
         <ProfileCurve>0</ProfileCurve><PathCurve>32</PathCurve><PCode>9</PCode>\
         <SculptTexture><UUID>{id}</UUID></SculptTexture><SculptType>5</SculptType>\
         <SculptEntry>true</SculptEntry></Shape><Scale><X>{side}</X><Y>{side}</Y><Z>{side}</Z></Scale>\
         <PhysicsShapeType>0</PhysicsShapeType></SceneObjectPart><OtherParts /></SceneObjectGroup>",
        id = id(seed)
    )
}

fn id(seed: u32) -> String {
    format!("{seed:08x}-5b93-4d9e-9c5e-000000000001")
}

fn region() -> Vec<u8> {
    let gzip = GzEncoder::new(Vec::new(), Compression::default());
    let mut archive = tar::Builder::new(gzip);
    let mut add = |path: String, bytes: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, bytes).expect("an entry");
    };
    for seed in 0..ASSETS {
        add(format!("assets/{}_mesh.llmesh", id(seed)), &asset(seed));
        add(format!("objects/object {seed}.xml"), object(seed).as_bytes());
    }
    archive.into_inner().and_then(GzEncoder::finish).expect("an archive")
}

fn cost(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the archive");
    let file = folder.path().join("region.oar");
    let bytes = region();
    println!("{ASSETS} assets in an archive of {} MB", bytes.len() >> 20);
    std::fs::File::create(&file)
        .and_then(|mut file| file.write_all(&bytes))
        .expect("it is written");
    let mut group = c.benchmark_group(format!("{ASSETS} assets in an archive"));
    group.sample_size(10);
    group.throughput(Throughput::Elements(ASSETS.into()));
    group.bench_function("lodger cost --format json", |b| {
        b.iter(|| {
            let status = Command::new(env!("CARGO_BIN_EXE_lodger"))
                .args(["cost", "--format", "json"])
                .arg(&file)
                .stdout(Stdio::null())
                .status();
            assert!(status.expect("lodger runs").success());
        });
    });
    group.bench_function("inflating the archive alone", |b| {
        b.iter(|| {
            let mut inflated = flate2::read::GzDecoder::new(&bytes[..]);
            black_box(std::io::copy(&mut inflated, &mut std::io::sink()).expect("it inflates"))
        });
    });
}

criterion_group!(benches, cost);
criterion_main!(benches);
