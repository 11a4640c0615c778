//! `cargo xtask`: lodger's own tools.
//!
//! A command maps [`Steps`] to success or the first [`TaskError`]. It installs the programs that it needs through
//! `tools`, and knows nothing of reports or exit codes.

mod board_checks;
// Included, because a dependency on lodger-wire would compile lodger-core before each command.
#[path = "../../boards/wire/src/boards.rs"]
#[allow(dead_code, unreachable_pub, reason = "a public module of lodger-wire")]
mod board_table;
mod boards;
mod c;
mod callgrind;
mod ci;
mod command;
mod conform;
mod dist;
mod error;
mod examples;
mod grid;
#[cfg(target_os = "linux")]
mod hostile;
mod instructions;
mod licences;
mod lint;
mod packages;
mod qemu;
mod steps;
mod tasks;
mod tools;
mod user_mode;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::ci::CiPart;
use crate::conform::{ConformTarget, QemuRoute};
use crate::error::TaskError;
use crate::steps::Steps;

/// lodger's own tools: set-up, tests and what CI checks.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "After cloning: cargo xtask test. Before sending a change: cargo xtask ci.\n\
                  Works from any folder of the workspace. Each step prints its command, the first failure stops \
                  the run, and a table lists all steps with their seconds.\n\
                  Exit codes: 0 passed, 1 a step failed, 2 usage; `qemu --elf` ends with the program's code."
)]
struct Cli {
    #[command(subcommand)]
    task: XtaskCommand,
}

