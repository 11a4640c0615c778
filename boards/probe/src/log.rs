//! The log of a program, which is defmt or plain text.

mod defmt;
mod line;
mod text;

use object::read::elf::ElfFile32;
use object::{Endianness, Object as _, ObjectSection as _};

use crate::cause::Cause;
use defmt::{LogDecoder, LogTable};
use text::TextDecoder;

pub use line::{Level, Location, LogLine, NoSuchLevel};

/// The section into which the linker script of defmt puts its strings. Without it each stays in a
/// section of its own, whose name begins with this and a dot.
const STRINGS: &str = ".defmt";

/// Sections that defmt has in every program, whether or not it logs.
const ALWAYS: &str = ".defmt.end";
/// What defmt calls the lines of a log that are seen unless somebody asks for less, but for errors.
const ORDINARY: [&str; 3] = ["defmt_println", "defmt_info", "defmt_warn"];
/// Those that only who looks for a mistake asks for.
const DETAILED: [&str; 2] = ["defmt_trace", "defmt_debug"];
/// Errors.
const ERRORS: [&str; 1] = ["defmt_error"];

/// What a program logs, and what makes lines of it.
pub(crate) enum Log {
    /// defmt.
    Defmt(LogTable),
    /// defmt that was linked without its script: a frame names a string by 16 bits of its address, which
    /// are not all of it there.
    Unlinked,
    /// Plain text, if anything.
    Text,
}

impl Log {
    /// The log of a program.
    ///
    /// # Errors
    /// When its defmt cannot be decoded.
    pub(crate) fn of(elf: &[u8]) -> Result<Self, Cause> {
        let file = ElfFile32::<Endianness, _>::parse(elf)?;
        if file.section_by_name(STRINGS).is_some() {
            return Ok(LogTable::parse(elf)?.map_or(Self::Text, Self::Defmt));
        }
        let is_string = |name: &str| {
            name.strip_prefix(STRINGS).is_some_and(|rest| rest.starts_with('.'))
                && !name.starts_with(ALWAYS)
        };
        let has_strings = file.sections().any(|section| section.name().is_ok_and(is_string));
        Ok(if has_strings { Self::Unlinked } else { Self::Text })
    }

    /// How many lines of level `info` and `warn` or without a level it may say, and how many errors;
    /// `None` where that is not known.
    pub(crate) fn lines(&self) -> Option<(usize, usize)> {
        let Self::Defmt(table) = self else { return None };
        Some((table.lines(&ORDINARY), table.lines(&ERRORS)))
    }

    pub(crate) fn reader(&self) -> LogReader<'_> {
        match self {
            // Without a line in it, what a program says is no defmt.
            Self::Defmt(table)
                if [&ORDINARY[..], &DETAILED, &ERRORS]
                    .iter()
                    .all(|tags| table.lines(tags) == 0) =>
            {
                LogReader::Text(TextDecoder::default())
            }
            Self::Defmt(table) => LogReader::Defmt(table.decoder()),
            Self::Unlinked => LogReader::Deaf,
            Self::Text => LogReader::Text(TextDecoder::default()),
        }
    }
}

/// Makes lines of the bytes of channel [`lodger_wire::LOG`].
pub(crate) enum LogReader<'t> {
    /// Frames of defmt.
    Defmt(LogDecoder<'t>),
    /// Plain text.
    Text(TextDecoder),
    /// What nobody can read.
    Deaf,
}

impl LogReader<'_> {
    /// Takes bytes; `each` gets every line that is complete, and `None` for what is none.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Option<LogLine>)) {
        match self {
            Self::Defmt(decoder) => decoder.feed(bytes, each),
            Self::Text(decoder) => decoder.feed(bytes, |line| each(Some(line))),
            Self::Deaf => {}
        }
    }

    /// What is left where nothing more will come.
    pub(crate) fn rest(&mut self) -> Option<LogLine> {
        if let Self::Text(decoder) = self { decoder.rest() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{elf_for, elf_that_logs, elf_with_lines, elf_without_script, frame_of};

    fn read(log: &Log, bytes: &[u8]) -> Vec<Option<String>> {
        let (mut reader, mut lines) = (log.reader(), Vec::new());
        reader.feed(bytes, |line| lines.push(line.map(|line| line.text)));
        lines.extend(reader.rest().map(|line| Some(line.text)));
        lines
    }

    #[test]
    fn a_program_without_a_line_of_defmt_says_text() {
        for (tags, text) in [(&["defmt_str"][..], true), (&["defmt_str", "defmt_trace"], false)] {
            let log = Log::of(&elf_with_lines("microbit", tags)).expect("sound");
            assert_eq!(log.lines(), Some((0, 0)));
            assert_eq!(matches!(log.reader(), LogReader::Text(_)), text, "{tags:?}");
        }
    }

    #[test]
    fn a_program_has_defmt_or_text_or_what_nobody_can_read() {
        let log = Log::of(&elf_that_logs("microbit")).expect("sound");
        assert_eq!(read(&log, &frame_of(4)), [Some("seven is 4".to_owned())]);
        assert_eq!(log.lines(), Some((1, 0)));
        let log = Log::of(&elf_for("microbit")).expect("sound");
        assert_eq!(read(&log, b"hello\nyou"), ["hello", "you"].map(|line| Some(line.to_owned())));
        assert_eq!(log.lines(), None);
        let log = Log::of(&elf_without_script("microbit")).expect("sound");
        assert!(matches!(log, Log::Unlinked));
        assert_eq!(read(&log, &frame_of(4)), []);
    }
}
