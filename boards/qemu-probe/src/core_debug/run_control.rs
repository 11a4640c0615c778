//! Running, stepping and resetting the core, and what it comes to meanwhile.

use std::collections::BTreeSet;

use super::CoreDebug;
use super::breakpoints::{Next, at_pc};
use super::registers::{
    DEMCR_VC_CORERESET, DEMCR_VC_HARDERR, DFSR_BKPT, DFSR_HALTED, DFSR_VCATCH, DHCSR_C_DEBUGEN,
    DHCSR_C_HALT, DHCSR_C_STEP, HARD_FAULT, IPSR, VTOR,
};
use crate::target::{PC, Stop, Target, TargetError, XPSR};

impl<T: Target> CoreDebug<T> {
    /// Executes one instruction; a BKPT halts the core where it is, as it does in debug state.
    pub(super) fn step(&mut self) -> Result<(), TargetError> {
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

    /// A system reset. The debug registers live on.
    pub(super) fn reset(&mut self) -> Result<(), TargetError> {
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

    /// Whether the core runs, after a look at what it came to meanwhile.
    pub(super) fn is_running(&mut self) -> Result<bool, TargetError> {
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
            // Another exception shares HardFault's handler.
            self.target.step()?;
            self.resume()?;
            return Ok(true);
        }
        Ok(false)
    }

    pub(super) fn enter_debug_state(&mut self, reason: u32) {
        self.in_debug_state = true;
        self.control |= DHCSR_C_HALT;
        self.dfsr |= reason;
    }

    /// Does something for which the core must not run, and lets it go on if it did.
    pub(super) fn while_stopped<R>(
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

    /// Stops the core if it runs; then it is to be let go again, and nothing else asked of it before.
    pub(crate) fn halt(&mut self) -> Result<bool, TargetError> {
        Ok(self.is_running()? && self.target.stop()? == Stop::Requested)
    }

    /// Brings a running core's breakpoints up to date.
    pub(super) fn rearrange(&mut self) -> Result<(), TargetError> {
        if self.is_running()? { self.while_stopped(|_| Ok(())) } else { Ok(()) }
    }

    /// Lets the core run, with its breakpoints up to date.
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

    /// Where the core must stop. Without a debugger a BKPT is its own affair.
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

    /// What the vector table says, unless it is erased.
    fn hard_fault_handler(&mut self) -> Result<Option<u32>, TargetError> {
        let table = self.target.read_word(VTOR)?;
        match self.target.read_word(table.wrapping_add(4 * HARD_FAULT)) {
            Ok(0 | u32::MAX) | Err(TargetError::Refused) => Ok(None),
            Ok(vector) => Ok(Some(vector & !1)),
            Err(gone) => Err(gone),
        }
    }
}
