//! `cargo xtask`: lodger's own tools. [`Task`] has the commands, `ci` the parts of CI.
//!
//! A command is a function from [`Steps`] to success or the first [`Failure`]: it installs the programs that it
//! needs through `tools`, runs external commands as steps, and knows nothing of reports or exit codes.

mod board_checks;
mod boards;
mod c;
mod callgrind;
mod ci;
mod command;
mod conform;
mod dist;
mod failure;
mod grid;
#[cfg(target_os = "linux")]
mod hostile;
mod instructions;
mod licences;
mod lint;
mod packages;
mod qemu;
mod script;
mod steps;
mod tasks;
mod tools;
mod user_mode;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use lodger_wire::conform::VECTORS;

use crate::ci::Part;
use crate::conform::{Asked, Route};
use crate::failure::Failure;
use crate::steps::Steps;

/// lodger's own tools: set-up, tests and what CI checks.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "After cloning: cargo xtask test. Before sending a change: cargo xtask ci.\n\
                  Works from any folder of the workspace. Each step says the command it runs, the first \
                  failure stops, and a table of steps and seconds ends every run.\n\
                  Exit codes: 0 everything passed, 1 a step failed, 2 usage; that of a program on a board is passed on."
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the tests that need nothing but Rust.
    ///
    /// Unit, vector, property, command-line and doc tests, with all features and the dev profile's
    /// overflow checks. Tests of boards, of the plugin for Bevy and of packing are left out: building probe-rs
    /// or Bevy takes minutes, and packing needs C++.
    Test {
        /// Run every test: the parts `test`, `bindings` and `boards` of `cargo xtask ci`.
        ///
        /// The tests of all packages; those of the C library by C and C++ compilers, valgrind, sanitizers, Python, and
        /// `s390x`; those of the ES module by Node and Chromium; and those of boards that QEMU emulates. Missing programs
        /// are installed first: targets through rustup, QEMU, compilers and browsers through apt-get.
        #[arg(long)]
        all: bool,
        /// Run every check and every test of the workspace in secondlife/query, which is built with `DataFusion` and Ballista.
        ///
        /// Formatting, licences, clippy, rustdoc, packages, then all tests: SQL functions, datasets, tables of
        /// `PostgreSQL` and `MariaDB`, which the tests start by themselves, and a cluster of real processes. Building
        /// it takes half an hour on two cores the first time, so that CI only checks what needs no build of it.
        /// Missing programs are installed first: rustfmt and clippy through rustup,
        /// postgresql and mariadb-server through apt-get. It is built in the folder `grid` of the target folder, by the
        /// dev profile, whose overflow checks are on. With `--all` the others run before.
        #[arg(long)]
        grid: bool,
    },
    /// Run what CI runs: every check that a change must pass, in parts.
    ///
    /// Each part runs alone on a fresh clone and installs the programs that it needs, saying so: rustfmt, clippy,
    /// targets and Rust 1.88 through rustup, QEMU, compilers, valgrind, Node and Chromium through apt-get. Checks run from
    /// cheap to expensive, and the first failure stops them. A table of all steps with their part and seconds ends every
    /// run. Of the workspace in secondlife/query CI checks only what needs no build; `cargo xtask test --grid` has the rest.
    #[command(after_help = "Before sending a change:   cargo xtask ci\n\
                            While working on lints:    cargo xtask ci lint\n\
                            Before a release:          cargo xtask ci deep\n\
                            To see what a part does:   cargo xtask ci boards --list")]
    Ci(ci::Options),
    /// Write an archive of the release programs for this machine, with a checksum beside it.
    ///
    /// `lodger-VERSION-TARGET.tar.gz` in the folder `dist` of the target folder: lodger, lodger-pack and lodger-board, shell
    /// completions, man pages, README, changelog, and the licences of lodger and of all packages that the programs
    /// contain. `TARGET` is the target of this machine.
    Dist {
        /// Build lodger-grid too, which takes half an hour the first time.
        #[arg(long)]
        grid: bool,
    },
    /// Ask every emulated board and machine what the host computes, and compare the answers bit for bit.
    ///
    /// Importances, benefits, whole ledgers, costs and links in three number types, with NaN, subnormals and
    /// saturation among them: on boards that QEMU emulates (Cortex-M and RISC-V), in its user mode on
    /// `AArch64`, RISC-V of 64 bits and s390x, whose bytes go the other way round, and by this machine's
    /// optimised build. It installs QEMU, targets and linkers where they are missing. Exit code 1 if
    /// any answer differs.
    Conform {
        /// Ask these targets alone.
        #[arg(long)]
        target: Vec<String>,
        /// The way to a board and back. Only boards have a serial port.
        #[arg(long, value_enum, default_value_t = Route::Semihosting)]
        transport: Route,
        /// How many questions a board is asked in each number type.
        #[arg(long, default_value_t = VECTORS)]
        vectors: u32,
    },
    /// Measure the ledger on every emulated board: bytes, and instructions of importances and ticks.
    ///
    /// QEMU counts instructions exactly and the same every time. They are no cycles and no time.
    Instructions {
        /// How to print it.
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Build the C library and install it: header, shared and static library, files for pkg-config and `CMake`.
    ///
    /// On Unix. A program that was linked to the shared library asks for the ABI's version that it was built with.
    C(c::Options),
    /// Count the instructions of a tick for each actor, under every policy, and compare them with the stored ones.
    ///
    /// 10 000 actors, valgrind's callgrind, vectors of AVX2; whether a loop that divides vectors is in the program at
    /// all, and whether the library of lodger-cli compiles nothing of the ledger again. More than 5 % above what
    /// host-cli/benches/instructions.txt says is exit code 1. It
    /// installs valgrind where that is missing. Linux on `x86_64`; elsewhere it says that it does nothing.
    Callgrind {
        /// Store what is counted.
        #[arg(long)]
        bless: bool,
    },
    /// Measure the release build on large files: seconds and peak memory beside what is promised.
    ///
    /// An archive of 5 000 objects and a .glb of a million nodes, made for it. It fails on memory, which
    /// repeats and which only Linux tells, and never on time.
    Bounds,
    /// Measure the release build of lodger-grid on a grid by chance: seconds and peak memory beside what is asked of it.
    ///
    /// It makes an `FSAssets` tree of distinct meshes of at most 3 KiB, its table, and the tables of objects in regions,
    /// in the folder `grid-figures` of the target folder, where it stays for the next time: a million files are
    /// some 16 GB and three million inodes. It reads all files alone, which warms the page cache, then reads them
    /// again for the figure, ingests them, asks for `top` and `waste`, and for totals by 1, 2 and 8
    /// partitions, which must be the same. Nothing fails because of time or memory: both are printed. Linux
    /// alone tells memory.
    GridFigures(tasks::GridOptions),
    /// Make the files to try in `docs/files`, which README and the guide name.
    ///
    /// A mesh asset, a model, an archive, linksets, scenes, the index of a Streamed SOG and a log, with the same bytes
    /// each time. A test holds the files to it.
    Files,
    /// Run the release build on bad input of every kind, and check what it promises of any input.
    ///
    /// Damaged meshes, archives, scenes and options, odd places, signals, full disks: each in a process
    /// of its own under limits of memory, time, files and threads. The cases are those of the tests of lodger-cli
    /// and lodger-pack, run for longer. A seed is printed; what fails is kept as a folder with a script that runs it.
    /// Exit code 1 if anything failed. As root more can be tried: other users without threads, and small disks.
    #[cfg(target_os = "linux")]
    Hostile(hostile::Options),
    /// Record a scene of 10 000 actors for 600 ticks, and replay the log here and on `AArch64`.
    ///
    /// The other machine is QEMU's user mode; qemu-user is installed where it is missing. Exit code 1 if
    /// a decision differs.
    Replay,
    /// Decide plans by chance in all forms, with all vectors, on 1, 2 and 7 threads, here and on `AArch64` and s390x.
    ///
    /// Books as a whole, in parts and by the naive ledger; scenes of three number types, with NaN and
    /// infinities. The other machines are QEMU's user mode; qemu-user and a linker for s390x are installed
    /// where they are missing. Exit code 1 if a plan differs.
    SameBits(tasks::SameBitsOptions),
    /// Check that the ledger alone and the heapless scene hold nothing that panics, allocates or needs 128 bits.
    Panics,
    /// Pack what would be published, and build it from the packages alone.
    ///
    /// Every package for others has what a registry requires, a README and no stray file, is below 1 MB, and builds
    /// with all features from what is packed, in a workspace of its own. Nothing is published.
    Package,
    /// Build the packages that promise an older Rust than the workspace with that Rust, and test lodger-core with it.
    ///
    /// rustup installs it; where it cannot, clippy compares the parts of the standard library that are used with that
    /// version, which is less, and that is said.
    Msrv,
    /// Run the examples of other people's firmware in QEMU: a plain loop, embassy and RTIC.
    ///
    /// Each keeps two modules to a budget that halves twice, and says how often and by how much it was
    /// exceeded. Then once more with a module that hangs, which the watchdog ends. Exit code 1 if a
    /// budget did not hold.
    Examples,
    /// Build the C ABI for browsers, with its module, its types and the playground, into target/web; say how large it is.
    ///
    /// With `--test`: random scenes through it in Node and in headless Chromium, whose answers must be the
    /// scheduler's on this machine, bit for bit, and a picture of the playground. It installs a target through
    /// rustup, and Node and Chromium through apt-get where they are missing; npm brings the compiler of the types.
    Web(web::Options),
    /// Pack a model, and look at the page of it in headless Chromium: errors, pictures, widths, light and dark.
    ///
    /// It installs compilers of C and C++, `CMake`, Node and Chromium through apt-get where they are missing.
    Report,
    /// Check what emulated Cortex-M say of faults: a read where nothing is, and a stack that overflows.
    Faults,
    /// Build the guide as a book, and check that every link and include of it leads somewhere.
    ///
    /// The book is in the folder `guide` of the target folder; mdBook is installed where it is missing.
    Guide,
    /// Run a program of the firmware in QEMU and show its log.
    ///
    /// Where there is a golden log beside the program (firmware/programs/src/bin/PROGRAM.out), the log must be
    /// that.
    Qemu {
        /// The board, as boards/table/boards.toml names it.
        #[arg(required_unless_present = "elf", requires = "program")]
        machine: Option<String>,
        /// The program: a file of firmware/programs/src/bin.
        program: Option<String>,
        /// Rewrite the golden log.
        #[arg(long, conflicts_with = "elf")]
        bless: bool,
        /// Run this built program instead, on the board that it names itself: also a real one, through
        /// a debug probe.
        #[arg(long, conflicts_with = "machine")]
        elf: Option<PathBuf>,
    },
}

