//! The remote protocol of the Black Magic Probe, version 4.
//!
//! A request is `!…#`, a reply `&K…#`, or `&` with another letter after an error. Numbers are hexadecimal, highest
//! digit first; words that reads return are little-endian.

use std::fmt;

/// The size of a real probe's buffer.
const MAX_REQUEST: usize = 1024;
/// The most bytes of a read, so that the reply fits the buffer.
const MAX_BYTES: u64 = 512;
/// Marks access ports in a raw access, which debuggers use only for the debug port.
const AP: u64 = 0x100;

/// A request of the debugger, by its two letters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RemoteRequest {
    /// `GA`
    Name,
    /// `HC`
    ProtocolVersion,
    /// `HA`
    Accelerators,
    /// `Gf`
    Frequency,
    /// `GZ`, nRST
    Reset { asserted: bool },
    /// A change of pins of a real probe, without effect here.
    Pins,
    /// `So`, the lowest bit first
    SwdOut { bits: u32, count: u8 },
    /// `Si`
    SwdIn { count: u8 },
    /// `Ad`
    DpRead { address: u8 },
    /// `Aa`
    ApRead { ap: u8, address: u8 },
    /// `AA`
    ApWrite { ap: u8, address: u8, value: u32 },
    /// `AR`, a raw access
    DpWrite { address: u8, value: u32 },
    /// `Am`
    Read { ap: u8, address: u32, length: usize },
    /// `AM`
    Write { ap: u8, address: u32, bytes: Vec<u8> },
}

impl RemoteRequest {
    pub(crate) fn parse(message: &[u8]) -> Result<Self, RequestError> {
        let (name, rest) = message.split_at_checked(2).ok_or(RequestError::NotSupported)?;
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
                let bits = fields.rest()?.try_into().map_err(|_| RequestError::Parameter)?;
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
            b"AR" => fields.dp_write()?,
            b"Am" => fields.read()?,
            b"AM" => fields.write()?,
            _ => return Err(RequestError::NotSupported),
        };
        if fields.0.is_empty() { Ok(request) } else { Err(RequestError::WrongLength) }
    }
}

struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn hex(&mut self, digits: usize) -> Result<u64, RequestError> {
        let (field, rest) = self.0.split_at_checked(digits).ok_or(RequestError::WrongLength)?;
        self.0 = rest;
        number(field).ok_or(RequestError::Parameter)
    }

    fn byte(&mut self) -> Result<u8, RequestError> {
        self.hex(2)?.try_into().map_err(|_| RequestError::Parameter)
    }

    fn word(&mut self) -> Result<u32, RequestError> {
        self.hex(8)?.try_into().map_err(|_| RequestError::Parameter)
    }

    fn rest(&mut self) -> Result<u64, RequestError> {
        number(std::mem::take(&mut self.0)).ok_or(RequestError::Parameter)
    }

    fn bits(&mut self) -> Result<u8, RequestError> {
        let count = self.byte()?;
        if count <= 32 { Ok(count) } else { Err(RequestError::Parameter) }
    }

    /// Parses an access port, after the index of the device.
    fn access_port(&mut self) -> Result<u8, RequestError> {
        self.byte()?;
        self.byte()
    }

    fn register(&mut self) -> Result<u8, RequestError> {
        Ok((self.hex(4)? & 0xFF) as u8)
    }

    fn dp_write(&mut self) -> Result<RemoteRequest, RequestError> {
        self.byte()?;
        let is_read = self.byte()? != 0;
        let address = self.hex(4)?;
        if is_read || address & AP != 0 {
            return Err(RequestError::NotSupported);
        }
        Ok(RemoteRequest::DpWrite { address: (address & 0xC) as u8, value: self.word()? })
    }

    fn read(&mut self) -> Result<RemoteRequest, RequestError> {
        let ap = self.access_port()?;
        self.word()?; // CSW: how a real probe accesses memory
        let (address, length) = self.range()?;
        Ok(RemoteRequest::Read { ap, address, length })
    }

    fn write(&mut self) -> Result<RemoteRequest, RequestError> {
        let ap = self.access_port()?;
        self.word()?;
        let alignment = self.byte()?;
        let (address, length) = self.range()?;
        let size = 1u32.checked_shl(alignment.into()).filter(|&size| size <= 8);
        let size = size.ok_or(RequestError::Parameter)?;
        let bytes =
            hex::decode(std::mem::take(&mut self.0)).map_err(|_| RequestError::Parameter)?;
        if bytes.len() != length {
            return Err(RequestError::WrongLength);
        }
        if !address.is_multiple_of(size) || !length.is_multiple_of(size as usize) {
            return Err(RequestError::Parameter);
        }
        Ok(RemoteRequest::Write { ap, address, bytes })
    }

    fn range(&mut self) -> Result<(u32, usize), RequestError> {
        let (address, length) = (self.hex(16)?, self.hex(8)?);
        let within = length <= MAX_BYTES && length <= (1 << 32_u64) - address.min(1 << 32);
        if !within {
            return Err(RequestError::Parameter);
        }
        let address = address.try_into().map_err(|_| RequestError::Parameter)?;
        Ok((address, usize::try_from(length).map_err(|_| RequestError::Parameter)?))
    }
}

