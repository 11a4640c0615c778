//! The boards of `boards.toml`, for the build script of lodger-programs, `cargo xtask` and
//! `lodger board`.
//!
//! # Examples
//! ```
//! let board = lodger_board_table::named("microbit")?;
//! assert_eq!(board.target, "thumbv6m-none-eabi");
//! assert_eq!(board.ram.end(), 0x2000_4000);
//! # Ok::<(), lodger_board_table::NoSuchBoard>(())
//! ```

use std::error::Error;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

/// The ELF section that holds the name of the board that a program was built for.
pub const NAME_SECTION: &str = ".lodger.board";

static ROWS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let Rows { board } = toml::from_str(include_str!("../boards.toml"))
        .expect("boards.toml was parsed by this crate's test");
    board
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    board: Vec<Board>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Also the feature of lodger-programs.
    pub name: String,
    /// What rustc builds for.
    pub target: String,
    /// QEMU's name of the machine that runs the board's programs, if there is one.
    pub machine: Option<String>,
    /// QEMU's name of the processor, where the machine may have several.
    pub cpu: Option<String>,
    /// Whether the board exists only in QEMU.
    #[serde(default)]
    pub emulated: bool,
    /// probe-rs's name of the chip.
    pub chip: Option<String>,
    /// The number type of the app.
    pub number: String,
    /// Whether the chip looks for a definition of the program behind the vectors.
    #[serde(default)]
    pub start_block: bool,
    /// Where the second stage of the boot loader is, which only an RP2040 takes from its flash.
    pub boot2: Option<Memory>,
    /// Where programs are.
    pub flash: Memory,
    /// Where data is.
    pub ram: Memory,
}

/// The processors that there are boards of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// A Cortex-M.
    CortexM,
    /// A RISC-V of 32 bits.
    RiscV32,
}

impl Board {
    /// Which kind of processor it has, by its target.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        if self.target.starts_with("riscv32") {
            Architecture::RiscV32
        } else {
            Architecture::CortexM
        }
    }
}

/// A range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The first address.
    pub origin: u32,
    /// How many bytes.
    pub length: u32,
}

impl Memory {
    /// The address after the last.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.origin as u64 + self.length as u64
    }
}

/// All boards, in the order of the file.
#[must_use]
pub fn all() -> &'static [Board] {
    &ROWS
}

/// The board of that name.
///
/// # Errors
/// [`NoSuchBoard`], which lists those that there are.
pub fn named(name: &str) -> Result<&'static Board, NoSuchBoard> {
    ROWS.iter().find(|board| board.name == name).ok_or_else(|| NoSuchBoard(name.to_owned()))
}

/// There is no board of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchBoard(String);

impl fmt::Display for NoSuchBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = ROWS.iter().map(|board| board.name.as_str()).collect();
        write!(f, "no board is called {}; there are {}", self.0, names.join(", "))
    }
}

impl Error for NoSuchBoard {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emulated_board_has_a_machine_and_a_real_one_a_chip() {
        assert!(all().iter().filter(|board| board.emulated).count() >= 7);
        for board in all() {
            let begins = match board.architecture() {
                Architecture::CortexM => "thumb",
                Architecture::RiscV32 => "riscv32",
            };
            assert!(board.target.starts_with(begins), "{}", board.name);
            assert!(board.machine.is_some() || !board.emulated, "{}", board.name);
            assert!(board.chip.is_some() || board.emulated, "{}", board.name);
        }
    }

    #[test]
    fn a_board_is_a_row_a_feature_and_a_file_or_a_case() {
        #[derive(Deserialize)]
        struct Manifest {
            features: std::collections::BTreeMap<String, Vec<String>>,
        }
        let firmware =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware/programs");
        let manifest = std::fs::read_to_string(firmware.join("Cargo.toml")).unwrap();
        let Manifest { features } = toml::from_str(&manifest).unwrap();
        let emulated = std::fs::read_to_string(firmware.join("src/board/emulated.rs")).unwrap();
        for board in all() {
            let feature = features.get(&board.name).unwrap_or_else(|| panic!("{}", board.name));
            let has = |name: &str| feature.iter().any(|other| other == name);
            assert_eq!(has("emulated"), board.emulated, "{}", board.name);
            assert_eq!(has("rtt"), !board.emulated, "{}", board.name);
            let file = board.name.replace('-', "_") + ".rs";
            let has_file = firmware.join("src/board").join(&file).exists();
            let is_case = emulated.contains(&format!("\"{}\"\n", board.name));
            assert_eq!((has_file, is_case), (!board.emulated, board.emulated), "{file}");
        }
    }

    #[test]
    fn a_name_that_is_none_is_told_with_those_that_are() {
        let error = named("micro").unwrap_err().to_string();
        assert!(error.contains("micro;") && error.contains("mps2-an505"), "{error}");
    }
}

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
