//! `cargo xtask conform`: the same bits on every emulated board and machine as on this host.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::{self, ChildStdin, ChildStdout, Stdio};

use clap::ValueEnum;
use lodger_wire::boards::{Architecture, Board};
use lodger_wire::conform::{Backend, Mismatch, SchedulerBackend, compare, end};
use lodger_wire::{Frames, Transport};

use crate::boards;
use crate::error::TaskError;
use crate::qemu::{self, Running};
use crate::steps::Steps;
use crate::user_mode::{self, Machine};

/// The machines in QEMU's user mode.
const MACHINES: [Machine; 3] = [user_mode::AARCH64, user_mode::RISCV64, user_mode::S390X];
/// The name of this machine among targets.
const HERE: &str = "here, optimised";

/// A row of the table.
struct Row {
    target: String,
    backend: Backend,
    vectors: u32,
    differing: u32,
}

/// The table of all comparisons.
struct Report(Vec<Row>);

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:27} {:8} {:>8} {:>8}", "target", "backend", "vectors", "differ")?;
        for Row { target, backend, vectors, differing } in &self.0 {
            writeln!(f, "{target:27} {backend:8} {vectors:8} {differing:8}")?;
        }
        let targets: BTreeSet<_> = self.0.iter().map(|row| &row.target).collect();
        let (mut answers, mut differ) = (0, 0);
        for row in &self.0 {
            answers += u64::from(row.vectors);
            differ += row.differing;
        }
        writeln!(f, "\n{} targets, {answers} answers, {differ} differ", targets.len())
    }
}

/// The connection to a board in QEMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QemuRoute {
    /// The console of a debugger.
    Semihosting,
    /// The board's first serial port.
    Uart,
}

impl QemuRoute {
    /// The features of the program.
    fn features(self, board: &Board) -> String {
        match self {
            Self::Semihosting => board.name.clone(),
            Self::Uart => format!("{},uart", board.name),
        }
    }

    /// QEMU's option `-serial`.
    const fn serial(self) -> &'static str {
        match self {
            Self::Semihosting => "null",
            Self::Uart => "stdio",
        }
    }
}

/// A target whose answers are compared with this program's, which are those of the dev profile.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConformTarget {
    /// A board in QEMU.
    Board(&'static Board, QemuRoute),
    /// A machine whose programs QEMU's user mode runs.
    Machine(&'static Machine),
    /// The release build on this machine.
    Here,
}

impl ConformTarget {
    /// All targets with that connection; only boards have serial ports.
    pub(crate) fn all(route: QemuRoute) -> Vec<Self> {
        let boards = boards::emulated().map(|board| Self::Board(board, route));
        let others = MACHINES.iter().map(Self::Machine).chain([Self::Here]);
        let others = others.filter(|_| route == QemuRoute::Semihosting);
        boards.chain(others).collect()
    }

    /// The targets with these names, or all targets if there are no names.
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

    /// Whether the target is a board with a Cortex-M.
    pub(crate) fn is_cortex_m(&self) -> bool {
        matches!(self, Self::Board(board, _) if board.architecture() == Architecture::CortexM)
    }

    /// The target of rustc, or [`HERE`].
    const fn target(&self) -> &str {
        match self {
            Self::Board(board, _) => board.target.as_str(),
            Self::Machine(machine) => machine.target,
            Self::Here => HERE,
        }
    }
}

/// Compares `vectors` answers of each target and number type, and prints the table.
pub(crate) fn run(
    steps: &mut Steps,
    targets: impl IntoIterator<Item = ConformTarget>,
    vectors: u32,
) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    let targets: Vec<ConformTarget> = targets.into_iter().collect();
    build_for_machines(steps, &targets)?;
    let mut rows = Vec::new();
    for target in targets {
        let (name, mut program) = built(steps, target)?;
        let compare = || compare_with(&mut program, target.target(), vectors);
        rows.extend(steps.work(&format!("conform {name}"), compare)?);
    }
    let differing: u32 = rows.iter().map(|row| row.differing).sum();
    print!("\n{}", Report(rows));
    if differing == 0 {
        Ok(())
    } else {
        Err(TaskError::Invalid(format!("{differing} answers differ from the host's")))
    }
}

