//! The program `qemu-probe`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
#[cfg(target_os = "linux")]
use std::{
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

fn qemu_probe(arguments: &[&str]) -> Command {
    #[cfg(unix)]
    lodger_terminal::signals::reset_for_children().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_qemu-probe"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn refused(arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = qemu_probe(arguments).output().unwrap();
    assert!(!status.success());
    String::from_utf8(stderr).unwrap()
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // An error says that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_program_serves_until_interrupted() {
    let mut program = Running(qemu_probe(&["microbit"]).spawn().unwrap());
    let mut output = BufReader::new(program.0.stdout.take().unwrap()).lines();
    let selector = output.next().unwrap().unwrap();
    assert!(output.next().unwrap().unwrap().contains("is an emulation"));

    let address = selector.strip_prefix("1d50:6018:").unwrap();
    let mut connection = TcpStream::connect(address).unwrap();
    connection.write_all(b"+#!GA#").unwrap();
    let mut reply = [0; 16];
    connection.read_exact(&mut reply).unwrap();
    assert_eq!(&reply, b"&KQEMU emulation");

    let interrupt = Command::new("kill").args(["-INT", &program.0.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    assert!(program.0.wait().unwrap().success());
    assert!(TcpStream::connect(address).is_err());
}

/// Directories in /proc of the processes that a process started (Linux).
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<PathBuf> {
    let is_child = |process: &PathBuf| {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        status.lines().any(|line| line.split_whitespace().eq(["PPid:", &parent.to_string()]))
    };
    let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    processes.filter(is_child).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn qemu_ends_with_a_program_that_is_killed() {
    let mut program = Running(qemu_probe(&["microbit"]).spawn().unwrap());
    let mut output = BufReader::new(program.0.stdout.take().unwrap()).lines();
    output.next().unwrap().unwrap();
    let children = children(program.0.id());
    assert!(!children.is_empty());
    program.0.kill().unwrap();
    program.0.wait().unwrap();
    // An ended process has no command line, even before its exit status is read.
    let start = Instant::now();
    while children.iter().any(|child| fs::read(child.join("cmdline")).is_ok_and(|c| !c.is_empty()))
    {
        assert!(start.elapsed() < Duration::from_mins(1), "something is left over");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn errors_name_the_mistake() {
    assert!(refused(&["abacus"]).contains("unsupported machine type"));
    assert!(refused(&["microbit", "--flash", "0x100..0x100"]).contains("it is empty"));
    assert!(refused(&["microbit", "--flash", "256"]).contains("0x0..0x40000"));
    let outside = refused(&["mps2-an386", "--flash", "0x50000000..0x50010000"]);
    assert!(outside.contains("no memory at 0x50000000"), "{outside}");
}
