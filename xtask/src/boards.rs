//! Boards of `boards/wire/boards.toml`, and builds of their programs.

use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection};
use serde_json::Value;

use crate::board_table::{BoardEntry, NAME_SECTION};
use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools;

pub(crate) fn all() -> impl Iterator<Item = &'static BoardEntry> {
    crate::board_table::all().iter().filter(|board| !board.template)
}

pub(crate) fn emulated() -> impl Iterator<Item = &'static BoardEntry> {
    all().filter(|board| board.emulated)
}

/// Boards that every run lints, one of each kind; `deep` lints the others.
const LINTED: [&str; 4] = ["microbit", "nrf52840-dk", "mps2-an505", "riscv32imac"];
/// Real boards that every run links: an M4F and an M33.
const LINKED: [&str; 2] = ["nrf52840-dk", "pico-2"];
/// An emulated board with programs that can use a debug probe.
pub(crate) const PROBED: &str = "mps2-an386";

pub(crate) fn is_linted(board: &BoardEntry) -> bool {
    LINTED.contains(&board.name.as_str())
}

pub(crate) fn is_linked(board: &BoardEntry) -> bool {
    LINKED.contains(&board.name.as_str())
}

pub(crate) fn named(name: &str) -> Result<&'static BoardEntry, TaskError> {
    crate::board_table::named(name).map_err(|error| TaskError::Invalid(error.to_string()))
}

pub(crate) fn of_program(elf: &Path) -> Result<String, TaskError> {
    let bytes = read(elf)?;
    let file = parse(elf, &bytes)?;
    let section = file.section_by_name(NAME_SECTION).and_then(|section| section.data().ok());
    let name = section.map(|name| String::from_utf8_lossy(name).into_owned());
    name.ok_or_else(|| {
        TaskError::Invalid(format!("{} is not a program of lodger-programs", elf.display()))
    })
}

/// Whether a program uses RTT.
pub(crate) fn has_rtt(elf: &Path) -> Result<bool, TaskError> {
    let bytes = read(elf)?;
    let file = parse(elf, &bytes)?;
    Ok(file.symbol_by_name("_SEGGER_RTT").is_some())
}

/// Builds programs without debug information, which takes a third of the build time. Each board has a folder, because
/// boards with the same target share cargo's.
pub(crate) fn build(
    steps: &mut Steps,
    board: &BoardEntry,
    bins: &[&str],
) -> Result<PathBuf, TaskError> {
    build_with(steps, board, &board.name, bins)
}

/// As [`build`], with features of `lodger-programs` in place of the board's name.
pub(crate) fn build_with(
    steps: &mut Steps,
    board: &BoardEntry,
    features: &str,
    bins: &[&str],
) -> Result<PathBuf, TaskError> {
    build_programs(steps, board, features, bins, NO_DEBUG)
}

/// As [`build_with`], with the debug information that backtraces need.
pub(crate) fn build_for_probe(
    steps: &mut Steps,
    board: &BoardEntry,
    features: &str,
    bins: &[&str],
) -> Result<PathBuf, TaskError> {
    build_programs(steps, board, features, bins, "")
}

const NO_DEBUG: &str = "--config profile.firmware.debug=false";

fn build_programs(
    steps: &mut Steps,
    board: &BoardEntry,
    features: &str,
    bins: &[&str],
    options: &str,
) -> Result<PathBuf, TaskError> {
    let size = if bins.contains(&"conform") { for_size(board) } else { "" };
    let build = cargo_build(steps, board, features)?.args(options).args(size);
    let build = bins.iter().fold(build, |build, bin| build.arg("--bin").arg(*bin));
    steps.run(&format!("build {features}"), &build)?;
    let built = steps.target_folder()?;
    let kept = built.join("boards").join(features);
    fs::create_dir_all(&kept).map_err(|error| TaskError::file(&kept, &error))?;
    for bin in bins {
        let from = built.join(&board.target).join("firmware").join(bin);
        fs::copy(&from, kept.join(bin)).map_err(|error| TaskError::file(&from, &error))?;
    }
    Ok(kept)
}

/// Returns the option with which `conform`, with all test vectors, fits into the flash of a micro:bit.
fn for_size(board: &BoardEntry) -> &'static str {
    if board.flash.length > 0x4_0000 { "" } else { "--config profile.firmware.opt-level=\"s\"" }
}

fn cargo_build(
    steps: &mut Steps,
    board: &BoardEntry,
    features: &str,
) -> Result<Command, TaskError> {
    tools::target(steps, &board.target)?;
    Ok(steps.cargo(&format!(
        "build --package lodger-programs --locked --profile firmware --target {} --features {features}",
        board.target
    )))
}

/// Builds all programs; returns the one that contains the tests.
pub(crate) fn build_tests(steps: &mut Steps, board: &BoardEntry) -> Result<PathBuf, TaskError> {
    // Cargo builds `conform` with the tests.
    let build = cargo_build(steps, board, &board.name)?.args(NO_DEBUG).args(for_size(board));
    let build = build.args("--test on_target");
    steps.run(&format!("build {} tests", board.name), &build)?;
    // The name of the file contains a hash, which cargo tells in its messages.
    let messages = steps.ask(&build.args("--message-format json"));
    let built = messages.iter().flat_map(|text| text.lines()).find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["target"]["name"] == "on_target";
        message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
    });
    built.ok_or_else(|| TaskError::Invalid("cargo names no program of tests".to_owned()))
}

/// Parses the bytes of an ELF; an error names its path.
pub(crate) fn parse<'b>(elf: &Path, bytes: &'b [u8]) -> Result<object::File<'b>, TaskError> {
    object::File::parse(bytes).map_err(|error| TaskError::file(elf, &error))
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, TaskError> {
    fs::read(path).map_err(|error| TaskError::file(path, &error))
}

#[cfg(test)]
mod tests {
    use super::{LINKED, LINTED, PROBED, is_linked, is_linted, named};

    #[test]
    fn ci_lints_a_board_of_each_kind_and_links_real_ones() {
        let all = || crate::board_table::all().iter();
        assert_eq!(all().filter(|board| is_linted(board)).count(), LINTED.len());
        assert_eq!(all().filter(|board| is_linked(board) && !board.emulated).count(), LINKED.len());
        for kind in ["thumbv6m", "thumbv7em", "thumbv8m.main", "riscv32"] {
            let is_linted = |name: &&str| named(name).is_ok_and(|it| it.target.starts_with(kind));
            assert_eq!(LINTED.iter().filter(|name| is_linted(name)).count(), 1, "{kind}");
        }
        assert!(named(PROBED).is_ok_and(|board| board.emulated && board.chip.is_some()));
    }
}
