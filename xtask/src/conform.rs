//! `cargo xtask conform`: the same bits on every emulated board as on this host.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Stdio};

use clap::ValueEnum;
use lodger_board_table::Board;
use lodger_wire::conform::{Backend, Mismatch, compare, end};
use lodger_wire::{Frames, Transport};

use crate::boards;
use crate::failure::Failure;
use crate::qemu::{self, Running};
use crate::steps::Steps;

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
        Ok(())
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

/// Compares boards and prints the table.
pub(crate) fn run(
    steps: &mut Steps,
    boards: impl IntoIterator<Item = &'static Board>,
    route: Route,
    vectors: u32,
) -> Result<(), Failure> {
    qemu::install_boards(steps)?;
    let mut rows = Vec::new();
    for board in boards {
        let folder = boards::build_with(steps, board, route.feature(), &["conform"])?;
        let elf = folder.join("conform");
        let compare = || compare_board(board, &elf, route, vectors);
        rows.extend(steps.work(&format!("conform {} {route:?}", board.name), compare)?);
    }
    let differing: u32 = rows.iter().map(|row| row.differing).sum();
    print!("\n{}", Report(rows));
    if differing == 0 {
        Ok(())
    } else {
        Err(Failure::Unfit(format!("{differing} answers differ from the host's")))
    }
}

fn compare_board(
    board: &Board,
    elf: &Path,
    route: Route,
    vectors: u32,
) -> Result<Vec<Row>, Failure> {
    let mut command = qemu::command(board, elf, &[]);
    command.args(["-serial", route.serial()]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut qemu = Running::start(&mut command)?;
    let gone = || Failure::Unfit(format!("{} stopped answering", board.name));
    let pipes = qemu.child.stdin.take().zip(qemu.child.stdout.take());
    let (input, output) = pipes.ok_or_else(gone)?;
    let mut frames = Frames::new(Pipes { input, output });
    let mut rows = Vec::new();
    for backend in Backend::ALL {
        let mut differing = 0;
        compare(&mut frames, backend, vectors, |mismatch| {
            qemu.is_alive();
            if let Some(mismatch) = mismatch {
                if differing == 0 {
                    show(&mismatch);
                }
                differing += 1;
            }
        })
        .map_err(|_| gone())?;
        let target = board.target.clone();
        rows.push(Row { target, backend, vectors, differing });
    }
    end(&mut frames).map_err(|_| gone())?;
    qemu::succeeded("conform", qemu.wait()?)?;
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
    use super::{Backend, Report, Row};

    #[test]
    fn the_table_has_a_row_for_each_board_and_number_type() {
        let target = "thumbv6m-none-eabi".to_owned();
        let row = Row { target, backend: Backend::Fixed, vectors: 6_000, differing: 2 };
        assert_eq!(
            Report(vec![row]).to_string(),
            "target                      backend   vectors   differ\n\
             thumbv6m-none-eabi          Fixed        6000        2\n"
        );
    }
}
