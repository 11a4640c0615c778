//! `qemu-probe`: an emulated Cortex-M with a probe, until Ctrl-C.

use std::io::{self, ErrorKind, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use clap::Parser;
use lodger_qemu_probe::{Emulation, EmulationError, QemuOptions};

const INTERVAL: Duration = Duration::from_millis(200);

/// Emulates a Cortex-M with a probe that probe-rs opens as it opens a real one.
#[derive(Debug, Parser)]
#[command(name = "qemu-probe", version)]
struct ProgramArguments {
    /// QEMU's name of the machine, such as microbit or mps2-an386.
    machine: String,
    /// The TCP port of the probe on 127.0.0.1; by default a free one.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// The first address of the flash and the one after its end, for machines whose flash is not known.
    #[arg(long, value_name = "START..END", value_parser = range)]
    flash: Option<Range<u32>>,
}

fn main() -> ExitCode {
    match run(ProgramArguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: ProgramArguments) -> Result<(), Box<dyn std::error::Error>> {
    let mut options = QemuOptions::new(arguments.machine);
    options.port = arguments.port;
    if let Some(flash) = arguments.flash {
        options.flash = flash;
    }
    let (interrupt, interrupted) = mpsc::channel();
    let pressed = interrupt.clone();
    let handler = move || {
        // An error says that the program is already ending.
        let _ = pressed.send(());
    };
    match ctrlc::try_set_handler(handler) {
        // The parent process ignores Ctrl-C.
        Err(ctrlc::Error::MultipleHandlers) => {}
        outcome => outcome?,
    }
    let emulation = Emulation::start(&options)?;
    match introduce(&emulation, &options.machine) {
        // The reader of the selector has closed stdout.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        outcome => outcome?,
    }
    until_end(&emulation, &interrupted)?;
    drop(interrupt);
    Ok(())
}

fn introduce(emulation: &Emulation, machine: &str) -> io::Result<()> {
    let (mut out, selector) = (io::stdout(), emulation.selector());
    writeln!(out, "{selector}")?;
    writeln!(out, "{machine} is an emulation: no hardware, and no time to be measured.")?;
    writeln!(out, "probe-rs opens it with  --protocol swd --probe {selector}")?;
    writeln!(out, "Ctrl-C ends it.")
}

fn until_end(
    emulation: &Emulation,
    interrupted: &mpsc::Receiver<()>,
) -> Result<(), EmulationError> {
    while interrupted.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if let Some(error) = emulation.ended() {
            // Ctrl-C reaches QEMU as well.
            return if interrupted.try_recv().is_ok() { Ok(()) } else { Err(error) };
        }
    }
    Ok(())
}

/// Parses a range of addresses, decimal or hexadecimal with `0x`.
fn range(text: &str) -> Result<Range<u32>, String> {
    let (start, end) = text.split_once("..").ok_or("two addresses, like 0x0..0x40000")?;
    let range = number(start)?..number(end)?;
    if range.is_empty() { Err("it is empty".to_owned()) } else { Ok(range) }
}

fn number(text: &str) -> Result<u32, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| format!("{text}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_decimal_or_hexadecimal() {
        assert_eq!(range("0x10..256").expect("a range"), 16..256);
        for (text, reason) in
            [("1", "two addresses"), ("a..2", "a: invalid digit"), ("2..2", "it is empty")]
        {
            let error = range(text).expect_err("no range");
            assert!(error.contains(reason), "{error}");
        }
    }
}
