//! The debug port and its one access port, a MEM-AP on the system bus. Source: Arm IHI 0031, `ADIv5`.

use std::ops::Range;

use crate::core_debug::CoreDebug;
use crate::swd::{Ack, Transfer};
use crate::target::{Fault, Target};

/// An SW-DP of version 1, designed by Arm.
const DPIDR: u32 = 0x2BA0_1477;
/// An AHB-AP of Arm's.
const AHB_AP_IDR: u32 = 0x2477_0011;
/// Where the ROM table of a Cortex-M is; present, in the format of `ADIv5`.
const AHB_AP_BASE: u32 = 0xE00F_F003;

// CTRL/STAT
const STICKYERR: u32 = 1 << 5;
const WDATAERR: u32 = 1 << 7;
const CDBGPWRUPREQ: u32 = 1 << 28;
const CSYSPWRUPREQ: u32 = 1 << 30;
const POWER_UP: u32 = CDBGPWRUPREQ | CSYSPWRUPREQ;
const ORUNDETECT: u32 = 1;
const MASKLANE: u32 = 0xF00;

// SELECT
const DPBANKSEL: u32 = 0xF;

// ABORT
const STKERRCLR: u32 = 1 << 2;
const WDERRCLR: u32 = 1 << 3;

// CSW
const SIZE: u32 = 0b111;
const SIZE_WORD: u32 = 2;
const ADDR_INC: u32 = 0b11_0000;
const ADDR_INC_SINGLE: u32 = 0b01_0000;
const DEVICE_EN: u32 = 1 << 6;

/// Where TAR's increment wraps: it counts ten bits.
const TAR_COUNTER: u32 = 0x3FF;

/// The debug port, what is behind it, and what they remember.
#[derive(Debug)]
pub(crate) struct DebugPort<T> {
    pub(crate) core: CoreDebug<T>,
    control: u32,
    sticky: u32,
    select: u32,
    read_buffer: u32,
    csw: u32,
    tar: u32,
}

impl<T: Target> DebugPort<T> {
    pub(crate) const fn new(core: CoreDebug<T>) -> Self {
        Self { core, control: 0, sticky: 0, select: 0, read_buffer: 0, csw: SIZE_WORD, tar: 0 }
    }

    /// A read as on the wire, where an access port answers one transfer later.
    pub(crate) fn read(&mut self, transfer: Transfer) -> Result<(Ack, u32), Fault> {
        if !transfer.ap {
            return Ok((Ack::Ok, self.dp_read(transfer.register)));
        }
        if self.sticky != 0 {
            return Ok((Ack::Fault, 0));
        }
        let posted = self.read_buffer;
        let (ap, register) = self.selected(transfer.register);
        let outcome = self.ap_read(ap, register);
        self.read_buffer = self.posted(outcome)?;
        Ok((Ack::Ok, posted))
    }

    /// Whether a write would be acknowledged.
    pub(crate) const fn accepts(&self, transfer: Transfer) -> Ack {
        if transfer.ap && self.sticky != 0 { Ack::Fault } else { Ack::Ok }
    }

    /// A write as on the wire; without a value its parity was wrong.
    pub(crate) fn write(&mut self, transfer: Transfer, value: Option<u32>) -> Result<(), Fault> {
        let Some(value) = value else {
            self.sticky |= WDATAERR;
            return Ok(());
        };
        if !transfer.ap {
            self.dp_write(transfer.register, value);
            return Ok(());
        }
        let (ap, register) = self.selected(transfer.register);
        let outcome = self.ap_write(ap, register, value).map(|()| 0);
        self.posted(outcome).map(|_| ())
    }

    /// A register of the debug port.
    pub(crate) fn dp_read(&self, address: u8) -> u32 {
        match address & 0xC {
            0x0 => DPIDR,
            0x4 if self.select & DPBANKSEL == 0 => {
                self.control | (self.control & POWER_UP) << 1 | self.sticky
            }
            0x8 | 0xC => self.read_buffer,
            _ => 0,
        }
    }

