//! The breakpoint unit (FPB of Armv7-M and Armv8-M, BPU of Armv6-M) and BKPT instructions. A core without halting
//! debug takes a fault at a BKPT, so BKPTs in programs become breakpoints.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use super::registers::{FP_COMP0, FP_CTRL, FP_CTRL_ENABLE, FP_CTRL_KEY, last};
use crate::target::{PC, TargetAccess, TargetError, WFI};

#[derive(Debug)]
pub(super) struct BreakpointUnit {
    revision: Revision,
    count: u32,
    enabled: bool,
    comparators: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Revision {
    /// Compares words below `0x2000_0000`, and selects one halfword or both.
    One,
    /// Compares halfwords anywhere.
    Two,
}

impl BreakpointUnit {
    pub(super) fn from_cpuid(cpuid: u32) -> Self {
        let (revision, count) = match cpuid >> 4 & 0xFFF {
            0xC20 | 0xC60 => (Revision::One, 4), // Cortex-M0, M0+
            0xC23 | 0xC24 => (Revision::One, 6), // Cortex-M3, M4
            0xD20 => (Revision::Two, 4),         // Cortex-M23
            _ => (Revision::Two, 8),
        };
        Self { revision, count, enabled: false, comparators: vec![0; count as usize] }
    }

    pub(super) fn read(&self, address: u32) -> Option<u32> {
        if address == FP_CTRL {
            let revision = u32::from(self.revision == Revision::Two) << 28;
            return Some(revision | self.count << 4 | u32::from(self.enabled));
        }
        self.comparators.get(index(address)?).copied()
    }

    /// Writes a register; returns whether the unit has it.
    pub(super) fn write(&mut self, address: u32, value: u32) -> bool {
        if address == FP_CTRL {
            if value & FP_CTRL_KEY != 0 {
                self.enabled = value & FP_CTRL_ENABLE != 0;
            }
            return true;
        }
        let comparator = index(address).and_then(|index| self.comparators.get_mut(index));
        comparator.map(|comparator| *comparator = value).is_some()
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = u32> {
        let comparators = if self.enabled { self.comparators.as_slice() } else { &[] };
        comparators.iter().filter(|&comparator| comparator & 1 != 0).flat_map(|&comparator| {
            let (word, lower, upper) = match self.revision {
                Revision::One => {
                    (comparator & 0x1FFF_FFFC, comparator & 1 << 30 != 0, comparator & 1 << 31 != 0)
                }
                Revision::Two => (comparator & !3, comparator & 2 == 0, comparator & 2 != 0),
            };
            [lower.then_some(word), upper.then_some(word | 2)].into_iter().flatten()
        })
    }
}

fn index(address: u32) -> Option<usize> {
    let offset = address.checked_sub(FP_COMP0)?;
    offset.is_multiple_of(4).then_some(offset as usize / 4)
}

const SEMIHOSTING: u16 = 0xBEAB;
/// BKPT #0: `cortex_m::asm::bkpt`, and the return address of flash algorithms.
const PLAIN: u16 = 0xBE00;

const CHUNK: usize = 2048;

#[derive(Debug)]
pub(super) struct Bkpts {
    flash: Range<u32>,
    /// Whether a program in RAM may have changed the flash.
    stale: bool,
    addresses: BTreeSet<u32>,
}

impl Bkpts {
    pub(super) const fn new(flash: Range<u32>) -> Self {
        Self { flash, stale: false, addresses: BTreeSet::new() }
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = u32> {
        self.addresses.iter().copied()
    }

    /// Searches memory that the debugger wrote, and fails where there is none: QEMU reports that only for reads.
    pub(super) fn written<T: TargetAccess>(
        &mut self,
        target: &mut T,
        address: u32,
        length: usize,
    ) -> Result<(), TargetError> {
        match last(address, length) {
            Some(last) if executable(address) => self.scan(target, address & !1..=last | 1),
            _ => Ok(()),
        }
    }

    /// Notes a start by the debugger: a program in RAM can be a flash algorithm.
    pub(super) fn sent_to(&mut self, pc: u32) {
        self.stale |= !self.flash.contains(&pc);
    }

    pub(super) fn rescan<T: TargetAccess>(&mut self, target: &mut T) -> Result<(), TargetError> {
        let Range { start, end } = self.flash;
        if std::mem::take(&mut self.stale) && start < end {
            return self.scan(target, start & !1..=(end - 1) | 1);
        }
        Ok(())
    }

    fn scan<T: TargetAccess>(
        &mut self,
        target: &mut T,
        range: RangeInclusive<u32>,
    ) -> Result<(), TargetError> {
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

/// Whether an address can hold programs and be read without side effects.
const fn executable(address: u32) -> bool {
    matches!(address >> 29, 0 | 1 | 3 | 4)
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Bkpt,
    /// WFI does nothing, because debug state wakes the core.
    Wfi {
        after: u32,
    },
    Other,
}

pub(super) fn at_pc<T: TargetAccess>(target: &mut T) -> Result<Next, TargetError> {
    let pc = target.register(PC)? & !1;
    let mut code = [0; 2];
    match target.read(pc, &mut code) {
        Err(TargetError::Refused) => return Ok(Next::Other),
        outcome => outcome?,
    }
    Ok(match u16::from_le_bytes(code) {
        WFI => Next::Wfi { after: pc.wrapping_add(2) },
        code if code & 0xFF00 == PLAIN => Next::Bkpt,
        _ => Next::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORTEX_M4: u32 = 0x410F_C240;
    const CORTEX_M33: u32 = 0x410F_D213;

    fn unit(cpuid: u32, comparators: &[u32]) -> BreakpointUnit {
        let mut unit = BreakpointUnit::from_cpuid(cpuid);
        assert!(unit.write(FP_CTRL, 3));
        for (&comparator, address) in comparators.iter().zip((FP_COMP0..).step_by(4)) {
            assert!(unit.write(address, comparator));
        }
        unit
    }

    fn addresses(unit: &BreakpointUnit) -> Vec<u32> {
        unit.addresses().collect()
    }

    #[test]
    fn revision_one_picks_halves_of_words() {
        let unit = unit(CORTEX_M4, &[0x4000_0101, 0x8000_0201, 0xC000_0301, 0x4000_0400]);
        assert_eq!(addresses(&unit), [0x100, 0x202, 0x300, 0x302]);
        assert_eq!(unit.read(FP_CTRL), Some(6 << 4 | 1));
        assert_eq!(unit.read(FP_COMP0 + 4), Some(0x8000_0201));
    }

    #[test]
    fn revision_two_compares_any_address() {
        let unit = unit(CORTEX_M33, &[0x1000_0101, 0x3800_0203]);
        assert_eq!(addresses(&unit), [0x1000_0100, 0x3800_0202]);
        assert_eq!(unit.read(FP_CTRL), Some(1 << 28 | 8 << 4 | 1));
    }

    #[test]
    fn the_unit_obeys_its_key_and_its_switch() {
        let mut unit = unit(CORTEX_M4, &[0x4000_0101]);
        assert!(unit.write(FP_CTRL, 0));
        assert_eq!(addresses(&unit), [0x100]);
        assert!(unit.write(FP_CTRL, FP_CTRL_KEY));
        assert_eq!(addresses(&unit), [0; 0]);
    }

    #[test]
    fn other_registers_are_not_the_units() {
        let mut unit = unit(CORTEX_M4, &[]);
        assert!(!unit.write(FP_COMP0 + 4 * 6, 1));
        assert_eq!(unit.read(FP_COMP0 + 4 * 6), None);
        assert_eq!(unit.read(FP_CTRL + 4), None);
    }
}
