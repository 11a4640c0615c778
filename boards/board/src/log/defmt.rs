//! defmt: frames out of a stream of bytes.

use defmt_decoder::{DecodeError, Frame, Locations, StreamDecoder, Table};

use super::{Level, Location, LogLine};
use crate::error::Cause;

/// What defmt left in a program: its strings, and where they stand in the source.
pub(crate) struct LogTable {
    table: Table,
    locations: Locations,
}

impl LogTable {
    /// The table of a program; `None` where there is no defmt in it. Without debug information there
    /// are no locations.
    pub(crate) fn parse(elf: &[u8]) -> Result<Option<Self>, Cause> {
        let table = Table::parse(elf)?;
        Ok(table.map(|table| {
            let locations = table.get_locations(elf).unwrap_or_default();
            Self { table, locations }
        }))
    }

    pub(crate) fn decoder(&self) -> LogDecoder<'_> {
        LogDecoder { table: self, stream: self.table.new_stream_decoder(), pending: 0 }
    }

    /// How many lines it can log whose tag is one of these, as `"defmt_info"`.
    pub(crate) fn lines(&self, tags: &[&str]) -> usize {
        // The name of a symbol is JSON, in which the quotes of a text are escaped.
        let tags: Vec<_> = tags.iter().map(|tag| format!("\"tag\":\"{tag}\"")).collect();
        let is_one = |symbol: &&str| tags.iter().any(|tag| symbol.contains(&**tag));
        self.table.raw_symbols().filter(is_one).count()
    }
}

/// A frame is far shorter. What goes on for longer without an end is no log.
const LONGEST_FRAME: usize = 64 * 1024;

/// Makes lines of the bytes of channel [`lodger_wire::LOG`].
pub(crate) struct LogDecoder<'t> {
    table: &'t LogTable,
    stream: Box<dyn StreamDecoder + Send + Sync + 't>,
    /// How many bytes the stream has taken since the last end of a frame, at most.
    pending: usize,
}

impl LogDecoder<'_> {
    /// Takes bytes; `each` gets every line that is complete, and `None` for what is none.
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
                        self.begin_anew();
                    }
                }
            }
        }
        // The decoder keeps all that has no end yet.
        if self.pending > LONGEST_FRAME {
            each(None);
            self.begin_anew();
        }
    }

    fn begin_anew(&mut self) {
        self.stream = self.table.table.new_stream_decoder();
        self.pending = 0;
    }
}

fn line(frame: &Frame<'_>, locations: &Locations) -> LogLine {
    let location = locations.get(&frame.index()).map(|location| Location {
        file: location.file.clone(),
        line: location.line,
        module: location.module.clone(),
    });
    LogLine {
        level: frame.level().map(|level| match level.as_str() {
            "trace" => Level::Trace,
            "debug" => Level::Debug,
            "info" => Level::Info,
            "warn" => Level::Warn,
            _ => Level::Error,
        }),
        time: frame.display_timestamp().map(|time| time.to_string()),
        text: frame.display_message().to_string(),
        location,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{elf_for, elf_that_logs, frame_of};

    /// The lines of some chunks; `None` stands for what is no frame.
    fn lines(chunks: &[&[u8]]) -> Vec<Option<String>> {
        let table = LogTable::parse(&elf_that_logs("microbit")).expect("sound").expect("defmt");
        let mut decoder = table.decoder();
        let mut lines = Vec::new();
        for chunk in chunks {
            decoder.feed(chunk, |line| lines.push(line.map(|line| line.text)));
        }
        lines
    }

    #[test]
    fn a_frame_is_decoded_however_it_is_cut() {
        let frame = frame_of(7);
        let whole = [Some("seven is 7".to_owned())];
        assert_eq!(lines(&[&frame]), whole);
        for cut in 1..frame.len() {
            assert_eq!(lines(&[&frame[..cut], &frame[cut..]]), whole);
        }
    }

    #[test]
    fn a_line_has_its_level_and_no_location_without_debug_information() {
        let table = LogTable::parse(&elf_that_logs("microbit")).expect("sound").expect("defmt");
        let mut found = Vec::new();
        table.decoder().feed(&frame_of(7), |line| found.extend(line));
        assert_eq!(
            found,
            [LogLine {
                level: Some(Level::Warn),
                time: None,
                text: "seven is 7".to_owned(),
                location: None
            }]
        );
    }

    #[test]
    fn garbage_is_told_once_and_does_not_stop_the_log() {
        let frame = frame_of(9);
        let first_cut_off = [&frame[2..], &frame[..]].concat();
        assert_eq!(lines(&[&first_cut_off]).last(), Some(&Some("seven is 9".to_owned())));
        let noise = [&[0xff, 0x03, 0x99, 0][..], &frame].concat();
        assert_eq!(lines(&[&noise]), [None, Some("seven is 9".to_owned())]);
    }

    #[test]
    fn any_bytes_are_survived() {
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        for _ in 0..2_000 {
            let chunk: Vec<u8> = (0..40).map(|_| noise() >> (noise() % 8)).collect();
            let after = lines(&[&chunk, &[0], &frame_of(3)]);
            assert_eq!(after.last(), Some(&Some("seven is 3".to_owned())));
        }
    }

    #[test]
    fn what_never_ends_is_given_up() {
        let endless = [0xff; 1_024];
        let many: Vec<&[u8]> = vec![&endless; LONGEST_FRAME / endless.len()];
        assert_eq!(lines(&many), []);
        let frame = frame_of(5);
        let chunks = [&many[..], &[&endless, &frame]].concat();
        assert_eq!(lines(&chunks), [None, Some("seven is 5".to_owned())]);
    }

    #[test]
    fn lines_are_counted_by_their_level() {
        let table = LogTable::parse(&elf_that_logs("microbit")).expect("sound").expect("defmt");
        assert_eq!(table.lines(&["defmt_warn"]), 1);
        assert_eq!(table.lines(&["defmt_info", "defmt_warn"]), 1);
        assert_eq!(table.lines(&["defmt_info", "defmt_error"]), 0);
    }

    #[test]
    fn a_program_without_defmt_has_no_table() {
        assert!(LogTable::parse(&elf_for("microbit")).expect("sound").is_none());
    }
}
