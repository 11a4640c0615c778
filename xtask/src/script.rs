//! Scripts of calls with what the scheduler says to them on this machine, for programs in other languages to play.

use std::fs;
use std::path::{Path, PathBuf};

use crate::boards::{target_folder, unfit};
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;

/// Writes the scripts of so many seeds, and returns the file and its text.
pub(crate) fn write(
    steps: &mut Steps,
    folder: &Path,
    scenes: u32,
) -> Result<(PathBuf, String), Failure> {
    // As all tests are built, so that nothing is built anew.
    let build = "build --workspace --all-features --locked --example script";
    steps.run("build scripts", &steps.cargo(build))?;
    let program = target_folder(steps)?.join("debug/examples/script");
    let run = Command::at("script", program.as_os_str()).args(&format!("0 {scenes}"));
    let failed = || Failure::Unfit(format!("`{run}` failed"));
    let root = steps.root().to_owned();
    let text = steps.work(&format!("{scenes} scripts"), || run.output(&root).ok_or_else(failed))?;
    let file = folder.join("scripts.txt");
    fs::write(&file, &text).map_err(|error| unfit(&file, &error))?;
    Ok((file, text))
}
