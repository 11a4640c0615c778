//! `lodger cost` on a region of 10 000 mesh assets with an object for each, and on one of 5 000 objects of several
//! parts, as a whole.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;
use lodger_mesh_asset::{AssetBuilder, Block, Convex, Faces, Geometry, Quantized};

const ASSETS: u32 = 10_000;
/// Of the region of objects.
const OBJECTS: u32 = 5_000;
const MESHES: u32 = 500;
const PARCELS: usize = 5;

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
    let part = mesh_part(&format!("object {seed}"), seed, seed);
    format!("<SceneObjectGroup>{part}<OtherParts /></SceneObjectGroup>")
}

/// A part that shows a mesh.
fn mesh_part(name: &str, seed: u32, mesh: u32) -> String {
    let shape = format!(
        "<ProfileCurve>0</ProfileCurve><PathCurve>32</PathCurve><PCode>9</PCode>\
         <SculptTexture><UUID>{id}</UUID></SculptTexture><SculptType>5</SculptType>\
         <SculptEntry>true</SculptEntry>",
        id = id(mesh)
    );
    part(name, seed, &shape)
}

/// A part somewhere in the region, of one of a few owners.
fn part(name: &str, seed: u32, shape: &str) -> String {
    let side = 0.5 + f64::from(seed % 40) / 4.0;
    format!(
        "<SceneObjectPart><UUID><UUID>{id}</UUID></UUID><Name>{name}</Name>\
         <GroupPosition><X>{x}</X><Y>{y}</Y><Z>21</Z></GroupPosition><Shape>{shape}</Shape>\
         <Scale><X>{side}</X><Y>{side}</Y><Z>{side}</Z></Scale>\
         <OwnerID><UUID>{owner}</UUID></OwnerID><PhysicsShapeType>0</PhysicsShapeType>\
         </SceneObjectPart>",
        id = id((1 << 20) + seed),
        x = seed % 251,
        y = seed / 7 % 253,
        owner = id((1 << 21) + seed % 20),
    )
}

/// An object of two meshes, a box and a torus.
fn furniture(seed: u32) -> String {
    let prim = |name, path, profile| {
        let shape = format!(
            "<ProfileCurve>{profile}</ProfileCurve><PathCurve>{path}</PathCurve><PCode>9</PCode>"
        );
        part(name, seed, &shape)
    };
    let mesh = |name: &str, which| mesh_part(name, seed, (seed + which) % MESHES);
    format!(
        "<SceneObjectGroup>{}<OtherParts>{}{}{}</OtherParts></SceneObjectGroup>",
        mesh(&format!("chair {}", seed % 900), 0),
        mesh("cushion", 7),
        prim("foot", 16, 1),
        prim("wheel", 32, 0)
    )
}

/// A parcel of one fifth of the region; what is left over is on none.
fn parcel(number: usize) -> String {
    // Three bytes of the bitmap of 64 × 64 squares, in base64.
    let (empty, full) = ("AAAA".repeat(34), "////".repeat(34));
    let fifths: String =
        (0..PARCELS).map(|at| if at == number { full.as_str() } else { &empty }).collect();
    format!(
        "<LandData><Bitmap>{fifths}AAA=</Bitmap><GlobalID>{}</GlobalID>\
         <Name>parcel {number}</Name></LandData>",
        id((1 << 22) + u32::try_from(number).expect("a few"))
    )
}

fn id(seed: u32) -> String {
    format!("{seed:08x}-5b93-4d9e-9c5e-000000000001")
}

/// An archive that is being written.
struct Region(tar::Builder<GzEncoder<Vec<u8>>>);

impl Region {
    fn new() -> Self {
        Self(tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default())))
    }

    fn add(&mut self, path: String, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        self.0.append_data(&mut header, path, bytes).expect("an entry");
    }

    fn mesh(&mut self, seed: u32) {
        self.add(format!("assets/{}_mesh.llmesh", id(seed)), asset(seed));
    }

    fn finish(self) -> Vec<u8> {
        self.0.into_inner().and_then(GzEncoder::finish).expect("an archive")
    }
}

fn region_of_assets() -> Vec<u8> {
    let mut region = Region::new();
    for seed in 0..ASSETS {
        region.mesh(seed);
        region.add(format!("objects/object {seed}.xml"), object(seed));
    }
    region.finish()
}

fn region_of_objects() -> Vec<u8> {
    let mut region = Region::new();
    (0..PARCELS).for_each(|number| region.add(format!("landdata/{number}.xml"), parcel(number)));
    (0..MESHES).for_each(|seed| region.mesh(seed));
    (0..OBJECTS).for_each(|seed| region.add(format!("objects/{seed}.xml"), furniture(seed)));
    region.finish()
}

/// What it takes to run the program on a file.
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
    group.throughput(Throughput::Elements(ASSETS.into()));
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
    group.throughput(Throughput::Elements(OBJECTS.into()));
    for arguments in
        [&["--format", "json"][..], &["--by", "parcel"], &["--parts", "--format", "csv"]]
    {
        run(&mut group, &file, arguments);
    }
}

criterion_group!(benches, cost);
criterion_main!(benches);
