//! Programs: ELF files, and what they say about themselves.

use std::fmt;
use std::path::{Path, PathBuf};

use lodger_wire::boards::NAME_SECTION;
use object::elf::{PF_W, PT_LOAD};
use object::read::elf::{ElfFile32, ElfSymbol32, ProgramHeader as _};
use object::{
    Architecture, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind,
};

use crate::error::{BoardError, read_file};
use crate::log::Log;

/// The symbol of RTT's control block.
const CONTROL_BLOCK: &str = "_SEGGER_RTT";

/// The largest file of a program in mebibytes, debug information included.
const MAX_MIB: u64 = 256;

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
    pub fn read(path: &Path) -> Result<Self, BoardError> {
        let elf = read_file(path, MAX_MIB).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", path.display());
            BoardError::new(message, "name the ELF that cargo built").with_source(error)
        })?;
        Self::parse(path, elf)
    }

    /// Parses a program; errors name it by `path`.
    ///
    /// # Errors
    /// When it is no ELF of 32-bit Arm, or logs through a defmt that this decoder does not know.
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
        let log = Log::of(&elf).map_err(|error| {
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

    /// A problem of its log, if there is one: it can be run all the same.
    #[must_use]
    pub fn log_warning(&self) -> Option<LogWarning> {
        let path = || self.path.clone();
        match (&self.log, self.log.lines()) {
            (Log::Unlinked, _) => Some(LogWarning::DefmtUnlinked(path())),
            (_, Some((0, errors))) => Some(LogWarning::FewLines { program: path(), errors }),
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

    /// The address of its RTT control block, which a program needs to talk through a probe.
    pub(crate) fn rtt(&self) -> Result<u64, BoardError> {
        self.control_block.ok_or_else(|| {
            let path = self.path.display();
            let message = format!("`{path}` has no RTT, and so no way to talk through a probe");
            let help = "build it with an RTT logger; `lodger board flash` takes it as it is";
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

/// The file is no program for a Cortex-M.
pub(crate) fn no_program(path: &Path, reason: &str) -> BoardError {
    let message = format!("`{}` is no program for a board: {reason}", path.display());
    BoardError::new(message, "name the ELF that cargo built for a thumb target")
}

/// The loaded segments, by the addresses of the memory that keeps them; `None` where one lies outside of the
/// file.
fn segments<'e>(file: &ElfFile32<'e, Endianness, &'e [u8]>) -> Option<Vec<Segment>> {
    let endian = file.endian();
    let mut segments = Vec::new();
    for header in file.elf_program_headers() {
        if header.p_type(endian) == PT_LOAD && header.p_filesz(endian) > 0 {
            let bytes = header.data(endian, file.data()).ok()?.to_vec();
            let address = header.p_paddr(endian);
            let is_constant =
                !header.p_flags(endian).contains(PF_W) || header.p_vaddr(endian) != address;
            segments.push(Segment { address: address.into(), bytes, is_constant });
        }
    }
    Some(segments)
}

/// A problem of a program's log. Its text is the problem; [`LogWarning::help`] is what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogWarning {
    /// It logs through defmt, and was linked without its linker script: its log cannot be read.
    DefmtUnlinked(PathBuf),
    /// It logs through defmt, and has no line but some errors in it.
    FewLines {
        /// The program.
        program: PathBuf,
        /// How many errors it may log.
        errors: usize,
    },
}

impl LogWarning {
    /// Whether nothing of its log can be read.
    #[must_use]
    pub const fn is_unreadable(&self) -> bool {
        matches!(self, Self::DefmtUnlinked(_))
    }

    /// What to do about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::DefmtUnlinked(_) => {
                "link it with -Tdefmt.x, beside -Tlink.x; it can be flashed and run as it is"
            }
            Self::FewLines { .. } => {
                "DEFMT_LOG decides what is in a program when it is compiled, errors alone where it is not \
                 set: build it with DEFMT_LOG=info, or debug"
            }
        }
    }
}

impl fmt::Display for LogWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (program, problem) = match self {
            Self::DefmtUnlinked(program) => (
                program,
                "logs through defmt, but was linked without its linker script: its log cannot be read",
            ),
            Self::FewLines { program, errors: 0 } => {
                (program, "logs through defmt, and has no lines in it")
            }
            Self::FewLines { program, .. } => (program, "has no lines of a log in it but errors"),
        };
        write!(f, "`{}` {problem}", program.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{elf_that_logs, elf_with_lines, elf_without_anything, elf_without_script};

    fn parse(elf: Vec<u8>) -> Result<Program, BoardError> {
        Program::parse(Path::new("app"), elf)
    }

    #[test]
    fn a_program_says_what_it_is() {
        let program = parse(elf_that_logs("microbit")).expect("a program");
        assert_eq!(program.board(), Some("microbit"));
        assert_eq!(program.log_warning(), None);
        assert_eq!(program.control_block(), Some(0x40));
    }

    #[test]
    fn what_is_missing_is_missed_when_it_is_needed() {
        let program = parse(elf_without_anything()).expect("a program");
        assert_eq!((program.board(), program.size()), (None, 0));
        let error = program.rtt().expect_err("no RTT").to_string();
        assert!(error.starts_with("`app` has no RTT"), "{error}");
        assert_eq!(program.log_warning(), None);
    }

    #[test]
    fn what_is_odd_about_a_log_is_known_before_it_runs() {
        let warning = |elf| parse(elf).expect("a program").log_warning();
        let path = || PathBuf::from("app");
        let unlinked = elf_without_script("microbit");
        assert_eq!(warning(unlinked), Some(LogWarning::DefmtUnlinked(path())));
        for (tags, errors) in
            [(&[][..], 0), (&["defmt_error"], 1), (&["defmt_error", "defmt_str", "defmt_debug"], 1)]
        {
            let few = Some(LogWarning::FewLines { program: path(), errors });
            assert_eq!(warning(elf_with_lines("microbit", tags)), few, "{tags:?}");
        }
        for tag in ["defmt_println", "defmt_info", "defmt_warn"] {
            assert_eq!(warning(elf_with_lines("microbit", &["defmt_error", tag])), None, "{tag}");
        }
    }

    #[test]
    fn a_warning_says_what_and_what_to_do() {
        let program = || PathBuf::from("app");
        for (warning, part) in [
            (LogWarning::DefmtUnlinked(program()), "without its linker script"),
            (LogWarning::FewLines { program: program(), errors: 0 }, "no lines in it"),
            (LogWarning::FewLines { program: program(), errors: 3 }, "but errors"),
        ] {
            let text = warning.to_string();
            assert!(text.starts_with("`app` ") && text.contains(part), "{text}");
            let word = if warning.is_unreadable() { "-Tdefmt.x" } else { "DEFMT_LOG" };
            assert!(warning.help().contains(word), "{}", warning.help());
        }
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let refused = |outcome: Result<Program, BoardError>, message: &str| {
            let error = outcome.expect_err("no program").to_string();
            assert!(error.contains(message), "{error}");
        };
        for bytes in [&b""[..], b"#!/bin/sh", b"\x7fELF\x02\x01\x01"] {
            refused(parse(bytes.to_vec()), "`app` is no program for a board: it is no 32-bit ELF");
        }
        let own = std::env::current_exe().expect("a path");
        refused(Program::read(&own), "is no program for a board");
        refused(Program::read(Path::new("none")), "cannot read `none`: ");
    }

    #[test]
    fn a_program_cut_short_is_refused_or_harmless() {
        let elf = elf_that_logs("microbit");
        for len in 0..elf.len() {
            let _ = parse(elf[..len].to_vec());
        }
    }
}
