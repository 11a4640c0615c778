//! The boards of `boards/wire/boards.toml`, and the programs that are built for them.

use std::fs;
use std::path::{Path, PathBuf};

use lodger_wire::boards::{Board, NAME_SECTION};
use object::{Object, ObjectSection};
use serde_json::Value;

use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools;

/// The boards that are nothing but machines of QEMU.
pub(crate) fn emulated() -> impl Iterator<Item = &'static Board> {
    lodger_wire::boards::all().iter().filter(|board| board.emulated)
}

/// The boards that every run of CI lints, and links if they are real: a Cortex-M0, an M4F, an M33 and a RISC-V. Others
/// differ from these in pins and chips, and are in its part `deep`.
const IN_CI: [&str; 4] = ["microbit", "nrf52840-dk", "pico-2", "riscv32imac"];
/// The emulated board whose programs can also talk through a debug probe.
pub(crate) const PROBED: &str = "mps2-an386";

/// The boards that every run of CI lints, and links if they are real.
pub(crate) fn in_ci() -> impl Iterator<Item = &'static Board> {
    lodger_wire::boards::all().iter().filter(|board| IN_CI.contains(&board.name.as_str()))
}

/// The boards that only the part `deep` lints, and links if they are real.
pub(crate) fn only_deep() -> impl Iterator<Item = &'static Board> {
    lodger_wire::boards::all().iter().filter(|board| !IN_CI.contains(&board.name.as_str()))
}

/// The board of that name.
pub(crate) fn named(name: &str) -> Result<&'static Board, Failure> {
    lodger_wire::boards::named(name).map_err(|error| Failure::Unfit(error.to_string()))
}

/// The name of the board that a program was built for.
pub(crate) fn of_program(elf: &Path) -> Result<String, Failure> {
    let bytes = read(elf)?;
    let file = object::File::parse(&*bytes).map_err(|error| unfit(elf, &error))?;
    let section = file.section_by_name(NAME_SECTION).and_then(|section| section.data().ok());
    let name = section.map(|name| String::from_utf8_lossy(name).into_owned());
    name.ok_or_else(|| {
        Failure::Unfit(format!("{} is no program of lodger-programs", elf.display()))
    })
}

/// Whether a program talks through a debug probe, by RTT.
pub(crate) fn has_rtt(elf: &Path) -> Result<bool, Failure> {
    let bytes = read(elf)?;
    let file = object::File::parse(&*bytes).map_err(|error| unfit(elf, &error))?;
    Ok(file.symbol_by_name("_SEGGER_RTT").is_some())
}

/// Builds programs for a board, and keeps them where no other board of the same target has its own.
/// Returns that folder.
pub(crate) fn build(steps: &mut Steps, board: &Board, bins: &[&str]) -> Result<PathBuf, Failure> {
    build_with(steps, board, None, bins)
}

/// As [`build`], with a feature more than that of the board.
pub(crate) fn build_with(
    steps: &mut Steps,
    board: &Board,
    feature: Option<&str>,
    bins: &[&str],
) -> Result<PathBuf, Failure> {
    let Board { name, target, .. } = board;
    tools::target(steps, target)?;
    let list = bins.join(" --bin ");
    let features = feature.map_or(name.clone(), |feature| format!("{name},{feature}"));
    let build = steps.cargo(&format!(
        "build --package lodger-programs --locked --profile firmware --target {target} --features {features} \
         --bin {list}"
    ));
    steps.run(&format!("build {features}"), &build)?;
    let built = target_folder(steps)?;
    let kept = built.join("boards").join(&features);
    fs::create_dir_all(&kept).map_err(|error| unfit(&kept, &error))?;
    for bin in bins {
        let from = built.join(target).join("firmware").join(bin);
        fs::copy(&from, kept.join(bin)).map_err(|error| unfit(&from, &error))?;
    }
    Ok(kept)
}

/// Builds the tests for a board, and returns the program that holds them.
pub(crate) fn build_tests(steps: &mut Steps, board: &Board) -> Result<PathBuf, Failure> {
    let Board { name, target, .. } = board;
    tools::target(steps, target)?;
    let args = format!(
        "build --package lodger-programs --locked --profile firmware --target {target} \
         --features {name} --test on_target"
    );
    steps.run(&format!("build {name} tests"), &steps.cargo(&args))?;
    // The name of the file has a hash in it, which this tells, building nothing more.
    let messages = steps.ask(&steps.cargo(&args).args("--message-format json"));
    // Tests have all other programs built beside them.
    let built = messages.iter().flat_map(|text| text.lines()).find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["target"]["name"] == "on_target";
        message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
    });
    built.ok_or_else(|| Failure::Unfit("cargo names no program of tests".to_owned()))
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| unfit(path, &error))
}

/// A file that cannot be used, and why.
pub(crate) fn unfit(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Unfit(format!("{}: {error}", path.display()))
}

/// The folder that cargo builds into.
pub(crate) fn target_folder(steps: &Steps) -> Result<PathBuf, Failure> {
    let metadata = steps.cargo("metadata --format-version 1 --no-deps --locked");
    let text = steps.ask(&metadata).ok_or(Failure::Metadata("the command fails"))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|_| Failure::Metadata("it is not JSON"))?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or(Failure::Metadata("it names no target directory"))
}

#[cfg(test)]
mod tests {
    use super::{IN_CI, PROBED, in_ci, named, only_deep};

    #[test]
    fn ci_lints_a_board_of_each_kind_and_links_the_real_ones() {
        assert_eq!(in_ci().count(), IN_CI.len());
        let kinds = ["thumbv6m", "thumbv7em", "thumbv8m.main", "riscv32"];
        for kind in kinds {
            assert_eq!(in_ci().filter(|board| board.target.starts_with(kind)).count(), 1, "{kind}");
        }
        assert!(in_ci().any(|board| !board.emulated) && only_deep().any(|board| !board.emulated));
        assert!(named(PROBED).is_ok_and(|board| board.emulated && board.chip.is_some()));
    }
}
