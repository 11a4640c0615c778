//! Examples of the test packages that commands run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;

/// Uses the tests' profile and features, so that no crate is built again.
pub(crate) fn build(steps: &mut Steps, name: &str) -> Result<PathBuf, TaskError> {
    let build = steps.cargo("build --workspace --all-features --locked --example").arg(name);
    steps.run(&format!("build {name}"), &build)?;
    Ok(steps.target_folder()?.join("debug/examples").join(name))
}

/// Writes calls of the C API for seeds 0 to `count` - 1, with the scheduler's results.
pub(crate) fn write_scripts(
    steps: &mut Steps,
    folder: &Path,
    count: u32,
) -> Result<PathBuf, TaskError> {
    let program = build(steps, "script")?;
    let run = Command::at("script", program.as_os_str()).args(&format!("0 {count}"));
    let failed = || TaskError::Invalid(format!("`{run}` failed"));
    let root = steps.root().to_owned();
    let text = steps.work(&format!("{count} scripts"), || run.output(&root).ok_or_else(failed))?;
    let file = folder.join("scripts.txt");
    fs::write(&file, text).map_err(|error| TaskError::file(&file, &error))?;
    Ok(file)
}
