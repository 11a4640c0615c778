//! Plain text: lines out of a stream of bytes.

use super::line::LogLine;

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

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
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
        assert_eq!(lines(&[text]), expected);
        for cut in 0..text.len() {
            let (before, after) = text.split_at(cut);
            assert_eq!(lines(&[before, after]), expected);
        }
    }

    #[test]
    fn what_is_no_text_does_no_harm() {
        assert_eq!(lines(&[b"a\xffb\n", b"\0c\n"]), ["a\u{fffd}b", "\0c"]);
    }

    #[test]
    fn a_line_that_never_ends_is_told_in_parts() {
        let endless = [b'x'; LONGEST_LINE];
        let told = lines(&[&endless, b"y\n"]);
        assert_eq!(told.iter().map(String::len).collect::<Vec<_>>(), [LONGEST_LINE, 1]);
    }
}