/// Parses one to sixteen hexadecimal digits, the highest first.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.len() > 16 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestError {
    NotSupported,
    /// A field is no number or out of range.
    Parameter,
    WrongLength,
    Fault,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A number; 0 is also "done".
    Number(u32),
    Word(u32),
    Bytes(Vec<u8>),
    Name(&'static str),
    Failed(RequestError),
}

impl Reply {
    pub(crate) const DONE: Self = Self::Number(0);
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "&K{number:x}#"),
            Self::Word(word) => write!(f, "&K{}#", hex::encode(word.to_le_bytes())),
            Self::Bytes(bytes) => write!(f, "&K{}#", hex::encode(bytes)),
            Self::Name(name) => write!(f, "&K{name}#"),
            Self::Failed(RequestError::NotSupported) => f.write_str("&N0#"),
            Self::Failed(RequestError::Parameter) => f.write_str("&P0#"),
            Self::Failed(RequestError::WrongLength) => f.write_str("&E2#"),
            Self::Failed(RequestError::Fault) => f.write_str("&E3#"),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Messages {
    inside: bool,
    message: Vec<u8>,
}

impl Messages {
    pub(crate) fn push(&mut self, byte: u8) -> Option<Result<RemoteRequest, RequestError>> {
        match byte {
            b'!' => {
                self.inside = true;
                self.message.clear();
                None
            }
            b'#' if self.inside => {
                self.inside = false;
                let whole = self.message.len() <= MAX_REQUEST;
                Some(if whole {
                    RemoteRequest::parse(&self.message)
                } else {
                    Err(RequestError::WrongLength)
                })
            }
            _ => {
                if self.inside && self.message.len() <= MAX_REQUEST {
                    self.message.push(byte);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(message: &str) -> Result<RemoteRequest, RequestError> {
        RemoteRequest::parse(message.as_bytes())
    }

    #[test]
    fn requests_of_probe_rs_are_understood() {
        for (message, request) in [
            ("GA", RemoteRequest::Name),
            ("HC", RemoteRequest::ProtocolVersion),
            ("HA", RemoteRequest::Accelerators),
            ("Gf", RemoteRequest::Frequency),
            ("GF003d0900", RemoteRequest::Pins),
            ("GE1", RemoteRequest::Pins),
            ("SS", RemoteRequest::Pins),
            ("GZ1", RemoteRequest::Reset { asserted: true }),
            ("So13ffff", RemoteRequest::SwdOut { bits: 0xFFFF, count: 19 }),
            ("Si20", RemoteRequest::SwdIn { count: 32 }),
            ("Si00", RemoteRequest::SwdIn { count: 0 }),
            ("Ad00ff0004", RemoteRequest::DpRead { address: 4 }),
            ("Aa000001fc", RemoteRequest::ApRead { ap: 0, address: 0xFC }),
            (
                "AA0001010478563412",
                RemoteRequest::ApWrite { ap: 1, address: 4, value: 0x1234_5678 },
            ),
            ("AR0000000412345678", RemoteRequest::DpWrite { address: 4, value: 0x1234_5678 }),
            (
                "Am000023000050000000002000000000000008",
                RemoteRequest::Read { ap: 0, address: 0x2000_0000, length: 8 },
            ),
            (
                "AM00002300005002000000002000000000000004deadbeef",
                RemoteRequest::Write {
                    ap: 0,
                    address: 0x2000_0000,
                    bytes: vec![0xDE, 0xAD, 0xBE, 0xEF],
                },
            ),
        ] {
            assert_eq!(parse(message), Ok(request), "{message}");
        }
    }

    #[test]
    fn invalid_requests_are_rejected_with_the_reason() {
        for (message, failure) in [
            ("", RequestError::NotSupported),
            ("G", RequestError::NotSupported),
            ("JS", RequestError::NotSupported),
            ("HJ00", RequestError::NotSupported),
            ("A6a00", RequestError::NotSupported),
            ("AR0001000400000000", RequestError::NotSupported),
            ("AR0000010c12345678", RequestError::NotSupported),
            ("GAx", RequestError::WrongLength),
            ("GZ", RequestError::WrongLength),
            ("GZx", RequestError::Parameter),
            ("So", RequestError::WrongLength),
            ("So21ff", RequestError::Parameter),
            ("So20", RequestError::Parameter),
            ("So20123456789", RequestError::Parameter),
            ("Si21", RequestError::Parameter),
            ("Ad00ff00", RequestError::WrongLength),
            ("Ad00ff00-4", RequestError::Parameter),
            ("Am00002300005000000000200000000000000", RequestError::WrongLength),
            // Longer than an answer can be, behind the end of the address space, and across it.
            ("Am000023000050000000002000000000000201", RequestError::Parameter),
            ("Am000023000050000000010000000000000004", RequestError::Parameter),
            ("Am0000230000500000000100000000000000ff", RequestError::Parameter),
            ("Am00002300005000000000fffffffe00000004", RequestError::Parameter),
            ("Am000023000050ffffffffffffffff00000004", RequestError::Parameter),
            ("Am0000230000500000000020000000ffffffff", RequestError::Parameter),
            // Another length than said, alignments that do not hold or do not exist, and no digits.
            ("AM00002300005002000000002000000000000004deadbe", RequestError::WrongLength),
            ("AM00002300005002000000002000000200000004deadbeef", RequestError::Parameter),
            ("AM00002300005002000000002000000000000002dead", RequestError::Parameter),
            ("AM0000230000500400000000200000000000000000", RequestError::Parameter),
            ("AM000023000050ff000000002000000000000001de", RequestError::Parameter),
            ("AM00002300005000000000002000000000000001d", RequestError::Parameter),
            ("AM00002300005000000000002000000000000001xx", RequestError::Parameter),
        ] {
            assert_eq!(parse(message), Err(failure), "{message}");
        }
    }

    #[test]
    fn the_last_byte_of_the_address_space_can_be_read() {
        let request = parse("Am00002300005000000000ffffffff00000001");
        assert_eq!(request, Ok(RemoteRequest::Read { ap: 0, address: u32::MAX, length: 1 }));
    }

    #[test]
    fn replies_have_the_protocols_form() {
        for (reply, text) in [
            (Reply::DONE, "&K0#"),
            (Reply::Number(4000), "&Kfa0#"),
            (Reply::Word(0x1234_5678), "&K78563412#"),
            (Reply::Bytes(vec![0x0A, 0xFF]), "&K0aff#"),
            (Reply::Name("probe"), "&Kprobe#"),
            (Reply::Failed(RequestError::NotSupported), "&N0#"),
            (Reply::Failed(RequestError::Parameter), "&P0#"),
            (Reply::Failed(RequestError::WrongLength), "&E2#"),
            (Reply::Failed(RequestError::Fault), "&E3#"),
        ] {
            assert_eq!(reply.to_string(), text);
        }
    }

    #[test]
    fn numbers_are_hexadecimal_digits_without_a_sign() {
        for digits in [&b""[..], b"-1", b"+1", b"00000000000000001", &[0xC3, 0xA9]] {
            assert_eq!(number(digits), None, "{digits:?}");
        }
        assert_eq!(number(b"FFFFffffFFFFffff"), Some(u64::MAX));
    }

    fn messages(bytes: &[u8]) -> Vec<Result<RemoteRequest, RequestError>> {
        let mut messages = Messages::default();
        bytes.iter().filter_map(|&byte| messages.push(byte)).collect()
    }

    #[test]
    fn messages_are_found_between_noise() {
        assert_eq!(
            messages(b"+#!GA#\r\n !HC#"),
            [Ok(RemoteRequest::Name), Ok(RemoteRequest::ProtocolVersion)]
        );
        assert_eq!(messages(b"!G!HA#"), [Ok(RemoteRequest::Accelerators)]);
        assert_eq!(messages(b"!##"), [Err(RequestError::NotSupported)]);
        assert_eq!(messages(&[0xFF; 100]), []);
    }

    #[test]
    fn a_message_without_end_takes_no_memory() {
        let mut assembler = Messages::default();
        let endless = std::iter::once(b'!').chain(std::iter::repeat_n(b'A', 1_000_000));
        assert!(endless.map(|byte| assembler.push(byte)).all(|request| request.is_none()));
        assert!(assembler.message.capacity() <= 4 * MAX_REQUEST);
        assert_eq!(assembler.push(b'#'), Some(Err(RequestError::WrongLength)));
        let next = b"!GA#".iter().find_map(|&byte| assembler.push(byte));
        assert_eq!(next, Some(Ok(RemoteRequest::Name)));
    }
}
