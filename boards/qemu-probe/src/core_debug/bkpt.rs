//! BKPT instructions: a core without halting debug would take a fault from them, so they are found in
//! what programs are made of and become breakpoints.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use super::registers::last;
use crate::target::{Fault, PC, Target, WFI};

/// BKPT #0xAB, the call of semihosting.
const SEMIHOSTING: u16 = 0xBEAB;
/// BKPT #0: `cortex_m::asm::bkpt`, and where the flash algorithms of a debugger return to.
const PLAIN: u16 = 0xBE00;

/// How much is read at once.
const CHUNK: usize = 2048;

/// The BKPT instructions that are known.
#[derive(Debug)]
pub(super) struct Bkpts {
    flash: Range<u32>,
    /// A program in RAM may have changed the flash.
    stale: bool,
    addresses: BTreeSet<u32>,
}

impl Bkpts {
    /// None, as in an empty `flash`.
    pub(super) const fn new(flash: Range<u32>) -> Self {
        Self { flash, stale: false, addresses: BTreeSet::new() }
    }

    /// Where they are.
    pub(super) fn addresses(&self) -> impl Iterator<Item = u32> {
        self.addresses.iter().copied()
    }

    /// Looks at what the debugger wrote. It is refused if there is no memory, of which QEMU says nothing
    /// when it is written to.
    pub(super) fn written<T: Target>(
        &mut self,
        target: &mut T,
        address: u32,
        length: usize,
    ) -> Result<(), Fault> {
        match last(address, length) {
            Some(last) if executable(address) => self.scan(target, address & !1..=last | 1),
            _ => Ok(()),
        }
    }

    /// Takes note of where the debugger sends the core. A program in RAM can be a flash algorithm,
    /// which changes the flash from within.
    pub(super) fn sent_to(&mut self, pc: u32) {
        self.stale |= !self.flash.contains(&pc);
    }

    /// Looks at the flash, if it may have changed.
    pub(super) fn rescan<T: Target>(&mut self, target: &mut T) -> Result<(), Fault> {
        let Range { start, end } = self.flash;
        if std::mem::take(&mut self.stale) && start < end {
            return self.scan(target, start & !1..=(end - 1) | 1);
        }
        Ok(())
    }

    fn scan<T: Target>(&mut self, target: &mut T, range: RangeInclusive<u32>) -> Result<(), Fault> {
        self.addresses.retain(|address| !range.contains(address));
        let mut chunk = [0; CHUNK];
        for start in range.clone().step_by(CHUNK) {
            let bytes = (range.end() - start) as usize + 1;
            let bytes = &mut chunk[..bytes.min(CHUNK)];
            target.read(start, bytes)?;
            let halfwords = bytes.as_chunks::<2>().0.iter().copied().map(u16::from_le_bytes);
            let found = halfwords
                .zip((start..=u32::MAX).step_by(2))
                .filter(|(halfword, _)| matches!(*halfword, SEMIHOSTING | PLAIN));
            self.addresses.extend(found.map(|(_, address)| address));
        }
        Ok(())
    }
}

/// Whether programs can be there, and reading has no effect: not in Peripheral, Device and System.
const fn executable(address: u32) -> bool {
    matches!(address >> 29, 0 | 1 | 3 | 4)
}

/// What a step would execute.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Bkpt,
    /// Being in debug state wakes a core, so WFI does nothing.
    Wfi {
        after: u32,
    },
    Other,
}

/// What is at the program counter.
pub(super) fn at_pc<T: Target>(target: &mut T) -> Result<Next, Fault> {
    let pc = target.register(PC)? & !1;
    let mut code = [0; 2];
    match target.read(pc, &mut code) {
        Err(Fault::Refused) => return Ok(Next::Other),
        outcome => outcome?,
    }
    Ok(match u16::from_le_bytes(code) {
        WFI => Next::Wfi { after: pc.wrapping_add(2) },
        code if code & 0xFF00 == PLAIN => Next::Bkpt,
        _ => Next::Other,
    })
}
