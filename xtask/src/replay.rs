//! `cargo xtask replay`: a log of this machine, replayed by `lodger` on this machine and on `AArch64`.

use std::path::Path;

use crate::boards::{target_folder, unfit};
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::user_mode::AARCH64;

/// Records, builds and replays.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
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
    std::fs::remove_file(&log).map_err(|error| unfit(Path::new("frames.log"), &error))
}
