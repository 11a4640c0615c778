//! Programs: ELF files, and the information in them.

use std::fmt;
use std::path::{Path, PathBuf};

use lodger_wire::boards::NAME_SECTION;
use object::elf::{PF_W, PT_LOAD};
use object::read::elf::{ElfFile32, ElfSymbol32, ProgramHeader as _};
use object::{
    Architecture, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind,
};

use crate::error::{BoardError, read_file};
use crate::log::LogKind;

const CONTROL_BLOCK: &str = "_SEGGER_RTT";

/// The largest program file in mebibytes, debug information included.
const MAX_MIB: u64 = 256;

/// A program for a Cortex-M.
pub struct Program {
    path: PathBuf,
    elf: Vec<u8>,
    board: Option<String>,
    control_block: Option<u64>,
    segments: Vec<LoadSegment>,
    log: LogKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoadSegment {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    /// Whether the program only reads these bytes.
    pub(crate) is_constant: bool,
}

impl Program {
    /// Reads a program of at most 256 MiB.
    ///
    /// # Errors
    /// If the file cannot be read or is larger, or if [`Program::parse`] fails.
    pub fn read(path: &Path) -> Result<Self, BoardError> {
        let elf = read_file(path, MAX_MIB).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            BoardError::new(message, "name the ELF that cargo built").with_source(error)
        })?;
        Self::parse(path, elf)
    }

    /// Parses an ELF; `path` only names it in errors.
    ///
    /// # Errors
    /// If it is no ELF for 32-bit Arm, or has an unknown version of defmt.
    pub fn parse(path: &Path, elf: Vec<u8>) -> Result<Self, BoardError> {
        let file = ElfFile32::<Endianness, _>::parse(elf.as_slice()).map_err(|error| {
            no_program(path, &format!("it is no 32-bit ELF file ({error})")).with_source(error)
        })?;
        if file.architecture() != Architecture::Arm {
            let reason = format!("it is for another processor: {:?}", file.architecture());
            return Err(no_program(path, &reason));
        }
        let segments = segments(&file)
            .ok_or_else(|| no_program(path, "a segment lies outside of the file"))?;
        let name = file.section_by_name(NAME_SECTION).and_then(|section| section.data().ok());
        let symbol = file.symbols().find(|symbol| symbol.name() == Ok(CONTROL_BLOCK));
        let log = LogKind::from_elf(&elf).map_err(|error| {
            let path = path.display();
            let message = format!("the log of `{path}` cannot be decoded: {error}");
            BoardError::new(message, "build it with defmt 1.x").with_source(error)
        })?;
        Ok(Self {
            path: path.to_owned(),
            board: name.map(|name| String::from_utf8_lossy(name).into_owned()),
            control_block: symbol.filter(|it| !it.is_undefined()).map(|it| it.address()),
            segments,
            log,
            elf,
        })
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the board that the program was built for.
    #[must_use]
    pub fn board(&self) -> Option<&str> {
        self.board.as_deref()
    }

    /// The address of the RTT control block.
    #[must_use]
    pub const fn control_block(&self) -> Option<u64> {
        self.control_block
    }

    /// A problem of the log; the program can run nevertheless.
    #[must_use]
    pub fn log_warning(&self) -> Option<LogWarning> {
        let (problem, help) = match (&self.log, self.log.lines()) {
            (LogKind::Unlinked, _) => (
                "logs through defmt, but was linked without its linker script: its log cannot be read",
                "link it with -Tdefmt.x, beside -Tlink.x; it can be flashed and run without it",
            ),
            (_, Some((0, 0))) => ("logs through defmt, and has no lines in it", HELP_FEW_LINES),
            (_, Some((0, _))) => ("logs through defmt, and has only errors in it", HELP_FEW_LINES),
            _ => return None,
        };
        let message = format!("`{}` {problem}", self.path.display());
        let is_unreadable = matches!(self.log, LogKind::Unlinked);
        Some(LogWarning { message, help, is_unreadable })
    }

    /// The number of bytes that the program occupies in a chip's memory.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes.len() as u64).sum()
    }

    pub(crate) fn segments(&self) -> &[LoadSegment] {
        &self.segments
    }

    pub(crate) fn elf(&self) -> &[u8] {
        &self.elf
    }

    pub(crate) fn function_at(&self, address: u64) -> Option<String> {
        let file = ElfFile32::<Endianness, _>::parse(self.elf.as_slice()).ok()?;
        let holds = |symbol: &ElfSymbol32<'_, '_, Endianness>| {
            // The lowest bit marks Thumb code.
            let start = symbol.address() & !1;
            symbol.kind() == SymbolKind::Text
                && (start..start + symbol.size()).contains(&(address & !1))
        };
        let symbol = file.symbols().find(holds)?;
        symbol.name().ok().map(|name| format!("{:#}", rustc_demangle::demangle(name)))
    }

    pub(crate) const fn log(&self) -> &LogKind {
        &self.log
    }

    pub(crate) fn rtt(&self) -> Result<u64, BoardError> {
        self.control_block.ok_or_else(|| {
            let path = self.path.display();
            let message = format!("`{path}` has no RTT, which communication through a probe needs");
            let help = "build it with an RTT logger; `lodger board flash` does not need one";
            BoardError::new(message, help)
        })
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("path", &self.path)
            .field("board", &self.board)
            .field("control_block", &self.control_block)
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

pub(crate) fn no_program(path: &Path, reason: &str) -> BoardError {
    let message = format!("`{}` is no program for a board: {reason}", path.display());
    BoardError::new(message, "name the ELF that cargo built for a thumb target")
}

/// The segments by load address; `None` if one lies outside of the file.
fn segments<'e>(file: &ElfFile32<'e, Endianness, &'e [u8]>) -> Option<Vec<LoadSegment>> {
    let endian = file.endian();
    let mut segments = Vec::new();
    for header in file.elf_program_headers() {
        if header.p_type(endian) == PT_LOAD && header.p_filesz(endian) > 0 {
            let bytes = header.data(endian, file.data()).ok()?.to_vec();
            let address = header.p_paddr(endian);
            let is_constant =
                !header.p_flags(endian).contains(PF_W) || header.p_vaddr(endian) != address;
            segments.push(LoadSegment { address: address.into(), bytes, is_constant });
        }
    }
    Some(segments)
}

