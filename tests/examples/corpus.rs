//! Random files, and the results of the programs on them, to compare two versions of lodger.
//!
//! ```text
//! cargo run --release -p lodger-tests --example corpus -- make target/corpus
//! cargo run --release -p lodger-tests --example corpus -- run target/corpus OLD/lodger > before.txt
//! cargo run --release -p lodger-tests --example corpus -- run target/corpus target/release/lodger > after.txt
//! diff before.txt after.txt
//! ```
//!
//! `make` writes files, the same in each run. `run` prints the exit code and the digests of each command's output and
//! files, also of `lodger pack` if `lodger-pack` is beside the program.

#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]

use std::error::Error;
use std::f32::consts::TAU;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use lodger_mesh_asset::{AssetBlock, AssetBuilder, PhysicsConvex};
use lodger_testkit::build::archive::{self, ArchiveFile, PartXml};
use lodger_testkit::build::gltf::glb;
use lodger_testkit::build::mesh;
use lodger_testkit::{FNV_START, SplitMix64, fnv1a};
use serde_json::json;

const SCENES: usize = 300;
const LINKSETS: usize = 60;
const ASSETS: usize = 60;
const ARCHIVES: usize = 20;
const MODELS: usize = 24;

/// The command lines for each kind of file; `{}` is the file, `{out}` an empty folder.
const COMMANDS: [(&str, &[&str]); 6] = [
    (
        "scene",
        &[
            "schedule {} --format json --leftovers keep",
            "schedule {} --format json --leftovers within-module",
            "schedule {} --format json --leftovers across-modules",
            "schedule {} --format csv --leftovers whole-budget",
            "schedule {} --format json --policy optimal",
            "schedule {} --all --policy optimal",
            "simulate {} --frames 61 --format json",
            "simulate {} --frames 61 --format json --compare --stability off",
        ],
    ),
    (
        "linkset",
        &[
            "linkset {} --format json",
            "linkset {} --format json --rule span",
            "linkset {}",
            "cost {} --format json",
        ],
    ),
    (
        "asset",
        &[
            "cost {} --format json",
            "cost {} --format csv --sweep 0.5..20",
            "cost {} --format json --rules wiki --shape convex-hull",
            "cost {} --target 3",
            "lint {} --format json",
            "lint {}",
        ],
    ),
    (
        "archive",
        &[
            "cost {} --format json --parts",
            "cost {} --format json --by owner",
            "cost {} --format csv --by parcel",
            "lint {} --format json",
            "linkset {} --format json",
        ],
    ),
    (
        "model",
        &[
            "schedule {} --format json --eye 1,1,3",
            "pack {} --output {out} --format json",
            "pack {} --output {out} --format json --physics hull --lods 50%,25%,10%",
        ],
    ),
    ("log", &["replay {} --format json", "replay {}"]),
];

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let outcome = match &words[..] {
        [command, folder] if command == "make" => make(Path::new(folder)),
        [command, folder, program] if command == "run" => run(Path::new(folder), program),
        _ => Err("usage: corpus make FOLDER | corpus run FOLDER PROGRAM".into()),
    };
    if let Err(error) = outcome {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn make(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut random = SplitMix64::new(1);
    for number in 0..SCENES {
        fs::write(folder.join(format!("scene-{number:03}.toml")), scene(&mut random))?;
    }
    for number in 0..LINKSETS {
        fs::write(folder.join(format!("linkset-{number:03}.toml")), linkset(&mut random))?;
    }
    for number in 0..ASSETS {
        fs::write(folder.join(format!("asset-{number:03}.llmesh")), asset(&mut random))?;
    }
    for number in 0..ARCHIVES {
        fs::write(folder.join(format!("archive-{number:03}.oar")), region(&mut random))?;
    }
    for number in 0..MODELS {
        let triangles = 20 + random.index(800);
        let model = [soup, rings, cloth][number % 3](triangles);
        fs::write(folder.join(format!("model-{number:03}.glb")), model)?;
    }
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/files/frames.log");
    fs::copy(log, folder.join("log-000.log"))?;
    Ok(())
}

fn soup(count: usize) -> Vec<u8> {
    let mut random = SplitMix64::of_case(1, "soup", count as u64);
    let mut axis = || random.index(1 << 16) as f32 / 65_536.0;
    let positions: Vec<_> = (0..3 * count).map(|_| [axis(), axis(), axis()]).collect();
    solid(&positions, (0..3 * count).collect())
}

fn rings(count: usize) -> Vec<u8> {
    sheet(count, |u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        [v * cos, 0.0, v * sin]
    })
}

