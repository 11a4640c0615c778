//! The client of QEMU's gdbstub.

mod connection;
mod description;

use std::io::ErrorKind;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use self::connection::{Connection, PATIENCE, garbled};
use self::description::{Description, RegisterLocation};
use crate::target::{PC, RegSel, Stop, TargetAccess, TargetError, WFI, XPSR};

/// The timeout of a step, because a sleeping core does not step at all.
const SLEEP: Duration = Duration::from_millis(200);
/// Bytes of memory in a packet, which QEMU limits to 4096 characters.
const CHUNK: usize = 1024;
/// The signal of a stop on request; a breakpoint has another.
const SIGINT: &[u8] = b"02";
/// A value of R0 that a reset of QEMU changes.
const NOT_RESET: u32 = 0x5EED_5EED;

#[derive(Debug)]
pub(crate) struct Gdb {
    connection: Connection,
    description: Description,
    running: bool,
    sleep: Sleep,
}

/// Whether a stopped core is asleep. QEMU does not report it, and cannot wake the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sleep {
    /// The core executed up to its program counter.
    Awake,
    /// The core was stopped on request.
    Unknown,
    /// The core was stopped after a WFI.
    Likely,
}

impl Gdb {
    pub(crate) fn connect(stream: TcpStream) -> Result<Self, TargetError> {
        let mut connection = Connection::new(stream)?;
        connection.command("qSupported:xmlRegisters=arm")?;
        let description = Description::read(|name| connection.feature(name))?;
        connection.command("?")?;
        Ok(Self { connection, description, running: false, sleep: Sleep::Awake })
    }

    fn stopped(&mut self, packet: &[u8]) -> Result<Stop, TargetError> {
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
            [b'W' | b'X', ..] => Err(TargetError::Gone(ErrorKind::UnexpectedEof.into())),
            _ => Err(garbled("no reason for a stop")),
        }
    }

    /// Whether the instruction before the program counter is a WFI.
    fn seems_asleep(&mut self) -> Result<bool, TargetError> {
        if self.sleep == Sleep::Unknown {
            let before = (self.register(PC)? & !1).wrapping_sub(2);
            let mut code = [0; 2];
            self.sleep = match self.read(before, &mut code) {
                Ok(()) if code == WFI.to_le_bytes() => Sleep::Likely,
                Ok(()) | Err(TargetError::Refused) => Sleep::Awake,
                Err(gone) => return Err(gone),
            };
        }
        Ok(self.sleep == Sleep::Likely)
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        for (part, at) in bytes.chunks(CHUNK).zip((u64::from(address)..).step_by(CHUNK)) {
            self.connection.order(&format!("M{at:x},{:x}:{}", part.len(), hex::encode(part)))?;
        }
        Ok(())
    }

    fn raw_register(&mut self, number: u32) -> Result<Vec<u8>, TargetError> {
        self.connection.fetch(&format!("p{number:x}"))
    }
}

impl TargetAccess for Gdb {
    fn is_running(&mut self) -> Result<bool, TargetError> {
        if self.running
            && let Some(packet) = self.connection.arrived()?
        {
            self.stopped(&packet)?;
        }
        Ok(self.running)
    }

    fn stop(&mut self) -> Result<Stop, TargetError> {
        self.connection.interrupt()?;
        let packet = self.connection.reply()?;
        self.stopped(&packet)
    }

    fn resume(&mut self) -> Result<(), TargetError> {
        self.connection.send("c")?;
        self.running = true;
        Ok(())
    }

