//! `cargo xtask faults`: what emulated Cortex-M say of faults: a read where nothing is, and a stack that leaves its memory.

use std::path::Path;
use std::process::Stdio;

use lodger_board_table::{Architecture, Board};
use object::{Object, ObjectSymbol, SymbolKind};

use crate::failure::Failure;
use crate::steps::Steps;
use crate::{boards, qemu};

/// A program that reads where nothing is, the function that does, and the address.
const READER: &str = "faults";
const READS: &str = "look_at";
const NOTHING: &str = "0xa0000000";
/// A program whose stack has no end.
const DEEP: &str = "overflow";
/// The cores that say nothing of the reason.
const SILENT: &str = "thumbv6m-none-eabi";

/// Runs both on all emulated Cortex-M.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    qemu::install_boards(steps)?;
    for board in boards::emulated().filter(|board| board.architecture() == Architecture::CortexM) {
        let folder = boards::build(steps, board, &[READER, DEEP])?;
        steps.work(&format!("faults {}", board.name), || {
            let elf = folder.join(READER);
            let said = fault(board, &elf)?;
            let is_told = is_of(&said, &elf)? && (board.target == SILENT || names_the_read(&said));
            is_what_it_was(is_told, &said)?;
            let said = fault(board, &folder.join(DEEP))?;
            is_what_it_was(said.contains(": the stack overflowed"), &said)
        })?;
    }
    Ok(())
}

/// The line that a program says of a fault, in which it must end.
fn fault(board: &Board, elf: &Path) -> Result<String, Failure> {
    let mut command = qemu::command(board, elf, &[]);
    let (status, said) = qemu::errors(command.args(["-serial", "null"]).stdout(Stdio::null()))?;
    print!("{said}");
    let line = said.lines().find(|line| line.starts_with("HardFault"));
    match line.filter(|_| status.code() == Some(1)) {
        Some(line) => Ok(line.to_owned()),
        None => Err(Failure::Unfit(format!("{} ended in no fault: {said}", elf.display()))),
    }
}

fn is_what_it_was(is_told: bool, said: &str) -> Result<(), Failure> {
    if is_told {
        return Ok(());
    }
    Err(Failure::Unfit(format!("that is not what the fault was: {said}")))
}

fn names_the_read(said: &str) -> bool {
    said.ends_with(&format!(": an address where nothing is: {NOTHING}"))
}

/// Whether the line says that it was in the function that reads.
fn is_of(said: &str, elf: &Path) -> Result<bool, Failure> {
    let bytes = boards::read(elf)?;
    let file = object::File::parse(&*bytes).map_err(|error| boards::unfit(elf, &error))?;
    let at = at(said);
    Ok(file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text).any(|symbol| {
        // The lowest bit of a function's address is its instruction set.
        let start = symbol.address() & !1;
        let is_in = at.is_some_and(|at| (start..start + symbol.size()).contains(&at));
        is_in && symbol.name().is_ok_and(|name| name.contains(READS))
    }))
}

/// The address where it was.
fn at(said: &str) -> Option<u64> {
    let (address, _) = said.strip_prefix("HardFault at 0x")?.split_once(',')?;
    u64::from_str_radix(address, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{at, names_the_read};

    #[test]
    fn a_line_says_where_and_why() {
        let said = "HardFault at 0x000001a2, called from 0x00000101: an address where nothing is: 0xa0000000";
        assert_eq!(at(said), Some(0x1a2));
        assert!(names_the_read(said));
        assert_eq!(at("HardFault: the stack overflowed"), None);
        assert!(!names_the_read("HardFault: the stack overflowed"));
    }
}
