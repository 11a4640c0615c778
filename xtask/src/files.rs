//! `cargo xtask files`: the files to try in `docs/files`.

use crate::failure::Failure;
use crate::steps::Steps;

/// Runs the program that makes them.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    let example = "run --locked --package lodger-tests --example files";
    steps.run("files", &steps.cargo(example))
}
