//! Counts the instructions of a firmware program by function, in the calls of one of its functions, and prints their mean.
//!
//! `cargo run --release -p lodger-tests --example split -- ELF FUNCTION [SKIP CALLS]`, for example
//! `target/boards/microbit/ticks tick_counts::tick 8 64` after `cargo xtask qemu microbit ticks`: the first 8 calls are left out.
//! An inlined function counts for its caller. QEMU prints each instruction that it executes, so that a second of the program takes
//! minutes.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, BufRead, BufReader};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use lodger_wire::boards::{self, NAME_SECTION};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

const QEMU: &str = "qemu-system-arm";
const USAGE: &str = "usage: split ELF FUNCTION [SKIP CALLS]";

/// The functions of a program by their first address, in order.
struct Functions(Vec<(u64, String)>);

impl Functions {
    fn of(program: &object::File<'_>) -> Self {
        // Bit 0 of an address says that it is Thumb code; `$t` and the like mark code and data.
        let symbols = program.symbols().filter_map(|symbol| {
            let name =
                symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
            let is_code =
                symbol.section_index().is_some() && symbol.kind() == object::SymbolKind::Text;
            is_code
                .then(|| (symbol.address() & !1, format!("{:#}", rustc_demangle::demangle(name))))
        });
        let mut functions: Vec<_> = symbols.collect();
        functions.sort();
        Self(functions)
    }

    fn name(&self, address: u64) -> &str {
        let after = self.0.partition_point(|(first, _)| *first <= address);
        after.checked_sub(1).map_or("?", |place| &self.0[place].1)
    }

    /// Returns the first addresses of the functions whose name ends with `part`.
    fn named(&self, part: &str) -> Vec<u64> {
        let named = self.0.iter().filter(|(_, name)| name.ends_with(part));
        named.map(|(first, _)| *first).collect()
    }
}

/// Returns QEMU's command for a program: it prints the address of each instruction to stderr.
fn qemu(elf: &str, program: &object::File<'_>) -> Result<Command, Box<dyn Error>> {
    let section = program.section_by_name(NAME_SECTION).ok_or("the program names no board")?;
    let board = boards::named(str::from_utf8(section.data()?)?)?;
    let machine = board.machine.as_deref().filter(|_| board.target.starts_with("thumb"));
    let machine = machine.ok_or_else(|| format!("{} is no Cortex-M that QEMU has", board.name))?;
    let version = Command::new(QEMU).arg("--version").output().map_err(|error| {
        format!("cannot run {QEMU}: {error}; `cargo xtask qemu microbit ticks` installs it")
    })?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let number = version.split("version ").nth(1).and_then(|text| text.split('.').next());
    // QEMU 9 has no `-singlestep`; QEMU 7 has nothing else.
    let each: &[&str] = match number.and_then(|number| number.parse().ok()) {
        Some(0..=8) => &["-singlestep"],
        _ => &["-accel", "tcg,one-insn-per-tb=on"],
    };
    let mut qemu = Command::new(QEMU);
    qemu.args(["-machine", machine, "-nographic", "-monitor", "none", "-serial", "null"]);
    qemu.args(["-semihosting-config", "enable=on,target=native", "-icount", "shift=0"]);
    qemu.args(each).args(["-d", "exec,nochain", "-D", "/dev/stderr", "-kernel", elf]);
    qemu.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    Ok(qemu)
}

/// Returns the address in a line of QEMU: `Trace 0: 0x7fa8 [flags/address/flags/flags] name`.
fn address(line: &str) -> Option<u64> {
    let (_, words) = line.strip_prefix("Trace")?.split_once('[')?;
    u64::from_str_radix(words.split('/').nth(1)?, 16).ok()
}

/// The executed instructions of some calls.
#[derive(Default)]
struct CallCounts {
    /// The number of calls, including the skipped ones.
    calls: u32,
    /// The executions of the instruction at each address.
    executed: HashMap<u64, u64>,
}

impl CallCounts {
    /// Counts `calls` calls of a function with one of these first addresses, after `skip` others.
    fn of(trace: impl BufRead, starts: &[u64], skip: u32, calls: u32) -> io::Result<Self> {
        let mut counts = Self::default();
        let (mut previous, mut caller) = (0, None);
        for line in trace.lines() {
            let Some(address) = address(&line?) else { continue };
            match caller {
                None if starts.contains(&address) => {
                    if counts.calls == skip + calls {
                        break;
                    }
                    counts.calls += 1;
                    caller = Some(previous);
                }
                // The instruction of a call takes two or four bytes.
                Some(from) if [from + 2, from + 4].contains(&address) => caller = None,
                _ => {}
            }
            if caller.is_some() && counts.calls > skip {
                *counts.executed.entry(address).or_default() += 1;
            }
            previous = address;
        }
        Ok(counts)
    }
}

fn split(elf: &str, function: &str, skip: u32, calls: u32) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(elf).map_err(|error| format!("cannot read {elf}: {error}"))?;
    let program = object::File::parse(&*bytes)?;
    let functions = Functions::of(&program);
    let starts = functions.named(function);
    if starts.is_empty() {
        return Err(format!("no function of {elf} has a name that ends with {function}").into());
    }
    let mut emulator = qemu(elf, &program)?.spawn()?;
    let trace = BufReader::new(emulator.stderr.take().ok_or("no output of QEMU")?);
    let counts = CallCounts::of(trace, &starts, skip, calls);
    emulator.kill()?;
    emulator.wait()?;
    let CallCounts { calls, executed } = counts?;
    let counted = calls.saturating_sub(skip);
    if counted == 0 {
        return Err(format!("{function} was called {calls} times").into());
    }
    let mut rows: HashMap<&str, u64> = HashMap::new();
    for (address, count) in &executed {
        *rows.entry(functions.name(*address)).or_default() += count;
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|&(name, count)| (u64::MAX - count, name));
    println!("instructions a call, mean of {counted}");
    println!("{:10} all", executed.values().sum::<u64>() / u64::from(counted));
    for (name, count) in rows {
        println!("{:10} {name}", count / u64::from(counted));
    }
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    let done = match &*words.iter().map(String::as_str).collect::<Vec<_>>() {
        [elf, function] => split(elf, function, 0, u32::MAX >> 1),
        [elf, function, skip, calls] => match (skip.parse::<u32>(), calls.parse()) {
            (Ok(skip), Ok(calls)) if skip.checked_add(calls).is_some() => {
                split(elf, function, skip, calls)
            }
            _ => Err(USAGE.into()),
        },
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
