//! What an emulated RISC-V does with an exception: it says which and where, and ends.

use riscv::register::{mcause, mepc};
use riscv_rt::TrapFrame;
use semihosting::io::{self, Write};

use super::exit;

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
