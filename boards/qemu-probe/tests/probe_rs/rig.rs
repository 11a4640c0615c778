//! A chip with a probe, probe-rs connected to it, and programs for it.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use lodger_qemu_probe::{Emulation, QemuOptions};
use probe_rs::config::Registry;
use probe_rs::flashing::DownloadOptions;
use probe_rs::probe::list::Lister;
use probe_rs::probe::{DebugProbeSelector, Probe, WireProtocol};
use probe_rs::{Core, MemoryInterface, Permissions, Session};

pub(crate) const GIVE_UP: Duration = Duration::from_mins(1);

const MPS2: &str = include_str!("../../../board/chips/mps2-an386.yaml");

#[derive(Debug, Clone, Copy)]
pub(crate) enum Machine {
    /// A Cortex-M0, whose flash needs a flash algorithm of probe-rs.
    Microbit,
    /// A Cortex-M4F, whose flash is RAM.
    Mps2An386,
}

impl Machine {
    pub(crate) fn start(self) -> Emulation {
        let name = match self {
            Self::Microbit => "microbit",
            Self::Mps2An386 => "mps2-an386",
        };
        Emulation::start(&QemuOptions::new(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn attach(self, emulation: &Emulation) -> Session {
        let probe = open(emulation).unwrap();
        match self {
            Self::Microbit => probe.attach("nRF51822_xxAA", Permissions::default()),
            Self::Mps2An386 => {
                let mut registry = Registry::new();
                registry.add_target_family_from_yaml(MPS2).unwrap();
                probe.attach_with_registry("MPS2-AN386", Permissions::default(), &registry)
            }
        }
        .unwrap()
    }
}

pub(crate) fn open(emulation: &Emulation) -> Result<Probe, probe_rs::probe::DebugProbeError> {
    let selector: DebugProbeSelector = emulation.selector().parse().unwrap();
    let mut probe = Lister::new().open(selector)?;
    probe.select_protocol(WireProtocol::Swd)?;
    Ok(probe)
}

/// Flashes a program and halts before its first instruction.
pub(crate) fn flash(session: &mut Session, image: &[u8]) {
    let mut loader = session.target().flash_loader();
    loader.add_data(0, image).unwrap();
    let mut options = DownloadOptions::default();
    options.verify = true;
    loader.commit(session, options).unwrap();
    session.core(0).unwrap().reset_and_halt(GIVE_UP).unwrap();
}

pub(crate) fn register(core: &mut Core<'_>, number: u16) -> u32 {
    core.read_core_reg(probe_rs::RegisterId(number)).unwrap()
}

/// Waits until a word changes; returns it.
pub(crate) fn changed(core: &mut Core<'_>, address: u32) -> u32 {
    let before = core.read_word_32(address.into()).unwrap();
    let start = Instant::now();
    loop {
        let now = core.read_word_32(address.into()).unwrap();
        if now != before {
            return now;
        }
        assert!(start.elapsed() < GIVE_UP, "{address:#x} stays {before:#x}");
    }
}

/// Calls `work`, which must end in time.
pub(crate) fn in_time<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || sender.send(work()));
    match receiver.recv_timeout(GIVE_UP) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            std::panic::resume_unwind(worker.join().unwrap_err())
        }
    }
}

/// The address of the first instruction of every program.
pub(crate) const ENTRY: u32 = 0x40;
/// The address of every program's `HardFault` handler, `b .`.
pub(crate) const HARD_FAULT_HANDLER: u32 = 0x3C;
pub(crate) const COUNT: u32 = 0x2000_0100;
pub(crate) const STACK: u32 = 0x2000_1000;

const UDF: u16 = 0xDE00;

pub(crate) fn counter() -> Vec<u8> {
    let count = COUNT.to_le_bytes();
    program(&[
        0x4802, // 40  ldr r0, =COUNT
        0x6801, // 42  ldr r1, [r0]
        0x3101, // 44  adds r1, #1
        0x6001, // 46  str r1, [r0]
        0xE7FB, // 48  b 42
        0xBF00, // 4a  nop
        u16::from_le_bytes([count[0], count[1]]),
        u16::from_le_bytes([count[2], count[3]]),
    ])
}

pub(crate) const STORES: u32 = 0x46;

pub(crate) fn exit() -> Vec<u8> {
    program(&[
        0x2018, // 40  movs r0, #SYS_EXIT
        0x4901, // 42  ldr r1, =ADP_Stopped_ApplicationExit
        0xBEAB, // 44  bkpt #0xAB
        0xE7FE, // 46  b 46
        0x0026, 0x0002,
    ])
}

pub(crate) const EXITED: u32 = 0x46;

pub(crate) fn fault() -> Vec<u8> {
    program(&[UDF])
}

/// Faults at its first instruction, and again in the handler.
pub(crate) fn lockup() -> Vec<u8> {
    let mut image = fault();
    image[HARD_FAULT_HANDLER as usize..][..2].copy_from_slice(&UDF.to_le_bytes());
    image
}

pub(crate) fn sleep() -> Vec<u8> {
    program(&[
        0xBF30, // 40  wfi
        0xE7FD, // 42  b 40
    ])
}

fn program(code: &[u16]) -> Vec<u8> {
    const VECTORS: usize = 15;
    let mut vectors = [HARD_FAULT_HANDLER | 1; VECTORS];
    vectors[0] = STACK;
    vectors[1] = ENTRY | 1;
    let handler = [0xE7FE, 0xBF00]; // 3c  b 3c; nop
    let code = handler.iter().chain(code);
    vectors
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .chain(code.flat_map(|code| code.to_le_bytes()))
        .collect()
}
