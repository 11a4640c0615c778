//! Tests of the debug registers on a fake target.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::registers::*;
use super::*;
use crate::target::RegSel;

/// The address from which on accesses fail.
pub(crate) const HOLE: u32 = 0x6000_0000;

#[derive(Debug, Default)]
pub(crate) struct Fake {
    pub(crate) running: bool,
    pub(crate) memory: BTreeMap<u32, u8>,
    pub(crate) registers: BTreeMap<RegSel, u32>,
    pub(crate) breakpoints: BTreeSet<u32>,
    pub(crate) steps: u32,
    pub(crate) resets: u32,
    pub(crate) stops: u32,
    /// Makes a breakpoint the cause of the next stop.
    pub(crate) event_before_stop: bool,
    pub(crate) gone: Arc<AtomicBool>,
    /// Whether the core runs; shared, because the fake is moved.
    pub(crate) runs: Arc<AtomicBool>,
}

impl Fake {
    pub(crate) fn cortex_m4() -> Self {
        let mut fake = Self::default();
        fake.put(0xE000_ED00, &0x410F_C241_u32.to_le_bytes());
        fake
    }

    pub(crate) fn put(&mut self, address: u32, bytes: &[u8]) {
        self.memory.extend((address..=u32::MAX).zip(bytes.iter().copied()));
    }

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

impl TargetAccess for Fake {
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

const RAM: u32 = 0x2000_0000;
const FLASH: Range<u32> = 0..0x1000;
const KEY: u32 = DHCSR_DBGKEY << 16;
const HALT: u32 = KEY | DHCSR_C_DEBUGEN | DHCSR_C_HALT;
const RUN: u32 = KEY | DHCSR_C_DEBUGEN;
const STEP: u32 = RUN | DHCSR_C_STEP;
const RESET: u32 = AIRCR_VECTKEY << 16 | AIRCR_SYSRESETREQ;

fn core() -> CoreDebug<Fake> {
    CoreDebug::power_up(Fake::cortex_m4(), FLASH).unwrap()
}

impl CoreDebug<Fake> {
    fn read_word(&mut self, address: u32) -> Result<u32, TargetError> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn poke(&mut self, address: u32, value: u32) {
        self.write(address, &value.to_le_bytes()).unwrap();
    }

    fn peek(&mut self, address: u32) -> u32 {
        self.read_word(address).unwrap()
    }

    fn halted(&mut self) -> bool {
        self.peek(DHCSR) & DHCSR_S_HALT != 0
    }

