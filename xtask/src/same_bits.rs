//! `cargo xtask same-bits`: plans by chance, in all forms and with all vectors, here and on two other machines.

use clap::Args;

use crate::boards::target_folder;
use crate::command::Command;
use crate::failure::Failure;
use crate::qemu;
use crate::steps::Steps;
use crate::tools;

/// A machine that QEMU's user mode runs programs of.
struct Machine {
    target: &'static str,
    /// What links for it, and how cargo is told.
    linker: (&'static str, &'static str),
    emulator: &'static str,
    /// Where its libraries are, for the emulator.
    libraries: Option<&'static str>,
}

/// One with other vectors, and one with the other order of bytes.
const MACHINES: [Machine; 2] = [
    Machine {
        target: "aarch64-unknown-linux-musl",
        linker: ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld"),
        emulator: "qemu-aarch64",
        libraries: None,
    },
    Machine {
        target: "s390x-unknown-linux-gnu",
        linker: ("CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER", CROSS_LINKER),
        emulator: "qemu-s390x",
        libraries: Some("/usr/s390x-linux-gnu"),
    },
];

const CROSS_LINKER: &str = "s390x-linux-gnu-gcc";
/// What brings it, and the C library that it links.
const CROSS_PACKAGES: &str = "gcc-s390x-linux-gnu libc6-dev-s390x-cross";

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
    let why = "which links for s390x";
    let missing = Failure::NoProgram(CROSS_LINKER);
    tools::from_apt(steps, CROSS_LINKER, CROSS_PACKAGES, why, missing)?;
    for Machine { target, emulator, .. } in MACHINES {
        tools::target(steps, target)?;
        qemu::install(steps, emulator, "qemu-user")?;
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
    for Machine { target, linker, emulator, libraries } in MACHINES {
        let foreign = steps.cargo(&format!("{build} --target {target}")).env(linker.0, linker.1);
        steps.run(&format!("build same-bits for {target}"), &foreign)?;
        let emulated = match libraries {
            Some(folder) => Command::new(emulator).args(&format!("-L {folder}")),
            None => Command::new(emulator),
        };
        let there = folder.join(target).join(program);
        let emulated = emulated.arg(there.to_string_lossy()).args(&asked);
        let emulated = emulated.args(&format!("--digest {digest}"));
        steps.run(&format!("same bits on {target}"), &emulated)?;
    }
    Ok(())
}
