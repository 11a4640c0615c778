//! The connection to the stub: packets of gdb's remote protocol, `$…#` and two digits of checksum.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::target::TargetError;

/// The longest time for a response, which takes QEMU microseconds.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
const INTERRUPT: u8 = 3;
/// Bytes of a file in a packet, which QEMU limits to 4096 characters.
const PART: usize = 1024;
const MAX_FILE: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    packets: Packets,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Result<Self, TargetError> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, packets: Packets::default() })
    }

    pub(super) fn interrupt(&mut self) -> Result<(), TargetError> {
        Ok(self.stream.write_all(&[INTERRUPT])?)
    }

    pub(super) fn arrived(&mut self) -> Result<Option<Vec<u8>>, TargetError> {
        self.stream.set_nonblocking(true)?;
        let outcome = self.read();
        self.stream.set_nonblocking(false)?;
        outcome?;
        self.packet()
    }

    fn packet(&mut self) -> Result<Option<Vec<u8>>, TargetError> {
        let packet = self.packets.next()?;
        if packet.is_some() {
            self.stream.write_all(b"+")?;
        }
        Ok(packet)
    }

    fn read(&mut self) -> Result<(), TargetError> {
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes) {
            Ok(0) => return Err(TargetError::Gone(ErrorKind::UnexpectedEof.into())),
            Ok(length) => self.packets.extend(&bytes[..length]),
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(TargetError::Gone(error)),
        }
        Ok(())
    }

    pub(super) fn send(&mut self, command: &str) -> Result<(), TargetError> {
        Ok(self.stream.write_all(&encode(command))?)
    }

    /// The next packet, or `None` after `patience`.
    pub(super) fn receive(&mut self, patience: Duration) -> Result<Option<Vec<u8>>, TargetError> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(packet) = self.packet()? {
                return Ok(Some(packet));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.stream.set_read_timeout(Some(left))?;
            self.read()?;
        }
    }

    pub(super) fn reply(&mut self) -> Result<Vec<u8>, TargetError> {
        self.receive(PATIENCE)?.ok_or_else(|| TargetError::Gone(ErrorKind::TimedOut.into()))
    }

    pub(super) fn command(&mut self, command: &str) -> Result<Vec<u8>, TargetError> {
        self.send(command)?;
        loop {
            let reply = self.reply()?;
            let console = reply.first() == Some(&b'O') && reply != b"OK";
            if !console {
                return Ok(reply);
            }
        }
    }

    pub(super) fn order(&mut self, command: &str) -> Result<(), TargetError> {
        match self.command(command)?.as_slice() {
            b"OK" => Ok(()),
            _ => Err(TargetError::Refused),
        }
    }

    pub(super) fn fetch(&mut self, command: &str) -> Result<Vec<u8>, TargetError> {
        match self.command(command)?.as_slice() {
            [] | [b'E', ..] => Err(TargetError::Refused),
            digits => hex::decode(digits).map_err(|_| garbled("no hex digits")),
        }
    }

    /// Reads a file of the target description, after which QEMU reports all registers.
    pub(super) fn feature(&mut self, name: &str) -> Result<Vec<u8>, TargetError> {
        let mut file = Vec::new();
        loop {
            let reply =
                self.command(&format!("qXfer:features:read:{name}:{:x},{PART:x}", file.len()))?;
            match reply.split_first() {
                Some((b'm', part)) if !part.is_empty() && file.len() < MAX_FILE => {
                    file.extend_from_slice(part);
                }
                Some((b'l', part)) => {
                    file.extend_from_slice(part);
                    return Ok(file);
                }
                _ => return Err(garbled("no description of the registers")),
            }
        }
    }
}

pub(super) fn garbled(what: &'static str) -> TargetError {
    TargetError::Gone(Error::new(ErrorKind::InvalidData, what))
}

fn is_timeout(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// The largest accepted packet; QEMU sends at most 4096 characters.
const MAX_PACKET: usize = 64 * 1024;
/// Escapes the next character, which is combined with [`ESCAPED`] by exclusive or.
const ESCAPE: u8 = b'}';
const ESCAPED: u8 = 0x20;

/// Encodes a command, which must not contain `$`, `#` or `}`.
pub(super) fn encode(command: &str) -> Vec<u8> {
    format!("${command}#{:02x}", checksum(command.as_bytes())).into_bytes()
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, &byte| sum.wrapping_add(byte))
}

#[derive(Debug, Default)]
pub(super) struct Packets {
    received: Vec<u8>,
}

impl Packets {
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.received.extend_from_slice(bytes);
    }

    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let start = self.received.iter().position(|&byte| byte == b'$');
        let acknowledgements = start.unwrap_or(self.received.len());
        if self.received.drain(..acknowledgements).any(|byte| byte != b'+') {
            return Err(Error::new(ErrorKind::InvalidData, "no packet of gdb's protocol"));
        }
        let Some(end) = self.received.iter().position(|&byte| byte == b'#') else {
            return if self.received.len() <= MAX_PACKET {
                Ok(None)
            } else {
                Err(Error::new(ErrorKind::InvalidData, "an endless packet"))
            };
        };
        let Some(sum) = self.received.get(end + 1..end + 3).map(hex::decode) else {
            return Ok(None);
        };
        let content = &self.received[1..end];
        if sum != Ok(vec![checksum(content)]) {
            return Err(Error::new(ErrorKind::InvalidData, "a packet with a wrong checksum"));
        }
        let content = unescape(content);
        self.received.drain(..end + 3);
        Ok(Some(content))
    }
}

fn unescape(content: &[u8]) -> Vec<u8> {
    let mut bytes = content.iter();
    let mut plain = Vec::with_capacity(content.len());
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            ESCAPE => bytes.next().map_or(ESCAPE, |byte| byte ^ ESCAPED),
            _ => byte,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets(bytes: &[u8]) -> Packets {
        Packets { received: bytes.to_vec() }
    }

    #[test]
    fn a_packet_comes_in_pieces() {
        let mut packets = Packets::default();
        let bytes = [b"+".as_slice(), &encode("OK"), b"+", &encode("T05thread:01;")].concat();
        let mut content = Vec::new();
        for &byte in &bytes {
            packets.extend(&[byte]);
            content.extend(packets.next().unwrap());
        }
        assert_eq!(content, [b"OK".to_vec(), b"T05thread:01;".to_vec()]);
        assert!(packets.received.is_empty());
    }

    #[test]
    fn escaped_characters_come_back() {
        let sum = checksum(b"}\x03}\x04");
        let bytes = [b"$}\x03}\x04#".as_slice(), format!("{sum:02x}").as_bytes()].concat();
        assert_eq!(packets(&bytes).next().unwrap(), Some(b"#$".to_vec()));
    }

    #[test]
    fn an_invalid_packet_is_an_error() {
        let endless = vec![b'$'; MAX_PACKET + 1];
        for bytes in [b"$OK#00".as_slice(), b"$OK#zz", b"-", b"hello", &endless] {
            assert!(packets(bytes).next().is_err(), "{bytes:?}");
        }
    }
}
