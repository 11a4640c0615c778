//! `cargo xtask conform`: compares results of emulated boards and machines with this host's, bit for bit.

use std::process;

use clap::ValueEnum;

use crate::board_table::{Architecture, BoardEntry};
use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::user_mode::{self, EmulatedMachine};
use crate::{boards, examples, qemu};

const MACHINES: [EmulatedMachine; 3] = [user_mode::AARCH64, user_mode::RISCV64, user_mode::S390X];
const HERE: &str = "here, optimised";

/// The connection to a board in QEMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QemuRoute {
    /// The console of a debugger.
    Semihosting,
    /// The board's first serial port.
    Uart,
}

impl QemuRoute {
    fn features(self, board: &BoardEntry) -> String {
        match self {
            Self::Semihosting => board.name.clone(),
            Self::Uart => format!("{},uart", board.name),
        }
    }

    const fn serial(self) -> &'static str {
        match self {
            Self::Semihosting => "null",
            Self::Uart => "stdio",
        }
    }
}

/// A target whose results are compared with the host's dev profile.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConformTarget {
    Board(&'static BoardEntry, QemuRoute),
    Machine(&'static EmulatedMachine),
    /// The release build on this machine.
    Here,
}

impl ConformTarget {
    /// All targets of a route; only boards have serial ports.
    pub(crate) fn all(route: QemuRoute) -> Vec<Self> {
        let boards = boards::emulated().map(|board| Self::Board(board, route));
        let others = MACHINES.iter().map(Self::Machine).chain([Self::Here]);
        let others = others.filter(|_| route == QemuRoute::Semihosting);
        boards.chain(others).collect()
    }

    /// The targets with these names, or all without names.
    pub(crate) fn from_names(route: QemuRoute, targets: &[String]) -> Result<Vec<Self>, TaskError> {
        let mut all = Self::all(route);
        let names: Vec<&str> = all.iter().map(ConformTarget::target).collect();
        if let Some(unknown) = targets.iter().find(|target| !names.contains(&target.as_str())) {
            let names = names.join(", ");
            return Err(TaskError::Invalid(format!(
                "there is no target {unknown}; the targets are {names}"
            )));
        }
        all.retain(|target| {
            targets.is_empty() || targets.iter().any(|name| name == target.target())
        });
        Ok(all)
    }

    pub(crate) fn is_cortex_m(&self) -> bool {
        matches!(self, Self::Board(board, _) if board.architecture() == Architecture::CortexM)
    }

    const fn target(&self) -> &str {
        match self {
            Self::Board(board, _) => board.target.as_str(),
            Self::Machine(machine) => machine.target,
            Self::Here => HERE,
        }
    }
}

/// Compares `vectors` results in each number type, or as many as `lodger board conform`.
pub(crate) fn run(
    steps: &mut Steps,
    targets: impl IntoIterator<Item = ConformTarget>,
    vectors: Option<u32>,
) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    let targets: Vec<ConformTarget> = targets.into_iter().collect();
    build_for_machines(steps, &targets)?;
    let example = examples::build(steps, "conform")?;
    let vectors = vectors.map(|vectors| vectors.to_string()).unwrap_or_default();
    let mut compare = Command::at("conform", example.as_os_str()).args(&vectors);
    for target in targets {
        compare = compare.arg("--").arg(target.target());
        let program = build_program(steps, target)?;
        let args = [program.get_program()].into_iter().chain(program.get_args());
        compare = args.fold(compare, |compare, arg| compare.arg(arg.to_string_lossy()));
    }
    steps.run("conform", &compare)
}

const BUILD: &str = "build --package lodger-programs --locked --release --bin conform";
const PROGRAM: &str = "release/conform";

fn build_for_machines(steps: &mut Steps, targets: &[ConformTarget]) -> Result<(), TaskError> {
    let machines = targets.iter().filter_map(|target| match target {
        ConformTarget::Machine(machine) => Some(*machine),
        ConformTarget::Board(..) | ConformTarget::Here => None,
    });
    let machines: Vec<&EmulatedMachine> = machines.collect();
    for machine in &machines {
        machine.install(steps)?;
    }
    let build =
        machines.iter().fold(steps.cargo(BUILD), |build, machine| machine.add_target(build));
    if machines.is_empty() { Ok(()) } else { steps.run("build conform for machines", &build) }
}

fn build_program(steps: &mut Steps, target: ConformTarget) -> Result<process::Command, TaskError> {
    match target {
        ConformTarget::Board(board, route) => {
            let folder = boards::build_with(steps, board, &route.features(board), &["conform"])?;
            let mut qemu = qemu::command(board, &folder.join("conform"), &[]);
            qemu.args(["-serial", route.serial()]);
            Ok(qemu)
        }
        ConformTarget::Machine(machine) => {
            let program = steps.target_folder()?.join(machine.target).join(PROGRAM);
            Ok(machine.emulated(&program).process(steps.root()))
        }
        ConformTarget::Here => {
            steps.run("build conform", &steps.cargo(BUILD))?;
            Ok(process::Command::new(steps.target_folder()?.join(PROGRAM)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ConformTarget, QemuRoute, user_mode};

    #[test]
    fn there_are_eleven_targets_and_only_boards_have_serial_ports() {
        assert_eq!(ConformTarget::all(QemuRoute::Semihosting).len(), 11);
        let serial = ConformTarget::all(QemuRoute::Uart);
        assert!(
            serial.iter().all(|target| matches!(target, ConformTarget::Board(..))),
            "{serial:?}"
        );
    }

    #[test]
    fn targets_are_chosen_by_name_and_unknown_ones_are_rejected() {
        let chosen =
            |name: &str| ConformTarget::from_names(QemuRoute::Semihosting, &[name.to_owned()]);
        let found = chosen("s390x-unknown-linux-gnu").unwrap();
        assert!(
            matches!(found[..], [ConformTarget::Machine(machine)] if *machine == user_mode::S390X)
        );
        let refused = chosen("s390").unwrap_err().to_string();
        assert!(refused.contains("s390;") && refused.contains("thumbv6m-none-eabi"), "{refused}");
    }
}