/// The form of a result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading.
    Table,
    /// For programs.
    Json,
}

fn main() -> ExitCode {
    let task = Cli::parse().task;
    match run(&task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            match failure {
                Failure::Program(_, code) => {
                    u8::try_from(code).map_or(ExitCode::FAILURE, Into::into)
                }
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn run(task: &Task) -> Result<(), Failure> {
    let mut steps = Steps::of_workspace()?;
    let outcome = match task {
        Task::Test { all: false, grid: false } => tasks::test(&mut steps),
        Task::Test { all, grid } => {
            let tests = if *all { &[Part::Test, Part::Bindings, Part::Boards][..] } else { &[] };
            ci::run_parts(&mut steps, tests)
                .and_then(|()| if *grid { grid::run(&mut steps) } else { Ok(()) })
        }
        Task::Ci(options) => ci::run(&mut steps, options),
        Task::Dist { grid } => dist::run(&mut steps, *grid),
        Task::Conform { target, transport, vectors } => Asked::of_targets(*transport, target)
            .and_then(|asked| conform::run(&mut steps, asked, *vectors)),
        Task::Instructions { format } => instructions::run(&mut steps, *format == Format::Json),
        Task::C(options) => c::run(&mut steps, options),
        Task::Callgrind { bless } => callgrind::run(&mut steps, *bless),
        Task::Bounds => tasks::bounds(&mut steps),
        Task::GridFigures(options) => tasks::grid_figures(&mut steps, options),
        #[cfg(target_os = "linux")]
        Task::Hostile(options) => hostile::run(&mut steps, options),
        Task::Replay => tasks::replay(&mut steps),
        Task::SameBits(options) => tasks::same_bits(&mut steps, options),
        Task::Panics => board_checks::panics(&mut steps),
        Task::Package => packages::run(&mut steps),
        Task::Msrv => packages::msrv(&mut steps),
        Task::Examples => board_checks::examples(&mut steps),
        Task::Web(options) => web::run(&mut steps, options),
        Task::Report => tasks::report(&mut steps),
        Task::Faults => board_checks::faults(&mut steps),
        Task::Files => tasks::files(&mut steps),
        Task::Guide => tasks::guide(&mut steps),
        Task::Qemu { machine, program, bless, elf } => match (elf, machine, program) {
            (Some(elf), _, _) => qemu::run_elf(&mut steps, elf),
            (_, Some(machine), Some(program)) => qemu::run(&mut steps, machine, program, *bless),
            _ => Ok(()),
        },
    };
    if !steps.is_empty() {
        eprint!("\n{steps}");
    }
    outcome
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
