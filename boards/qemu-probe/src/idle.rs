//! A program that does nothing: a core with an empty flash would lock up, and QEMU with it.

use crate::target::{Fault, Target};

/// `b .`
const LOOP: u16 = 0xE7FE;
/// How many vectors an Armv7-M has for the system.
const VECTORS: u32 = 16;
/// Where the main stack begins: RAM on most chips; the program does not use it.
const STACK: u32 = 0x2000_1000;

/// Puts the program into an empty flash, and resets.
pub(crate) fn fill<T: Target>(target: &mut T, flash: u32) -> Result<(), Fault> {
    let reset_vector = target.read_word(flash.wrapping_add(4))?;
    if matches!(reset_vector, 0 | u32::MAX) {
        target.write(flash, &program(flash))?;
        target.reset()?;
    }
    Ok(())
}

/// A vector table and two loops, so that a caught fault does not look like the program itself.
fn program(flash: u32) -> Vec<u8> {
    let reset = flash.wrapping_add(4 * VECTORS) | 1;
    let fault = reset.wrapping_add(2);
    let vectors = [STACK, reset].into_iter().chain((2..VECTORS).map(|_| fault));
    vectors
        .flat_map(u32::to_le_bytes)
        .chain([LOOP, LOOP].into_iter().flat_map(u16::to_le_bytes))
        .collect()
}
