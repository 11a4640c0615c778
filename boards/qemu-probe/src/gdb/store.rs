//! Writes to registers. What the stub writes as memory reaches RAM and ROM and leaves out every device,
//! without a word.

use super::Gdb;
use crate::target::{Fault, PC, Target, XPSR};

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
    pub(super) fn write_device(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.connection.order("Qqemu.PhyMemMode:1")?;
        let outcome = self.write_memory(address, bytes);
        self.connection.order("Qqemu.PhyMemMode:0")?;
        outcome
    }

    /// Has the core store each unit of `bytes`.
    pub(super) fn write_system(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
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
    fn store(&mut self, instruction: u16, address: u32, value: u32) -> Result<(), Fault> {
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
            return Err(Fault::Refused);
        }
        for (value, register) in saved.into_iter().zip(SAVED) {
            self.set_register(register, value)?;
        }
        if stored { Ok(()) } else { Err(Fault::Refused) }
    }
}
