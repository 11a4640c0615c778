//! The client of QEMU's gdbstub.

mod connection;
mod description;
mod packets;
mod region;
mod store;

use std::io::ErrorKind;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use self::connection::{Connection, PATIENCE, garbled};
use self::description::{Description, Place};
use self::region::Region;
use crate::hex;
use crate::target::{Fault, PC, RegSel, Stop, Target, WFI};

/// How long a step may take if the core seems to be asleep, and then does not step at all.
const SLEEP: Duration = Duration::from_millis(200);
/// How much memory goes into a packet; QEMU's are limited to 4096 characters.
const CHUNK: usize = 1024;
/// The signal number that QEMU gives for a stop on request, rather than for a breakpoint.
const SIGINT: &[u8] = b"02";
/// What QEMU's reset surely changes R0 from.
const NOT_RESET: u32 = 0x5EED_5EED;

/// The core behind a gdbstub.
#[derive(Debug)]
pub(crate) struct Gdb {
    connection: Connection,
    description: Description,
    running: bool,
    sleep: Sleep,
}

/// Whether a stopped core is asleep: QEMU does not tell, and cannot wake it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sleep {
    /// It came to where it is by executing.
    Awake,
    /// It was stopped somewhere.
    Unknown,
    /// It was stopped behind a WFI.
    Likely,
}

impl Gdb {
    /// Begins a conversation; the stub stops the core for it.
    pub(crate) fn connect(stream: TcpStream) -> Result<Self, Fault> {
        let mut connection = Connection::new(stream)?;
        connection.command("qSupported:xmlRegisters=arm")?;
        let description = Description::read(|name| connection.feature(name))?;
        connection.command("?")?;
        Ok(Self { connection, description, running: false, sleep: Sleep::Awake })
    }

    /// Takes note of a stop.
    fn stopped(&mut self, packet: &[u8]) -> Result<Stop, Fault> {
        match packet {
            [b'T' | b'S', signal @ ..] => {
                self.running = false;
                if signal.starts_with(SIGINT) {
                    self.sleep = Sleep::Unknown;
                    return Ok(Stop::Requested);
                }
                self.sleep = Sleep::Awake;
                Ok(Stop::Event)
            }
            [b'W' | b'X', ..] => Err(Fault::Gone(ErrorKind::UnexpectedEof.into())),
            _ => Err(garbled("no reason of a stop")),
        }
    }

    /// Whether the core seems to be asleep, by the instruction before the one it was stopped at.
    fn seems_asleep(&mut self) -> Result<bool, Fault> {
        if self.sleep == Sleep::Unknown {
            let before = (self.register(PC)? & !1).wrapping_sub(2);
            let mut code = [0; 2];
            self.sleep = match self.read(before, &mut code) {
                Ok(()) if code == WFI.to_le_bytes() => Sleep::Likely,
                Ok(()) | Err(Fault::Refused) => Sleep::Awake,
                Err(gone) => return Err(gone),
            };
        }
        Ok(self.sleep == Sleep::Likely)
    }

    /// Writes RAM or ROM.
    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        for (part, at) in bytes.chunks(CHUNK).zip((u64::from(address)..).step_by(CHUNK)) {
            self.connection.order(&format!("M{at:x},{:x}:{}", part.len(), hex::encode(part)))?;
        }
        Ok(())
    }

    /// A register as the stub has it.
    fn raw_register(&mut self, number: u32) -> Result<Vec<u8>, Fault> {
        self.connection.fetch(&format!("p{number:x}"))
    }
}

impl Target for Gdb {
    fn is_running(&mut self) -> Result<bool, Fault> {
        if self.running
            && let Some(packet) = self.connection.arrived()?
        {
            self.stopped(&packet)?;
        }
        Ok(self.running)
    }

    fn stop(&mut self) -> Result<Stop, Fault> {
        self.connection.interrupt()?;
        let packet = self.connection.reply()?;
        self.stopped(&packet)
    }

    fn resume(&mut self) -> Result<(), Fault> {
        self.connection.send("c")?;
        self.running = true;
        Ok(())
    }

    fn step(&mut self) -> Result<(), Fault> {
        let asleep = self.seems_asleep()?;
        self.connection.send("s")?;
        self.running = true;
        match self.connection.receive(if asleep { SLEEP } else { PATIENCE })? {
            Some(packet) => {
                self.stopped(&packet)?;
            }
            None if asleep => {
                if self.stop()? == Stop::Requested {
                    self.sleep = Sleep::Likely;
                }
            }
            None => return Err(Fault::Gone(ErrorKind::TimedOut.into())),
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Fault> {
        // QEMU resets soon, not at once: the reset is over when it has cleared R0.
        self.set_register(0, NOT_RESET)?;
        self.connection.order(&format!("qRcmd,{}", hex::encode(b"system_reset")))?;
        let deadline = Instant::now() + PATIENCE;
        while self.register(0)? == NOT_RESET {
            if Instant::now() >= deadline {
                return Err(Fault::Gone(ErrorKind::TimedOut.into()));
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.sleep = Sleep::Awake;
        Ok(())
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        for (part, at) in bytes.chunks_mut(CHUNK).zip((u64::from(address)..).step_by(CHUNK)) {
            let read = self.connection.fetch(&format!("m{at:x},{:x}", part.len()))?;
            if read.len() != part.len() {
                return Err(garbled("a memory read of another length"));
            }
            part.copy_from_slice(&read);
        }
        Ok(())
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        match Region::of(address) {
            Region::Memory => self.write_memory(address, bytes),
            Region::Device => self.write_device(address, bytes),
            Region::System => self.write_system(address, bytes),
        }
    }

    fn register(&mut self, register: RegSel) -> Result<u32, Fault> {
        let Some(Place { number, offset }) = self.description.place(register) else {
            return Ok(0);
        };
        let bytes = self.raw_register(number)?;
        let word = bytes.get(offset..).and_then(|bytes| bytes.first_chunk());
        word.map(|&word| u32::from_le_bytes(word)).ok_or_else(|| garbled("a register too short"))
    }

    fn set_register(&mut self, register: RegSel, value: u32) -> Result<(), Fault> {
        let Some(Place { number, offset }) = self.description.place(register) else {
            return Ok(());
        };
        if register == PC {
            // Another place says nothing any more.
            self.seems_asleep()?;
        }
        let mut bytes = self.raw_register(number)?;
        let word = bytes.get_mut(offset..).and_then(|bytes| bytes.first_chunk_mut());
        *word.ok_or_else(|| garbled("a register too short"))? = value.to_le_bytes();
        self.connection.order(&format!("P{number:x}={}", hex::encode(&bytes)))
    }

    fn insert_breakpoint(&mut self, address: u32) -> Result<(), Fault> {
        self.connection.order(&format!("Z1,{address:x},2"))
    }

    fn remove_breakpoint(&mut self, address: u32) -> Result<(), Fault> {
        self.connection.order(&format!("z1,{address:x},2"))
    }
}

#[cfg(test)]
#[path = "gdb_tests.rs"]
mod tests;