    fn step(&mut self) -> Result<(), TargetError> {
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
            None => return Err(TargetError::Gone(ErrorKind::TimedOut.into())),
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<(), TargetError> {
        // QEMU resets a little later: the reset is over when R0 has changed.
        self.set_register(0, NOT_RESET)?;
        self.connection.order(&format!("qRcmd,{}", hex::encode(b"system_reset")))?;
        let deadline = Instant::now() + PATIENCE;
        while self.register(0)? == NOT_RESET {
            if Instant::now() >= deadline {
                return Err(TargetError::Gone(ErrorKind::TimedOut.into()));
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.sleep = Sleep::Awake;
        Ok(())
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TargetError> {
        for (part, at) in bytes.chunks_mut(CHUNK).zip((u64::from(address)..).step_by(CHUNK)) {
            let read = self.connection.fetch(&format!("m{at:x},{:x}", part.len()))?;
            if read.len() != part.len() {
                return Err(garbled("a memory read of another length"));
            }
            part.copy_from_slice(&read);
        }
        Ok(())
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        match MemoryRegion::from_address(address) {
            MemoryRegion::Memory => self.write_memory(address, bytes),
            MemoryRegion::Device => self.write_device(address, bytes),
            MemoryRegion::System => self.write_system(address, bytes),
        }
    }

    fn register(&mut self, register: RegSel) -> Result<u32, TargetError> {
        let Some(RegisterLocation { number, offset }) = self.description.place(register) else {
            return Ok(0);
        };
        let bytes = self.raw_register(number)?;
        let word = bytes.get(offset..).and_then(|bytes| bytes.first_chunk());
        word.map(|&word| u32::from_le_bytes(word)).ok_or_else(|| garbled("a register too short"))
    }

    fn set_register(&mut self, register: RegSel, value: u32) -> Result<(), TargetError> {
        let Some(RegisterLocation { number, offset }) = self.description.place(register) else {
            return Ok(());
        };
        if register == PC {
            // The new program counter does not show a WFI.
            self.seems_asleep()?;
        }
        let mut bytes = self.raw_register(number)?;
        let word = bytes.get_mut(offset..).and_then(|bytes| bytes.first_chunk_mut());
        *word.ok_or_else(|| garbled("a register too short"))? = value.to_le_bytes();
        self.connection.order(&format!("P{number:x}={}", hex::encode(&bytes)))
    }

    fn insert_breakpoint(&mut self, address: u32) -> Result<(), TargetError> {
        self.connection.order(&format!("Z1,{address:x},2"))
    }

    fn remove_breakpoint(&mut self, address: u32) -> Result<(), TargetError> {
        self.connection.order(&format!("z1,{address:x},2"))
    }
}

/// How to write to an address (Armv7-M ARM, B3.1). The stub writes to RAM and ROM, and silently skips devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemoryRegion {
    /// RAM and ROM, which the stub writes.
    Memory,
    /// Devices, which the stub accesses by physical addresses.
    Device,
    /// The system region, which only the core can access.
    System,
}

impl MemoryRegion {
    const fn from_address(address: u32) -> Self {
        match address >> 29 {
            0 | 1 | 3 | 4 => Self::Memory,
            7 => Self::System,
            _ => Self::Device,
        }
    }
}

const R0: u8 = 0;
const R1: u8 = 1;
/// STR R0, \[R1\]
const STR: u16 = 0x6008;
/// STRH R0, \[R1\]
const STRH: u16 = 0x8008;
/// STRB R0, \[R1\]
const STRB: u16 = 0x7008;
/// EPSR bits that make the next instruction conditional, or continue an interrupted one.
const EPSR_ICI_IT: u32 = 0x0600_FC00;

impl Gdb {
    fn write_device(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        self.connection.order("Qqemu.PhyMemMode:1")?;
        let outcome = self.write_memory(address, bytes);
        self.connection.order("Qqemu.PhyMemMode:0")?;
        outcome
    }

    /// Makes the core store `bytes`.
    fn write_system(&mut self, address: u32, bytes: &[u8]) -> Result<(), TargetError> {
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (size, instruction) = match rest.len() {
                4.. if at.is_multiple_of(4) => (4_u8, STR),
                2.. if at.is_multiple_of(2) => (2, STRH),
                _ => (1, STRB),
            };
            let (unit, tail) = rest.split_at(size.into());
            let mut word = [0; 4];
            word[..unit.len()].copy_from_slice(unit);
            self.store(instruction, at, u32::from_le_bytes(word))?;
            (at, rest) = (at.wrapping_add(size.into()), tail);
        }
        Ok(())
    }

    /// Executes a store, and restores code and registers.
    fn store(&mut self, instruction: u16, address: u32, value: u32) -> Result<(), TargetError> {
        const SAVED: [u8; 4] = [R0, R1, XPSR, PC];
        let mut saved = [0; SAVED.len()];
        for (value, register) in saved.iter_mut().zip(SAVED) {
            *value = self.register(register)?;
        }
        let [.., xpsr, pc] = saved;
        let mut code = [0; 2];
        self.read(pc, &mut code)?;

        self.write_memory(pc, &instruction.to_le_bytes())?;
        self.set_register(R0, value)?;
        self.set_register(R1, address)?;
        self.set_register(XPSR, xpsr & !EPSR_ICI_IT)?;
        self.step()?;
        let stored = self.register(PC)? == pc.wrapping_add(2);
        self.write_memory(pc, &code)?;
        if !stored && self.register(PC)? != pc {
            // The store faulted, and the core runs its fault handler.
            return Err(TargetError::Refused);
        }
        for (value, register) in saved.into_iter().zip(SAVED) {
            self.set_register(register, value)?;
        }
        if stored { Ok(()) } else { Err(TargetError::Refused) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener};
    use std::thread::JoinHandle;

    use super::connection::{Packets, encode};
    use super::*;

    /// A stub that expects commands, and responds to each with one packet per line.
    fn stub(script: Vec<(&'static str, &'static str)>) -> (TcpStream, JoinHandle<()>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut stub, _) = listener.accept().unwrap();
        let thread = thread::spawn(move || {
            let mut commands = Packets::default();
            for (expected, reply) in script {
                let command = loop {
                    if let Some(command) = commands.next().unwrap() {
                        break command;
                    }
                    let mut byte = [0];
                    stub.read_exact(&mut byte).unwrap();
                    commands.extend(&byte);
                };
                assert_eq!(String::from_utf8(command).unwrap(), expected);
                stub.write_all(b"+").unwrap();
                for reply in reply.split('\n') {
                    stub.write_all(&encode(reply)).unwrap();
                }
            }
        });
        (client, thread)
    }

    const GREETING: [(&str, &str); 3] = [
        ("qSupported:xmlRegisters=arm", "PacketSize=1000"),
        ("qXfer:features:read:target.xml:0,400", r#"l<reg name="r0"/><reg name="d0"/>"#),
        ("?", "T05thread:01;"),
    ];

    fn connected(script: &[(&'static str, &'static str)]) -> (Gdb, JoinHandle<()>) {
        let (client, thread) = stub(GREETING.iter().chain(script).copied().collect());
        (Gdb::connect(client).unwrap(), thread)
    }

    #[test]
    fn memory_is_read_and_written() {
        let script = [("m20000000,4", "78563412"), ("M20000000,2:abcd", "OK"), ("m0,4", "E14")];
        let (mut gdb, thread) = connected(&script);
        assert_eq!(gdb.read_word(0x2000_0000).unwrap(), 0x1234_5678);
        gdb.write(0x2000_0000, &[0xAB, 0xCD]).unwrap();
        assert!(matches!(gdb.read_word(0), Err(TargetError::Refused)));
        thread.join().unwrap();
    }

    #[test]
    fn single_registers_are_halves_of_double_ones() {
        let script =
            [("p1", "0000803f00000040"), ("p1", "0000803f00000040"), ("P1=0000803f0000c040", "OK")];
        let (mut gdb, thread) = connected(&script);
        assert_eq!(gdb.register(65).unwrap(), 2.0_f32.to_bits());
        gdb.set_register(65, 6.0_f32.to_bits()).unwrap();
        assert_eq!(gdb.register(20).unwrap(), 0);
        gdb.set_register(20, 1).unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn a_reset_ends_when_registers_change() {
        let reset = "qRcmd,73797374656d5f7265736574";
        let script = [
            ("p0", "00000000"),
            ("P0=ed5eed5e", "OK"),
            (reset, "O0d0a\nO0d0a\nOK"),
            ("p0", "ed5eed5e"),
            ("p0", "00000000"),
        ];
        let (mut gdb, thread) = connected(&script);
        gdb.reset().unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn invalid_responses_end_the_connection() {
        for (command, reply) in [("m0,4", "1234"), ("m0,4", "zz"), ("m0,4", "123")] {
            let (mut gdb, thread) = connected(&[(command, reply)]);
            assert!(matches!(gdb.read_word(0), Err(TargetError::Gone(_))), "{reply}");
            thread.join().unwrap();
        }
        let (mut gdb, thread) = connected(&[("p0", "12")]);
        assert!(matches!(gdb.register(0), Err(TargetError::Gone(_))));
        thread.join().unwrap();
        let (mut gdb, thread) = connected(&[("s", "W00")]);
        assert!(matches!(gdb.step(), Err(TargetError::Gone(_))));
        thread.join().unwrap();
    }

    #[test]
    fn a_stub_that_hangs_up_is_gone() {
        let (mut gdb, thread) = connected(&[]);
        thread.join().unwrap();
        assert!(matches!(gdb.read_word(0), Err(TargetError::Gone(_))));
        let (client, thread) = stub(vec![("qSupported:xmlRegisters=arm", "")]);
        assert!(matches!(Gdb::connect(client), Err(TargetError::Gone(_))));
        thread.join().unwrap();
    }

    #[test]
    fn regions_follow_the_architecture() {
        for (address, region) in [
            (0x0000_0000, MemoryRegion::Memory),
            (0x3FFF_FFFF, MemoryRegion::Memory),
            (0x4000_0000, MemoryRegion::Device),
            (0x6000_0000, MemoryRegion::Memory),
            (0x9FFF_FFFF, MemoryRegion::Memory),
            (0xA000_0000, MemoryRegion::Device),
            (0xDFFF_FFFF, MemoryRegion::Device),
            (0xE000_ED08, MemoryRegion::System),
            (0xFFFF_FFFF, MemoryRegion::System),
        ] {
            assert_eq!(MemoryRegion::from_address(address), region, "{address:#x}");
        }
    }
}