/// The arguments of cargo that build the program for machines.
const BUILD: &str = "build --package lodger-programs --locked --release --bin conform";

/// Builds the programs of all machines in one invocation, which uses all cores.
fn build_for_machines(steps: &mut Steps, targets: &[ConformTarget]) -> Result<(), TaskError> {
    let machines = targets.iter().filter_map(|target| match target {
        ConformTarget::Machine(machine) => Some(*machine),
        ConformTarget::Board(..) | ConformTarget::Here => None,
    });
    let machines: Vec<&Machine> = machines.collect();
    for machine in &machines {
        machine.install(steps)?;
    }
    let build =
        machines.iter().fold(steps.cargo(BUILD), |build, machine| machine.add_target(build));
    if machines.is_empty() { Ok(()) } else { steps.run("build conform for machines", &build) }
}

/// Builds the program of a target and returns the name of the step and the command that runs the program.
fn built(
    steps: &mut Steps,
    target: ConformTarget,
) -> Result<(String, process::Command), TaskError> {
    const PROGRAM: &str = "release/conform";
    match target {
        ConformTarget::Board(board, route) => {
            let folder = boards::build_with(steps, board, &route.features(board), &["conform"])?;
            let mut qemu = qemu::command(board, &folder.join("conform"), &[]);
            qemu.args(["-serial", route.serial()]);
            Ok((format!("{} {route:?}", board.name), qemu))
        }
        ConformTarget::Machine(machine) => {
            let target = machine.target;
            let program = steps.target_folder()?.join(target).join(PROGRAM);
            Ok((target.to_owned(), machine.emulated(&program).process(steps.root())))
        }
        ConformTarget::Here => {
            steps.run("build conform", &steps.cargo(BUILD))?;
            let program = steps.target_folder()?.join(PROGRAM);
            Ok((HERE.to_owned(), process::Command::new(program)))
        }
    }
}

fn compare_with(
    program: &mut process::Command,
    target: &str,
    vectors: u32,
) -> Result<Vec<Row>, TaskError> {
    let mut running = Running::start(program.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let gone = || TaskError::Invalid(format!("{target} stopped answering"));
    let pipes = running.child.stdin.take().zip(running.child.stdout.take());
    let (input, output) = pipes.ok_or_else(gone)?;
    let mut frames = Frames::new(Pipes { input, output });
    let mut rows = Vec::new();
    for backend in Backend::ALL {
        let mut differing = 0;
        compare(&mut frames, backend, vectors, &mut SchedulerBackend, |mismatch| {
            running.is_alive();
            if let Some(mismatch) = mismatch {
                if differing == 0 {
                    show(&mismatch);
                }
                differing += 1;
            }
        })
        .map_err(|_| gone())?;
        rows.push(Row { target: target.to_owned(), backend, vectors, differing });
    }
    end(&mut frames).map_err(|_| gone())?;
    qemu::succeeded("conform", running.wait()?)?;
    Ok(rows)
}

fn show(Mismatch { request, device, host, .. }: &Mismatch) {
    eprintln!("{request:x?}\n  board {device:08x?}\n  host  {host:08x?}");
}

/// QEMU's standard input and output.
struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
}

impl Transport for Pipes {
    type Error = io::Error;

    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.read(buffer)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.input.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Backend, ConformTarget, QemuRoute, Report, Row, user_mode};

    #[test]
    fn the_table_has_a_row_for_each_board_and_number_type() {
        let target = "thumbv6m-none-eabi".to_owned();
        let row = Row { target, backend: Backend::Fixed, vectors: 6_000, differing: 2 };
        assert_eq!(
            Report(vec![row]).to_string(),
            "target                      backend   vectors   differ\n\
             thumbv6m-none-eabi          Fixed        6000        2\n\
             \n1 targets, 6000 answers, 2 differ\n"
        );
    }

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
        assert!(refused.contains("s390,") && refused.contains("thumbv6m-none-eabi"), "{refused}");
    }
}
