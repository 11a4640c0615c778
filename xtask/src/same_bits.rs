//! `cargo xtask same-bits`: plans by chance, in all forms and with all vectors, here and on two other machines.

use clap::Args;

use crate::boards::target_folder;
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::user_mode::{self, Machine};

/// One with other vectors, and one with the other order of bytes.
const MACHINES: [Machine; 2] = [user_mode::AARCH64, user_mode::S390X];

/// How much is compared.
#[derive(Args)]
pub(crate) struct Options {
    /// So many plans at least.
    #[arg(long, default_value_t = 3_000)]
    plans: u64,
    /// Of so many rows together at least.
    #[arg(long, default_value_t = 1_000_000)]
    rows: u64,
}

/// Builds and runs the program for all machines; the digest must be that of this one.
pub(crate) fn run(steps: &mut Steps, options: &Options) -> Result<(), Failure> {
    for machine in &MACHINES {
        machine.install(steps)?;
    }
    let folder = target_folder(steps)?;
    let build = "build --release --locked --package lodger-tests --example same-bits";
    let program = "release/examples/same-bits";
    let Options { plans, rows } = options;
    let asked = format!("--plans {plans} --rows {rows}");
    steps.run("build same-bits", &steps.cargo(build))?;
    let here = Command::at("same-bits", folder.join(program).as_os_str()).args(&asked);
    let root = steps.root().to_owned();
    let differs = || Failure::Unfit("plans differ on this machine; see above".to_owned());
    let told = steps.work("same bits here", || here.output(&root).ok_or_else(differs))?;
    eprint!("{told}");
    let digest = told.lines().find_map(|line| line.strip_prefix("digest ")).unwrap_or_default();
    for machine in &MACHINES {
        let target = machine.target;
        steps.run(&format!("build same-bits for {target}"), &machine.cargo(steps, build))?;
        let emulated = machine.emulated(&folder.join(target).join(program)).args(&asked);
        let emulated = emulated.args(&format!("--digest {digest}"));
        steps.run(&format!("same bits on {target}"), &emulated)?;
    }
    Ok(())
}
