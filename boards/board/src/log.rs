//! The log of a program: lines from bytes of defmt or plain text.

use std::fmt;
use std::path::PathBuf;

use defmt_decoder::{DecodeError, Frame, Locations, StreamDecoder, Table};
use object::read::elf::ElfFile32;
use object::{Endianness, Object as _, ObjectSection as _};

use crate::error::Cause;

/// The level of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Details of every step.
    Trace,
    /// Details for debugging.
    Debug,
    /// Information.
    Info,
    /// A warning.
    Warn,
    /// An error.
    Error,
}

impl fmt::Display for LogLevel {
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

/// The source location of a log line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLocation {
    /// The file's path, as the compiler recorded it.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The module's path.
    pub module: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// The level; `None` for `defmt::println!` and plain text.
    pub level: Option<LogLevel>,
    /// The board's time, as the board formats it.
    pub time: Option<String>,
    /// The message.
    pub text: String,
    /// The source location, if the program has debug information.
    pub location: Option<LogLocation>,
}

impl LogLine {
    /// Makes a line with only a message.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self { level: None, time: None, text, location: None }
    }
}

/// The section of strings with defmt's linker script. Without it, each string has a section of this name, a dot and
/// more.
const STRINGS: &str = ".defmt";

/// The prefix of sections that defmt has in every program.
const ALWAYS: &str = ".defmt.end";
const ORDINARY: [&str; 3] = ["defmt_println", "defmt_info", "defmt_warn"];
const DETAILED: [&str; 2] = ["defmt_trace", "defmt_debug"];
const ERRORS: [&str; 1] = ["defmt_error"];

pub(crate) enum LogKind {
    Defmt(LogTable),
    /// Frames have 16 bits of a string's address, because the link lacked defmt's script.
    Unlinked,
    Text,
}

impl LogKind {
    /// Detects the kind of log. Fails if its version of defmt cannot be decoded.
    pub(crate) fn from_elf(elf: &[u8]) -> Result<Self, Cause> {
        let file = ElfFile32::<Endianness, _>::parse(elf)?;
        if file.section_by_name(STRINGS).is_some() {
            let Some(table) = Table::parse(elf)? else { return Ok(Self::Text) };
            // Locations need debug information.
            let locations = table.get_locations(elf).unwrap_or_default();
            return Ok(Self::Defmt(LogTable { table, locations }));
        }
        let is_string = |name: &str| {
            name.strip_prefix(STRINGS).is_some_and(|rest| rest.starts_with('.'))
                && !name.starts_with(ALWAYS)
        };
        let has_strings = file.sections().any(|section| section.name().is_ok_and(is_string));
        Ok(if has_strings { Self::Unlinked } else { Self::Text })
    }

    /// The numbers of lines of level info, warn or none, and of errors, if known.
    pub(crate) fn lines(&self) -> Option<(usize, usize)> {
        let Self::Defmt(table) = self else { return None };
        Some((table.lines(&ORDINARY), table.lines(&ERRORS)))
    }

    pub(crate) fn reader(&self) -> LogReader<'_> {
        match self {
            // A program without lines of defmt logs text.
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

/// Decodes the bytes of channel [`lodger_wire::LOG`] into lines.
pub(crate) enum LogReader<'t> {
    Defmt(LogDecoder<'t>),
    Text(TextDecoder),
    Unreadable,
}

impl LogReader<'_> {
    /// Calls `each` with complete lines, and with `None` for an invalid one.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Option<LogLine>)) {
        match self {
            Self::Defmt(decoder) => decoder.feed(bytes, each),
            Self::Text(decoder) => decoder.feed(bytes, |line| each(Some(line))),
            Self::Unreadable => {}
        }
    }

    pub(crate) fn rest(&mut self) -> Option<LogLine> {
        if let Self::Text(decoder) = self { decoder.rest() } else { None }
    }
}

/// The maximum length of a line in bytes; longer ones are split.
const MAX_LINE: usize = 4 * 1024;

#[derive(Debug, Default)]
pub(crate) struct TextDecoder {
    pending: Vec<u8>,
}

