//! Writes to the registers of devices and of the system. What the stub writes as memory reaches RAM and ROM and
//! leaves out every device, without a word.

use super::Gdb;
use crate::target::{PC, Target, TargetError, XPSR};

/// How an address is written to. Source: Armv7-M ARM, B3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    /// Code, SRAM and RAM.
    Memory,
    /// Peripheral and Device, which the stub reaches by physical addresses.
    Device,
    /// System, which only the core reaches.
    System,
}

impl Region {
    pub(super) const fn of(address: u32) -> Self {
        match address >> 29 {
            0 | 1 | 3 | 4 => Self::Memory,
            7 => Self::System,
            _ => Self::Device,
        }
    }
}

const R0: u8 = 0;
const R1: u8 = 1;
/// STR R0, \[R1\]
const STR: u16 = 0x6008;
/// STRH R0, \[R1\]
const STRH: u16 = 0x8008;
/// STRB R0, \[R1\]
const STRB: u16 = 0x7008;
/// The bits of EPSR that make the next instruction conditional, or continue one.
const EPSR_ICI_IT: u32 = 0x0600_FC00;

impl Gdb {
    /// Writes to a device, in one access if it can be one.
    pub(super) fn write_device(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        self.connection.order("Qqemu.PhyMemMode:1")?;
        let outcome = self.write_memory(address, bytes);
        self.connection.order("Qqemu.PhyMemMode:0")?;
        outcome
    }

    /// Has the core store each unit of `bytes`.
    pub(super) fn write_system(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (size, instruction) = match rest.len() {
                4.. if at.is_multiple_of(4) => (4_u8, STR),
                2.. if at.is_multiple_of(2) => (2, STRH),
                _ => (1, STRB),
            };
            let (unit, tail) = rest.split_at(size.into());
            let mut word = [0; 4];
            word[..unit.len()].copy_from_slice(unit);
            self.store(instruction, at, u32::from_le_bytes(word))?;
            (at, rest) = (at.wrapping_add(size.into()), tail);
        }
        Ok(())
    }

    /// Executes a store instead of the next instruction, and puts everything back.
    fn store(&mut self, instruction: u16, address: u32, value: u32) -> Result<(), TargetError> {
        const SAVED: [u8; 4] = [R0, R1, XPSR, PC];
        let mut saved = [0; SAVED.len()];
        for (value, register) in saved.iter_mut().zip(SAVED) {
            *value = self.register(register)?;
        }
        let [.., xpsr, pc] = saved;
        let mut code = [0; 2];
        self.read(pc, &mut code)?;

        self.write_memory(pc, &instruction.to_le_bytes())?;
        self.set_register(R0, value)?;
        self.set_register(R1, address)?;
        self.set_register(XPSR, xpsr & !EPSR_ICI_IT)?;
        self.step()?;
        let stored = self.register(PC)? == pc.wrapping_add(2);
        self.write_memory(pc, &code)?;
        if !stored && self.register(PC)? != pc {
            // The store faulted, and what the core does now is its own affair.
            return Err(TargetError::Refused);
        }
        for (value, register) in saved.into_iter().zip(SAVED) {
            self.set_register(register, value)?;
        }
        if stored { Ok(()) } else { Err(TargetError::Refused) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_those_of_the_architecture() {
        for (address, region) in [
            (0x0000_0000, Region::Memory),
            (0x3FFF_FFFF, Region::Memory),
            (0x4000_0000, Region::Device),
            (0x6000_0000, Region::Memory),
            (0x9FFF_FFFF, Region::Memory),
            (0xA000_0000, Region::Device),
            (0xDFFF_FFFF, Region::Device),
            (0xE000_ED08, Region::System),
            (0xFFFF_FFFF, Region::System),
        ] {
            assert_eq!(Region::of(address), region, "{address:#x}");
        }
    }
}
