//! The table of boards, `boards.toml`: memory, target, chip and QEMU machine.
//!
//! # Examples
//! ```
//! let board = lodger_wire::boards::named("microbit")?;
//! assert_eq!(board.target, "thumbv6m-none-eabi");
//! assert_eq!(board.ram.end(), 0x2000_4000);
//! # Ok::<(), lodger_wire::boards::NoSuchBoard>(())
//! ```

use std::borrow::ToOwned;
use std::error::Error;
use std::fmt;
use std::string::String;
use std::sync::LazyLock;
use std::vec::Vec;

use serde::Deserialize;

/// The ELF section with the name of the board that a program was built for.
pub const NAME_SECTION: &str = ".lodger.board";

static ROWS: LazyLock<Vec<BoardEntry>> = LazyLock::new(|| {
    let BoardRows { board } =
        toml::from_str(include_str!("../boards.toml")).expect("boards.toml is parsed by a test");
    board
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardRows {
    board: Vec<BoardEntry>,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardEntry {
    /// The name, also of the feature of lodger-programs.
    pub name: String,
    /// The target of rustc.
    pub target: String,
    /// QEMU's name of the machine that runs the board's programs.
    pub machine: Option<String>,
    /// QEMU's name of the processor, if the machine may have several.
    pub cpu: Option<String>,
    /// Whether the board exists only in QEMU.
    #[serde(default)]
    pub emulated: bool,
    /// Whether the board has no programs in firmware/programs, but its choice in firmware/template.
    #[serde(default)]
    pub template: bool,
    /// probe-rs's name of the chip; an ESP32 has none.
    pub chip: Option<String>,
    /// The number type of the app.
    pub number: String,
    /// Whether the boot loader needs an image definition behind the vectors, as an RP2350's does.
    #[serde(default)]
    pub start_block: bool,
    /// The second stage of the boot loader, which only an RP2040 has in flash.
    pub boot2: Option<BoardMemory>,
    /// The memory of programs.
    pub flash: BoardMemory,
    /// The memory of data.
    pub ram: BoardMemory,
}

/// A kind of processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// A Cortex-M.
    CortexM,
    /// A RISC-V of 32 bits.
    RiscV32,
}

impl BoardEntry {
    /// The kind of processor, from the target.
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
pub struct BoardMemory {
    /// The first address.
    pub origin: u32,
    /// The size in bytes.
    pub length: u32,
}

impl BoardMemory {
    /// The address after the last.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.origin as u64 + self.length as u64
    }
}

/// All boards, in the order of the file.
#[must_use]
pub fn all() -> &'static [BoardEntry] {
    &ROWS
}

/// Finds a board by its name.
///
/// # Errors
/// [`NoSuchBoard`], which lists the names in the table.
pub fn named(name: &str) -> Result<&'static BoardEntry, NoSuchBoard> {
    ROWS.iter().find(|board| board.name == name).ok_or_else(|| NoSuchBoard(name.to_owned()))
}

/// The table has no board of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchBoard(String);

impl fmt::Display for NoSuchBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = ROWS.iter().map(|board| board.name.as_str()).collect();
        write!(f, "no board is called {}; there are {}", self.0, names.join(", "))
    }
}

impl Error for NoSuchBoard {}
