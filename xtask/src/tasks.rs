//! Short commands: the tests of this machine, and programs of other packages that write or measure.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use clap::Args;

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools::{self, GRID_MANIFEST};
use crate::user_mode::{AARCH64, EmulatedMachine, S390X};
use crate::{qemu, web};

/// Packages that only `--all` tests: they build probe-rs or Bevy, or need QEMU or C++.
const FOR_ALL: [&str; 4] = ["bevy_lodger", "lodger-pack", "lodger-board", "lodger-qemu-probe"];

/// A folder that is incomplete in mdBook's copy; `cargo xtask web` builds it.
const PLAYGROUND: &str = "playground";

/// Tests packages that need only Rust.
pub(crate) fn test(steps: &mut Steps) -> Result<(), TaskError> {
    eprintln!(
        "\non two cores this takes about 5 minutes in a fresh clone, and about 2 when all is built\n\
         set-up: these tests need Rust and the crates of Cargo.lock; those of boards, of Bevy, of packing, of C \
         and of browsers need more, and `cargo xtask test --all` runs them"
    );
    let excluded = FOR_ALL.map(|package| format!("--exclude {package}")).join(" ");
    // Without examples, most of which are tools.
    for (name, kind) in [("tests", "--tests"), ("doc tests", "--doc")] {
        let test = steps.cargo("test --workspace --all-features --locked").args(&excluded);
        steps.run(name, &test.arg(kind))?;
    }
    Ok(())
}

pub(crate) fn test_workspace(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    tools::for_packing(steps)?;
    steps.run("test", &steps.cargo("test --workspace --all-features --locked"))
}

/// Opens a model's report in a browser: light and dark colours, wide and narrow.
pub(crate) fn report(steps: &mut Steps) -> Result<(), TaskError> {
    tools::for_packing(steps)?;
    web::browsers(steps)?;
    // The profile and features of all tests, so that no crate is built again.
    let test = steps.cargo("test --workspace --all-features --locked --test pack a_report");
    steps.run("report", &test)?;
    let page = steps.target_folder()?.join("tmp/report.html");
    let script = steps.root().join("secondlife/pack/tests/report.mjs");
    let show = Command::new("node").env("LODGER_REPORT", page.to_string_lossy());
    steps.run("report in Chromium", &show.arg(script.to_string_lossy()))
}

pub(crate) fn files(steps: &mut Steps) -> Result<(), TaskError> {
    let example = "run --locked --package lodger-tests --example files";
    steps.run("files", &steps.cargo(example))
}

/// Replays a log here and on `AArch64`.
pub(crate) fn replay(steps: &mut Steps) -> Result<(), TaskError> {
    AARCH64.install(steps)?;
    let target = AARCH64.target;
    let folder = steps.target_folder()?;
    let log = folder.join("frames.log");
    let example =
        "run --release --locked --package lodger-scheduler --features record --example record --";
    steps.run("record", &steps.cargo(example).arg(log.to_string_lossy()))?;
    let build = "build --release --locked --package lodger-cli";
    steps.run("build lodger", &steps.cargo(build))?;
    steps.run(&format!("build lodger for {target}"), &AARCH64.cargo(steps, build))?;
    let [here, there] = ["release/lodger".to_owned(), format!("{target}/release/lodger")]
        .map(|program| folder.join(program));
    let replay = |command: Command| command.arg("replay").arg(log.to_string_lossy());
    steps.run("replay here", &replay(Command::at("lodger", here.as_os_str())))?;
    steps.run(&format!("replay on {target}"), &replay(AARCH64.emulated(&there)))?;
    fs::remove_file(&log).map_err(|error| TaskError::file(&log, &error))
}

pub(crate) fn guide(steps: &mut Steps) -> Result<(), TaskError> {
    tools::mdbook(steps)?;
    let output = steps.target_folder()?.join("guide");
    let build = Command::new("mdbook").args("build docs --dest-dir").arg(output.to_string_lossy());
    steps.run("guide", &build)?;
    leave_out(&output.join(PLAYGROUND))?;
    println!("{}", output.join("index.html").display());
    Ok(())
}