fn cloth(count: usize) -> Vec<u8> {
    sheet(count, |u, v| [u + 0.1 * (v * 40.0).sin(), v * 0.5, 0.2 * (u * 30.0 + v * 7.0).sin()])
}

fn sheet(count: usize, place: impl Fn(f32, f32) -> [f32; 3]) -> Vec<u8> {
    let side = (count / 2).isqrt().max(1);
    let part = |at: usize| at as f32 / side as f32;
    let corners = (0..=side).flat_map(|row| (0..=side).map(move |column| (row, column)));
    let positions: Vec<_> = corners.map(|(row, column)| place(part(row), part(column))).collect();
    let cells = (0..side).flat_map(|row| (0..side).map(move |column| row * (side + 1) + column));
    let indices = cells.flat_map(|a| {
        let [b, c, d] = [a + 1, a + side + 1, a + side + 2];
        [a, b, c, c, b, d]
    });
    solid(&positions, indices.collect())
}

fn solid(positions: &[[f32; 3]], indices: Vec<usize>) -> Vec<u8> {
    let mut bin: Vec<u8> = positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let (count, start) = (indices.len(), bin.len());
    bin.extend(indices.into_iter().flat_map(|index| (index as u32).to_le_bytes()));
    let json = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "it", "mesh": 0}],
        "meshes": [{"name": "it", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": positions.len(), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": count, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": start},
            {"buffer": 0, "byteOffset": start, "byteLength": bin.len() - start}
        ],
        "buffers": [{"byteLength": bin.len()}]
    });
    glb(json.to_string(), &bin)
}

fn scene(random: &mut SplitMix64) -> String {
    let mut text = format!("budget_ms = {}\n", random.between(1, 900) as f64 / 100.0);
    for _ in 0..=random.index(2) {
        let _ = writeln!(text, "[[view]]\neye = {:?}", place(random, 40.0));
    }
    let modules = 1 + random.index(4);
    for module in 0..modules {
        let _ = writeln!(
            text,
            "[[module]]\nname = \"module {module}\"\nunit_cost_ms = {}\nbenefit_value = {}\nenabled = {}\n\
             continuous = {}\noverhead = {}\nmax_distance = {}\nweights = {}\n\
             max_age = 20\nmax_speed = 8\ndistance_importance = \"{}\"",
            random.between(1, 40) as f64 / 10_000.0,
            random.between(1, 80) as f64 / 10.0,
            !random.one_in(8),
            random.one_in(4),
            random.index(60),
            random.between(10, 90),
            random.pick(&[
                "{ distance = 1 }",
                "{ distance = 0.5, age = 0.25, speed = 0.25 }",
                "{ distance = 0.75, age = 0.25 }",
            ]),
            random.pick(&["angular", "solid-angle"]),
        );
    }
    for actor in 0..random.index(60) {
        let module = random.index(modules);
        let mut work = vec![random.index(20)];
        for level in 0..random.index(6) {
            work.push(work[level] + 1 + random.index(600));
        }
        let _ = writeln!(
            text,
            "[[actor]]\nname = \"actor {actor}\"\nmodule = \"module {module}\"\nposition = {:?}\nradius = {}\n\
             age = {}\nspeed = {}\nwork = {work:?}",
            place(random, 60.0),
            random.between(1, 30) as f64 / 10.0,
            random.index(30),
            random.index(10),
        );
        if random.one_in(10) {
            let _ = writeln!(text, "force_lod = {}", random.index(work.len()));
        }
    }
    text
}

fn linkset(random: &mut SplitMix64) -> String {
    let mut text = String::new();
    for object in 0..=random.index(4) {
        let _ = writeln!(text, "[[object]]\nname = \"object {object}\"");
        for _ in 0..=random.index(8) {
            let side = |random: &mut SplitMix64| random.between(1, 640) as f64 / 10.0;
            let scale = [side(random), side(random), side(random)];
            let _ = writeln!(
                text,
                "[[object.prim]]\nposition = {:?}\nscale = {scale:?}",
                place(random, 60.0)
            );
        }
    }
    text
}

