//! The conversation with the stub: packets out, packets in.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::packets::{self, Packets};
use crate::hex;
use crate::target::Fault;

/// QEMU answers within microseconds; one that takes this long has gone astray.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// The byte that stops a running core.
const INTERRUPT: u8 = 3;
/// How much of a file is asked for at once; a packet of QEMU's has 4096 characters.
const PART: usize = 1024;
/// How long a file is at most.
const LARGEST_FILE: usize = 256 * 1024;

/// A connection to a stub.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    packets: Packets,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Result<Self, Fault> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, packets: Packets::default() })
    }

    /// Asks the stub to stop the core.
    pub(super) fn interrupt(&mut self) -> Result<(), Fault> {
        Ok(self.stream.write_all(&[INTERRUPT])?)
    }

    /// The next packet, if it has arrived.
    pub(super) fn arrived(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        self.stream.set_nonblocking(true)?;
        let outcome = self.read();
        self.stream.set_nonblocking(false)?;
        outcome?;
        self.packet()
    }

    fn packet(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let packet = self.packets.next()?;
        if packet.is_some() {
            self.stream.write_all(b"+")?;
        }
        Ok(packet)
    }

    /// Takes what there is, within the stream's time.
    fn read(&mut self) -> Result<(), Fault> {
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes) {
            Ok(0) => return Err(Fault::Gone(ErrorKind::UnexpectedEof.into())),
            Ok(length) => self.packets.extend(&bytes[..length]),
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(Fault::Gone(error)),
        }
        Ok(())
    }

    pub(super) fn send(&mut self, command: &str) -> Result<(), Fault> {
        Ok(self.stream.write_all(&packets::encode(command))?)
    }

    /// The next packet, or `None` after `patience`.
    pub(super) fn receive(&mut self, patience: Duration) -> Result<Option<Vec<u8>>, Fault> {
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

    pub(super) fn reply(&mut self) -> Result<Vec<u8>, Fault> {
        self.receive(PATIENCE)?.ok_or_else(|| Fault::Gone(ErrorKind::TimedOut.into()))
    }

    pub(super) fn command(&mut self, command: &str) -> Result<Vec<u8>, Fault> {
        self.send(command)?;
        loop {
            let reply = self.reply()?;
            let console = reply.first() == Some(&b'O') && reply != b"OK";
            if !console {
                return Ok(reply);
            }
        }
    }

    /// A command that is either done or refused.
    pub(super) fn order(&mut self, command: &str) -> Result<(), Fault> {
        match self.command(command)?.as_slice() {
            b"OK" => Ok(()),
            _ => Err(Fault::Refused),
        }
    }

    /// A command that returns bytes.
    pub(super) fn fetch(&mut self, command: &str) -> Result<Vec<u8>, Fault> {
        match self.command(command)?.as_slice() {
            [] | [b'E', ..] => Err(Fault::Refused),
            digits => hex::decode(digits).ok_or_else(|| garbled("no hex digits")),
        }
    }

    /// A file of the target's description, which QEMU wants to be read before it tells all registers.
    pub(super) fn feature(&mut self, name: &str) -> Result<Vec<u8>, Fault> {
        let mut file = Vec::new();
        loop {
            let reply =
                self.command(&format!("qXfer:features:read:{name}:{:x},{PART:x}", file.len()))?;
            match reply.split_first() {
                Some((b'm', part)) if !part.is_empty() && file.len() < LARGEST_FILE => {
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

/// The stub says what makes no sense.
pub(super) fn garbled(what: &'static str) -> Fault {
    Fault::Gone(io::Error::new(ErrorKind::InvalidData, what))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
