//! Board selection: a row of the table, a chip, and probe-rs's description of the chip.

use std::fmt;
use std::path::{Path, PathBuf};

use lodger_wire::boards::{BoardEntry, named};
use probe_rs::Target;
use probe_rs::config::{Registry, RegistryError};

use crate::error::{BoardError, Cause, read_file};
use crate::probe::Selector;
use crate::program::Program;

/// Descriptions of chips that exist only in QEMU.
const EMULATED: [&str; 1] = [include_str!("../chips/mps2-an386.yaml")];
const MAX_DESCRIPTION_MIB: u64 = 16;
const MAX_SIMILAR: usize = 8;

/// Options of attaching to a chip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attaching {
    /// The speed of SWD in kHz; by default the probe's.
    pub speed_khz: Option<u32>,
    /// Whether to hold the chip in reset while attaching, which restarts it.
    pub under_reset: bool,
    /// Whether to erase a locked chip completely, if nothing else opens it. An open chip is not erased.
    pub allow_erase_all: bool,
}

/// A user's selection of a board. The default suffices if the program names its board and one probe is plugged in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoardSelection {
    /// A name of `boards/wire/boards.toml`.
    pub board: Option<String>,
    /// probe-rs's name of a chip, instead of the board's chip.
    pub chip: Option<String>,
    /// A file that describes chips to probe-rs.
    pub chip_description: Option<PathBuf>,
    /// The probe; `None` for the only one.
    pub probe: Option<Selector>,
    /// Options of attaching.
    pub attaching: Attaching,
}

/// A chip to open over SWD, and its board if the table has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedBoard {
    /// The row of the board.
    pub board: Option<&'static BoardEntry>,
    /// probe-rs's name of the chip.
    pub chip: String,
    /// A file that describes chips to probe-rs.
    pub chip_description: Option<PathBuf>,
    /// The probe; `None` for the only one.
    pub probe: Option<Selector>,
    /// Options of attaching.
    pub attaching: Attaching,
}

/// Writes the name of the board, else of the chip.
impl fmt::Display for ResolvedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.board.map_or(&self.chip, |row| &row.name))
    }
}

impl BoardSelection {
    /// Resolves the board for a program, or for the program that already runs.
    ///
    /// A selected chip overrides the selected board, which overrides the program's board.
    ///
    /// # Errors
    /// If neither board nor chip is known, a name is unknown, or the program was built for another board.
    pub fn choose(&self, program: Option<&Program>) -> Result<ResolvedBoard, BoardError> {
        let row = |name: &str| {
            named(name).map_err(|error| {
                let help = "choose one of them, or name the chip with --chip";
                BoardError::new(error.to_string(), help).with_source(error)
            })
        };
        let built_for = program.and_then(Program::board);
        let board = match (&self.board, built_for, program) {
            (Some(selected), Some(built), Some(program))
                if selected != built && self.chip.is_none() =>
            {
                row(selected)?;
                let program = program.path().display();
                return Err(BoardError::new(
                    format!("`{program}` was built for the board {built}, not for {selected}"),
                    "build it for the board, leave --board out, or insist with --chip",
                ));
            }
            (Some(selected), ..) => Some(row(selected)?),
            (None, Some(_), _) if self.chip.is_some() => None,
            (None, Some(built), _) => Some(row(built)?),
            (None, None, _) => None,
        };
        let chip = match (&self.chip, board) {
            (Some(chip), _) => chip.clone(),
            (None, Some(board)) => board.chip.clone().ok_or_else(|| {
                let (why, how) = if board.emulated {
                    ("exists only in QEMU", "run it with `cargo xtask qemu`")
                } else {
                    ("is not known to probe-rs", "flash it with espflash")
                };
                BoardError::new(
                    format!("{} {why}; no probe reaches it", board.name),
                    format!("{how}, or name a chip with --chip"),
                )
            })?,
            (None, None) => {
                return Err(BoardError::new(
                    "no board is selected, and the program does not name one",
                    "name it with --board, or its chip with --chip",
                ));
            }
        };
        Ok(ResolvedBoard {
            board,
            chip,
            chip_description: self.chip_description.clone(),
            probe: self.probe.clone(),
            attaching: self.attaching,
        })
    }
}

/// The description of a chip for probe-rs: built in, of an emulated chip, or from a user's file.
pub(crate) fn target(chip: &str, description: Option<&Path>) -> Result<Target, BoardError> {
    let mut registry = Registry::from_builtin_families();
    for yaml in EMULATED {
        add(&mut registry, yaml).map_err(|error| {
            BoardError::new("emulated chips", "this is a bug in lodger").caused_by(error)
        })?;
    }
    if let Some(path) = description {
        let wrong = |source: Cause| {
            let message = format!("`{}` describes no chip", path.display());
            let help = "it must be a target description of probe-rs, in YAML";
            BoardError::new(message, help).caused_by(source)
        };
        let yaml = read_file(path, MAX_DESCRIPTION_MIB).map_err(|error| wrong(error.into()))?;
        let yaml = String::from_utf8(yaml).map_err(|error| wrong(error.into()))?;
        add(&mut registry, &yaml).map_err(|error| wrong(error.into()))?;
    }
    registry.get_target_by_name(chip).map_err(|error| {
        let similar = similar(&registry, chip, &error);
        let help = if similar.is_empty() {
            "use probe-rs's name, or describe it with --chip-description".to_owned()
        } else {
            format!("there are {}", similar.join(", "))
        };
        BoardError::new(format!("no chip is called `{chip}`"), help)
    })
}

