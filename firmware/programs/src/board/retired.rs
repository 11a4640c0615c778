//! The instructions that a RISC-V has retired, which it counts itself: `minstret`.

use riscv::register::minstret;

/// How many bits of it are read.
pub(super) const BITS: u32 = 32;

/// How far it gets in 1 000 instructions of 1 ns (`-icount shift=0`).
pub const TICKS_PER_1000_INSTRUCTIONS: u32 = 1_000;

/// `None` if it was started before: it runs from the start, but belongs to one.
pub(super) fn start() -> Option<()> {
    riscv::singleton!(: () = ()).map(|()| ())
}

/// How far it got, modulo 2^[`BITS`].
#[allow(clippy::cast_possible_truncation)] // a register has 32 bits
pub(super) fn ticks() -> u32 {
    minstret::read() as u32
}
