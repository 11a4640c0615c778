//! `cargo xtask test`: every test of the workspace.

use crate::failure::Failure;
use crate::steps::Steps;

/// Runs unit, integration and doc tests of all packages.
///
/// The dev profile keeps overflow checks on, so core's arithmetic is tested with them.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    eprintln!("\nset-up: nothing to install, the tests need Rust and the crates of Cargo.lock");
    let test = steps.cargo("test --workspace --all-features --locked");
    steps.run("test", &test)
}
