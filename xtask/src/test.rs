//! `cargo xtask test` and other tests that are one or two commands.

use crate::boards::{target_folder, unfit};
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::user_mode::AARCH64;
use crate::{qemu, tools, web};

/// Packages whose tests wait for `--all`: they build probe-rs or Bevy, which takes minutes, or need QEMU or C++.
const FOR_ALL: [&str; 5] =
    ["bevy_lodger", "lodger-pack", "lodger-probe", "lodger-board", "lodger-qemu-probe"];

/// Runs unit, integration and doc tests of all packages that need nothing but Rust.
///
/// The dev profile keeps overflow checks on, so core's arithmetic is tested with them.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    eprintln!(
        "\non two cores this takes about 5 minutes in a fresh clone, and about 2 when all is built\n\
         set-up: these tests need Rust and the crates of Cargo.lock; those of boards, of Bevy, of packing, of C \
         and of browsers need more, and `cargo xtask test --all` runs them"
    );
    let excluded = FOR_ALL.map(|package| format!("--exclude {package}")).join(" ");
    let test = steps.cargo("test --workspace --all-features --locked").args(&excluded);
    steps.run("test", &test)
}

/// Runs the tests of all packages.
pub(crate) fn workspace(steps: &mut Steps) -> Result<(), Failure> {
    qemu::install_boards(steps)?;
    tools::for_packing(steps)?;
    steps.run("test", &steps.cargo("test --workspace --all-features --locked"))
}

/// Makes a page by a test that packs a model, and shows it to a browser in light and dark colours, wide and narrow.
pub(crate) fn report(steps: &mut Steps) -> Result<(), Failure> {
    tools::for_packing(steps)?;
    web::browsers(steps)?;
    // As all tests are built, so that nothing is built anew.
    let test = steps.cargo("test --workspace --all-features --locked --test pack page::");
    steps.run("report", &test)?;
    let page = target_folder(steps)?.join("tmp/report.html");
    let script = steps.root().join("grid/pack/tests/report.mjs");
    let show = Command::new("node").env("LODGER_REPORT", page.to_string_lossy());
    steps.run("report in Chromium", &show.arg(script.to_string_lossy()))
}

/// Makes the files to try in `docs/files`.
pub(crate) fn files(steps: &mut Steps) -> Result<(), Failure> {
    let example = "run --locked --package lodger-tests --example files";
    steps.run("files", &steps.cargo(example))
}

/// Records a log here, and replays it with `lodger` here and on `AArch64`.
pub(crate) fn replay(steps: &mut Steps) -> Result<(), Failure> {
    AARCH64.install(steps)?;
    let target = AARCH64.target;
    let folder = target_folder(steps)?;
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
    std::fs::remove_file(&log).map_err(|error| unfit(&log, &error))
}
