//! The Black Magic Probe's remote protocol, version 4: what comes in and what goes out.
//!
//! A request is `!…#`, an answer `&K…#` or, if something went wrong, `&` with another letter. Numbers
//! are hex with the highest digit first, except for the words that reads return.

use std::fmt;

use crate::hex;
use crate::swd::Transfer;

/// How long a request may be, without its `!` and `#`: the buffer of a real probe.
const LONGEST: usize = 1024;
/// How much memory a request can read: its answer fits into that buffer too.
const MOST_BYTES: u64 = 512;
/// The bit that tells AP from DP in the address of a raw access.
const AP: u64 = 0x100;

/// What the debugger asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// `GA`: the probe's name.
    Name,
    /// `HC`: the version of the protocol.
    ProtocolVersion,
    /// `HA`: which of its accelerators there are.
    Accelerators,
    /// `Gf`: the frequency of the wire.
    Frequency,
    /// `GZ`: the level of nRST.
    Reset { asserted: bool },
    /// What a real probe does to its pins, and what means nothing here.
    Pins,
    /// `So`: bits out, the lowest first.
    SwdOut { bits: u32, count: u8 },
    /// `Si`: bits in.
    SwdIn { count: u8 },
    /// `Ad`: reads a register of the debug port.
    DpRead { address: u8 },
    /// `Aa`: reads a register of an access port.
    ApRead { ap: u8, address: u8 },
    /// `AA`: writes one.
    ApWrite { ap: u8, address: u8, value: u32 },
    /// `AR`: one transfer as on the wire.
    Raw { transfer: Transfer, value: u32 },
    /// `Am`: reads memory.
    Read { ap: u8, address: u32, length: usize },
    /// `AM`: writes memory.
    Write { ap: u8, address: u32, bytes: Vec<u8> },
}

impl Request {
    /// Reads what was between `!` and `#`.
    pub(crate) fn parse(message: &[u8]) -> Result<Self, Failure> {
        let (name, rest) = message.split_at_checked(2).ok_or(Failure::NotSupported)?;
        let mut fields = Fields(rest);
        let request = match name {
            b"GA" => Self::Name,
            b"HC" => Self::ProtocolVersion,
            b"HA" => Self::Accelerators,
            b"Gf" => Self::Frequency,
            b"GZ" => Self::Reset { asserted: fields.hex(1)? != 0 },
            b"GV" | b"Gp" | b"SS" => Self::Pins,
            b"GE" | b"GP" => fields.hex(1).map(|_| Self::Pins)?,
            b"GF" => fields.hex(8).map(|_| Self::Pins)?,
            b"So" => {
                let count = fields.bits()?;
                let bits = fields.rest()?.try_into().map_err(|_| Failure::Parameter)?;
                Self::SwdOut { bits, count }
            }
            b"Si" => Self::SwdIn { count: fields.bits()? },
            b"Ad" => {
                fields.access_port()?;
                Self::DpRead { address: fields.register()? }
            }
            b"Aa" => Self::ApRead { ap: fields.access_port()?, address: fields.register()? },
            b"AA" => Self::ApWrite {
                ap: fields.access_port()?,
                address: fields.register()?,
                value: fields.word()?.swap_bytes(),
            },
            b"AR" => fields.raw()?,
            b"Am" => fields.read()?,
            b"AM" => fields.write()?,
            _ => return Err(Failure::NotSupported),
        };
        if fields.0.is_empty() { Ok(request) } else { Err(Failure::WrongLength) }
    }
}

