//! `cargo xtask bounds` and `grid-figures`: release builds, which the example `measure` of `tests/` measures.

use clap::Args;

use crate::boards::target_folder;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools::{self, GRID_MANIFEST};

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

/// Builds lodger and lodger-pack, and measures them on large files.
pub(crate) fn bounds(steps: &mut Steps) -> Result<(), Failure> {
    tools::for_packing(steps)?;
    let build = steps.cargo("build --release --locked --package lodger-cli --package lodger-pack");
    steps.run("build lodger", &build)?;
    measure(steps, "bounds")
}

/// Builds lodger-grid, and measures it on a grid.
pub(crate) fn grid(steps: &mut Steps, options: &GridOptions) -> Result<(), Failure> {
    let build = format!("build --release --locked {} --package lodger-grid", GRID_MANIFEST);
    let build = steps.cargo(&build).args("--bin lodger-grid --example grid_figures --target-dir");
    steps.run("build lodger-grid", &build.arg(target_folder(steps)?.to_string_lossy()))?;
    let GridOptions { assets, objects, seed } = options;
    measure(steps, &format!("grid {assets} {objects} {seed}"))
}

fn measure(steps: &mut Steps, args: &str) -> Result<(), Failure> {
    let run = steps.cargo("run --release --locked --package lodger-tests --example measure --");
    let run = run.arg(target_folder(steps)?.to_string_lossy()).args(args);
    steps.run("measure", &run)
}