#[derive(Subcommand)]
enum XtaskCommand {
    /// Run the tests that need only Rust.
    ///
    /// Unit, integration and doc tests of all packages, with all features and overflow checks. The tests of boards, of
    /// Bevy and of packing are left out: probe-rs and Bevy take minutes to build, and packing needs a C++ compiler.
    Test {
        /// Run every test: the parts `test`, `bindings` and `boards` of `cargo xtask ci`.
        ///
        /// Installs missing programs: targets through rustup; QEMU, compilers, valgrind, Node and Chromium through apt-get.
        #[arg(long)]
        all: bool,
        /// Run every check and every test of the workspace in secondlife/query, which builds `DataFusion` and Ballista.
        ///
        /// Formatting, licences, clippy, rustdoc, packages and tests. The tests start `PostgreSQL`, `MariaDB` and a cluster
        /// of processes. The first build takes half an hour on two cores; it uses the folder `grid` of the target
        /// folder. Installs missing programs: rustfmt and clippy through rustup, postgresql and mariadb-server through
        /// apt-get. With `--all` the other tests run first.
        #[arg(long)]
        grid: bool,
    },
    /// Run the checks of CI, in parts.
    ///
    /// Each part runs alone on a fresh clone and installs the programs that it needs. Checks run from cheap to
    /// expensive, and the first failure stops the run. A table lists all steps with their seconds. CI checks the
    /// workspace in secondlife/query as far as that needs no build; `cargo xtask test --grid` checks the rest.
    #[command(after_help = "Before sending a change:   cargo xtask ci\n\
                            While working on lints:    cargo xtask ci lint\n\
                            Before a release:          cargo xtask ci deep\n\
                            To list the checks:        cargo xtask ci boards --list")]
    Ci(ci::CiOptions),
    /// Write an archive of the release programs for this machine, with a checksum beside it.
    ///
    /// `lodger-VERSION-TARGET.tar.gz` in the folder `dist` of the target folder contains lodger, lodger-pack,
    /// lodger-board, shell completions, man pages, README, changelog, and the licences of all packages in the programs.
    Dist {
        /// Build lodger-grid too, which takes half an hour the first time.
        #[arg(long)]
        grid: bool,
    },
    /// Compare the answers of every emulated board and machine with the host's, bit for bit.
    ///
    /// Importances, benefits, plans, costs and links in three number types, with NaN, subnormals and saturation. The
    /// targets are the boards that QEMU emulates, `AArch64`, 64-bit RISC-V and big-endian s390x in QEMU's user mode, and
    /// this machine's optimised build. Installs QEMU, targets and linkers if they are missing. Exit code 1 if an
    /// answer differs.
    Conform {
        /// Compare only these targets.
        #[arg(long)]
        target: Vec<String>,
        /// The connection to a board. Only boards have a serial port.
        #[arg(long, value_enum, default_value_t = QemuRoute::Semihosting)]
        transport: QemuRoute,
        /// The number of questions in each number type; by default that of `lodger board conform`.
        #[arg(long)]
        vectors: Option<u32>,
    },
    /// Measure the scheduler on every emulated board: bytes, and instructions of importances and ticks.
    ///
    /// QEMU counts instructions exactly, and the counts repeat. They are neither cycles nor time.
    Instructions {
        /// The format of the result.
        #[arg(long, value_enum, default_value_t = ResultFormat::Table)]
        format: ResultFormat,
    },
    /// Build and install the C library: header, shared and static library, files for pkg-config and `CMake`.
    ///
    /// Needs Unix. A program that links to the shared library requires the ABI version that it was built with.
    C(c::COptions),
    /// Count the instructions of a tick per actor under every policy, and compare them with the stored counts.
    ///
    /// 10 000 actors, valgrind's callgrind, AVX2. Also checks that a loop of a tick divides vectors, and that
    /// the library of lodger-cli compiles no part of the ledger again. Exit code 1 if a count is more than 5 % above
    /// host-cli/benches/instructions.txt. Installs valgrind if it is missing. Does nothing but on Linux on `x86_64`.
    Callgrind {
        /// Store the counts.
        #[arg(long)]
        bless: bool,
    },
    /// Measure the release build on large files: seconds, and peak memory beside the promised one.
    ///
    /// The files are an archive of 5 000 objects and a .glb of a million nodes. Exit code 1 if the memory is exceeded;
    /// only Linux reports it. Time never fails.
    Bounds,
    /// Measure the release build of lodger-grid on a generated grid: seconds and peak memory.
    ///
    /// The folder `grid-figures` of the target folder gets an `FSAssets` tree of distinct meshes of at most 3 KiB and the
    /// tables of objects in regions; a million files take some 16 GB and three million inodes. The command reads
    /// all files twice, the first time to warm the page cache, ingests them, and compares `top`, `waste` and totals by 1,
    /// 2 and 8 partitions. Only a difference fails. Only Linux reports memory.
    GridFigures(tasks::GridOptions),
    /// Write the files in `docs/files`, which README and the guide use.
    ///
    /// A mesh asset, a model, an archive, linksets, scenes, the index of a Streamed SOG and a log. The bytes are the
    /// same each time, and a test compares them.
    Files,
    /// Run the release build on invalid input of every kind, and check its promises.
    ///
    /// Damaged meshes, archives, scenes and options, unusual paths, signals and full disks, each in a process with
    /// limits of memory, time, files and threads. The cases are those of the tests of lodger-cli and lodger-pack, for
    /// longer. The command prints its seed and keeps each failure as a folder with a script that repeats it. Exit
    /// code 1 if a promise was broken. Some cases need root: other users without threads, and small disks.
    #[cfg(target_os = "linux")]
    Hostile(hostile::HostileOptions),
    /// Record a scene of 10 000 actors for 600 ticks, and replay the log here and on `AArch64`.
    ///
    /// QEMU's user mode is the other machine; qemu-user is installed if it is missing. Exit code 1 if a decision differs.
    Replay,
    /// Compare random plans by all forms of the scheduler, all vectors and 1, 2 and 7 threads, here, on `AArch64` and s390x.
    ///
    /// Ledgers as a whole, in parts and by the naive reference; scenes of three number types, with NaN and infinities.
    /// QEMU's user mode is the other machines; qemu-user and a linker for s390x are installed if they are missing. Exit
    /// code 1 if a plan differs.
    SameBits(tasks::SameBitsOptions),
    /// Check that the ledger and the heapless scene contain no panic, no allocation and no 128-bit arithmetic.
    Panics,
    /// Pack the packages that would be published, and build them from what was packed.
    ///
    /// Every package needs the fields that a registry requires and a README, contains no stray file and is below 1 MB.
    /// Nothing is published.
    Package,
    /// Build the packages that support an older Rust with that Rust.
    ///
    /// Installs it through rustup. If that fails, clippy compares the used parts of the standard library with that
    /// version, which checks less.
    Msrv,
    /// Run the firmware examples in QEMU: a plain loop, embassy and RTIC.
    ///
    /// Each keeps two modules to a budget that halves twice, and reports how often and by how much the budget was
    /// exceeded. A second run has a module that hangs, and the watchdog ends it. Exit code 1 if a budget did not hold.
    Examples,
    /// Build the ES module, its types and the playground into target/web, and print their sizes.
    ///
    /// `--test` plays random scripts in Node and in headless Chromium, compares the answers with the scheduler's bit for
    /// bit, and draws the playground. Installs a target through rustup, and Node and Chromium through apt-get; npm
    /// brings the TypeScript compiler.
    Web(web::WebOptions),
    /// Pack a model, and check its report in headless Chromium: errors, pictures, widths, light and dark colours.
    ///
    /// Installs C and C++ compilers, `CMake`, Node and Chromium through apt-get if they are missing.
    Report,
    /// Check the messages of faults on emulated Cortex-M: a read without memory, and a stack overflow.
    Faults,
    /// Build the guide as a book, and check its links and includes.
    ///
    /// The folder `guide` of the target folder gets the book. Installs mdBook if it is missing.
    Guide,
    /// Run a program of the firmware in QEMU and show its log.
    ///
    /// The log must equal the golden log beside the program, firmware/programs/src/bin/PROGRAM.out, if there is one.
    Qemu {
        /// The name of the board in boards/wire/boards.toml.
        #[arg(required_unless_present = "elf", requires = "program")]
        machine: Option<String>,
        /// The program: a file of firmware/programs/src/bin.
        program: Option<String>,
        /// Rewrite the golden log.
        #[arg(long, conflicts_with = "elf")]
        bless: bool,
        /// Run this built program on the board that it names, which can be a real one behind a debug probe.
        #[arg(long, conflicts_with = "machine")]
        elf: Option<PathBuf>,
    },
}