fn add(registry: &mut Registry, yaml: &str) -> Result<(), RegistryError> {
    registry.add_target_family_from_yaml(yaml).map(drop)
}

fn similar(registry: &Registry, chip: &str, error: &RegistryError) -> Vec<String> {
    if let RegistryError::ChipNotUnique(_, names) = error {
        return names.split(", ").take(MAX_SIMILAR).map(str::to_owned).collect();
    }
    let starts = (4..=chip.len()).rev().filter_map(|end| chip.get(..end));
    let mut found = starts.map(|start| registry.search_chips(start));
    let mut names = found.find(|names| !names.is_empty()).unwrap_or_default();
    names.truncate(MAX_SIMILAR);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::elf_for;

    fn selection(board: Option<&str>, chip: Option<&str>) -> BoardSelection {
        let [board, chip] = [board, chip].map(|name| name.map(str::to_owned));
        BoardSelection { board, chip, ..BoardSelection::default() }
    }

    fn built_for(board: &str) -> Program {
        Program::parse("app".as_ref(), elf_for(board)).expect("a program")
    }

    fn reachable() -> (&'static str, &'static str) {
        let mut boards = lodger_wire::boards::all().iter();
        let found = boards.find_map(|board| Some((&*board.name, board.chip.as_deref()?)));
        found.expect("a board with a chip")
    }

    #[test]
    fn a_program_brings_its_board() {
        let (board, chip) = reachable();
        let resolved = BoardSelection::default().choose(Some(&built_for(board))).expect("its own");
        assert_eq!((resolved.board.map(|row| &*row.name), &*resolved.chip), (Some(board), chip));
    }

    #[test]
    fn a_selected_board_must_be_the_board_of_the_program() {
        let (board, chip) = reachable();
        let program = built_for("mps2-an385");
        let error = selection(Some(board), None).choose(Some(&program)).expect_err("another");
        let text = error.to_string();
        assert!(text.contains("mps2-an385") && text.contains(board), "{text}");
        let own = selection(Some(board), Some(chip)).choose(Some(&program));
        assert_eq!(own.expect("a chip overrides").chip, chip);
    }

    #[test]
    fn a_chip_needs_no_board() {
        let resolved = selection(None, Some("nRF52833_xxAA")).choose(None).expect("a chip");
        assert_eq!((resolved.board, &*resolved.chip), (None, "nRF52833_xxAA"));
    }

    #[test]
    fn missing_and_unknown_boards_are_rejected() {
        let fails_with = |selection: BoardSelection, message: &str| {
            let error = selection.choose(None).expect_err("an error").to_string();
            assert!(error.contains(message), "{error}");
        };
        fails_with(BoardSelection::default(), "no board is selected");
        fails_with(selection(Some("toaster"), None), "no board is called toaster");
        fails_with(selection(Some("mps2-an385"), None), "exists only in QEMU");
        fails_with(selection(Some("esp32-c3"), None), "is not known to probe-rs");
    }

    #[test]
    fn every_chip_of_our_boards_is_known() {
        for board in lodger_wire::boards::all() {
            if let Some(chip) = &board.chip {
                let target = target(chip, None).expect("a chip");
                let flash = u64::from(board.flash.origin);
                assert!(target.memory_region_by_address(flash).is_some(), "{}", board.name);
            }
        }
        assert_eq!(target("mps2-an386", None).expect("ours").name, "MPS2-AN386");
    }

    #[test]
    fn an_unknown_chip_is_reported_with_similar_ones() {
        let error = target("nRF52840_xxAB", None).expect_err("no such chip");
        assert_eq!(error.to_string(), "no chip is called `nRF52840_xxAB`");
        let help = error.help();
        assert!(help.starts_with("there are ") && help.contains("nRF52840_xxAA"), "{help}");
    }

    #[test]
    fn an_invalid_description_is_rejected() {
        let error = target("x", Some(Path::new("no such file.yaml"))).expect_err("no file");
        assert!(error.to_string().contains("no such file.yaml"), "{error}");
        #[cfg(unix)]
        {
            let error = target("x", Some(Path::new("/dev/zero"))).expect_err("it has no end");
            let message = "`/dev/zero` describes no chip: it is larger than 16 MiB";
            assert_eq!(error.to_string(), message);
        }
    }
}
