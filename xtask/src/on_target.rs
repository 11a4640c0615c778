//! The tests of `firmware/programs/tests/on_target.rs`, in QEMU: each in a machine of its own, as probe-rs gives
//! each a reset of its own.

use std::fmt;
use std::path::Path;

use lodger_board_table::Board;
use object::{File, Object, ObjectSection, ObjectSymbol};
use serde_json::Value;

use crate::boards;
use crate::failure::Failure;
use crate::qemu;
use crate::steps::Steps;

/// The section where embedded-test describes its tests: a symbol for each, whose name is JSON and
/// whose first word is the address to call.
const SECTION: &str = ".embedded_test";

/// A test in a program.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    name: String,
    address: u32,
}

/// Why no tests can be found in a program.
#[derive(Debug)]
enum Unsearchable {
    /// It is no object file.
    NoObject(object::Error),
    /// The test of that name does not say where it is.
    NoAddress(String),
}

impl fmt::Display for Unsearchable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject(error) => error.fmt(f),
            Self::NoAddress(name) => write!(f, "{name} has no address"),
        }
    }
}

/// Builds the tests for an emulated board and runs them.
pub(crate) fn run(steps: &mut Steps, board: &Board) -> Result<(), Failure> {
    let elf = boards::build_tests(steps, board)?;
    steps.work(&format!("{} tests", board.name), || run_program(board, &elf))
}

/// Whether a program consists of tests.
pub(crate) fn has_tests(elf: &Path) -> Result<bool, Failure> {
    Ok(!tests(&boards::read(elf)?).map_err(|error| boards::unfit(elf, &error))?.is_empty())
}

/// Runs the tests of a program.
pub(crate) fn run_program(board: &Board, elf: &Path) -> Result<(), Failure> {
    let tests = tests(&boards::read(elf)?).map_err(|error| boards::unfit(elf, &error))?;
    let mut failed = 0;
    for Test { name, address } in &tests {
        let (status, _) = qemu::output(board, elf, &["run_addr", &address.to_string()])?;
        let passed = status.success();
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += usize::from(!passed);
    }
    println!("{} tests on {}, {failed} failed", tests.len(), board.name);
    match (tests.len(), failed) {
        (0, _) => Err(Failure::Unfit(format!("{} holds no tests", elf.display()))),
        (_, 0) => Ok(()),
        _ => Err(Failure::Unfit(format!("{failed} tests failed on {}", board.name))),
    }
}

/// The tests of a program, by name; none if it is another kind of program.
fn tests(program: &[u8]) -> Result<Vec<Test>, Unsearchable> {
    let file = File::parse(program).map_err(Unsearchable::NoObject)?;
    let Some(section) = file.section_by_name(SECTION) else { return Ok(Vec::new()) };
    let mut tests = Vec::new();
    for symbol in file.symbols().filter(|s| s.section_index() == Some(section.index())) {
        let described: Option<Value> =
            symbol.name().ok().and_then(|name| serde_json::from_str(name).ok());
        let Some(name) = described.as_ref().and_then(|json| json["name"].as_str()) else {
            continue;
        };
        let data = section.data_range(symbol.address(), 4).ok().flatten();
        let address = data.and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        let address = address.ok_or_else(|| Unsearchable::NoAddress(name.to_owned()))?;
        tests.push(Test { name: name.to_owned(), address });
    }
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}