fn asset(random: &mut SplitMix64) -> Vec<u8> {
    let mut builder = AssetBuilder::new();
    let mut triangles = 1 + random.index(12);
    for block in AssetBlock::LODS {
        let count = u16::try_from(triangles).expect("few triangles");
        builder.set_lod(block, &mesh::strip(count)).expect("a short block");
        // Some assets have a level that is no finer than the one below.
        triangles = (triangles * random.between(1, 6)).min(3_000);
    }
    let hulls = random.index(4);
    if hulls > 0 {
        let hulls = vec![mesh::tetrahedron(); hulls - 1];
        let convex =
            PhysicsConvex::new(&mesh::tetrahedron(), &hulls).expect("hulls of four corners");
        builder.set_convex(&convex).expect("a short block");
    }
    mesh::bytes(&builder)
}

fn region(random: &mut SplitMix64) -> Vec<u8> {
    let mut file = ArchiveFile::new();
    let meshes = 1 + random.index(3);
    for number in 1..=meshes {
        file = file.with_mesh(&archive::id(number), asset(random));
    }
    for object in 0..=random.index(12) {
        let mut part = |name: &str| {
            let metres = |random: &mut SplitMix64| random.between(1, 40).to_string();
            let part = match random.index(3) {
                0 => PartXml::cube(name),
                1 => {
                    PartXml::prim(name, random.pick(&[16, 32, 48, 128]), random.pick(&[0, 1, 3, 5]))
                }
                _ => PartXml::mesh(name, &archive::id(1 + random.index(meshes))),
            };
            let owner = archive::id(50 + random.index(3));
            let part = part.scale(&metres(random), &metres(random), &metres(random));
            part.owner(&owner).scripts(random.index(3)).at(&metres(random), &metres(random), "21")
        };
        let root = part("root").id(&archive::id(100 + object));
        let others: Vec<_> = (0..object % 5)
            .map(|number| part("part").id(&archive::id(1_000 + 10 * object + number)))
            .collect();
        file = file.with(&format!("objects/{object}.xml"), archive::region_object(&root, &others));
    }
    file.gzip()
}

fn place(random: &mut SplitMix64, metres: f64) -> [f64; 3] {
    [(); 3].map(|()| ((random.unit() * 2.0 - 1.0) * metres * 100.0).round() / 100.0)
}

fn run(folder: &Path, program: &OsStr) -> Result<(), Box<dyn Error>> {
    // The program runs in the folder of the files.
    let program =
        fs::canonicalize(program).map_err(|error| format!("{}: {error}", program.display()))?;
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let out = tempfile::tempdir()?;
    for file in files {
        let name = file.file_name().and_then(OsStr::to_str).ok_or("a name is not UTF-8")?;
        let commands = COMMANDS.into_iter().filter(|(kind, _)| name.starts_with(kind));
        for (number, line) in commands.flat_map(|(_, lines)| lines).enumerate() {
            let written = out.path().join(number.to_string());
            fs::create_dir(&written)?;
            let words = line.split(' ').map(|word| match word {
                "{}" => Path::new(name).into(),
                "{out}" => written.join("pack"),
                word => PathBuf::from(word),
            });
            let output = Command::new(&program)
                .args(words)
                .current_dir(folder)
                .stdin(Stdio::null())
                .output()
                .map_err(|error| format!("{}: {error}", program.display()))?;
            let printed = String::from_utf8_lossy(&output.stdout);
            // The folder of the outputs has another name in each run.
            let printed = printed.replace(&*written.to_string_lossy(), "OUT");
            let code = output.status.code().map_or("signal".to_owned(), |code| code.to_string());
            println!(
                "{} {code} {:016x} {:016x}",
                line.replace("{}", name),
                fnv1a(FNV_START, printed.as_bytes()),
                digest_of_folder(&written, FNV_START)?,
            );
            fs::remove_dir_all(&written)?;
        }
    }
    Ok(())
}

fn digest_of_folder(folder: &Path, start: u64) -> Result<u64, std::io::Error> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    entries.into_iter().try_fold(start, |sum, entry| {
        let sum = fnv1a(sum, entry.file_name().as_encoded_bytes());
        if entry.file_type()?.is_dir() {
            digest_of_folder(&entry.path(), sum)
        } else {
            Ok(fnv1a(sum, &fs::read(entry.path())?))
        }
    })
}
