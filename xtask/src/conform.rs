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
use crate::failure::Failure;
use crate::qemu::{self, Running};
use crate::steps::Steps;
use crate::user_mode::{self, Machine};

/// The machines that are no boards.
const MACHINES: [Machine; 3] = [user_mode::AARCH64, user_mode::RISCV64, user_mode::S390X];
/// What this machine is called among targets.
const HERE: &str = "here, optimised";

/// A cell of the table.
struct Row {
    target: String,
    backend: Backend,
    vectors: u32,
    differing: u32,
}

/// The table of what was compared.
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

/// The way to a board in QEMU and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Route {
    /// The console that a debugger lends the board.
    Semihosting,
    /// The board's first serial port.
    Uart,
}

impl Route {
    /// The feature that a program wants for it.
    const fn feature(self) -> Option<&'static str> {
        match self {
            Self::Semihosting => None,
            Self::Uart => Some("uart"),
        }
    }

    /// Where QEMU's serial port ends.
    const fn serial(self) -> &'static str {
        match self {
            Self::Semihosting => "null",
            Self::Uart => "stdio",
        }
    }
}

/// Whoever is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Asked {
    /// A board in QEMU.
    Board(&'static Board, Route),
    /// A machine whose programs QEMU's user mode runs.
    Machine(&'static Machine),
    /// This machine: its optimised build, while what it is compared with is as this program was built.
    Here,
}

impl Asked {
    /// Everybody whom that way leads to: only boards have serial ports.
    pub(crate) fn all(route: Route) -> Vec<Self> {
        let boards = boards::emulated().map(|board| Self::Board(board, route));
        let others = MACHINES.iter().map(Self::Machine).chain([Self::Here]);
        let others = others.filter(|_| route == Route::Semihosting);
        boards.chain(others).collect()
    }

    /// Those of these targets, or all where none is named.
    pub(crate) fn of_targets(route: Route, targets: &[String]) -> Result<Vec<Self>, Failure> {
        let mut all = Self::all(route);
        let names: Vec<&str> = all.iter().map(Asked::target).collect();
        if let Some(unknown) = targets.iter().find(|target| !names.contains(&target.as_str())) {
            let names = names.join(", ");
            return Err(Failure::Unfit(format!("nobody is asked on {unknown}, but on {names}")));
        }
        all.retain(|asked| targets.is_empty() || targets.iter().any(|name| name == asked.target()));
        Ok(all)
    }

    /// Whether it is a board with a Cortex-M.
    pub(crate) fn is_cortex_m(&self) -> bool {
        matches!(self, Self::Board(board, _) if board.architecture() == Architecture::CortexM)
    }

    /// What rustc builds for.
    const fn target(&self) -> &str {
        match self {
            Self::Board(board, _) => board.target.as_str(),
            Self::Machine(machine) => machine.target,
            Self::Here => HERE,
        }
    }
}

/// Asks and prints the table.
pub(crate) fn run(
    steps: &mut Steps,
    asked: impl IntoIterator<Item = Asked>,
    vectors: u32,
) -> Result<(), Failure> {
    qemu::install_boards(steps)?;
    let asked: Vec<Asked> = asked.into_iter().collect();
    build_for_machines(steps, &asked)?;
    let mut rows = Vec::new();
    for asked in asked {
        let (name, mut program) = built(steps, asked)?;
        let compare = || compare_with(&mut program, asked.target(), vectors);
        rows.extend(steps.work(&format!("conform {name}"), compare)?);
    }
    let differing: u32 = rows.iter().map(|row| row.differing).sum();
    print!("\n{}", Report(rows));
    if differing == 0 {
        Ok(())
    } else {
        Err(Failure::Unfit(format!("{differing} answers differ from the host's")))
    }
}

/// What builds the program for whoever is no board.
const BUILD: &str = "build --package lodger-programs --locked --release --bin conform";

/// Builds the programs of all machines side by side: one by one, each would have a core to itself.
fn build_for_machines(steps: &mut Steps, asked: &[Asked]) -> Result<(), Failure> {
    let machines = asked.iter().filter_map(|asked| match asked {
        Asked::Machine(machine) => Some(*machine),
        Asked::Board(..) | Asked::Here => None,
    });
    let machines: Vec<&Machine> = machines.collect();
    for machine in &machines {
        machine.install(steps)?;
    }
    let build = machines.iter().fold(steps.cargo(BUILD), |build, machine| machine.asked_of(build));
    if machines.is_empty() { Ok(()) } else { steps.run("build conform for machines", &build) }
}

/// The program of whoever is asked, about to run, and a name for it.
fn built(steps: &mut Steps, asked: Asked) -> Result<(String, process::Command), Failure> {
    const PROGRAM: &str = "release/conform";
    match asked {
        Asked::Board(board, route) => {
            let folder = boards::build_with(steps, board, route.feature(), &["conform"])?;
            let mut qemu = qemu::command(board, &folder.join("conform"), &[]);
            qemu.args(["-serial", route.serial()]);
            Ok((format!("{} {route:?}", board.name), qemu))
        }
        Asked::Machine(machine) => {
            let target = machine.target;
            let program = boards::target_folder(steps)?.join(target).join(PROGRAM);
            Ok((target.to_owned(), machine.emulated(&program).process(steps.root())))
        }
        Asked::Here => {
            steps.run("build conform", &steps.cargo(BUILD))?;
            let program = boards::target_folder(steps)?.join(PROGRAM);
            Ok((HERE.to_owned(), process::Command::new(program)))
        }
    }
}

fn compare_with(
    program: &mut process::Command,
    target: &str,
    vectors: u32,
) -> Result<Vec<Row>, Failure> {
    let mut running = Running::start(program.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let gone = || Failure::Unfit(format!("{target} stopped answering"));
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
    use super::{Asked, Backend, Report, Route, Row, user_mode};

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
    fn eleven_are_asked_and_a_serial_port_leads_to_boards_alone() {
        assert_eq!(Asked::all(Route::Semihosting).len(), 11);
        let serial = Asked::all(Route::Uart);
        assert!(serial.iter().all(|asked| matches!(asked, Asked::Board(..))), "{serial:?}");
    }

    #[test]
    fn a_target_is_chosen_by_its_name_and_an_unknown_one_is_told() {
        let chosen = |name: &str| Asked::of_targets(Route::Semihosting, &[name.to_owned()]);
        let found = chosen("s390x-unknown-linux-gnu").unwrap();
        assert!(matches!(found[..], [Asked::Machine(machine)] if *machine == user_mode::S390X));
        let refused = chosen("s390").unwrap_err().to_string();
        assert!(refused.contains("s390,") && refused.contains("thumbv6m-none-eabi"), "{refused}");
    }
}
