//! Emulated boards, programs for them, and runs of `lodger-board`.

use std::env;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lodger_qemu_probe::{Emulation, QemuOptions};
use serde_json::Value;

const PROGRAMS: &str = "LODGER_BOARD_PROGRAMS";
/// The timeout of a hanging program, ten times the longest run.
const PATIENCE: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(10);
/// The length of the searched flash; programs are shorter.
const FLASH: u32 = 0x4_0000;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// nRF51822, a Cortex-M0 with real flash.
    Microbit,
    /// A Cortex-M4F whose flash is plain memory.
    Mps2,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Microbit => "microbit-v1",
            Self::Mps2 => "mps2-an386",
        }
    }

    const fn machine(self) -> &'static str {
        match self {
            Self::Microbit => "microbit",
            Self::Mps2 => "mps2-an386",
        }
    }

    /// xtask's folder of programs for a probe.
    const fn folder(self) -> &'static str {
        match self {
            Self::Microbit => "microbit-v1",
            Self::Mps2 => "mps2-an386,rtt",
        }
    }

    pub(crate) fn program(self, name: &str) -> String {
        let folder = env::var_os(PROGRAMS).map(PathBuf::from).unwrap_or_else(|| {
            panic!("{PROGRAMS} must name the folder of the programs: use cargo xtask test --all")
        });
        let path = folder.join(self.folder()).join(name);
        assert!(path.is_file(), "{} is missing: use cargo xtask test --all", path.display());
        path.display().to_string()
    }
}

pub(crate) struct Board {
    pub(crate) emulation: Emulation,
    kind: Kind,
}

impl Board {
    pub(crate) fn new(kind: Kind) -> Self {
        let mut options = QemuOptions::new(kind.machine());
        options.flash = 0..FLASH;
        let emulation = Emulation::start(&options).expect("QEMU");
        Self { emulation, kind }
    }

    pub(crate) fn probe(&self) -> String {
        self.emulation.selector()
    }

    pub(crate) fn lodger(&self, command: &str, program: &str, options: &[&str]) -> Outcome {
        self.start(command, program, options).finish()
    }

    pub(crate) fn start(&self, command: &str, program: &str, options: &[&str]) -> Running {
        let (program, probe) = (self.kind.program(program), self.probe());
        Running::start(&[&[command, &program, "--probe", &probe], options].concat())
    }

    /// Starts `lodger-board run` with a signal ignored.
    #[cfg(unix)]
    pub(crate) fn run_ignoring(&self, signal: &str, program: &str) -> Running {
        let (program, probe) = (self.kind.program(program), self.probe());
        let arguments = ["run", &program, "--json", "--probe", &probe];
        Running::of(lodger_board_ignoring(signal, &arguments))
    }
}

const LODGER_BOARD: &str = env!("CARGO_BIN_EXE_lodger-board");

/// The command with the default actions of signals.
pub(crate) fn lodger_board(arguments: &[&str]) -> Command {
    #[cfg(unix)]
    lodger_terminal::signals::reset_for_children().expect("handlers");
    let mut command = Command::new(LODGER_BOARD);
    command.args(arguments);
    command
}

#[cfg(unix)]
fn lodger_board_ignoring(signal: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("trap '' {signal}; exec \"$0\" \"$@\""), LODGER_BOARD]);
    command.args(arguments);
    command
}

pub(crate) fn lodger(arguments: &[&str]) -> Outcome {
    Running::start(arguments).finish()
}

pub(crate) struct Running {
    child: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
    stderr: Option<JoinHandle<String>>,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        Self::of(lodger_board(arguments))
    }

    fn of(mut command: Command) -> Self {
        let mut child = command
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("lodger-board");
        let stdout = BufReader::new(child.stdout.take().expect("stdout"));
        let mut stderr = child.stderr.take().expect("stderr");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.expect("UTF-8")).is_err() {
                    return;
                }
            }
        });
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).expect("UTF-8");
            text
        });
        Self { child, lines, heard: Vec::new(), stderr: Some(stderr) }
    }

    #[track_caller]
    pub(crate) fn wait_for(&mut self, part: &str) {
        let begun = Instant::now();
        loop {
            let line = self.lines.recv_timeout(rest(begun));
            let line = line.unwrap_or_else(|_| panic!("no {part:?} in {:?}", self.heard));
            self.heard.push(line);
            if self.heard.last().is_some_and(|line| line.contains(part)) {
                return;
            }
        }
    }

    pub(crate) fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Repeats Ctrl-C, because fast signals are merged.
    pub(crate) fn interrupt_until_it_ends(&mut self) {
        let begun = Instant::now();
        while self.child.try_wait().expect("a process").is_none() {
            self.interrupt();
            thread::sleep(rest(begun).min(PAUSE));
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        let status = Command::new("kill").args([name, &process]).status().expect("kill");
        assert!(status.success());
    }

    #[track_caller]
    pub(crate) fn finish(mut self) -> Outcome {
        let begun = Instant::now();
        loop {
            match self.lines.recv_timeout(rest(begun)) {
                Ok(line) => self.heard.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("it hangs: {:?}", self.heard),
            }
        }
        let code = end_of(&mut self.child, begun);
        let stderr = self.stderr.take().expect("a thread").join().expect("stderr");
        let mut stdout = self.heard.join("\n");
        stdout.push('\n');
        Outcome { code, stdout, stderr }
    }
}

#[track_caller]
fn rest(begun: Instant) -> Duration {
    let rest = PATIENCE.checked_sub(begun.elapsed());
    rest.unwrap_or_else(|| panic!("it hangs: {PATIENCE:?} are over"))
}

#[track_caller]
pub(crate) fn end_of(child: &mut Child, begun: Instant) -> Option<i32> {
    loop {
        match child.try_wait().expect("a process") {
            Some(status) => return status.code(),
            None => thread::sleep(rest(begun).min(PAUSE)),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has already ended, unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    #[track_caller]
    pub(crate) fn exited(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stdout.contains(part), "no {part:?} in\n{}", self.stdout);
        }
        self
    }

    /// Asserts that stderr contains all parts and no panic.
    #[track_caller]
    pub(crate) fn complains(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in\n{}", self.stderr);
        }
        for part in ["panicked, which", "thread '"] {
            assert!(!self.stderr.contains(part), "{}", self.stderr);
        }
        self
    }

    #[track_caller]
    pub(crate) fn events(&self, kind: &str) -> Vec<Value> {
        let parse = |line: &str| -> Value {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        let lines = self.stdout.lines().filter(|line| !line.is_empty());
        let objects = lines.map(parse).inspect(|line| assert_eq!(line["schema"], 1));
        objects.filter(|line| line["event"] == kind).collect()
    }
}
