//! A core that can be run, stopped, stepped and accessed, on which debug registers are emulated.

use std::io;

#[derive(Debug)]
pub(crate) enum TargetError {
    /// The target refused, like a bus fault of a chip.
    Refused,
    Gone(io::Error),
}

impl From<io::Error> for TargetError {
    fn from(error: io::Error) -> Self {
        Self::Gone(error)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Requested,
    Event,
}

/// A register, by its REGSEL number of DCRSR.
pub(crate) type RegSel = u8;

/// The program counter, `DebugReturnAddress` of DCRSR.
pub(crate) const PC: RegSel = 15;
pub(crate) const XPSR: RegSel = 16;

/// The instruction in which a core sleeps.
pub(crate) const WFI: u16 = 0xBF30;

/// A core, initially stopped. All functions except `is_running` and `stop` need a stopped core.
pub(crate) trait TargetAccess {
    /// Whether the core runs, unless it has reached a breakpoint.
    fn is_running(&mut self) -> Result<bool, TargetError>;
    fn stop(&mut self) -> Result<Stop, TargetError>;
    fn resume(&mut self) -> Result<(), TargetError>;
    /// Executes one instruction, without interrupts and breakpoints. A sleeping core does not move.
    fn step(&mut self) -> Result<(), TargetError>;
    /// Resets everything but memory, and stops before the first instruction.
    fn reset(&mut self) -> Result<(), TargetError>;

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TargetError>;
    /// Writes memory, including ROM.
    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError>;
    /// Reads a register; 0 if the core lacks it.
    fn register(&mut self, register: RegSel) -> Result<u32, TargetError>;
    fn set_register(&mut self, register: RegSel, value: u32) -> Result<(), TargetError>;

    /// Stops the core before the instruction at `address`.
    fn insert_breakpoint(&mut self, address: u32) -> Result<(), TargetError>;
    fn remove_breakpoint(&mut self, address: u32) -> Result<(), TargetError>;

    fn read_word(&mut self, address: u32) -> Result<u32, TargetError> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
