//! Checks of programs for boards: conformance, panics, faults, logs, on-device tests and links.

use std::path::Path;
use std::process::Stdio;

use object::{Object, ObjectSymbol, SymbolKind};
use rustc_demangle::demangle;

use crate::board_table::{Architecture, BoardEntry};
use crate::conform::{self, ConformTarget, QemuRoute};
use crate::error::TaskError;
use crate::instructions::{self, ProgramSize};
use crate::steps::Steps;
use crate::{boards, qemu, tools};

/// Programs with the same log on every board.
const GOLDEN: [&str; 3] = ["app", "decide", "energy"];

const SERIAL: [&str; 3] = ["microbit", "mps2-an505", "riscv32imac"];
/// Test vectors for each target and number type in the short run.
const FEW_VECTORS: u32 = 500;

/// Programs that are linked for real boards; none is run.
const PROGRAMS: [&str; 10] = [
    "app", "conform", "decide", "demo", "faults", "heapless", "ledger", "optimal", "overflow",
    "panics",
];

/// Tells the tests of `lodger-board` where the programs are.
const PROBED_PROGRAMS: &str = "LODGER_BOARD_PROGRAMS";
/// Boards that QEMU emulates and probe-rs supports, with their programs' features.
const PROBED: [(&str, &str); 2] =
    [("microbit-v1", "microbit-v1"), (boards::PROBED, "mps2-an386,rtt")];
const RUN_THROUGH_PROBE: [&str; 4] = ["conform", "decide", "demo", "panics"];

pub(crate) const EXAMPLES_BOARD: &str = "mps2-an386";
pub(crate) const EXAMPLES: [&str; 3] = ["plain", "embassy", "rtic"];
/// Makes a module hang, so that the watchdog resets the board.
const STALL: &str = "stall";

/// Programs that must be free of [`UNWANTED`] symbols; [`FLAGGED`] must contain one.
const CLEAN: [&str; 3] = ["heapless", "ledger", "optimal"];
const FLAGGED: &str = "panics";

/// Parts of symbol names: panics and their messages, allocators, 128-bit helpers.
const UNWANTED: [&str; 14] = [
    "core::panicking",
    "rust_begin_unwind",
    "unwrap_failed",
    "expect_failed",
    "slice_index_fail",
    "slice_start_index",
    "slice_end_index",
    "__rust_alloc",
    "__rg_alloc",
    "alloc::alloc",
    "ti3",
    "ti4",
    "u128",
    "i128",
];

/// The program, its function, and an address without memory that the function reads.
const READER: &str = "faults";
const READS: &str = "look_at";
const NOTHING: &str = "0xa0000000";
const DEEP: &str = "overflow";
/// The target whose cores do not report the reason of a fault.
const SILENT: &str = "thumbv6m-none-eabi";

pub(crate) fn build(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    boards::emulated().try_for_each(|board| boards::build_tests(steps, board).map(drop))
}

/// Compares eleven targets, and three boards over serial ports.
pub(crate) fn conform_short(steps: &mut Steps) -> Result<(), TaskError> {
    let serial = SERIAL.into_iter().map(boards::named).collect::<Result<Vec<_>, _>>()?;
    let serial = serial.into_iter().map(|board| ConformTarget::Board(board, QemuRoute::Uart));
    conform::run(
        steps,
        ConformTarget::all(QemuRoute::Semihosting).into_iter().chain(serial),
        Some(FEW_VECTORS),
    )
}

/// Compares the emulated Cortex-M.
pub(crate) fn conform_long(steps: &mut Steps) -> Result<(), TaskError> {
    let all = ConformTarget::all(QemuRoute::Semihosting).into_iter();
    conform::run(steps, all.filter(ConformTarget::is_cortex_m), None)
}