    fn reason(&mut self) -> u32 {
        let reason = self.peek(DFSR);
        self.poke(DFSR, reason);
        reason
    }
}

#[test]
fn a_chip_with_power_runs_and_knows_of_its_reset_once() {
    let mut core = core();
    assert!(core.target.running);
    let status = core.peek(DHCSR);
    assert_eq!(status, DHCSR_S_REGRDY | DHCSR_S_RESET_ST | DHCSR_S_RETIRE_ST);
    assert_eq!(core.peek(DHCSR) & DHCSR_S_RESET_ST, 0);
}

#[test]
fn a_core_stands_still_and_resumes() {
    let mut core = core();
    assert!(core.halt().unwrap() && !core.target.running);
    core.resume().unwrap();
    assert!(core.target.running);
    core.poke(DHCSR, HALT);
    assert!(!core.halt().unwrap());
    assert!(!core.target.running && core.halted());
}

#[test]
fn a_breakpoint_that_is_reached_at_a_stop_counts() {
    let stops: [fn(&mut CoreDebug<Fake>); 2] = [
        |core| assert!(!core.halt().unwrap()),
        |core| {
            core.peek(RAM);
        },
    ];
    for stop in stops {
        let mut core = core();
        core.poke(DHCSR, RUN);
        core.target.event_before_stop = true;
        stop(&mut core);
        assert!(core.halted());
        assert_eq!(core.reason(), DFSR_BKPT);
    }
}

#[test]
fn halt_and_run_need_the_key() {
    let mut core = core();
    core.poke(DHCSR, HALT & 0xFFFF);
    assert!(!core.halted());
    core.poke(DHCSR, HALT);
    assert!(core.halted());
    assert_eq!(core.reason(), DFSR_HALTED);
    assert_eq!(core.reason(), 0);
    core.poke(DHCSR, RUN);
    assert!(!core.halted());
}

#[test]
fn without_debugen_nothing_halts() {
    let mut core = core();
    core.poke(DHCSR, KEY | DHCSR_C_HALT);
    assert!(!core.halted());
    core.poke(DHCSR, HALT);
    core.poke(DHCSR, KEY);
    assert!(core.target.running);
}

#[test]
fn memory_of_a_running_core_is_accessed_in_a_pause() {
    let mut core = core();
    core.poke(RAM, 0x1234_5678);
    assert_eq!(core.peek(RAM), 0x1234_5678);
    assert!(core.target.running && core.target.stops == 2);
    assert!(matches!(core.read_word(HOLE), Err(TargetError::Refused)));
    assert!(core.target.running);
}

#[test]
fn debug_registers_are_read_without_a_pause() {
    let mut core = core();
    for address in [DHCSR, DCRDR, DEMCR, DFSR, FP_CTRL, FP_COMP0] {
        core.peek(address);
    }
    assert_eq!(core.target.stops, 0);
}

#[test]
fn a_comparator_of_a_running_core_counts_at_once() {
    let mut core = core();
    core.poke(DHCSR, RUN);
    core.poke(FP_COMP0, 0x4000_0101);
    core.poke(FP_CTRL, 3);
    core.target.reach(0x100);
    assert_eq!(core.reason(), DFSR_BKPT);
}

#[test]
fn a_step_never_executes_bkpt_and_passes_wfi() {
    let mut core = core();
    core.poke(DHCSR, HALT);
    core.reason();
    core.poke(RAM, 0xBF30_BEAB);
    core.target.registers.insert(PC, RAM);
    core.poke(DHCSR, STEP);
    assert_eq!(core.reason(), DFSR_BKPT);
    assert_eq!(core.target.registers.get(&PC), Some(&RAM));
    core.target.registers.insert(PC, RAM + 2);
    core.poke(DHCSR, STEP);
    assert_eq!(core.target.registers.get(&PC), Some(&(RAM + 4)));
    assert_eq!(core.target.steps, 0);
}

#[test]
fn semihosting_stops_a_core_with_a_debugger_only() {
    let mut core = core();
    core.poke(0x200, 0x0000_BEAB);
    core.poke(RAM + 8, 0xBE00_BE00);
    assert!(core.target.breakpoints.is_empty());
    core.poke(DHCSR, RUN);
    assert_eq!(core.target.breakpoints, BTreeSet::from([0x200, RAM + 8, RAM + 10]));
    core.poke(RAM + 8, 0);
    assert_eq!(core.target.breakpoints, BTreeSet::from([0x200]));
    core.target.reach(0x200);
    assert_eq!(core.reason(), DFSR_BKPT);
    core.poke(DHCSR, KEY);
    assert!(core.target.breakpoints.is_empty());
}

#[test]
fn a_bkpt_across_two_writes_is_found() {
    let mut core = core();
    core.poke(DHCSR, RUN);
    core.write(RAM, &[0xAB]).unwrap();
    core.write(RAM + 1, &[0xBE]).unwrap();
    assert_eq!(core.target.breakpoints, BTreeSet::from([RAM]));
}

#[test]
fn flashed_bytes_are_searched_after_a_reset() {
    let mut core = core();
    core.poke(DHCSR, HALT);
    core.target.put(FLASH.end - 2, &[0xAB, 0xBE, 0xAB, 0xBE]);
    for (pc, found) in [(0x100, BTreeSet::new()), (RAM, BTreeSet::from([FLASH.end - 2]))] {
        core.poke(DCRDR, pc);
        core.poke(DCRSR, DCRSR_REGWNR | u32::from(PC));
        core.poke(AIRCR, RESET);
        assert_eq!(core.target.breakpoints, found);
        core.poke(DHCSR, HALT);
    }
}

#[test]
fn a_reset_runs_or_is_caught() {
    let mut core = core();
    core.poke(DHCSR, HALT);
    core.peek(DHCSR);
    core.poke(AIRCR, RESET & 0xFFFF);
    assert_eq!(core.target.resets, 0);
    core.poke(AIRCR, RESET);
    assert_eq!(core.peek(DHCSR) & (DHCSR_S_RESET_ST | DHCSR_S_HALT), DHCSR_S_RESET_ST);
    core.poke(DEMCR, DEMCR_VC_CORERESET);
    core.poke(AIRCR, RESET);
    assert!(core.halted());
    assert_eq!(core.reason(), DFSR_VCATCH);
}

#[test]
fn the_reset_pin_holds_the_core() {
    let mut core = core();
    core.poke(DHCSR, RUN);
    core.set_reset(true).unwrap();
    core.set_reset(true).unwrap();
    assert!(!core.target.running && core.target.resets == 0);
    core.poke(DEMCR, DEMCR_VC_CORERESET);
    core.set_reset(false).unwrap();
    core.set_reset(false).unwrap();
    assert_eq!(core.target.resets, 1);
    assert_eq!(core.reason(), DFSR_VCATCH);
}

fn core_catching_hard_faults(vector: u32) -> CoreDebug<Fake> {
    let mut core = core();
    core.poke(4 * HARD_FAULT, vector);
    core.poke(DHCSR, RUN);
    core.poke(DEMCR, DEMCR_VC_HARDERR);
    core
}

#[test]
fn a_hard_fault_is_caught_at_its_handler_but_no_other_exception() {
    let mut core = core_catching_hard_faults(0x301);
    core.target.registers.insert(XPSR, 0x0100_0000 | HARD_FAULT);
    core.target.reach(0x300);
    assert_eq!(core.reason(), DFSR_VCATCH);
    core.poke(DEMCR, 0);
    core.poke(DHCSR, RUN);
    assert!(core.target.breakpoints.is_empty());

    let mut core = core_catching_hard_faults(0x301);
    core.target.registers.insert(XPSR, 15);
    core.target.reach(0x300);
    assert!(!core.halted());
    assert!(core.target.running && core.target.steps == 1);

    // An erased vector table catches nothing.
    assert!(core_catching_hard_faults(u32::MAX).target.breakpoints.is_empty());
}

#[test]
fn an_access_may_cover_registers_and_memory() {
    let mut core = core();
    core.target.put(DHCSR - 4, &[1, 2, 3, 4]);
    core.poke(DEMCR, 0x0102_0304);
    let mut bytes = [0; 20];
    core.read(DHCSR - 4, &mut bytes).unwrap();
    assert_eq!((&bytes[..4], &bytes[16..]), ([1, 2, 3, 4].as_slice(), [4, 3, 2, 1].as_slice()));
    let mut byte = [0];
    core.read(DEMCR + 1, &mut byte).unwrap();
    assert_eq!(byte, [3]);
    assert!(matches!(core.write(DEMCR + 1, &byte), Err(TargetError::Refused)));
    core.write(CPUID + 0x18, &byte).unwrap();
}

#[test]
fn the_end_of_the_address_space_is_an_end() {
    let mut core = core();
    core.read(u32::MAX, &mut [0]).unwrap();
    core.write(u32::MAX, &[0]).unwrap();
    core.write(u32::MAX - 1, &[0xAB, 0xBE]).unwrap();
    core.read(0, &mut []).unwrap();
    core.write(0, &[]).unwrap();
}

#[test]
fn a_target_that_is_gone_is_reported() {
    let mut core = core();
    core.target.gone.store(true, Relaxed);
    assert!(matches!(core.read_word(DHCSR), Err(TargetError::Gone(_))));
    assert!(matches!(core.write(RAM, &[0]), Err(TargetError::Gone(_))));
    assert!(matches!(core.set_reset(true), Err(TargetError::Gone(_))));
}
