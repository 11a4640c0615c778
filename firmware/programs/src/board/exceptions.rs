//! The exception handler of an emulated RISC-V: prints cause and address, and ends the program.

use core::sync::atomic::{AtomicBool, Ordering};

use riscv::register::{mcause, mepc};
use riscv_rt::TrapFrame;
use semihosting::io::{self, Write};

use super::exit;
use crate::fault::FaultRecord;

static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Marks the host as open; `None` if it was open. Exceptions always go to the console, without a handler of the host.
pub(super) fn set_fault_handler(_: fn(&FaultRecord)) -> Option<()> {
    // Programs have one hart and open the host outside of interrupts, so that there is no race.
    if IS_OPEN.load(Ordering::Relaxed) {
        return None;
    }
    IS_OPEN.store(true, Ordering::Relaxed);
    Some(())
}

// riscv-rt defines the name and the argument; nothing else has that name.
#[allow(unsafe_code)]
#[unsafe(export_name = "ExceptionHandler")]
fn handle(_frame: &TrapFrame) -> ! {
    let [cause, place] = [mcause::read().bits(), mepc::read()].map(hexadecimal);
    if let Ok(mut output) = io::stderr() {
        for piece in [b"exception 0x".as_slice(), &cause, b" at 0x", &place, b"\n"] {
            let _ = output.write_all(piece);
        }
    }
    exit(1)
}

/// Returns the hexadecimal digits of a word. Formatting by `core` could panic, which an exception handler, and a program
/// that is checked for panics, must not.
fn hexadecimal(word: usize) -> [u8; 8] {
    core::array::from_fn(|place| match (word >> (28 - 4 * place)).to_le_bytes()[0] & 0xf {
        digit @ 0..10 => b'0' + digit,
        digit => b'a' - 10 + digit,
    })
}