/// Compares stored logs, and runs the on-device tests, on all emulated boards.
pub(crate) fn on_target(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    for board in boards::emulated() {
        let folder = boards::build(steps, board, &GOLDEN)?;
        for program in GOLDEN {
            qemu::check(steps, board, &folder.join(program), program, false)?;
        }
        qemu::run_tests(steps, board)?;
    }
    Ok(())
}

pub(crate) fn link(steps: &mut Steps, usual: bool) -> Result<(), TaskError> {
    for board in boards::all().filter(|it| !it.emulated && boards::is_linked(it) == usual) {
        boards::build_tests(steps, board)?;
        // Built by now, but cargo leaves out a program that lacks a feature, and says nothing.
        boards::build(steps, board, &PROGRAMS)?;
    }
    Ok(())
}

pub(crate) fn template(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    crate::board_table::all().iter().try_for_each(|board| tools::target(steps, &board.target))?;
    let example = "run --locked --package lodger-tests --example template";
    steps.run("template", &steps.cargo(example))
}

/// Tests `lodger-board` against QEMU behind an emulated debug probe.
pub(crate) fn probe(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    tools::for_packing(steps)?;
    // The profile and features of all tests, so that no crate is built again.
    let mut test = steps.cargo("test --workspace --all-features --locked --test boards");
    for (board, features) in PROBED {
        let built =
            boards::build_for_probe(steps, boards::named(board)?, features, &RUN_THROUGH_PROBE)?;
        let folder = built.parent().unwrap_or(Path::new("."));
        test = test.env(PROBED_PROGRAMS, folder.display().to_string());
    }
    steps.run("boards behind an emulated probe", &test)
}

/// Runs the firmware examples, normally and with a module that hangs. The exit code tells whether the budgets held.
pub(crate) fn examples(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    let board = boards::named(EXAMPLES_BOARD)?;
    let built = boards::build_with(steps, board, "examples", &EXAMPLES)?;
    for program in EXAMPLES {
        let elf = built.join(program);
        for args in [&[][..], &[STALL]] {
            steps.work(&format!("{program} {}", args.join(" ")), || {
                let (status, bytes) = qemu::output(board, &elf, args)?;
                print!("{}", qemu::log(&elf, &bytes)?);
                qemu::succeeded(program, status)
            })?;
        }
    }
    println!("\n{:10} {:>8} {:>8}", "bytes", "flash", "ram");
    for program in EXAMPLES {
        let ProgramSize { flash, ram } = instructions::size(&built.join(program))?;
        println!("{program:10} {flash:8} {ram:8}");
    }
    Ok(())
}

/// Checks that the ledger and the heapless scene contain no [`UNWANTED`] symbol.
pub(crate) fn panics(steps: &mut Steps) -> Result<(), TaskError> {
    for board in boards::emulated() {
        let [heapless, ledger, optimal] = CLEAN;
        let folder = boards::build(steps, board, &[heapless, ledger, optimal, FLAGGED])?;
        steps.work(&format!("no panics {}", board.name), || check_panics(&folder))?;
    }
    Ok(())
}

fn check_panics(folder: &Path) -> Result<(), TaskError> {
    for clean in CLEAN {
        let found = unwanted(&folder.join(clean))?;
        if !found.is_empty() {
            let list = found.join("\n  ");
            return Err(TaskError::Invalid(format!("`{clean}` must not hold\n  {list}")));
        }
    }
    if unwanted(&folder.join(FLAGGED))?.is_empty() {
        return Err(TaskError::Invalid(format!(
            "nothing is found in `{FLAGGED}`, which can panic"
        )));
    }
    Ok(())
}

fn unwanted(elf: &Path) -> Result<Vec<String>, TaskError> {
    let bytes = boards::read(elf)?;
    let file = boards::parse(elf, &bytes)?;
    let names: Vec<String> =
        file.symbols().filter_map(|symbol| symbol.name().ok()).map(plain).collect();
    if names.is_empty() {
        return Err(TaskError::Invalid(format!("{} has no symbols to look at", elf.display())));
    }
    Ok(names.into_iter().filter(|name| is_unwanted(name)).collect())
}