impl TextDecoder {
    /// Calls `each` with complete lines; replaces invalid UTF-8.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(LogLine)) {
        for &byte in bytes {
            if byte == b'\n' {
                each(self.take());
                continue;
            }
            if self.pending.len() == MAX_LINE {
                each(self.take());
            }
            self.pending.push(byte);
        }
    }

    pub(crate) fn rest(&mut self) -> Option<LogLine> {
        (!self.pending.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> LogLine {
        let line = std::mem::take(&mut self.pending);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        LogLine::new(String::from_utf8_lossy(line).into_owned())
    }
}

pub(crate) struct LogTable {
    table: Table,
    locations: Locations,
}

impl LogTable {
    fn decoder(&self) -> LogDecoder<'_> {
        LogDecoder { table: self, stream: self.table.new_stream_decoder(), pending: 0 }
    }

    fn lines(&self, tags: &[&str]) -> usize {
        // A symbol name is JSON, so that quotes within texts are escaped.
        let tags: Vec<_> = tags.iter().map(|tag| format!("\"tag\":\"{tag}\"")).collect();
        let is_one = |symbol: &&str| tags.iter().any(|tag| symbol.contains(&**tag));
        self.table.raw_symbols().filter(is_one).count()
    }
}

/// The maximum size of a defmt frame in bytes, far more than any has.
const MAX_FRAME: usize = 64 * 1024;

pub(crate) struct LogDecoder<'t> {
    table: &'t LogTable,
    stream: Box<dyn StreamDecoder + Send + Sync + 't>,
    /// An upper bound on the bytes since the last complete frame.
    pending: usize,
}

impl LogDecoder<'_> {
    /// Calls `each` with complete lines, and with `None` for an invalid one.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Option<LogLine>)) {
        self.stream.received(bytes);
        self.pending += bytes.len();
        loop {
            match self.stream.decode() {
                Ok(frame) => {
                    self.pending = bytes.len();
                    each(Some(line(&frame, &self.table.locations)));
                }
                Err(DecodeError::UnexpectedEof) => break,
                Err(DecodeError::Malformed) => {
                    self.pending = bytes.len();
                    each(None);
                    if !self.table.table.encoding().can_recover() {
                        self.restart();
                    }
                }
            }
        }
        // The decoder keeps the incomplete frame.
        if self.pending > MAX_FRAME {
            each(None);
            self.restart();
        }
    }

    fn restart(&mut self) {
        self.stream = self.table.table.new_stream_decoder();
        self.pending = 0;
    }
}

fn line(frame: &Frame<'_>, locations: &Locations) -> LogLine {
    let location = locations.get(&frame.index()).map(|location| LogLocation {
        file: location.file.clone(),
        line: location.line,
        module: location.module.clone(),
    });
    LogLine {
        level: frame.level().map(|level| match level.as_str() {
            "trace" => LogLevel::Trace,
            "debug" => LogLevel::Debug,
            "info" => LogLevel::Info,
            "warn" => LogLevel::Warn,
            _ => LogLevel::Error,
        }),
        time: frame.display_timestamp().map(|time| time.to_string()),
        text: frame.display_message().to_string(),
        location,
    }
}

#[cfg(test)]
mod tests {
    use lodger_testkit::SplitMix64;

    use super::*;
    use crate::fixture::{elf_for, elf_that_logs, elf_with_lines, elf_without_script, frame_of};

    fn kind(elf: &[u8]) -> LogKind {
        LogKind::from_elf(elf).expect("sound")
    }

    /// The lines in chunks of a log; `None` is an invalid frame.
    fn lines(log: &LogKind, chunks: &[&[u8]]) -> Vec<Option<LogLine>> {
        let (mut reader, mut lines) = (log.reader(), Vec::new());
        for chunk in chunks {
            reader.feed(chunk, |line| lines.push(line));
        }
        lines.extend(reader.rest().map(Some));
        assert_eq!(reader.rest(), None);
        lines
    }

    /// The lines in chunks of text, which have only a message.
    fn text_lines(chunks: &[&[u8]]) -> Vec<String> {
        let lines = lines(&kind(&elf_for("microbit")), chunks).into_iter().flatten();
        let lines = lines.inspect(|line| assert_eq!(*line, LogLine::new(line.text.clone())));
        lines.map(|line| line.text).collect()
    }

