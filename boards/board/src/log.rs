//! The log of a program: lines out of a stream of bytes that is defmt or plain text.

mod defmt;

use std::fmt;
use std::path::PathBuf;

use object::read::elf::ElfFile32;
use object::{Endianness, Object as _, ObjectSection as _};

use crate::error::Cause;
use defmt::{LogDecoder, LogTable};

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Every step.
    Trace,
    /// For a search for a mistake.
    Debug,
    /// Good to know.
    Info,
    /// Not as it should be.
    Warn,
    /// Wrong.
    Error,
}

/// Its name, in small letters.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        })
    }
}

/// Where a line stands in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file, as the compiler knew it.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The module's path.
    pub module: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// How much it matters; `None` for `defmt::println!`, and for plain text.
    pub level: Option<Level>,
    /// When, by the board's own clock and in its own words, if it has one.
    pub time: Option<String>,
    /// What it says.
    pub text: String,
    /// Where it stands in the source, if the program has debug information.
    pub location: Option<Location>,
}

impl LogLine {
    /// A line that says this, and nothing of its level, its time and its place.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self { level: None, time: None, text, location: None }
    }
}

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
            Self::Unlinked => LogReader::Unreadable,
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
    /// A log that cannot be read.
    Unreadable,
}

impl LogReader<'_> {
    /// Takes bytes; `each` gets every line that is complete, and `None` for what is none.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Option<LogLine>)) {
        match self {
            Self::Defmt(decoder) => decoder.feed(bytes, each),
            Self::Text(decoder) => decoder.feed(bytes, |line| each(Some(line))),
            Self::Unreadable => {}
        }
    }

    /// What is left where nothing more will come.
    pub(crate) fn rest(&mut self) -> Option<LogLine> {
        if let Self::Text(decoder) = self { decoder.rest() } else { None }
    }
}

/// What goes on for longer without an end is told as several lines.
const LONGEST_LINE: usize = 4 * 1024;

/// Makes lines of the bytes of channel [`lodger_wire::LOG`], where they are no defmt.
#[derive(Debug, Default)]
pub(crate) struct TextDecoder {
    pending: Vec<u8>,
}

impl TextDecoder {
    /// Takes bytes; `each` gets every line that is complete, without its end. What is no UTF-8 is
    /// replaced.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(LogLine)) {
        for &byte in bytes {
            if byte == b'\n' {
                each(self.take());
                continue;
            }
            if self.pending.len() == LONGEST_LINE {
                each(self.take());
            }
            self.pending.push(byte);
        }
    }

    /// What was said without an end of its line, where nothing more will be.
    pub(crate) fn rest(&mut self) -> Option<LogLine> {
        (!self.pending.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> LogLine {
        let line = std::mem::take(&mut self.pending);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        LogLine::new(String::from_utf8_lossy(line).into_owned())
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

    fn text_lines(chunks: &[&[u8]]) -> Vec<String> {
        let mut decoder = TextDecoder::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            decoder.feed(chunk, |line| lines.push(line));
        }
        lines.extend(decoder.rest());
        assert!(decoder.rest().is_none());
        for line in &lines {
            assert_eq!((line.level, &line.time, &line.location), (None, &None, &None));
        }
        lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn text_is_cut_into_lines_however_it_comes() {
        let text = "one\r\n\nthrée\nno end".as_bytes();
        let expected = ["one", "", "thrée", "no end"];
        assert_eq!(text_lines(&[text]), expected);
        for cut in 0..text.len() {
            let (before, after) = text.split_at(cut);
            assert_eq!(text_lines(&[before, after]), expected);
        }
    }

    #[test]
    fn what_is_no_text_does_no_harm() {
        assert_eq!(text_lines(&[b"a\xffb\n", b"\0c\n"]), ["a\u{fffd}b", "\0c"]);
    }

    #[test]
    fn a_line_that_never_ends_is_told_in_parts() {
        let endless = [b'x'; LONGEST_LINE];
        let told = text_lines(&[&endless, b"y\n"]);
        assert_eq!(told.iter().map(String::len).collect::<Vec<_>>(), [LONGEST_LINE, 1]);
    }
}