/// The format of a result.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
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
                TaskError::Program(_, code) => {
                    u8::try_from(code).map_or(ExitCode::FAILURE, Into::into)
                }
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn run(task: &XtaskCommand) -> Result<(), TaskError> {
    let mut steps = Steps::of_workspace()?;
    let outcome = match task {
        XtaskCommand::Test { all: false, grid: false } => tasks::test(&mut steps),
        XtaskCommand::Test { all, grid } => {
            let tests =
                if *all { &[CiPart::Test, CiPart::Bindings, CiPart::Boards][..] } else { &[] };
            ci::run_parts(&mut steps, tests)
                .and_then(|()| if *grid { grid::run(&mut steps) } else { Ok(()) })
        }
        XtaskCommand::Ci(options) => ci::run(&mut steps, options),
        XtaskCommand::Dist { grid } => dist::run(&mut steps, *grid),
        XtaskCommand::Conform { target, transport, vectors } => {
            ConformTarget::from_names(*transport, target)
                .and_then(|target| conform::run(&mut steps, target, *vectors))
        }
        XtaskCommand::Instructions { format } => {
            instructions::run(&mut steps, *format == ResultFormat::Json)
        }
        XtaskCommand::C(options) => c::run(&mut steps, options),
        XtaskCommand::Callgrind { bless } => callgrind::run(&mut steps, *bless),
        XtaskCommand::Bounds => tasks::bounds(&mut steps),
        XtaskCommand::GridFigures(options) => tasks::grid_figures(&mut steps, options),
        #[cfg(target_os = "linux")]
        XtaskCommand::Hostile(options) => hostile::run(&mut steps, options),
        XtaskCommand::Replay => tasks::replay(&mut steps),
        XtaskCommand::SameBits(options) => tasks::same_bits(&mut steps, options),
        XtaskCommand::Panics => board_checks::panics(&mut steps),
        XtaskCommand::Package => packages::run(&mut steps),
        XtaskCommand::Msrv => packages::msrv(&mut steps),
        XtaskCommand::Examples => board_checks::examples(&mut steps),
        XtaskCommand::Web(options) => web::run(&mut steps, options),
        XtaskCommand::Report => tasks::report(&mut steps),
        XtaskCommand::Faults => board_checks::faults(&mut steps),
        XtaskCommand::Files => tasks::files(&mut steps),
        XtaskCommand::Guide => tasks::guide(&mut steps),
        XtaskCommand::Qemu { machine, program, bless, elf } => match (elf, machine, program) {
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
