//! `cargo xtask replay`: a log of this machine, replayed by `lodger` on this machine and on `AArch64`.

use std::path::Path;

use crate::boards::{target_folder, unfit};
use crate::command::Command;
use crate::failure::Failure;
use crate::qemu;
use crate::steps::Steps;
use crate::tools;

/// The other machine. Its target brings its own C library and is linked by what Rust brings.
const TARGET: &str = "aarch64-unknown-linux-musl";
/// Runs its programs.
const EMULATOR: &str = "qemu-aarch64";

/// Records, builds and replays.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    tools::target(steps, TARGET)?;
    qemu::install(steps, EMULATOR, "qemu-user")?;
    let folder = target_folder(steps)?;
    let log = folder.join("frames.log");
    let example =
        "run --release --locked --package lodger-scheduler --features record --example record --";
    steps.run("record", &steps.cargo(example).arg(log.to_string_lossy()))?;
    let build = "build --release --locked --package lodger-cli";
    steps.run("build lodger", &steps.cargo(build))?;
    let foreign = steps.cargo(&format!("{build} --target {TARGET}"));
    let foreign = foreign.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld");
    steps.run(&format!("build lodger for {TARGET}"), &foreign)?;
    let [here, there] = ["release/lodger".to_owned(), format!("{TARGET}/release/lodger")]
        .map(|program| folder.join(program));
    let replay = |command: Command| command.arg("replay").arg(log.to_string_lossy());
    steps.run("replay here", &replay(Command::at("lodger", here.as_os_str())))?;
    let emulated = Command::new(EMULATOR).arg(there.to_string_lossy());
    steps.run(&format!("replay on {TARGET}"), &replay(emulated))?;
    std::fs::remove_file(&log).map_err(|error| unfit(Path::new("frames.log"), &error))
}
