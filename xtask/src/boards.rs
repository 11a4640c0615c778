//! The boards of `firmware/boards.toml`, and the programs that are built for them.

use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSection};
use serde::Deserialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools;

/// A row of boards.toml, as far as the commands need it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Board {
    /// Also the feature.
    pub(crate) name: String,
    /// What rustc builds for.
    pub(crate) target: String,
    /// QEMU's name of it; a real board has none.
    pub(crate) machine: Option<String>,
}

#[derive(Deserialize)]
struct Boards {
    board: Vec<Board>,
}

/// All boards.
pub(crate) fn all(steps: &Steps) -> Result<Vec<Board>, Failure> {
    let path = steps.root().join("firmware/boards.toml");
    let text = fs::read_to_string(&path).map_err(|error| unfit(&path, &error))?;
    parse(&text).map_err(|error| unfit(&path, &error))
}

/// The boards that QEMU emulates.
pub(crate) fn emulated(steps: &Steps) -> Result<Vec<Board>, Failure> {
    Ok(all(steps)?.into_iter().filter(|board| board.machine.is_some()).collect())
}

/// The board of that name.
pub(crate) fn named(steps: &Steps, name: &str) -> Result<Board, Failure> {
    let boards = all(steps)?;
    let names = boards.iter().map(|board| board.name.clone()).collect::<Vec<_>>().join(", ");
    let found = boards.into_iter().find(|board| board.name == name);
    found.ok_or_else(|| Failure::Unfit(format!("no board is called {name}; there are {names}")))
}

/// The name of the board that a program was built for.
pub(crate) fn of_program(elf: &Path) -> Result<String, Failure> {
    let bytes = read(elf)?;
    let file = object::File::parse(&*bytes).map_err(|error| unfit(elf, &error))?;
    let section = file.section_by_name(".lodger.board").and_then(|section| section.data().ok());
    let name = section.map(|name| String::from_utf8_lossy(name).into_owned());
    name.ok_or_else(|| {
        Failure::Unfit(format!("{} is no program of lodger-firmware", elf.display()))
    })
}

/// Builds programs for a board, and keeps them where no other board of the same target has its own.
/// Returns that folder.
pub(crate) fn build(steps: &mut Steps, board: &Board, bins: &[&str]) -> Result<PathBuf, Failure> {
    let Board { name, target, .. } = board;
    tools::target(steps, target)?;
    let list = bins.join(" --bin ");
    let build = steps.cargo(&format!(
        "build --package lodger-firmware --locked --profile firmware --target {target} \
             --features {name} --bin {list}"
    ));
    steps.run(&format!("build {name}"), &build)?;
    let built = target_folder(steps)?;
    let kept = built.join("boards").join(name);
    fs::create_dir_all(&kept).map_err(|error| unfit(&kept, &error))?;
    for bin in bins {
        let from = built.join(target).join("firmware").join(bin);
        fs::copy(&from, kept.join(bin)).map_err(|error| unfit(&from, &error))?;
    }
    Ok(kept)
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| unfit(path, &error))
}

/// A file that cannot be used, and why.
pub(crate) fn unfit(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Unfit(format!("{}: {error}", path.display()))
}

fn target_folder(steps: &Steps) -> Result<PathBuf, Failure> {
    let metadata = steps.cargo("metadata --format-version 1 --no-deps --locked");
    let text = steps.ask(&metadata).ok_or(Failure::Metadata("the command fails"))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|_| Failure::Metadata("it is not JSON"))?;
    let folder = metadata["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or(Failure::Metadata("it names no target directory"))
}

fn parse(text: &str) -> Result<Vec<Board>, toml::de::Error> {
    toml::from_str(text).map(|Boards { board }| board)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_row_names_its_target_and_the_emulated_ones_their_machine() {
        let boards = super::parse(include_str!("../../firmware/boards.toml")).unwrap();
        assert!(boards.iter().filter(|board| board.machine.is_some()).count() >= 4);
        assert!(boards.iter().all(|board| board.target.starts_with("thumb")));
    }
}
