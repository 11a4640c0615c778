//! What the debug registers are emulated on: a core that can be run, stopped, stepped and looked into.

use std::io;

/// Why something could not be done.
#[derive(Debug)]
pub(crate) enum TargetError {
    /// The target said no: a bus fault, in terms of a chip.
    Refused,
    /// The target cannot be reached any more.
    Gone(io::Error),
}

impl From<io::Error> for TargetError {
    fn from(error: io::Error) -> Self {
        Self::Gone(error)
    }
}

/// Why a core stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It was told to.
    Requested,
    /// It came to a breakpoint.
    Event,
}

/// A stopped core's register, by its REGSEL number of DCRSR.
pub(crate) type RegSel = u8;

/// The program counter; DCRSR calls it `DebugReturnAddress`.
pub(crate) const PC: RegSel = 15;
/// xPSR.
pub(crate) const XPSR: RegSel = 16;

/// The instruction that a core sleeps in.
pub(crate) const WFI: u16 = 0xBF30;

/// A core. It starts stopped; except for `is_running` and `stop`, everything is for a stopped one.
pub(crate) trait Target {
    /// Whether the core runs; it may have come to a breakpoint since it was last asked.
    fn is_running(&mut self) -> Result<bool, TargetError>;
    /// Stops a running core.
    fn stop(&mut self) -> Result<Stop, TargetError>;
    /// Lets the core run.
    fn resume(&mut self) -> Result<(), TargetError>;
    /// Executes one instruction, no interrupt and no breakpoint. A core that sleeps stays where it is.
    fn step(&mut self) -> Result<(), TargetError>;
    /// Resets everything but memory and stays stopped before the first instruction.
    fn reset(&mut self) -> Result<(), TargetError>;

    /// Fills `bytes` from memory.
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TargetError>;
    /// Writes memory; ROM as well.
    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError>;
    /// A register; 0 if the core has none of that number.
    fn register(&mut self, register: RegSel) -> Result<u32, TargetError>;
    /// Changes a register, if the core has it.
    fn set_register(&mut self, register: RegSel, value: u32) -> Result<(), TargetError>;

    /// Makes a running core stop before it executes the instruction at `address`.
    fn insert_breakpoint(&mut self, address: u32) -> Result<(), TargetError>;
    /// The reverse.
    fn remove_breakpoint(&mut self, address: u32) -> Result<(), TargetError>;

    /// A word of memory.
    fn read_word(&mut self, address: u32) -> Result<u32, TargetError> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
