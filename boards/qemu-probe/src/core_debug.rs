//! The debug registers of a Cortex-M, on a core that knows nothing of them.
//!
//! Source: Armv7-M Architecture Reference Manual, chapter C1.
//!
//! # Important terms
//!
//! - **debug state**: the core is halted for the debugger. A core that was stopped only for a look into
//!   its memory is not in debug state, and goes on afterwards.
//! - **standing still**: stopped because there is no debugger, so that nobody's processor works for it.
//!   The core notices nothing of it.
//! - **wanted**: the addresses at which the core must stop. They become breakpoints of the target
//!   whenever the core is let go.

mod breakpoints;
mod registers;
mod run_control;

use std::collections::BTreeSet;
use std::ops::Range;

use self::breakpoints::{Bkpts, BreakpointUnit};
use self::registers::{
    AIRCR, AIRCR_SYSRESETREQ, AIRCR_VECTKEY, CPUID, DCRDR, DCRSR, DCRSR_REGWNR, DEMCR, DFSR,
    DFSR_HALTED, DHCSR, DHCSR_C_DEBUGEN, DHCSR_C_HALT, DHCSR_C_STEP, DHCSR_CONTROL, DHCSR_DBGKEY,
    DHCSR_S_HALT, DHCSR_S_REGRDY, DHCSR_S_RESET_ST, DHCSR_S_RETIRE_ST,
};
use crate::target::{PC, Stop, Target, TargetError};

/// A core with its debug registers.
#[derive(Debug)]
pub(crate) struct CoreDebug<T> {
    target: T,
    in_debug_state: bool,
    in_reset: bool,
    /// The writable bits of DHCSR.
    control: u32,
    was_reset: bool,
    demcr: u32,
    dfsr: u32,
    dcrdr: u32,
    unit: BreakpointUnit,
    bkpts: Bkpts,
    inserted: BTreeSet<u32>,
    /// Where `HardFault` begins, while that is caught.
    hard_fault: Option<u32>,
}

impl<T: Target> CoreDebug<T> {
    /// Takes over a stopped core and lets it run, as a chip does that gets power. `flash` is where its
    /// programs are.
    pub(crate) fn power_up(mut target: T, flash: Range<u32>) -> Result<Self, TargetError> {
        let cpuid = target.read_word(CPUID)?;
        let mut core = Self {
            target,
            in_debug_state: false,
            in_reset: false,
            control: 0,
            was_reset: true,
            demcr: 0,
            dfsr: 0,
            dcrdr: 0,
            unit: BreakpointUnit::of(cpuid),
            bkpts: Bkpts::new(flash),
            inserted: BTreeSet::new(),
            hard_fault: None,
        };
        core.resume()?;
        Ok(core)
    }

    /// Reads from the system's address space, with the debug registers in it.
    pub(crate) fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TargetError> {
        if !registers::within(address, bytes.len()) {
            return self.while_stopped(|core| core.target.read(address, bytes));
        }
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let word = at & !3;
            let skip = (at - word) as usize;
            let length = rest.len().min(4 - skip);
            let value = match self.read_register(word)? {
                Some(value) => value,
                None => self.while_stopped(|core| core.target.read_word(word))?,
            };
            let (part, tail) = rest.split_at_mut(length);
            part.copy_from_slice(&value.to_le_bytes()[skip..skip + length]);
            rest = tail;
            at = word.wrapping_add(4);
        }
        Ok(())
    }

    /// Writes to the system's address space. A debug register takes whole words.
    pub(crate) fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        if !registers::within(address, bytes.len()) {
            return self.while_stopped(|core| {
                core.target.write(address, bytes)?;
                core.bkpts.written(&mut core.target, address, bytes.len())
            });
        }
        let (words, rest) = bytes.as_chunks::<4>();
        if !address.is_multiple_of(4) || !rest.is_empty() {
            return Err(TargetError::Refused);
        }
        for (&word, at) in words.iter().zip((address..).step_by(4)) {
            if !self.write_register(at, u32::from_le_bytes(word))? {
                self.while_stopped(|core| core.target.write(at, &word))?;
            }
        }
        Ok(())
    }

    /// Drives nRST.
    pub(crate) fn set_reset(&mut self, asserted: bool) -> Result<(), TargetError> {
        match (self.in_reset, asserted) {
            (false, true) => {
                if self.is_running()? {
                    self.target.stop()?;
                }
                self.in_reset = true;
                Ok(())
            }
            (true, false) => {
                self.in_reset = false;
                self.reset()
            }
            _ => Ok(()),
        }
    }

    fn read_register(&mut self, address: u32) -> Result<Option<u32>, TargetError> {
        Ok(Some(match address {
            DHCSR => self.dhcsr()?,
            DCRSR => 0,
            DCRDR => self.dcrdr,
            DEMCR => self.demcr,
            DFSR => {
                self.is_running()?;
                self.dfsr
            }
            _ => return Ok(self.unit.read(address)),
        }))
    }

    /// Returns whether there is such a register.
    fn write_register(&mut self, address: u32, value: u32) -> Result<bool, TargetError> {
        match address {
            DHCSR if value >> 16 == DHCSR_DBGKEY => self.control(value & DHCSR_CONTROL)?,
            DHCSR => {}
            DCRSR => self.transfer_register(value)?,
            DCRDR => self.dcrdr = value,
            DEMCR => {
                self.demcr = value;
                self.rearrange()?;
            }
            DFSR => self.dfsr &= !value,
            AIRCR if value >> 16 == AIRCR_VECTKEY && value & AIRCR_SYSRESETREQ != 0 => {
                self.reset()?;
            }
            _ if self.unit.write(address, value) => self.rearrange()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn dhcsr(&mut self) -> Result<u32, TargetError> {
        let running = self.is_running()?;
        let reset = if self.was_reset { DHCSR_S_RESET_ST } else { 0 };
        self.was_reset = self.in_reset;
        let state = if running { DHCSR_S_RETIRE_ST } else { DHCSR_S_HALT };
        Ok(self.control | DHCSR_S_REGRDY | reset | state)
    }

    /// A write of DHCSR with the key.
    fn control(&mut self, control: u32) -> Result<(), TargetError> {
        let running = self.is_running()?;
        let enabled_before = self.control & DHCSR_C_DEBUGEN;
        self.control = if control & DHCSR_C_DEBUGEN == 0 { 0 } else { control };
        let halt = self.control & DHCSR_C_HALT != 0;
        if self.in_reset {
            return Ok(());
        }
        match (running, halt) {
            (true, true) => {
                while self.is_running()? {
                    if self.target.stop()? == Stop::Requested {
                        self.enter_debug_state(DFSR_HALTED);
                    }
                }
                Ok(())
            }
            (true, false) if enabled_before != self.control & DHCSR_C_DEBUGEN => self.rearrange(),
            (true, false) | (false, true) => Ok(()),
            (false, false) if self.control & DHCSR_C_STEP != 0 => self.step(),
            (false, false) => {
                self.in_debug_state = false;
                self.resume()
            }
        }
    }

    /// A write of DCRSR.
    fn transfer_register(&mut self, value: u32) -> Result<(), TargetError> {
        let register = (value & 0x7F) as u8;
        self.while_stopped(|core| {
            if value & DCRSR_REGWNR == 0 {
                core.dcrdr = core.target.register(register)?;
                return Ok(());
            }
            if register == PC {
                core.bkpts.sent_to(core.dcrdr);
            }
            core.target.set_register(register, core.dcrdr)
        })
    }
}

#[cfg(test)]
pub(crate) mod fake;
#[cfg(test)]
mod tests;