    fn dp_write(&mut self, address: u8, value: u32) {
        match address & 0xC {
            0x0 => {
                let cleared = [(STKERRCLR, STICKYERR), (WDERRCLR, WDATAERR)];
                for (_, flag) in cleared.iter().filter(|(clear, _)| value & clear != 0) {
                    self.sticky &= !flag;
                }
            }
            0x4 if self.select & DPBANKSEL == 0 => {
                self.control = value & (POWER_UP | ORUNDETECT | MASKLANE);
            }
            0x8 => self.select = value,
            _ => {}
        }
    }

    /// A register of an access port; those that are not there read as 0.
    pub(crate) fn ap_read(&mut self, ap: u8, address: u8) -> Result<u32, Fault> {
        if ap != 0 {
            return Ok(0);
        }
        match address & 0xFC {
            0x00 => Ok(self.csw | DEVICE_EN),
            0x04 => Ok(self.tar),
            0x0C => self.data_read(),
            banked @ (0x10 | 0x14 | 0x18 | 0x1C) => self.core.read_word(self.banked(banked)),
            0xF8 => Ok(AHB_AP_BASE),
            0xFC => Ok(AHB_AP_IDR),
            _ => Ok(0),
        }
    }

    /// Writes a register of an access port.
    pub(crate) fn ap_write(&mut self, ap: u8, address: u8, value: u32) -> Result<(), Fault> {
        if ap != 0 {
            return Ok(());
        }
        match address & 0xFC {
            0x00 => {
                let size = if value & SIZE <= SIZE_WORD { value & SIZE } else { SIZE_WORD };
                let increment = value & ADDR_INC & ADDR_INC_SINGLE;
                self.csw = value & !(SIZE | ADDR_INC) | size | increment;
            }
            0x04 => self.tar = value,
            0x0C => self.data_write(value)?,
            banked @ (0x10 | 0x14 | 0x18 | 0x1C) => {
                self.core.write(self.banked(banked), &value.to_le_bytes())?;
            }
            _ => {}
        }
        Ok(())
    }

    fn selected(&self, register: u8) -> (u8, u8) {
        let [bank, .., ap] = self.select.to_le_bytes();
        (ap, bank & 0xF0 | register)
    }

    /// On the wire an error shows in the next transfer.
    fn posted(&mut self, outcome: Result<u32, Fault>) -> Result<u32, Fault> {
        if let Err(Fault::Refused) = outcome {
            self.sticky |= STICKYERR;
            return Ok(0);
        }
        outcome
    }

    fn banked(&self, register: u8) -> u32 {
        self.tar & !0xF | u32::from(register & 0xC)
    }

    /// Which bytes of a word an access moves.
    const fn lanes(&self) -> Range<usize> {
        let size = 1 << (self.csw & SIZE);
        let first = self.tar as usize & 3 & !(size - 1);
        first..first + size
    }

    /// Where that is.
    const fn aligned(&self) -> u32 {
        self.tar & !((1 << (self.csw & SIZE)) - 1)
    }

    fn data_read(&mut self) -> Result<u32, Fault> {
        let mut word = [0; 4];
        let lanes = self.lanes();
        self.core.read(self.aligned(), &mut word[lanes])?;
        self.advance();
        Ok(u32::from_le_bytes(word))
    }

    fn data_write(&mut self, value: u32) -> Result<(), Fault> {
        let lanes = self.lanes();
        self.core.write(self.aligned(), &value.to_le_bytes()[lanes])?;
        self.advance();
        Ok(())
    }

    const fn advance(&mut self) {
        if self.csw & ADDR_INC == ADDR_INC_SINGLE {
            let counter = self.tar.wrapping_add(1 << (self.csw & SIZE)) & TAR_COUNTER;
            self.tar = self.tar & !TAR_COUNTER | counter;
        }
    }
}

#[cfg(test)]
#[path = "port_tests.rs"]
mod tests;
