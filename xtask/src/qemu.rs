//! `cargo xtask qemu`: a program on a board that QEMU emulates.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use defmt_decoder::{DecodeError, Table};
use lodger_board_table::Board;

use crate::boards;
use crate::failure::Failure;
use crate::steps::Steps;

/// No program here takes a tenth of that; a hung one is ended.
const PATIENCE: Duration = Duration::from_mins(2);

/// Makes `qemu-system-arm` work.
pub(crate) fn install(steps: &mut Steps) -> Result<(), Failure> {
    let works = |steps: &Steps, program| {
        steps.ask(&crate::command::Command::new(program).args("--version")).is_some()
    };
    if works(steps, "qemu-system-arm") {
        return Ok(());
    }
    if !works(steps, "apt-get") {
        return Err(Failure::NoQemu);
    }
    eprintln!("\nset-up: installs qemu-system-arm through apt-get, which emulates the boards");
    let apt = |args| crate::command::Command::new("apt-get").args(args);
    steps.run("set-up apt", &apt("update --quiet"))?;
    let package = "install --yes --quiet --no-install-recommends qemu-system-arm";
    steps.run("set-up qemu", &apt(package))
}

/// QEMU about to run a program with these arguments. Its console is semihosting's.
pub(crate) fn command(board: &Board, elf: &Path, args: &[&str]) -> Command {
    let mut qemu = Command::new("qemu-system-arm");
    qemu.args(["-machine", board.machine.as_deref().unwrap_or("none")]);
    qemu.args(["-nographic", "-monitor", "none"]);
    let words = ["enable=on,target=native"].iter().chain(args).copied();
    qemu.args(["-semihosting-config", &words.collect::<Vec<_>>().join(",arg=")]);
    qemu.arg("-kernel").arg(elf).stdin(Stdio::null());
    qemu
}

/// Starts QEMU.
pub(crate) fn start(command: &mut Command) -> Result<Child, Failure> {
    command.spawn().map_err(|error| Failure::Start("qemu-system-arm".to_owned(), error))
}

/// Runs a program to its end and returns what it printed. Time goes by instructions.
pub(crate) fn output(
    board: &Board,
    elf: &Path,
    args: &[&str],
) -> Result<(ExitStatus, Vec<u8>), Failure> {
    let mut command = command(board, elf, args);
    command.args(["-serial", "null", "-icount", "shift=6"]);
    let child = start(command.stdout(Stdio::piped()))?;
    let _watch = Watch::over(child.id());
    let output = child
        .wait_with_output()
        .map_err(|error| Failure::Start("qemu-system-arm".to_owned(), error))?;
    Ok((output.status, output.stdout))
}

/// Ends a process that takes too long, unless this is dropped before: the sender is only ever dropped.
pub(crate) struct Watch(#[allow(dead_code)] Sender<()>);

impl Watch {
    /// Watches over a process of ours.
    pub(crate) fn over(process: u32) -> Self {
        let (alive, watch) = mpsc::channel();
        thread::spawn(move || {
            if watch.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                eprintln!("qemu-system-arm is ended after {} s", PATIENCE.as_secs());
                let _ = Command::new("kill").arg(process.to_string()).status();
            }
        });
        Self(alive)
    }
}

/// What a program logged, line by line: decoded where it logs through defmt, else as it is.
pub(crate) fn log(elf: &Path, bytes: &[u8]) -> Result<String, Failure> {
    let program = boards::read(elf)?;
    let table = Table::parse(&program).map_err(|error| boards::unfit(elf, &error))?;
    let Some(table) = table.filter(|table| !table.is_empty()) else {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    };
    let mut decoder = table.new_stream_decoder();
    decoder.received(bytes);
    let mut lines = String::new();
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let level = frame.level().map_or("print", |level| level.as_str());
                let _ = writeln!(lines, "{level:5} {}", frame.display_message());
            }
            Err(DecodeError::UnexpectedEof) => return Ok(lines),
            Err(DecodeError::Malformed) => lines += "a frame that cannot be decoded\n",
        }
    }
}

/// Where the expected log of a program is kept.
fn golden(steps: &Steps, bin: &str) -> PathBuf {
    steps.root().join("firmware/src/bin").join(bin).with_extension("out")
}

/// Builds a program for a board and runs it; what it logs must be what its golden file says.
pub(crate) fn run(steps: &mut Steps, board: &str, bin: &str, bless: bool) -> Result<(), Failure> {
    let board = boards::named(board)?;
    install(steps)?;
    let elf = boards::build(steps, board, &[bin])?.join(bin);
    check(steps, board, &elf, bin, bless)
}

/// Runs a built program, shows its log and compares it with the golden file, or rewrites that.
pub(crate) fn check(
    steps: &mut Steps,
    board: &Board,
    elf: &Path,
    bin: &str,
    bless: bool,
) -> Result<(), Failure> {
    let golden = golden(steps, bin);
    steps.work(&format!("{} {bin}", board.name), || {
        let (status, bytes) = output(board, elf, &[])?;
        let log = log(elf, &bytes)?;
        print!("{log}");
        succeeded(bin, status)?;
        if bless {
            return fs::write(&golden, log).map_err(|error| boards::unfit(&golden, &error));
        }
        match fs::read_to_string(&golden) {
            Ok(expected) if expected != log => Err(Failure::Unfit(format!(
                "{bin} logged something else than {}\n  if that is meant:  cargo xtask qemu {} {bin} --bless",
                golden.display(),
                board.name
            ))),
            _ => Ok(()),
        }
    })
}

/// An error for any other code than 0.
pub(crate) fn succeeded(bin: &str, status: ExitStatus) -> Result<(), Failure> {
    match status.code() {
        Some(0) => Ok(()),
        code => Err(Failure::Program(bin.to_owned(), code.unwrap_or(-1))),
    }
}
