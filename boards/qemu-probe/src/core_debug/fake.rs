//! A target for tests: memory that is a map, a core that stops when it is told to.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::target::{PC, RegSel, Stop, Target, TargetError};

/// Where accesses are refused.
pub(crate) const HOLE: u32 = 0x6000_0000;

/// What would happen to a real core, as far as the debug registers need it.
#[derive(Debug, Default)]
pub(crate) struct Fake {
    pub(crate) running: bool,
    pub(crate) memory: BTreeMap<u32, u8>,
    pub(crate) registers: BTreeMap<RegSel, u32>,
    pub(crate) breakpoints: BTreeSet<u32>,
    pub(crate) steps: u32,
    pub(crate) resets: u32,
    /// How often the core was stopped.
    pub(crate) stops: u32,
    /// The next stop turns out to be a breakpoint's.
    pub(crate) event_before_stop: bool,
    pub(crate) gone: Arc<AtomicBool>,
    /// Whether it runs, for whoever has given it away.
    pub(crate) runs: Arc<AtomicBool>,
}

impl Fake {
    /// A core whose CPUID is a Cortex-M4's.
    pub(crate) fn cortex_m4() -> Self {
        let mut fake = Self::default();
        fake.put(0xE000_ED00, &0x410F_C241_u32.to_le_bytes());
        fake
    }

    pub(crate) fn put(&mut self, address: u32, bytes: &[u8]) {
        self.memory.extend((address..=u32::MAX).zip(bytes.iter().copied()));
    }

    /// The core runs into a breakpoint.
    pub(crate) fn reach(&mut self, pc: u32) {
        assert!(self.running && self.breakpoints.contains(&pc), "no breakpoint at {pc:#x}");
        self.registers.insert(PC, pc);
        self.running = false;
    }

    fn reachable(&self) -> Result<(), TargetError> {
        if self.gone.load(Relaxed) {
            Err(TargetError::Gone(ErrorKind::UnexpectedEof.into()))
        } else {
            Ok(())
        }
    }

    fn stopped(&self) -> Result<(), TargetError> {
        assert!(!self.running, "this needs a stopped core");
        self.reachable()
    }
}

impl Target for Fake {
    fn is_running(&mut self) -> Result<bool, TargetError> {
        self.reachable()?;
        Ok(self.running)
    }

    fn stop(&mut self) -> Result<Stop, TargetError> {
        assert!(self.running, "a stopped core is stopped");
        self.reachable()?;
        self.running = false;
        self.runs.store(false, Relaxed);
        self.stops += 1;
        let event = std::mem::take(&mut self.event_before_stop);
        Ok(if event { Stop::Event } else { Stop::Requested })
    }

    fn resume(&mut self) -> Result<(), TargetError> {
        self.stopped()?;
        self.running = true;
        self.runs.store(true, Relaxed);
        Ok(())
    }

    fn step(&mut self) -> Result<(), TargetError> {
        self.stopped()?;
        *self.registers.entry(PC).or_default() += 2;
        self.steps += 1;
        Ok(())
    }

    fn reset(&mut self) -> Result<(), TargetError> {
        self.stopped()?;
        self.registers.clear();
        self.resets += 1;
        Ok(())
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TargetError> {
        self.stopped()?;
        for (byte, at) in bytes.iter_mut().zip(address..=u32::MAX) {
            *byte = match at {
                HOLE.. if at < 0xE000_0000 => return Err(TargetError::Refused),
                _ => self.memory.get(&at).copied().unwrap_or(0),
            };
        }
        Ok(())
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        self.read(address, &mut bytes.to_vec())?;
        self.put(address, bytes);
        Ok(())
    }

    fn register(&mut self, register: RegSel) -> Result<u32, TargetError> {
        self.stopped()?;
        Ok(self.registers.get(&register).copied().unwrap_or(0))
    }

    fn set_register(&mut self, register: RegSel, value: u32) -> Result<(), TargetError> {
        self.stopped()?;
        self.registers.insert(register, value);
        Ok(())
    }

    fn insert_breakpoint(&mut self, address: u32) -> Result<(), TargetError> {
        self.stopped()?;
        assert!(self.breakpoints.insert(address), "{address:#x} has a breakpoint already");
        Ok(())
    }

    fn remove_breakpoint(&mut self, address: u32) -> Result<(), TargetError> {
        self.stopped()?;
        assert!(self.breakpoints.remove(&address), "{address:#x} has no breakpoint");
        Ok(())
    }
}
