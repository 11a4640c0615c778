//! `cargo xtask qemu`: runs programs for boards in QEMU, or on a real board.
//!
//! Each test of a board runs in a new machine, as probe-rs resets the board before each.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use defmt_decoder::{DecodeError, Table};
use object::{Object, ObjectSection, ObjectSymbol};
use serde_json::Value;

use crate::board_table::{Architecture, BoardEntry};
use crate::boards;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools;

/// The time after which a program counts as hung; others take less than a tenth.
const TIMEOUT: Duration = Duration::from_mins(2);

const fn emulator(architecture: Architecture) -> (&'static str, &'static str) {
    match architecture {
        Architecture::CortexM => ("qemu-system-arm", "qemu-system-arm"),
        Architecture::RiscV32 => ("qemu-system-riscv32", "qemu-system-misc"),
    }
}

/// The time of an instruction as an `-icount` shift: `SysTick` is too slow for single nanoseconds, and a RISC-V
/// counts retired instructions in nanoseconds.
const fn instruction(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::CortexM => "shift=6",
        Architecture::RiscV32 => "shift=0",
    }
}

pub(crate) fn install_boards(steps: &mut Steps) -> Result<(), TaskError> {
    for architecture in [Architecture::CortexM, Architecture::RiscV32] {
        let (program, package) = emulator(architecture);
        install(steps, program, package)?;
    }
    Ok(())
}

pub(crate) fn install(
    steps: &mut Steps,
    program: &'static str,
    package: &str,
) -> Result<(), TaskError> {
    let why = "for what another machine would run";
    tools::from_apt(steps, program, package, why, TaskError::NoQemu(program))
}

/// The QEMU command for a program, with semihosting as its console.
pub(crate) fn command(board: &BoardEntry, elf: &Path, args: &[&str]) -> Command {
    let mut qemu = Command::new(emulator(board.architecture()).0);
    qemu.args(["-machine", board.machine.as_deref().unwrap_or("none")]);
    if let Some(cpu) = &board.cpu {
        // Such a machine has firmware of its own, which would be where the program is.
        qemu.args(["-cpu", cpu, "-bios", "none"]);
    }
    qemu.args(["-nographic", "-monitor", "none"]);
    let words = ["enable=on,target=native"].iter().chain(args).copied();
    qemu.args(["-semihosting-config", &words.collect::<Vec<_>>().join(",arg=")]);
    qemu.arg("-kernel").arg(elf).stdin(Stdio::null());
    qemu
}

/// Runs a program to its end, with a clock that counts instructions.
pub(crate) fn output(
    board: &BoardEntry,
    elf: &Path,
    args: &[&str],
) -> Result<(ExitStatus, Vec<u8>), TaskError> {
    let mut command = command(board, elf, args);
    command.args(["-serial", "null", "-icount", instruction(board.architecture())]);
    command.stdout(Stdio::piped());
    let mut qemu = RunningQemu::start(&mut command)?;
    let mut printed = Vec::new();
    if let Some(mut output) = qemu.child.stdout.take() {
        output.read_to_end(&mut printed).map_err(failed)?;
    }
    Ok((qemu.wait()?, printed))
}

pub(crate) fn errors(command: &mut Command) -> Result<(ExitStatus, String), TaskError> {
    let mut qemu = RunningQemu::start(command.stderr(Stdio::piped()))?;
    let mut said = String::new();
    if let Some(mut errors) = qemu.child.stderr.take() {
        errors.read_to_string(&mut said).map_err(failed)?;
    }
    Ok((qemu.wait()?, said))
}

/// A running QEMU, killed after [`TIMEOUT`] or when dropped.
struct RunningQemu {
    child: Child,
    /// Ends the thread of the timeout when dropped.
    _is_running: Sender<()>,
}

impl RunningQemu {
    fn start(command: &mut Command) -> Result<Self, TaskError> {
        let child = command.spawn().map_err(failed)?;
        let (process, (sender, receiver)) = (child.id(), mpsc::channel());
        thread::spawn(move || {
            if receiver.recv_timeout(TIMEOUT) == Err(RecvTimeoutError::Timeout) {
                eprintln!("QEMU is killed after {} s", TIMEOUT.as_secs());
                let _ = Command::new("kill").arg(process.to_string()).status();
            }
        });
        Ok(Self { child, _is_running: sender })
    }

    fn wait(mut self) -> Result<ExitStatus, TaskError> {
        self.child.wait().map_err(failed)
    }
}

impl Drop for RunningQemu {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn failed(error: io::Error) -> TaskError {
    TaskError::Start("QEMU".to_owned(), error)
}

/// The log of a program: decoded if it is defmt, else its text.
pub(crate) fn log(elf: &Path, bytes: &[u8]) -> Result<String, TaskError> {
    let program = boards::read(elf)?;
    let table = Table::parse(&program).map_err(|error| TaskError::file(elf, &error))?;
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
            Err(DecodeError::Malformed) => {
                lines += "a frame that cannot be decoded\n";
                if !table.encoding().can_recover() {
                    return Ok(lines);
                }
            }
        }
    }
}

fn golden(steps: &Steps, bin: &str) -> PathBuf {
    steps.root().join("firmware/programs/src/bin").join(bin).with_extension("out")
}

