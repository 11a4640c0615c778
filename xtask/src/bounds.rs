//! `cargo xtask bounds`: seconds and peak memory of the release build on files of a stated size, beside
//! what ARCHITECTURE.md promises.
//!
//! Memory repeats, so too much of it fails. Time depends on the machine and who else is on it, so it is
//! only printed.

mod actors;
mod model;
mod region;
mod terrain;

use std::path::Path;
use std::process::{Command, Stdio};

use crate::boards::{target_folder, unfit};
use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools;
use crate::watch::{Spent, watch};

/// What is measured, and what it may take.
struct Bound {
    name: &'static str,
    program: &'static str,
    file: &'static str,
    make: fn(&Path) -> Result<(), Failure>,
    arguments: &'static [&'static str],
    seconds: f64,
    mebibytes: f64,
}

/// What gltfpack simplifies too, if it is there.
const HILLS: &str = "hills.glb";

/// Ten times the 82 MB of the text, in MiB.
const TEN_TEXTS: f64 = 782.0;

/// 256 MiB, and twenty times the 36 MB of the positions and indices of two million triangles, in MiB.
const TWENTY_GEOMETRIES: f64 = 943.0;
/// That of half as many.
const TWENTY_HALVES: f64 = 600.0;

const BOUNDS: [Bound; 6] = [
    Bound {
        name: "5 000 objects with 500 meshes",
        program: "lodger",
        file: "region.oar",
        make: region::write,
        arguments: &["cost", "--format", "json"],
        seconds: 1.0,
        mebibytes: 64.0,
    },
    Bound {
        name: "1 000 000 nodes with 16 meshes",
        program: "lodger",
        file: "model.glb",
        make: model::write,
        arguments: &["schedule", "--format", "json", "--eye", "0,2,0", "--budget-ms", "16"],
        seconds: 10.0,
        mebibytes: 640.0,
    },
    Bound {
        name: "1 000 000 TOML actors, as JSON",
        program: "lodger",
        file: "actors.toml",
        make: actors::write,
        arguments: &["schedule", "--format", "json"],
        seconds: 15.0,
        mebibytes: TEN_TEXTS,
    },
    Bound {
        name: "1 000 000 TOML actors, --all",
        program: "lodger",
        file: "actors.toml",
        make: actors::write,
        arguments: &["schedule", "--all"],
        seconds: 20.0,
        mebibytes: TEN_TEXTS,
    },
    Bound {
        name: "1 000 000 triangles, packed",
        program: "lodger-pack",
        file: HILLS,
        make: terrain::million,
        arguments: &["--output", "million", "--physics", "hull", "--format", "json"],
        seconds: 20.0,
        mebibytes: TWENTY_HALVES,
    },
    Bound {
        name: "2 000 000 triangles, packed",
        program: "lodger-pack",
        file: "mountains.glb",
        make: terrain::two_millions,
        arguments: &["--output", "packed", "--format", "json"],
        seconds: 40.0,
        mebibytes: TWENTY_GEOMETRIES,
    },
];

/// Makes the files, runs the program on each, and prints what it took.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    tools::for_packing(steps)?;
    let build = steps.cargo("build --release --locked --package lodger-cli --package lodger-pack");
    steps.run("build lodger", &build)?;
    let programs = target_folder(steps)?.join("release");
    let folder = tempfile::tempdir().map_err(|error| unfit(Path::new("a folder"), &error))?;
    let mut rows = Vec::new();
    for bound in &BOUNDS {
        let file = folder.path().join(bound.file);
        steps.work(&format!("make {}", bound.file), || (bound.make)(&file))?;
        let program = programs.join(bound.program);
        let spent = steps.work(bound.name, || spent(&program, bound.arguments, &file))?;
        rows.push((bound, spent));
    }
    println!("{:32} {:>8} {:>8} {:>10} {:>8}", "", "seconds", "bound", "peak MiB", "bound");
    for (bound, spent) in &rows {
        println!("{}", row(bound, spent));
    }
    beside(&folder.path().join(HILLS))?;
    match rows.iter().find(|(bound, spent)| spent.mebibytes.is_some_and(|it| it > bound.mebibytes))
    {
        None => Ok(()),
        Some((bound, _)) => {
            Err(Failure::Unfit(format!("{}: more memory than promised", bound.name)))
        }
    }
}

/// Runs a program on a file, in the folder of that, its output thrown away, and waits for its end.
fn spent(program: &Path, arguments: &[&str], file: &Path) -> Result<Spent, Failure> {
    let mut command = Command::new(program);
    command.args(arguments).arg(file).current_dir(file.parent().unwrap_or(Path::new(".")));
    watch(command.stdin(Stdio::null()).stdout(Stdio::null()))
}

/// Prints what one simplification by gltfpack takes, where that is on PATH.
fn beside(file: &Path) -> Result<(), Failure> {
    let program = Path::new("gltfpack");
    if !Command::new(program).arg("-v").output().is_ok_and(|output| output.status.success()) {
        println!("gltfpack is not on PATH: nothing to compare with");
        return Ok(());
    }
    let spent = spent(program, &["-si", "0.1", "-o", "simplified.glb", "-i"], file)?;
    let peak = spent.mebibytes.unwrap_or_default();
    println!("{:32} {:8.2} {:>8} {peak:10.1}", "gltfpack -si 0.1, one level", spent.seconds, "");
    Ok(())
}

fn row(bound: &Bound, spent: &Spent) -> String {
    let Bound { name, seconds, mebibytes, .. } = bound;
    let peak = spent.mebibytes.map_or_else(|| "unknown".to_owned(), |peak| format!("{peak:.1}"));
    format!("{name:32} {:8.2} {seconds:8.0} {peak:>10} {mebibytes:8.0}", spent.seconds)
}
