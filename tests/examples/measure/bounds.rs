//! Seconds and peak memory of the release build, beside the bounds that ARCHITECTURE.md promises.
//!
//! Too much memory fails. Time depends on the machine and its load, so it is only printed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::{ResourceUsage, Result, measure_run, region, scenes};

struct Bound {
    name: &'static str,
    program: &'static str,
    file: &'static str,
    make: fn(&Path) -> Result<()>,
    arguments: &'static [&'static str],
    seconds: f64,
    mebibytes: f64,
}

/// The file that gltfpack simplifies too, if it is installed.
const HILLS: &str = "hills.glb";

/// Ten times the 82 MB of the text, in MiB.
const TEN_TEXTS: f64 = 782.0;

/// 256 MiB, and twenty times the 36 MB of the positions and indices of two million triangles, in MiB.
const TWENTY_GEOMETRIES: f64 = 943.0;
/// As [`TWENTY_GEOMETRIES`], for half as many triangles.
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
        make: scenes::write_model,
        arguments: &["schedule", "--format", "json", "--eye", "0,2,0", "--budget-ms", "16"],
        seconds: 10.0,
        mebibytes: 640.0,
    },
    Bound {
        name: "1 000 000 TOML actors, as JSON",
        program: "lodger",
        file: "actors.toml",
        make: scenes::write_actors,
        arguments: &["schedule", "--format", "json"],
        seconds: 15.0,
        mebibytes: TEN_TEXTS,
    },
    Bound {
        name: "1 000 000 TOML actors, --all",
        program: "lodger",
        file: "actors.toml",
        make: scenes::write_actors,
        arguments: &["schedule", "--all"],
        seconds: 20.0,
        mebibytes: TEN_TEXTS,
    },
    Bound {
        name: "1 000 000 triangles, packed",
        program: "lodger-pack",
        file: HILLS,
        make: scenes::write_hills,
        arguments: &["--output", "million", "--physics", "hull", "--format", "json"],
        seconds: 20.0,
        mebibytes: TWENTY_HALVES,
    },
    Bound {
        name: "2 000 000 triangles, packed",
        program: "lodger-pack",
        file: "mountains.glb",
        make: scenes::write_mountains,
        arguments: &["--output", "packed", "--format", "json"],
        seconds: 40.0,
        mebibytes: TWENTY_GEOMETRIES,
    },
];

pub(crate) fn run(programs: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    for bound in &BOUNDS {
        let file = folder.path().join(bound.file);
        eprintln!("{}: makes {}", bound.name, bound.file);
        (bound.make)(&file)?;
        rows.push((bound, usage(&programs.join(bound.program), bound.arguments, &file)?));
    }
    println!("{:32} {:>8} {:>8} {:>10} {:>8}", "", "seconds", "bound", "peak MiB", "bound");
    for (bound, usage) in &rows {
        println!("{}", row(bound, usage));
    }
    run_gltfpack(&folder.path().join(HILLS))?;
    match rows.iter().find(|(bound, usage)| usage.mebibytes.is_some_and(|it| it > bound.mebibytes))
    {
        None => Ok(()),
        Some((bound, _)) => Err(format!("{}: more memory than promised", bound.name).into()),
    }
}

fn usage(program: &Path, arguments: &[&str], file: &Path) -> Result<ResourceUsage> {
    let mut command = Command::new(program);
    command.args(arguments).arg(file).current_dir(file.parent().unwrap_or(Path::new(".")));
    measure_run(command.stdin(Stdio::null()).stdout(Stdio::null()))
}

fn run_gltfpack(file: &Path) -> Result<()> {
    let program = Path::new("gltfpack");
    if !Command::new(program).arg("-v").output().is_ok_and(|output| output.status.success()) {
        println!("gltfpack is not on PATH: nothing to compare with");
        return Ok(());
    }
    let usage = usage(program, &["-si", "0.1", "-o", "simplified.glb", "-i"], file)?;
    let peak = usage.mebibytes.unwrap_or_default();
    println!("{:32} {:8.2} {:>8} {peak:10.1}", "gltfpack -si 0.1, one level", usage.seconds, "");
    Ok(())
}

fn row(bound: &Bound, usage: &ResourceUsage) -> String {
    let Bound { name, seconds, mebibytes, .. } = bound;
    let peak = usage.mebibytes.map_or_else(|| "unknown".to_owned(), |peak| format!("{peak:.1}"));
    format!("{name:32} {:8.2} {seconds:8.0} {peak:>10} {mebibytes:8.0}", usage.seconds)
}