pub(crate) fn run(steps: &mut Steps, board: &str, bin: &str, bless: bool) -> Result<(), TaskError> {
    let board = boards::named(board)?;
    if !board.emulated {
        let advice = "is a real board; with a probe attached:  lodger board run";
        return Err(TaskError::Invalid(format!("{} {advice}", board.name)));
    }
    install_boards(steps)?;
    let elf = boards::build(steps, board, &[bin])?.join(bin);
    check(steps, board, &elf, bin, bless)
}

/// Runs a program, and compares its log with the golden file or rewrites the file.
pub(crate) fn check(
    steps: &mut Steps,
    board: &BoardEntry,
    elf: &Path,
    bin: &str,
    bless: bool,
) -> Result<(), TaskError> {
    let golden = golden(steps, bin);
    steps.work(&format!("{} {bin}", board.name), || {
        let (status, bytes) = output(board, elf, &[])?;
        let log = log(elf, &bytes)?;
        print!("{log}");
        succeeded(bin, status)?;
        if bless && log.is_empty() {
            return Err(TaskError::Invalid(format!("{bin} logged nothing: there is nothing to bless")));
        }
        if bless {
            return fs::write(&golden, log).map_err(|error| TaskError::file(&golden, &error));
        }
        match fs::read_to_string(&golden) {
            Ok(expected) if expected != log => Err(TaskError::Invalid(format!(
                "{bin} logged something else than {}\n  if this is intended:  cargo xtask qemu {} {bin} --bless",
                golden.display(),
                board.name
            ))),
            _ => Ok(()),
        }
    })
}

pub(crate) fn succeeded(bin: &str, status: ExitStatus) -> Result<(), TaskError> {
    match status.code() {
        Some(0) => Ok(()),
        code => Err(TaskError::Program(bin.to_owned(), code.unwrap_or(-1))),
    }
}

/// Runs a program on its board, and exits with its code.
pub(crate) fn run_elf(steps: &mut Steps, elf: &Path) -> Result<(), TaskError> {
    let board = boards::named(&boards::of_program(elf)?)?;
    let has_tests = !tests(elf)?.is_empty();
    if board.emulated {
        install_boards(steps)?;
        return match boards::has_rtt(elf)? {
            true => Err(TaskError::Invalid(format!(
                "{} talks through a debug probe\n  start one:  cargo run -p lodger-qemu-probe -- {}\n  \
                 and then:   lodger board run {0} --probe …",
                elf.display(),
                board.machine.as_deref().unwrap_or(&board.name)
            ))),
            false if has_tests => run_test_program(board, elf),
            false => emulated(board, elf),
        };
    }
    let elf = elf.canonicalize().map_err(|error| TaskError::file(elf, &error))?;
    through_probe(steps, board, has_tests).arg(elf.to_string_lossy()).exec(steps.root())
}

fn emulated(board: &BoardEntry, elf: &Path) -> Result<(), TaskError> {
    let (status, bytes) = output(board, elf, &[])?;
    print!("{}", log(elf, &bytes)?);
    succeeded(&elf.display().to_string(), status)
}

/// probe-rs's own runner supports embedded-test's protocol.
fn through_probe(steps: &Steps, board: &BoardEntry, has_tests: bool) -> crate::command::Command {
    if has_tests {
        let chip = board.chip.as_deref().unwrap_or_default();
        crate::command::Command::new("probe-rs").args("run --chip").arg(chip)
    } else {
        let run = "run --quiet --release --package lodger-board -- run --board";
        steps.cargo(run).arg(&board.name)
    }
}

/// The section of embedded-test: a symbol's name is JSON, its first word the address to call.
const SECTION: &str = ".embedded_test";

#[derive(Debug, PartialEq, Eq)]
struct QemuTest {
    name: String,
    address: u32,
}

pub(crate) fn run_tests(steps: &mut Steps, board: &BoardEntry) -> Result<(), TaskError> {
    let elf = boards::build_tests(steps, board)?;
    steps.work(&format!("{} tests", board.name), || run_test_program(board, &elf))
}

fn run_test_program(board: &BoardEntry, elf: &Path) -> Result<(), TaskError> {
    let tests = tests(elf)?;
    let mut failed = 0;
    for QemuTest { name, address } in &tests {
        let (status, _) = output(board, elf, &["run_addr", &address.to_string()])?;
        let passed = status.success();
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += usize::from(!passed);
    }
    println!("{} tests on {}, {failed} failed", tests.len(), board.name);
    match (tests.len(), failed) {
        (0, _) => Err(TaskError::Invalid(format!("{} holds no tests", elf.display()))),
        (_, 0) => Ok(()),
        _ => Err(TaskError::Invalid(format!("{failed} tests failed on {}", board.name))),
    }
}

fn tests(elf: &Path) -> Result<Vec<QemuTest>, TaskError> {
    let bytes = boards::read(elf)?;
    let file = boards::parse(elf, &bytes)?;
    let Some(section) = file.section_by_name(SECTION) else { return Ok(Vec::new()) };
    let mut tests = Vec::new();
    for symbol in file.symbols().filter(|s| s.section_index() == Some(section.index())) {
        let described: Option<Value> =
            symbol.name().ok().and_then(|name| serde_json::from_str(name).ok());
        let Some(name) = described.as_ref().and_then(|json| json["name"].as_str()) else {
            continue;
        };
        let data = section.data_range(symbol.address(), 4).ok().flatten();
        let address = data.and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        let address =
            address.ok_or_else(|| TaskError::file(elf, &format!("{name} has no address")))?;
        tests.push(QemuTest { name: name.to_owned(), address });
    }
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}
