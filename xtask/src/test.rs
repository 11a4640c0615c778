//! `cargo xtask test`: the tests of this host; with `--all`, those of boards, of C and of browsers as well.

use lodger_wire::conform::VECTORS;

use crate::conform::{Asked, Route};
use crate::failure::Failure;
use crate::steps::Steps;
use crate::{
    boards, boards_cli, c, callgrind, conform, examples, faults, instructions, on_target, panics,
    qemu, report, tools, web,
};

/// The programs whose log is the same on every board.
const GOLDEN: [&str; 2] = ["app", "decide"];

/// A board with each kind of serial port.
const SERIAL: [&str; 3] = ["microbit", "mps2-an505", "riscv32imac"];
/// How many questions go over it in each number type, and to everybody who is no Cortex-M: what they ask
/// was asked already.
const FEW_VECTORS: u32 = 500;

/// The programs that a real board can run; they are built and linked, as there is no board here.
const PROGRAMS: [&str; 10] = [
    "app", "conform", "decide", "demo", "faults", "heapless", "ledger", "optimal", "overflow",
    "panics",
];

/// What builds probe-rs or Bevy, which takes minutes, or needs QEMU or a compiler of C++: its tests wait for `--all`.
const FOR_ALL: [&str; 4] = ["bevy_lodger", "lodger-pack", "lodger-board", "lodger-qemu-probe"];

/// Runs unit, integration and doc tests of all packages that need nothing but Rust.
///
/// The dev profile keeps overflow checks on, so core's arithmetic is tested with them.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    eprintln!(
        "\nset-up: the tests need Rust and the crates of Cargo.lock; those of boards, of Bevy, of packing, of C \
         and of browsers need more, and are run by `cargo xtask test --all`"
    );
    let left_out = FOR_ALL.map(|package| format!("--exclude {package}")).join(" ");
    let test = steps.cargo("test --workspace --all-features --locked").args(&left_out);
    steps.run("test", &test)
}

/// Runs every test: those of all packages, which build C and C++, counts of a tick's instructions, those in C and in browsers, then those on
/// boards.
pub(crate) fn all(steps: &mut Steps) -> Result<(), Failure> {
    eprintln!(
        "\nset-up: the tests need Rust, the crates of Cargo.lock, foreign targets, QEMU and linkers for \
         two of them, valgrind, compilers of C, Python, Node and Chromium; what is missing is installed"
    );
    qemu::install_boards(steps)?;
    tools::for_packing(steps)?;
    let test = steps.cargo("test --workspace --all-features --locked");
    steps.run("test", &test)?;
    callgrind::run(steps, false)?;
    c::test(steps)?;
    web::test(steps)?;
    report::run(steps)?;
    on_boards(steps)
}

/// Runs what needs a board: conformance, the check for panics, faults, golden logs, the board's own tests, the
/// commands for boards, and counts.
fn on_boards(steps: &mut Steps) -> Result<(), Failure> {
    // With the tests of a board all its programs are built, side by side: one by one, each would have a core to itself.
    for board in boards::emulated() {
        boards::build_tests(steps, board)?;
    }
    let (full, short): (Vec<_>, Vec<_>) =
        Asked::all(Route::Semihosting).into_iter().partition(Asked::is_cortex_m);
    conform::run(steps, full, VECTORS)?;
    let serial = SERIAL.into_iter().map(boards::named).collect::<Result<Vec<_>, _>>()?;
    let serial = serial.into_iter().map(|board| Asked::Board(board, Route::Uart));
    conform::run(steps, short.into_iter().chain(serial), FEW_VECTORS)?;
    panics::run(steps)?;
    faults::run(steps)?;
    for board in boards::emulated() {
        let folder = boards::build(steps, board, &GOLDEN)?;
        for program in GOLDEN {
            qemu::check(steps, board, &folder.join(program), program, false)?;
        }
        on_target::run(steps, board)?;
    }
    for board in boards::real() {
        boards::build_tests(steps, board)?;
        // Built by now; but beside tests cargo leaves out, without a word, what lacks a feature.
        boards::build(steps, board, &PROGRAMS)?;
    }
    examples::run(steps)?;
    boards_cli::run(steps)?;
    instructions::run(steps, false)
}
