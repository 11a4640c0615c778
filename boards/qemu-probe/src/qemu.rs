//! The process that emulates.

use std::io::{self, ErrorKind, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::Error;
use crate::options::Options;

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
    pub(crate) fn start(options: &Options) -> Result<(Self, TcpStream), Error> {
        let port_error = |error| Error::Port { port: 0, error };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(port_error)?;
        let port = listener.local_addr().map_err(port_error)?.port();
        listener.set_nonblocking(true).map_err(port_error)?;

        let mut command = Command::new(&options.qemu);
        command.args(["-machine", &options.machine, "-S"]);
        command.args(["-nographic", "-monitor", "none", "-serial", "null"]);
        let gdb = format!("socket,id=gdb,host={},port={port},nodelay=on", Ipv4Addr::LOCALHOST);
        command.args(["-chardev", &gdb, "-gdb", "chardev:gdb"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            let program = options.qemu.clone();
            match error.kind() {
                ErrorKind::NotFound => Error::QemuMissing { program },
                _ => Error::QemuStart { program, error },
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
    fn accept(&self, listener: &TcpListener) -> Result<TcpStream, Error> {
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
    pub(crate) fn astray(&self, error: io::Error) -> Error {
        self.ended().unwrap_or_else(|| Error::QemuAstray { machine: self.machine.clone(), error })
    }

    /// How QEMU ended, if it did.
    pub(crate) fn ended(&self) -> Option<Error> {
        self.processes().status()?;
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *output, Output::Heard(String::new()));
        let said = match before {
            Output::Listening(thread) => thread.join().unwrap_or_default(),
            Output::Heard(said) => said,
        };
        *output = Output::Heard(said.clone());
        Some(Error::QemuEnded { machine: self.machine.clone(), output: said })
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
