//! Which board: what was said, and what follows from it.

use std::fmt;
use std::path::PathBuf;

use lodger_board_table::{Board, named};

use crate::error::Error;
use crate::program::Program;
use crate::selector::Selector;

/// How to attach to a chip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attaching {
    /// The speed of the two wires in kHz; `None` is the probe's own choice.
    pub speed_khz: Option<u32>,
    /// Hold the chip in reset meanwhile. It begins anew.
    pub under_reset: bool,
    /// Erase all that a locked chip holds, where it opens for nothing else. An open chip is not erased.
    pub allow_erase_all: bool,
}

/// What somebody said about the board. Nothing at all is fine where a program names its board and
/// one probe is plugged in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// A name of `boards/table/boards.toml`.
    pub board: Option<String>,
    /// probe-rs's name of a chip, in place of the board's.
    pub chip: Option<String>,
    /// A file that describes chips to probe-rs.
    pub chip_description: Option<PathBuf>,
    /// The probe; `None` is the only one.
    pub probe: Option<Selector>,
    /// How to attach.
    pub attaching: Attaching,
}

/// What to open: a chip, and the board it is on if that is one of ours.
///
/// The protocol is always SWD, which every Cortex-M speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The row of the board.
    pub board: Option<&'static Board>,
    /// probe-rs's name of the chip.
    pub chip: String,
    /// A file that describes chips to probe-rs.
    pub chip_description: Option<PathBuf>,
    /// The probe; `None` is the only one.
    pub probe: Option<Selector>,
    /// How to attach.
    pub attaching: Attaching,
}

/// What people call it: the board, or else its chip.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.board.map_or(&self.chip, |row| &row.name))
    }
}

impl Selection {
    /// What follows for a program, or for whatever runs on the board already.
    ///
    /// The board is the named one, else that of the program; a chip that was named stands above
    /// both, for whoever carries a program to hardware of his own.
    ///
    /// # Errors
    /// When there is nothing to go by, when a name is unknown, and when a program was built for
    /// another board.
    pub fn choose(&self, program: Option<&Program>) -> Result<Choice, Error> {
        let built_for = program.and_then(Program::board);
        let board = match (&self.board, built_for, program) {
            (Some(asked), Some(built), Some(program)) if asked != built && self.chip.is_none() => {
                named(asked).map_err(Error::UnknownBoard)?;
                return Err(Error::AnotherBoard {
                    program: program.path().to_owned(),
                    built_for: built.to_owned(),
                    asked: asked.clone(),
                });
            }
            (Some(asked), ..) => Some(named(asked).map_err(Error::UnknownBoard)?),
            (None, Some(_), _) if self.chip.is_some() => None,
            (None, Some(built), _) => Some(named(built).map_err(Error::UnknownBoard)?),
            (None, None, _) => None,
        };
        let chip = match (&self.chip, board) {
            (Some(chip), _) => chip.clone(),
            (None, Some(board)) => {
                board.chip.clone().ok_or_else(|| Error::NoChip(board.name.clone()))?
            }
            (None, None) => return Err(Error::NothingChosen),
        };
        Ok(Choice {
            board,
            chip,
            chip_description: self.chip_description.clone(),
            probe: self.probe.clone(),
            attaching: self.attaching,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::elf_for;

    fn selection(board: Option<&str>, chip: Option<&str>) -> Selection {
        let [board, chip] = [board, chip].map(|name| name.map(str::to_owned));
        Selection { board, chip, ..Selection::default() }
    }

    fn built_for(board: &str) -> Program {
        Program::parse("app".as_ref(), elf_for(board)).expect("a program")
    }

    /// A board that a probe can reach, and what probe-rs calls its chip.
    fn reachable() -> (&'static str, &'static str) {
        let mut boards = lodger_board_table::all().iter();
        let found = boards.find_map(|board| Some((&*board.name, board.chip.as_deref()?)));
        found.expect("a board with a chip")
    }

    #[test]
    fn a_program_brings_its_board() {
        let (board, chip) = reachable();
        let choice = Selection::default().choose(Some(&built_for(board))).expect("its own");
        assert_eq!((choice.board.map(|row| &*row.name), &*choice.chip), (Some(board), chip));
    }

    #[test]
    fn a_named_board_must_be_that_of_the_program() {
        let (board, chip) = reachable();
        let program = built_for("mps2-an385");
        let error = selection(Some(board), None).choose(Some(&program)).expect_err("another");
        let text = error.to_string();
        assert!(text.contains("mps2-an385") && text.contains(board), "{text}");
        let own = selection(Some(board), Some(chip)).choose(Some(&program));
        assert_eq!(own.expect("a chip stands above").chip, chip);
    }

    #[test]
    fn a_chip_needs_no_board() {
        let choice = selection(None, Some("nRF52833_xxAA")).choose(None).expect("a chip");
        assert_eq!((choice.board, &*choice.chip), (None, "nRF52833_xxAA"));
    }

    #[test]
    fn nothing_and_nonsense_are_refused() {
        let refused = |selection: Selection| selection.choose(None).expect_err("refused");
        assert!(matches!(refused(Selection::default()), Error::NothingChosen));
        assert!(matches!(refused(selection(Some("toaster"), None)), Error::UnknownBoard(_)));
        let unreachable = lodger_board_table::all().iter().find(|board| board.chip.is_none());
        if let Some(board) = unreachable {
            assert!(matches!(refused(selection(Some(&board.name), None)), Error::NoChip(_)));
        }
    }
}
