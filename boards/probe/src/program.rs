//! Programs: ELF files, and what they say about themselves.

use std::fmt;
use std::path::{Path, PathBuf};

use lodger_board_table::NAME_SECTION;
use object::elf::{PF_W, PT_LOAD};
use object::read::elf::{ElfFile32, ElfSymbol32, ProgramHeader as _};
use object::{
    Architecture, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind,
};

use crate::bad_program::BadProgram;
use crate::bounded;
use crate::error::Error;
use crate::log::Log;
use crate::remark::Remark;

/// The symbol of RTT's control block.
const CONTROL_BLOCK: &str = "_SEGGER_RTT";

/// The largest file of a program in mebibytes, debug information included.
const LARGEST_MIB: u64 = 256;

/// A program for a Cortex-M.
pub struct Program {
    path: PathBuf,
    elf: Vec<u8>,
    board: Option<String>,
    control_block: Option<u64>,
    segments: Vec<Segment>,
    log: Log,
}

/// Bytes and where they belong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    /// Whether they stay as they are: nothing is computed in their place.
    pub(crate) is_constant: bool,
}

impl Program {
    /// Reads a program of at most 256 MiB.
    ///
    /// # Errors
    /// When the file cannot be read or is larger, and those of [`Program::parse`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let elf = bounded::read(path, LARGEST_MIB)
            .map_err(|why| Error::Unreadable { path: path.to_owned(), why })?;
        Self::parse(path, elf)
    }

    /// Understands a program; `path` is what it is called in errors.
    ///
    /// # Errors
    /// When it is no ELF of 32-bit Arm, or logs through a defmt that this decoder does not know.
    pub fn parse(path: &Path, elf: Vec<u8>) -> Result<Self, Error> {
        let no_program = |why| Error::NoProgram { path: path.to_owned(), why };
        let file = ElfFile32::<Endianness, _>::parse(elf.as_slice())
            .map_err(|error| no_program(BadProgram::NoElf(error.into())))?;
        if file.architecture() != Architecture::Arm {
            let name = format!("{:?}", file.architecture());
            return Err(no_program(BadProgram::AnotherProcessor(name)));
        }
        let segments = segments(&file).map_err(no_program)?;
        let name = file.section_by_name(NAME_SECTION).and_then(|section| section.data().ok());
        let symbol = file.symbols().find(|symbol| symbol.name() == Ok(CONTROL_BLOCK));
        let log =
            Log::of(&elf).map_err(|why| Error::StrangeDefmt { path: path.to_owned(), why })?;
        Ok(Self {
            path: path.to_owned(),
            board: name.map(|name| String::from_utf8_lossy(name).into_owned()),
            control_block: symbol.filter(|it| !it.is_undefined()).map(|it| it.address()),
            segments,
            log,
            elf,
        })
    }

    /// The file that it was read from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The board that it was built for, if it says so.
    #[must_use]
    pub fn board(&self) -> Option<&str> {
        self.board.as_deref()
    }

    /// The address of its RTT control block, if it has one.
    #[must_use]
    pub const fn control_block(&self) -> Option<u64> {
        self.control_block
    }

    /// What is odd about its log, if anything is.
    #[must_use]
    pub fn remark(&self) -> Option<Remark> {
        let path = || self.path.clone();
        match (&self.log, self.log.lines()) {
            (Log::Unlinked, _) => Some(Remark::DefmtUnlinked(path())),
            (_, Some((0, errors))) => Some(Remark::FewLines { program: path(), errors }),
            _ => None,
        }
    }

    /// How many bytes it puts into a chip's memory.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.segments.iter().map(|segment| segment.bytes.len() as u64).sum()
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn elf(&self) -> &[u8] {
        &self.elf
    }

    /// The function that an address is in, by the program's symbols.
    pub(crate) fn function_at(&self, address: u64) -> Option<String> {
        let file = ElfFile32::<Endianness, _>::parse(self.elf.as_slice()).ok()?;
        let holds = |symbol: &ElfSymbol32<'_, '_, Endianness>| {
            // The lowest bit says that the function is in Thumb code.
            let start = symbol.address() & !1;
            symbol.kind() == SymbolKind::Text
                && (start..start + symbol.size()).contains(&(address & !1))
        };
        let symbol = file.symbols().find(holds)?;
        symbol.name().ok().map(|name| format!("{:#}", rustc_demangle::demangle(name)))
    }

    /// Its log.
    pub(crate) const fn log(&self) -> &Log {
        &self.log
    }

    /// Where its RTT is.
    pub(crate) fn rtt(&self) -> Result<u64, Error> {
        self.control_block.ok_or_else(|| Error::NoRtt(self.path.clone()))
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

/// What is loaded, by the addresses of the memory that keeps it.
fn segments<'e>(file: &ElfFile32<'e, Endianness, &'e [u8]>) -> Result<Vec<Segment>, BadProgram> {
    let endian = file.endian();
    let mut segments = Vec::new();
    for header in file.elf_program_headers() {
        if header.p_type(endian) == PT_LOAD && header.p_filesz(endian) > 0 {
            let data = header.data(endian, file.data());
            let bytes = data.map_err(|()| BadProgram::CutShort)?;
            let address = header.p_paddr(endian);
            let is_constant =
                !header.p_flags(endian).contains(PF_W) || header.p_vaddr(endian) != address;
            let (address, bytes) = (address.into(), bytes.to_vec());
            segments.push(Segment { address, bytes, is_constant });
        }
    }
    Ok(segments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{elf_that_logs, elf_with_lines, elf_without_anything, elf_without_script};

    fn parse(elf: Vec<u8>) -> Result<Program, Error> {
        Program::parse(Path::new("app"), elf)
    }

    #[test]
    fn a_program_says_what_it_is() {
        let program = parse(elf_that_logs("microbit")).expect("a program");
        assert_eq!(program.board(), Some("microbit"));
        assert_eq!(program.remark(), None);
        assert_eq!(program.control_block(), Some(0x40));
    }

    #[test]
    fn what_is_missing_is_missed_when_it_is_needed() {
        let program = parse(elf_without_anything()).expect("a program");
        assert_eq!((program.board(), program.size()), (None, 0));
        assert!(matches!(program.rtt(), Err(Error::NoRtt(_))));
        assert_eq!(program.remark(), None);
    }

    #[test]
    fn what_is_odd_about_a_log_is_known_before_it_runs() {
        let remark = |elf| parse(elf).expect("a program").remark();
        let path = || PathBuf::from("app");
        let unlinked = elf_without_script("microbit");
        assert_eq!(remark(unlinked), Some(Remark::DefmtUnlinked(path())));
        for (tags, errors) in
            [(&[][..], 0), (&["defmt_error"], 1), (&["defmt_error", "defmt_str", "defmt_debug"], 1)]
        {
            let few = Some(Remark::FewLines { program: path(), errors });
            assert_eq!(remark(elf_with_lines("microbit", tags)), few, "{tags:?}");
        }
        for tag in ["defmt_println", "defmt_info", "defmt_warn"] {
            assert_eq!(remark(elf_with_lines("microbit", &["defmt_error", tag])), None, "{tag}");
        }
    }

    #[test]
    fn what_is_no_program_is_refused() {
        for bytes in [&b""[..], b"#!/bin/sh", b"\x7fELF\x02\x01\x01"] {
            assert!(matches!(parse(bytes.to_vec()), Err(Error::NoProgram { .. })));
        }
        let own = std::env::current_exe().expect("a path");
        assert!(matches!(Program::read(&own), Err(Error::NoProgram { .. })));
        assert!(matches!(Program::read(Path::new("none")), Err(Error::Unreadable { .. })));
    }

    #[test]
    fn a_program_cut_short_is_refused_or_harmless() {
        let elf = elf_that_logs("microbit");
        for len in 0..elf.len() {
            let _ = parse(elf[..len].to_vec());
        }
    }
}
