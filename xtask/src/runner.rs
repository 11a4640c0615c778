//! What `cargo run` and `cargo test` do with a program for a board, which names that itself:
//! `cargo xtask qemu --elf`.

use std::path::Path;

use lodger_board_table::Board;

use crate::command::Command;
use crate::failure::Failure;
use crate::qemu::{self, succeeded};
use crate::steps::Steps;
use crate::{boards, on_target};

/// Runs a program on its board, and passes its exit code on.
pub(crate) fn run(steps: &mut Steps, elf: &Path) -> Result<(), Failure> {
    let board = boards::named(&boards::of_program(elf)?)?;
    let has_tests = on_target::has_tests(elf)?;
    if board.emulated {
        qemu::install_boards(steps)?;
        return match boards::has_rtt(elf)? {
            true => Err(Failure::Unfit(format!(
                "{} talks through a debug probe\n  start one:  cargo run -p lodger-qemu-probe -- {}\n  \
                 and then:   lodger board run {0} --probe …",
                elf.display(),
                board.machine.as_deref().unwrap_or(&board.name)
            ))),
            false if has_tests => on_target::run_program(board, elf),
            false => emulated(board, elf),
        };
    }
    let elf = elf.canonicalize().map_err(|error| boards::unfit(elf, &error))?;
    through_probe(steps, board, has_tests).arg(elf.to_string_lossy()).take_over(steps.root())
}

fn emulated(board: &Board, elf: &Path) -> Result<(), Failure> {
    let (status, bytes) = qemu::output(board, elf, &[])?;
    print!("{}", qemu::log(elf, &bytes)?);
    succeeded(&elf.display().to_string(), status)
}

/// The command that runs a program on a real board. probe-rs's own knows embedded-test's protocol.
fn through_probe(steps: &Steps, board: &Board, has_tests: bool) -> Command {
    if has_tests {
        let chip = board.chip.as_deref().unwrap_or_default();
        Command::new("probe-rs").args("run --chip").arg(chip)
    } else {
        let run = "run --quiet --release --package lodger-board -- run --board";
        steps.cargo(run).arg(&board.name)
    }
}