/// A problem of a program's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogWarning {
    /// The program and the problem.
    pub message: String,
    /// A remedy for the problem.
    pub help: &'static str,
    /// Whether the log is unreadable; else its lines are few.
    pub is_unreadable: bool,
}

const HELP_FEW_LINES: &str = "DEFMT_LOG selects the lines of a program when it is compiled, and by default only errors: \
     build it with DEFMT_LOG=info, or debug";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{elf_that_logs, elf_with_lines, elf_without_anything, elf_without_script};

    fn parse(elf: Vec<u8>) -> Result<Program, BoardError> {
        Program::parse(Path::new("app"), elf)
    }

    #[test]
    fn a_program_has_board_and_control_block() {
        let program = parse(elf_that_logs("microbit")).expect("a program");
        assert_eq!(program.board(), Some("microbit"));
        assert_eq!(program.log_warning(), None);
        assert_eq!(program.control_block(), Some(0x40));
    }

    #[test]
    fn a_missing_control_block_is_an_error_when_it_is_needed() {
        let program = parse(elf_without_anything()).expect("a program");
        assert_eq!((program.board(), program.size()), (None, 0));
        let error = program.rtt().expect_err("no RTT").to_string();
        assert!(error.starts_with("`app` has no RTT"), "{error}");
        assert_eq!(program.log_warning(), None);
    }

    #[test]
    fn problems_of_a_log_are_known_before_a_run() {
        let warning = |elf| parse(elf).expect("a program").log_warning();
        let assert_warns = |elf, problem: &str, remedy: &str| {
            let warning = warning(elf).expect("a warning");
            let message = &warning.message;
            assert!(message.starts_with("`app` ") && message.contains(problem), "{message}");
            assert!(warning.help.contains(remedy), "{}", warning.help);
            assert_eq!(warning.is_unreadable, remedy == "-Tdefmt.x");
        };
        assert_warns(elf_without_script("microbit"), "without its linker script", "-Tdefmt.x");
        for (tags, problem) in [
            (&[][..], "no lines in it"),
            (&["defmt_error"], "only errors"),
            (&["defmt_error", "defmt_str", "defmt_debug"], "only errors"),
        ] {
            assert_warns(elf_with_lines("microbit", tags), problem, "DEFMT_LOG");
        }
        for tag in ["defmt_println", "defmt_info", "defmt_warn"] {
            assert_eq!(warning(elf_with_lines("microbit", &["defmt_error", tag])), None, "{tag}");
        }
    }

    #[test]
    fn a_file_that_is_no_program_is_rejected() {
        let fails_with = |outcome: Result<Program, BoardError>, message: &str| {
            let error = outcome.expect_err("no program").to_string();
            assert!(error.contains(message), "{error}");
        };
        for bytes in [&b""[..], b"#!/bin/sh", b"\x7fELF\x02\x01\x01"] {
            fails_with(
                parse(bytes.to_vec()),
                "`app` is no program for a board: it is no 32-bit ELF",
            );
        }
        let own = std::env::current_exe().expect("a path");
        fails_with(Program::read(&own), "is no program for a board");
        fails_with(Program::read(Path::new("none")), "cannot read `none`: ");
    }

    #[test]
    fn a_truncated_program_is_rejected_or_harmless() {
        let elf = elf_that_logs("microbit");
        for len in 0..elf.len() {
            let _ = parse(elf[..len].to_vec());
        }
    }
}
