//! The process that emulates, and its options.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::error::EmulationError;

/// What to emulate, and where.
///
/// # Examples
/// ```
/// use lodger_qemu_probe::Options;
///
/// let mut options = Options::new("mps2-an386");
/// options.port = 4444;
/// assert_eq!(options.flash, 0..0x40_0000);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// QEMU's name of the machine; `qemu-system-arm -machine help` lists them.
    pub machine: String,
    /// Where programs are: the vector table at reset is at its start, and after a reset it is searched
    /// for BKPT instructions if a flash algorithm may have changed it.
    pub flash: Range<u32>,
    /// The TCP port of the probe on 127.0.0.1; 0 for one that is free.
    pub port: u16,
    /// The program that emulates.
    pub qemu: PathBuf,
}

impl Options {
    /// A machine on any free port. The flash of QEMU's microbit, `mps2-an385`, `-an386` and `-an505` is
    /// known; of other machines it is taken to be the first 256 KiB.
    pub fn new(machine: impl Into<String>) -> Self {
        let machine = machine.into();
        let flash = match machine.as_str() {
            "mps2-an385" | "mps2-an386" => 0..0x40_0000,
            "mps2-an505" => 0x1000_0000..0x1040_0000,
            _ => 0..0x4_0000,
        };
        Self { machine, flash, port: 0, qemu: "qemu-system-arm".into() }
    }
}

/// How long QEMU may take to start.
const PATIENCE: Duration = Duration::from_secs(20);
/// How much of what QEMU says is kept.
const MOST_OUTPUT: usize = 4096;

/// A running QEMU; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Qemu {
    machine: String,
    processes: Mutex<Processes>,
    output: Mutex<Output>,
}

#[derive(Debug)]
struct Processes {
    qemu: Child,
    /// Lives only as long as QEMU does, so that it never ends another process of the same number.
    guard: Option<Child>,
}

impl Processes {
    fn status(&mut self) -> Option<ExitStatus> {
        let status = self.qemu.try_wait().ok().flatten();
        if status.is_some() {
            self.dismiss_guard();
        }
        status
    }

    fn kill(&mut self) {
        self.dismiss_guard();
        // An error says that it has ended already.
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }

    fn dismiss_guard(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }
}

/// What QEMU says on its way to the end.
#[derive(Debug)]
enum Output {
    Listening(JoinHandle<String>),
    Heard(String),
}

impl Qemu {
    /// Starts QEMU with a halted machine. Its gdbstub connects to a port of ours, so that no port has
    /// to be guessed and no file is left over.
    pub(crate) fn start(options: &Options) -> Result<(Self, TcpStream), EmulationError> {
        let port_error = |source| EmulationError::Port { port: 0, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(port_error)?;
        let port = listener.local_addr().map_err(port_error)?.port();
        listener.set_nonblocking(true).map_err(port_error)?;

        let mut command = Command::new(&options.qemu);
        command.args(["-machine", &options.machine, "-S"]);
        command.args(["-nographic", "-monitor", "none", "-serial", "null"]);
        let gdb = format!("socket,id=gdb,host={},port={port},nodelay=on", Ipv4Addr::LOCALHOST);
        command.args(["-chardev", &gdb, "-gdb", "chardev:gdb"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|source| {
            let program = options.qemu.clone();
            match source.kind() {
                ErrorKind::NotFound => EmulationError::QemuMissing { program },
                _ => EmulationError::QemuStart { program, source },
            }
        })?;
        let stderr = child.stderr.take();
        let guard = guard(child.id());
        let qemu = Self {
            machine: options.machine.clone(),
            processes: Mutex::new(Processes { qemu: child, guard }),
            output: Mutex::new(Output::Listening(thread::spawn(move || listen(stderr)))),
        };
        let stream = qemu.accept(&listener)?;
        Ok((qemu, stream))
    }

    /// Waits for the gdbstub.
    fn accept(&self, listener: &TcpListener) -> Result<TcpStream, EmulationError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).map_err(|error| self.astray(error))?;
                    return Ok(stream);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(self.astray(error)),
            }
            if let Some(error) = self.ended() {
                return Err(error);
            }
            if Instant::now() >= deadline {
                return Err(self.astray(ErrorKind::TimedOut.into()));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// QEMU runs, but not as it should.
    pub(crate) fn astray(&self, source: io::Error) -> EmulationError {
        let machine = || self.machine.clone();
        self.ended().unwrap_or_else(|| EmulationError::QemuAstray { machine: machine(), source })
    }

    /// How QEMU ended, if it did.
    pub(crate) fn ended(&self) -> Option<EmulationError> {
        self.processes().status()?;
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *output, Output::Heard(String::new()));
        let said = match before {
            Output::Listening(thread) => thread.join().unwrap_or_default(),
            Output::Heard(said) => said,
        };
        *output = Output::Heard(said.clone());
        Some(EmulationError::QemuEnded { machine: self.machine.clone(), output: said })
    }

    /// Ends QEMU at once.
    pub(crate) fn kill(&self) {
        self.processes().kill();
    }

    fn processes(&self) -> MutexGuard<'_, Processes> {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        self.kill();
        self.ended();
    }
}

/// Ends QEMU when this process ends without a chance to: a shell waits for the end of its input, which
/// nobody writes to. Where there is no shell, QEMU is left over in that case.
fn guard(qemu: u32) -> Option<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "read -r _; kill -KILL \"$0\"", &qemu.to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// Reads to the end, so that QEMU never waits for a reader, and keeps the last of it.
fn listen(stderr: Option<ChildStderr>) -> String {
    let mut heard = Vec::new();
    let mut bytes = [0; 1024];
    if let Some(mut stderr) = stderr {
        while let Ok(length @ 1..) = stderr.read(&mut bytes) {
            heard.extend_from_slice(&bytes[..length]);
            heard.drain(..heard.len().saturating_sub(MOST_OUTPUT));
        }
    }
    String::from_utf8_lossy(&heard).trim_end().to_owned()
}
