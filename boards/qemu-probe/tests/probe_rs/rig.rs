//! A chip with a probe, and probe-rs connected to it.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use lodger_qemu_probe::{Emulation, Options};
use probe_rs::config::Registry;
use probe_rs::flashing::DownloadOptions;
use probe_rs::probe::list::Lister;
use probe_rs::probe::{DebugProbeSelector, Probe, WireProtocol};
use probe_rs::{Core, MemoryInterface, Permissions, Session};

/// What takes this long never comes.
pub(crate) const GIVE_UP: Duration = Duration::from_mins(1);

const MPS2: &str = include_str!("../../../board/chips/mps2-an386.yaml");

/// The machines of these tests.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Machine {
    /// A Cortex-M0 with real flash, which takes a flash algorithm: a chip that probe-rs knows.
    Microbit,
    /// A Cortex-M4F whose flash is RAM: a chip of our own description.
    Mps2An386,
}

impl Machine {
    pub(crate) fn start(self) -> Emulation {
        let name = match self {
            Self::Microbit => "microbit",
            Self::Mps2An386 => "mps2-an386",
        };
        Emulation::start(&Options::new(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Connects a debugger.
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

/// Opens the probe as probe-rs opens any.
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

/// The value of a register.
pub(crate) fn register(core: &mut Core<'_>, number: u16) -> u32 {
    core.read_core_reg(probe_rs::RegisterId(number)).unwrap()
}

/// Waits until a word in memory is another than it was; returns what it is then.
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

/// Does something that must not take for ever.
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
