//! The debug registers of a Cortex-M, emulated on a core without them (Armv7-M ARM, chapter C1).
//!
//! # Important terms
//!
//! - **debug state**: halted for the debugger. A core that is stopped only for a memory access is not in debug state.
//! - **standing still**: stopped because no debugger is connected, which saves the host's processor time.
//! - **wanted**: the addresses at which the core must stop. They become breakpoints of the target at each resume.

mod breakpoints;
mod registers;

use std::collections::BTreeSet;
use std::ops::Range;

use self::breakpoints::{Bkpts, BreakpointUnit, Next, at_pc};
use self::registers::{
    AIRCR, AIRCR_SYSRESETREQ, AIRCR_VECTKEY, CPUID, DCRDR, DCRSR, DCRSR_REGWNR, DEMCR,
    DEMCR_VC_CORERESET, DEMCR_VC_HARDERR, DFSR, DFSR_BKPT, DFSR_HALTED, DFSR_VCATCH, DHCSR,
    DHCSR_C_DEBUGEN, DHCSR_C_HALT, DHCSR_C_STEP, DHCSR_CONTROL, DHCSR_DBGKEY, DHCSR_S_HALT,
    DHCSR_S_REGRDY, DHCSR_S_RESET_ST, DHCSR_S_RETIRE_ST, HARD_FAULT, IPSR, VTOR,
};
use crate::target::{PC, Stop, TargetAccess, TargetError, XPSR};

#[derive(Debug)]
pub(crate) struct CoreDebug<T> {
    target: T,
    in_debug_state: bool,
    in_reset: bool,
    control: u32,
    was_reset: bool,
    demcr: u32,
    dfsr: u32,
    dcrdr: u32,
    unit: BreakpointUnit,
    bkpts: Bkpts,
    inserted: BTreeSet<u32>,
    hard_fault: Option<u32>,
}

impl<T: TargetAccess> CoreDebug<T> {
    /// Resumes a stopped core, as at power-up. `flash` is the memory of programs.
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
            unit: BreakpointUnit::from_cpuid(cpuid),
            bkpts: Bkpts::new(flash),
            inserted: BTreeSet::new(),
            hard_fault: None,
        };
        core.resume()?;
        Ok(core)
    }

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

    /// Debug registers take only whole words.
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

    /// Writes a debug register; returns whether the address has one.
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

    /// Executes one instruction, except a BKPT, which halts the core.
    fn step(&mut self) -> Result<(), TargetError> {
        let reason = match at_pc(&mut self.target)? {
            Next::Bkpt => DFSR_BKPT,
            Next::Wfi { after } => {
                self.target.set_register(PC, after)?;
                DFSR_HALTED
            }
            Next::Other => {
                self.target.step()?;
                DFSR_HALTED
            }
        };
        self.enter_debug_state(reason);
        Ok(())
    }

    /// Resets everything but the debug registers.
    fn reset(&mut self) -> Result<(), TargetError> {
        if self.is_running()? {
            self.target.stop()?;
        }
        self.target.reset()?;
        self.bkpts.rescan(&mut self.target)?;
        self.was_reset = true;
        self.dfsr = 0;
        self.control &= !(DHCSR_C_HALT | DHCSR_C_STEP);
        let enabled = self.control & DHCSR_C_DEBUGEN != 0;
        if enabled && self.demcr & DEMCR_VC_CORERESET != 0 {
            self.enter_debug_state(DFSR_VCATCH);
            return Ok(());
        }
        self.in_debug_state = false;
        self.resume()
    }

    /// Whether the core runs; enters debug state at a breakpoint.
    fn is_running(&mut self) -> Result<bool, TargetError> {
        if self.in_debug_state || self.in_reset {
            return Ok(false);
        }
        if self.target.is_running()? {
            return Ok(true);
        }
        let pc = self.target.register(PC)? & !1;
        if self.hard_fault != Some(pc) {
            self.enter_debug_state(DFSR_BKPT);
        } else if self.target.register(XPSR)? & IPSR == HARD_FAULT {
            self.enter_debug_state(DFSR_VCATCH);
        } else if self.unit.addresses().any(|address| address == pc) {
            self.enter_debug_state(DFSR_BKPT);
        } else {
            // Another exception has the same handler.
            self.target.step()?;
            self.resume()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn enter_debug_state(&mut self, reason: u32) {
        self.in_debug_state = true;
        self.control |= DHCSR_C_HALT;
        self.dfsr |= reason;
    }

    /// Stops the core for `access`, and resumes it if it ran.
    fn while_stopped<R>(
        &mut self,
        access: impl FnOnce(&mut Self) -> Result<R, TargetError>,
    ) -> Result<R, TargetError> {
        let goes_on = self.halt()?;
        let outcome = access(self);
        if goes_on {
            self.resume()?;
        }
        outcome
    }

    /// Stops the core; returns whether it must be resumed before any other call.
    pub(crate) fn halt(&mut self) -> Result<bool, TargetError> {
        Ok(self.is_running()? && self.target.stop()? == Stop::Requested)
    }

    fn rearrange(&mut self) -> Result<(), TargetError> {
        if self.is_running()? { self.while_stopped(|_| Ok(())) } else { Ok(()) }
    }

    pub(crate) fn resume(&mut self) -> Result<(), TargetError> {
        let wanted = self.wanted()?;
        for &address in self.inserted.difference(&wanted) {
            self.target.remove_breakpoint(address)?;
        }
        for &address in wanted.difference(&self.inserted) {
            self.target.insert_breakpoint(address)?;
        }
        self.inserted = wanted;
        self.target.resume()
    }

    /// The addresses at which the core must stop; none without a debugger.
    fn wanted(&mut self) -> Result<BTreeSet<u32>, TargetError> {
        self.hard_fault = None;
        if self.control & DHCSR_C_DEBUGEN == 0 {
            return Ok(BTreeSet::new());
        }
        if self.demcr & DEMCR_VC_HARDERR != 0 {
            self.hard_fault = self.hard_fault_handler()?;
        }
        Ok(self.unit.addresses().chain(self.bkpts.addresses()).chain(self.hard_fault).collect())
    }

    /// The address of the handler, or `None` if the vector table is erased.
    fn hard_fault_handler(&mut self) -> Result<Option<u32>, TargetError> {
        let table = self.target.read_word(VTOR)?;
        match self.target.read_word(table.wrapping_add(4 * HARD_FAULT)) {
            Ok(0 | u32::MAX) | Err(TargetError::Refused) => Ok(None),
            Ok(vector) => Ok(Some(vector & !1)),
            Err(gone) => Err(gone),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