/// What is left of a request.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn hex(&mut self, digits: usize) -> Result<u64, Failure> {
        let (field, rest) = self.0.split_at_checked(digits).ok_or(Failure::WrongLength)?;
        self.0 = rest;
        hex::number(field).ok_or(Failure::Parameter)
    }

    fn byte(&mut self) -> Result<u8, Failure> {
        self.hex(2)?.try_into().map_err(|_| Failure::Parameter)
    }

    fn word(&mut self) -> Result<u32, Failure> {
        self.hex(8)?.try_into().map_err(|_| Failure::Parameter)
    }

    fn rest(&mut self) -> Result<u64, Failure> {
        hex::number(std::mem::take(&mut self.0)).ok_or(Failure::Parameter)
    }

    fn bits(&mut self) -> Result<u8, Failure> {
        let count = self.byte()?;
        if count <= 32 { Ok(count) } else { Err(Failure::Parameter) }
    }

    /// An access port after the index of the device, of which a probe on SWD has one.
    fn access_port(&mut self) -> Result<u8, Failure> {
        self.byte()?;
        self.byte()
    }

    fn register(&mut self) -> Result<u8, Failure> {
        Ok((self.hex(4)? & 0xFF) as u8)
    }

    fn raw(&mut self) -> Result<Request, Failure> {
        self.byte()?;
        let read = self.byte()? != 0;
        let address = self.hex(4)?;
        let transfer = Transfer { ap: address & AP != 0, read, register: (address & 0xC) as u8 };
        Ok(Request::Raw { transfer, value: self.word()? })
    }

    fn read(&mut self) -> Result<Request, Failure> {
        let ap = self.access_port()?;
        self.word()?; // CSW: how a real probe would access it, not what
        let (address, length) = self.range()?;
        Ok(Request::Read { ap, address, length })
    }

    fn write(&mut self) -> Result<Request, Failure> {
        let ap = self.access_port()?;
        self.word()?;
        let alignment = self.byte()?;
        let (address, length) = self.range()?;
        let size = 1u32.checked_shl(alignment.into()).filter(|&size| size <= 8);
        let size = size.ok_or(Failure::Parameter)?;
        let bytes = hex::decode(std::mem::take(&mut self.0)).ok_or(Failure::Parameter)?;
        if bytes.len() != length {
            return Err(Failure::WrongLength);
        }
        if !address.is_multiple_of(size) || !length.is_multiple_of(size as usize) {
            return Err(Failure::Parameter);
        }
        Ok(Request::Write { ap, address, bytes })
    }

    fn range(&mut self) -> Result<(u32, usize), Failure> {
        let (address, length) = (self.hex(16)?, self.hex(8)?);
        let within = length <= MOST_BYTES && length <= (1 << 32_u64) - address.min(1 << 32);
        if !within {
            return Err(Failure::Parameter);
        }
        let address = address.try_into().map_err(|_| Failure::Parameter)?;
        Ok((address, usize::try_from(length).map_err(|_| Failure::Parameter)?))
    }
}

/// Why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No such request here.
    NotSupported,
    /// A field is no number or out of its range.
    Parameter,
    /// Too long, too short, or not as long as it says.
    WrongLength,
    /// The target refused it.
    Fault,
}

/// What the probe answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A number; 0 is also "done".
    Number(u32),
    /// The word that was read.
    Word(u32),
    /// The bytes that were read.
    Bytes(Vec<u8>),
    /// A name.
    Name(&'static str),
    /// Nothing.
    Failed(Failure),
}

impl Reply {
    /// It is done, and there is nothing to tell.
    pub(crate) const DONE: Self = Self::Number(0);
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "&K{number:x}#"),
            Self::Word(word) => write!(f, "&K{}#", hex::encode(&word.to_le_bytes())),
            Self::Bytes(bytes) => write!(f, "&K{}#", hex::encode(bytes)),
            Self::Name(name) => write!(f, "&K{name}#"),
            Self::Failed(Failure::NotSupported) => f.write_str("&N0#"),
            Self::Failed(Failure::Parameter) => f.write_str("&P0#"),
            Self::Failed(Failure::WrongLength) => f.write_str("&E2#"),
            Self::Failed(Failure::Fault) => f.write_str("&E3#"),
        }
    }
}

/// Cuts what arrives into messages.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    inside: bool,
    message: Vec<u8>,
}

impl Messages {
    /// Takes a byte; returns the message that it ends.
    pub(crate) fn push(&mut self, byte: u8) -> Option<Result<Request, Failure>> {
        match byte {
            b'!' => {
                self.inside = true;
                self.message.clear();
                None
            }
            b'#' if self.inside => {
                self.inside = false;
                let whole = self.message.len() <= LONGEST;
                Some(if whole { Request::parse(&self.message) } else { Err(Failure::WrongLength) })
            }
            _ => {
                if self.inside && self.message.len() <= LONGEST {
                    self.message.push(byte);
                }
                None
            }
        }
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;
