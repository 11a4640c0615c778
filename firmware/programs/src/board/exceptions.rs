//! What an emulated RISC-V does with an exception: it says which and where, and ends.

use core::sync::atomic::{AtomicBool, Ordering};

use riscv::register::{mcause, mepc};
use riscv_rt::TrapFrame;
use semihosting::io::{self, Write};

use super::exit;
use crate::fault::Fault;

/// Whether somebody has opened the host.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// What is told of an exception goes to the console, whoever listens. `None` if somebody else has opened
/// the host.
pub(super) fn tell_by(_: fn(&Fault)) -> Option<()> {
    // Programs have one hart and open the host outside of interrupts: nobody is in between.
    if IS_OPEN.load(Ordering::Relaxed) {
        return None;
    }
    IS_OPEN.store(true, Ordering::Relaxed);
    Some(())
}

// riscv-rt finds it by its name and says what it is given; nothing else has that name.
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

/// The digits of a word. Core's formatting could panic, which no exception should, nor a program that is
/// searched for panics.
fn hexadecimal(word: usize) -> [u8; 8] {
    core::array::from_fn(|place| match (word >> (28 - 4 * place)).to_le_bytes()[0] & 0xf {
        digit @ 0..10 => b'0' + digit,
        digit => b'a' - 10 + digit,
    })
}