    /// The messages in chunks of defmt.
    fn defmt_lines(chunks: &[&[u8]]) -> Vec<Option<String>> {
        let lines = lines(&kind(&elf_that_logs("microbit")), chunks).into_iter();
        lines.map(|line| line.map(|line| line.text)).collect()
    }

    #[test]
    fn a_program_without_lines_of_defmt_logs_text() {
        for (tags, text) in [(&["defmt_str"][..], true), (&["defmt_str", "defmt_trace"], false)] {
            let log = kind(&elf_with_lines("microbit", tags));
            assert_eq!(log.lines(), Some((0, 0)));
            assert_eq!(matches!(log.reader(), LogReader::Text(_)), text, "{tags:?}");
        }
    }

    #[test]
    fn a_log_is_defmt_text_or_unreadable() {
        let defmt = kind(&elf_that_logs("microbit"));
        assert!(matches!(defmt.reader(), LogReader::Defmt(_)));
        assert_eq!(defmt.lines(), Some((1, 0)));
        let text = kind(&elf_for("microbit"));
        assert!(matches!(text.reader(), LogReader::Text(_)));
        assert_eq!(text.lines(), None);
        let unlinked = kind(&elf_without_script("microbit"));
        assert!(matches!(unlinked, LogKind::Unlinked));
        assert_eq!(lines(&unlinked, &[&frame_of(4)]), []);
    }

    #[test]
    fn text_is_split_into_lines_at_any_cut() {
        let text = "one\r\n\nthrée\nno end".as_bytes();
        let expected = ["one", "", "thrée", "no end"];
        assert_eq!(text_lines(&[text]), expected);
        for cut in 0..text.len() {
            let (before, after) = text.split_at(cut);
            assert_eq!(text_lines(&[before, after]), expected);
        }
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(text_lines(&[b"a\xffb\n", b"\0c\n"]), ["a\u{fffd}b", "\0c"]);
    }

    #[test]
    fn an_endless_line_is_split() {
        let endless = [b'x'; MAX_LINE];
        let lines = text_lines(&[&endless, b"y\n"]);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [MAX_LINE, 1]);
    }

    #[test]
    fn a_frame_is_decoded_at_any_cut() {
        let frame = frame_of(7);
        let whole = [Some("seven is 7".to_owned())];
        assert_eq!(defmt_lines(&[&frame]), whole);
        for cut in 1..frame.len() {
            assert_eq!(defmt_lines(&[&frame[..cut], &frame[cut..]]), whole);
        }
    }

    #[test]
    fn a_line_has_its_level_and_no_location_without_debug_information() {
        let found = lines(&kind(&elf_that_logs("microbit")), &[&frame_of(7)]);
        let level = Some(LogLevel::Warn);
        assert_eq!(found, [Some(LogLine { level, ..LogLine::new("seven is 7".to_owned()) })]);
    }

    #[test]
    fn garbage_is_reported_once_and_does_not_stop_the_log() {
        let frame = frame_of(9);
        let first_cut_off = [&frame[2..], &frame[..]].concat();
        assert_eq!(defmt_lines(&[&first_cut_off]).last(), Some(&Some("seven is 9".to_owned())));
        let noise = [&[0xff, 0x03, 0x99, 0][..], &frame].concat();
        assert_eq!(defmt_lines(&[&noise]), [None, Some("seven is 9".to_owned())]);
    }

    #[test]
    fn random_bytes_do_not_stop_the_log() {
        let mut random = SplitMix64::new(1);
        for _ in 0..2_000 {
            // Small bytes are frequent, as in frames.
            let chunk: Vec<u8> =
                random.noise(40).into_iter().map(|byte| byte >> random.below(8)).collect();
            let after = defmt_lines(&[&chunk, &[0], &frame_of(3)]);
            assert_eq!(after.last(), Some(&Some("seven is 3".to_owned())));
        }
    }

    #[test]
    fn an_endless_frame_is_dropped() {
        let endless = [0xff; 1_024];
        let many: Vec<&[u8]> = vec![&endless; MAX_FRAME / endless.len()];
        assert_eq!(defmt_lines(&many), []);
        let frame = frame_of(5);
        let chunks = [&many[..], &[&endless, &frame]].concat();
        assert_eq!(defmt_lines(&chunks), [None, Some("seven is 5".to_owned())]);
    }
}