fn leave_out(folder: &Path) -> Result<(), TaskError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(TaskError::file(folder, &error)),
        _ => Ok(()),
    }
}

/// The size of the grid.
#[derive(Args)]
pub(crate) struct GridOptions {
    /// Mesh assets, all different, of at most 3 KiB.
    #[arg(long, default_value_t = 1_000_000)]
    assets: u64,
    /// Objects in regions, of three parts each on average.
    #[arg(long, default_value_t = 300_000)]
    objects: u64,
    /// The seed of the generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn bounds(steps: &mut Steps) -> Result<(), TaskError> {
    tools::for_packing(steps)?;
    let build = steps.cargo("build --release --locked --package lodger-cli --package lodger-pack");
    steps.run("build lodger", &build)?;
    measure(steps, "bounds")
}

pub(crate) fn grid_figures(steps: &mut Steps, options: &GridOptions) -> Result<(), TaskError> {
    let build = format!("build --release --locked {GRID_MANIFEST} --package lodger-grid");
    let build = steps.cargo(&build).args("--bin lodger-grid --example grid_figures --target-dir");
    steps.run("build lodger-grid", &build.arg(steps.target_folder()?.to_string_lossy()))?;
    let GridOptions { assets, objects, seed } = options;
    measure(steps, &format!("grid {assets} {objects} {seed}"))
}

fn measure(steps: &mut Steps, args: &str) -> Result<(), TaskError> {
    let run = steps.cargo("run --release --locked --package lodger-tests --example measure --");
    let run = run.arg(steps.target_folder()?.to_string_lossy()).args(args);
    steps.run("measure", &run)
}

const SAME_BITS_MACHINES: [EmulatedMachine; 2] = [AARCH64, S390X];

/// The options of `cargo xtask same-bits`.
#[derive(Args)]
pub(crate) struct SameBitsOptions {
    /// The minimum number of plans.
    #[arg(long, default_value_t = 3_000)]
    plans: u64,
    /// The minimum number of rows of all plans together.
    #[arg(long, default_value_t = 1_000_000)]
    rows: u64,
}

/// Compares the digests of all machines.
pub(crate) fn same_bits(steps: &mut Steps, options: &SameBitsOptions) -> Result<(), TaskError> {
    for machine in &SAME_BITS_MACHINES {
        machine.install(steps)?;
    }
    let folder = steps.target_folder()?;
    let build = "build --release --locked --package lodger-tests --example same-bits";
    let program = "release/examples/same-bits";
    let SameBitsOptions { plans, rows } = options;
    let amounts = format!("--plans {plans} --rows {rows}");
    steps.run("build same-bits", &steps.cargo(build))?;
    let here = Command::at("same-bits", folder.join(program).as_os_str()).args(&amounts);
    let root = steps.root().to_owned();
    let differs = || TaskError::Invalid("plans differ on this machine; see above".to_owned());
    let printed = steps.work("same bits here", || here.output(&root).ok_or_else(differs))?;
    eprint!("{printed}");
    let digest = printed.lines().find_map(|line| line.strip_prefix("digest ")).unwrap_or_default();
    for machine in &SAME_BITS_MACHINES {
        let target = machine.target;
        steps.run(&format!("build same-bits for {target}"), &machine.cargo(steps, build))?;
        let emulated = machine.emulated(&folder.join(target).join(program)).args(&amounts);
        let emulated = emulated.args(&format!("--digest {digest}"));
        steps.run(&format!("same bits on {target}"), &emulated)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::leave_out;

    #[test]
    fn the_playground_is_left_out_of_the_guide() {
        let folder = tempfile::tempdir().unwrap();
        let playground = folder.path().join("playground");
        fs::create_dir(&playground).unwrap();
        fs::write(playground.join("index.html"), "").unwrap();
        leave_out(&playground).unwrap();
        assert!(!playground.exists() && folder.path().exists());
        leave_out(&playground).unwrap();
        fs::write(&playground, "").unwrap();
        assert!(leave_out(&playground).is_err(), "a file is no folder");
    }
}
