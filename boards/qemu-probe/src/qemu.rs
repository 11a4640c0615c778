//! The process of QEMU, its options and the errors of an emulation.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use thiserror::Error;

/// The machine to emulate, and the port of the probe.
///
/// # Examples
/// ```
/// use lodger_qemu_probe::QemuOptions;
///
/// let mut options = QemuOptions::new("mps2-an386");
/// options.port = 4444;
/// assert_eq!(options.flash, 0..0x40_0000);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct QemuOptions {
    /// QEMU's name of the machine; `qemu-system-arm -machine help` lists them.
    pub machine: String,
    /// The memory of programs: begins with the vector table, and is searched for BKPTs after a reset if a flash
    /// algorithm may have changed it.
    pub flash: Range<u32>,
    /// The TCP port of the probe on 127.0.0.1; 0 for a free one.
    pub port: u16,
    /// The program of QEMU.
    pub qemu: PathBuf,
}

impl QemuOptions {
    /// Options of a machine on any free port. The flash of QEMU's `microbit`, `mps2-an385`, `-an386` and `-an505` is
    /// known; for other machines it is the first 256 KiB.
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

/// The reason why an emulation cannot start, or has ended.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmulationError {
    #[error(
        "{} is not installed, and without it there is no emulation\n  to install it:  \
         apt-get install --no-install-recommends qemu-system-arm",
        program.display()
    )]
    QemuMissing { program: PathBuf },
    #[error("{} cannot be started: {source}", program.display())]
    QemuStart { program: PathBuf, source: io::Error },
    #[error("QEMU, which emulated {machine}, has ended{}", last_output(output))]
    QemuEnded { machine: String, output: String },
    #[error("QEMU, which emulates {machine}, does not respond as expected: {source}")]
    QemuAstray { machine: String, source: io::Error },
    #[error(
        "{machine} has no memory at {address:#010x}, where its flash should begin\n  \
         to say where it does:  QemuOptions::flash, or --flash"
    )]
    NoFlash { machine: String, address: u32 },
    #[error("port {port} of 127.0.0.1 cannot be opened: {source}")]
    Port {
        /// The number; 0 for any.
        port: u16,
        source: io::Error,
    },
}

fn last_output(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!("; it said:\n{output}") }
}

const PATIENCE: Duration = Duration::from_secs(20);
const MAX_OUTPUT: usize = 4096;

#[derive(Debug)]
pub(crate) struct Qemu {
    machine: String,
    processes: Mutex<Processes>,
    listener: Mutex<Option<JoinHandle<String>>>,
    output: OnceLock<String>,
}

#[derive(Debug)]
struct Processes {
    qemu: Child,
    /// Dropped before QEMU's process id can be reused, so that it kills no other process.
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

impl Qemu {
    /// Starts QEMU with a halted machine. Its gdbstub connects to a port of this process, so that no port is guessed.
    pub(crate) fn start(options: &QemuOptions) -> Result<(Self, TcpStream), EmulationError> {
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
            listener: Mutex::new(Some(thread::spawn(move || listen(stderr)))),
            output: OnceLock::new(),
        };
        let stream = qemu.accept(&listener)?;
        Ok((qemu, stream))
    }

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

    /// The reason of an invalid response, or that QEMU has ended.
    pub(crate) fn astray(&self, source: io::Error) -> EmulationError {
        let machine = || self.machine.clone();
        self.ended().unwrap_or_else(|| EmulationError::QemuAstray { machine: machine(), source })
    }

    pub(crate) fn ended(&self) -> Option<EmulationError> {
        self.processes().status()?;
        let output = self.output.get_or_init(|| {
            let thread = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
            thread.and_then(|thread| thread.join().ok()).unwrap_or_default()
        });
        let (machine, output) = (self.machine.clone(), output.clone());
        Some(EmulationError::QemuEnded { machine, output })
    }

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

/// Starts a shell that kills QEMU when its input ends, which happens if this process ends in any way. Without a
/// shell, QEMU survives if this process is killed.
fn guard(qemu: u32) -> Option<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "read -r _; kill -KILL \"$0\"", &qemu.to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// Reads stderr to its end, so that QEMU never waits; returns the last part.
fn listen(stderr: Option<ChildStderr>) -> String {
    let mut heard = Vec::new();
    let mut bytes = [0; 1024];
    if let Some(mut stderr) = stderr {
        while let Ok(length @ 1..) = stderr.read(&mut bytes) {
            heard.extend_from_slice(&bytes[..length]);
            heard.drain(..heard.len().saturating_sub(MAX_OUTPUT));
        }
    }
    String::from_utf8_lossy(&heard).trim_end().to_owned()
}