/// Demangles a symbol and removes the crate hashes.
fn plain(symbol: &str) -> String {
    format!("{:#}", demangle(symbol))
}

fn is_unwanted(name: &str) -> bool {
    UNWANTED.iter().any(|unwanted| name.contains(unwanted))
}

/// Checks the address and the reason in fault messages of all emulated Cortex-M.
pub(crate) fn faults(steps: &mut Steps) -> Result<(), TaskError> {
    qemu::install_boards(steps)?;
    for board in boards::emulated().filter(|board| board.architecture() == Architecture::CortexM) {
        let folder = boards::build(steps, board, &[READER, DEEP])?;
        steps.work(&format!("faults {}", board.name), || {
            let elf = folder.join(READER);
            let said = fault(board, &elf)?;
            let is_reported =
                is_in_reader(&said, &elf)? && (board.target == SILENT || names_the_read(&said));
            require_report(is_reported, &said)?;
            let said = fault(board, &folder.join(DEEP))?;
            require_report(said.contains(": the stack overflowed"), &said)
        })?;
    }
    Ok(())
}

fn fault(board: &BoardEntry, elf: &Path) -> Result<String, TaskError> {
    let mut command = qemu::command(board, elf, &[]);
    let (status, said) = qemu::errors(command.args(["-serial", "null"]).stdout(Stdio::null()))?;
    print!("{said}");
    let line = said.lines().find(|line| line.starts_with("HardFault"));
    match line.filter(|_| status.code() == Some(1)) {
        Some(line) => Ok(line.to_owned()),
        None => Err(TaskError::Invalid(format!("{} ended in no fault: {said}", elf.display()))),
    }
}

fn require_report(is_reported: bool, said: &str) -> Result<(), TaskError> {
    if is_reported {
        return Ok(());
    }
    Err(TaskError::Invalid(format!("the message of the fault is wrong: {said}")))
}

fn names_the_read(said: &str) -> bool {
    said.ends_with(&format!(": an address where nothing is: {NOTHING}"))
}

fn is_in_reader(said: &str, elf: &Path) -> Result<bool, TaskError> {
    let bytes = boards::read(elf)?;
    let file = boards::parse(elf, &bytes)?;
    let at = at(said);
    Ok(file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text).any(|symbol| {
        // The lowest bit of a function's address is its instruction set.
        let start = symbol.address() & !1;
        let is_in = at.is_some_and(|at| (start..start + symbol.size()).contains(&at));
        is_in && symbol.name().is_ok_and(|name| name.contains(READS))
    }))
}

fn at(said: &str) -> Option<u64> {
    let (address, _) = said.strip_prefix("HardFault at 0x")?.split_once(',')?;
    u64::from_str_radix(address, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{at, is_unwanted, names_the_read, plain};

    #[test]
    fn a_crate_is_known_by_its_name_alone() {
        let symbol = "_RNvNtCs3xQ30Ue3M98_4core9panicking9panic_fmt";
        assert_eq!(plain(symbol), "core::panicking::panic_fmt");
    }

    #[test]
    fn panics_allocators_and_wide_helpers_are_found_by_name() {
        for name in
            ["core::panicking::panic_fmt", "__rustc::__rust_alloc", "__udivti3", "__muloti4"]
        {
            assert!(is_unwanted(name), "{name}");
        }
        for name in ["lodger_core::budget::order::split", "__aeabi_uldivmod", "_defmt_timestamp"] {
            assert!(!is_unwanted(name), "{name}");
        }
    }

    #[test]
    fn a_fault_message_has_address_and_reason() {
        let said = "HardFault at 0x000001a2, called from 0x00000101: an address where nothing is: 0xa0000000";
        assert_eq!(at(said), Some(0x1a2));
        assert!(names_the_read(said));
        assert_eq!(at("HardFault: the stack overflowed"), None);
        assert!(!names_the_read("HardFault: the stack overflowed"));
    }
}
