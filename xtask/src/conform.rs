//! `cargo xtask conform`: the same bits on every emulated board as on this host.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Stdio};

use lodger_firmware::conform::{
    Backend, Frames, Question, Request, Transport, Vectors, Words, answer, ask,
};

use crate::boards::{self, Board};
use crate::failure::Failure;
use crate::qemu::{self, Watch};
use crate::steps::Steps;

/// How many questions each board answers in each number type.
const VECTORS: u32 = 6_000;
/// Where the questions come from.
const SEED: u64 = 2_026;

/// A cell of the table.
struct Row {
    target: String,
    backend: &'static str,
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

/// Compares all emulated boards and prints the table.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    qemu::install(steps)?;
    let mut rows = Vec::new();
    for board in boards::emulated(steps)? {
        let elf = boards::build(steps, &board, &["conform"])?.join("conform");
        rows.extend(steps.work(&format!("conform {}", board.name), || compare(&board, &elf))?);
    }
    let differing: u32 = rows.iter().map(|row| row.differing).sum();
    print!("\n{}", Report(rows));
    if differing == 0 {
        Ok(())
    } else {
        Err(Failure::Unfit(format!("{differing} answers differ from the host's")))
    }
}

fn compare(board: &Board, elf: &Path) -> Result<Vec<Row>, Failure> {
    let mut command = qemu::command(board, elf, false);
    let mut child = qemu::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let _watch = Watch::over(child.id());
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (input, output) = pipes.ok_or_else(|| gone(board))?;
    let mut frames = Frames::new(Pipes { input, output });
    let mut rows = Vec::new();
    for backend in Backend::ALL {
        let differing = ask_all(&mut frames, backend).ok_or_else(|| gone(board))?;
        let target = board.target.clone();
        rows.push(Row { target, backend: backend.name(), vectors: VECTORS, differing });
    }
    let end = Request { id: 0, backend: Backend::F32, question: Question::End };
    ask(&mut frames, &end).map_err(|_| gone(board))?;
    child.wait().map_err(|_| gone(board))?;
    Ok(rows)
}

/// How many answers differ, or `None` if the board stops answering. The first one is shown.
fn ask_all(frames: &mut Frames<Pipes>, backend: Backend) -> Option<u32> {
    let mut differing = 0;
    for (id, question) in (0..VECTORS).zip(Vectors::new(SEED, backend)) {
        let request = Request { id, backend, question };
        let theirs = ask(frames, &request).ok()?;
        let ours = answer(backend, &request.question);
        if theirs != ours {
            if differing == 0 {
                show(&request, &theirs, &ours);
            }
            differing += 1;
        }
    }
    Some(differing)
}

fn show(request: &Request, theirs: &Words, ours: &Words) {
    eprintln!("{request:x?}\n  board {theirs:08x?}\n  host  {ours:08x?}");
}

fn gone(board: &Board) -> Failure {
    Failure::Unfit(format!("{} stopped answering", board.name))
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
    use super::{Report, Row};

    #[test]
    fn the_table_has_a_row_for_each_board_and_number_type() {
        let target = "thumbv6m-none-eabi".to_owned();
        let row = Row { target, backend: "Fixed", vectors: 6_000, differing: 2 };
        assert_eq!(
            Report(vec![row]).to_string(),
            "target                      backend   vectors   differ\n\
             thumbv6m-none-eabi          Fixed        6000        2\n"
        );
    }
}
