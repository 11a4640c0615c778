//! A CSV file in chunks of complete rows, which can be parsed in parallel.

use std::fs::File;
use std::io::{self, Read as _};

use memchr::{memchr, memchr_iter, memchr2, memchr3, memrchr2};

/// Bytes of a chunk, unless a row is longer.
const CHUNK: usize = 256 << 10;
/// Bytes of the chunks that are read together.
const READ: usize = 4 << 20;
/// The limit of fields of a row; empty fields need memory too.
const MAX_FIELDS: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct CsvChunk {
    pub(super) bytes: Vec<u8>,
    pub(super) lines: u64,
    pub(super) is_first: bool,
}

#[derive(Debug)]
pub(super) struct CsvChunks {
    file: File,
    separator: u8,
    max_row: usize,
    /// The first bytes of the row with which the next chunk begins.
    begun: Vec<u8>,
    lines: u64,
    is_first: bool,
    ended: bool,
    failed: Option<io::Error>,
}

impl CsvChunks {
    /// Creates a reader; rows of more than `max_row` bytes are an error.
    pub(super) fn new(file: File, separator: u8, max_row: usize) -> Self {
        Self {
            file,
            separator,
            max_row,
            begun: Vec::new(),
            lines: 0,
            is_first: true,
            ended: false,
            failed: None,
        }
    }

    pub(super) const fn lines(&self) -> u64 {
        self.lines
    }

    /// Reads the next chunks; none at the end. An error is returned once, after the chunks before
    /// it.
    pub(super) fn read_some(&mut self) -> io::Result<Vec<CsvChunk>> {
        let (mut chunks, mut bytes) = (Vec::new(), 0);
        while bytes < READ && !self.ended {
            match self.next() {
                Ok(chunk) if chunk.bytes.is_empty() => {}
                Ok(chunk) => {
                    bytes += chunk.bytes.len();
                    chunks.push(chunk);
                }
                Err(error) => {
                    self.failed = Some(error);
                    self.ended = true;
                }
            }
        }
        match self.failed.take_if(|_| chunks.is_empty()) {
            Some(error) => Err(error),
            None => Ok(chunks),
        }
    }

    fn next(&mut self) -> io::Result<CsvChunk> {
        let mut bytes = std::mem::take(&mut self.begun);
        let mut wanted = CHUNK;
        let complete = loop {
            let missing = wanted.saturating_sub(bytes.len());
            bytes.reserve_exact(missing);
            let read = self.file.by_ref().take(missing as u64).read_to_end(&mut bytes)?;
            self.ended = read < missing;
            self.check_first_row(&bytes)?;
            let complete =
                if self.ended { bytes.len() } else { complete_rows(&bytes, self.separator) };
            if complete > 0 || self.ended {
                break complete;
            }
            wanted = 2 * bytes.len();
        };
        self.begun = bytes.split_off(complete);
        let chunk = CsvChunk { lines: self.lines, is_first: self.is_first, bytes };
        self.lines += memchr_iter(b'\n', &chunk.bytes).count() as u64;
        self.is_first = false;
        Ok(chunk)
    }

    /// Rejects a row that is too long. Only the first row can be longer than a chunk.
    fn check_first_row(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() <= CHUNK {
            return Ok(());
        }
        let row = row_end(bytes, self.separator).and_then(|end| bytes.get(..end)).unwrap_or(bytes);
        let problem = if row.len() > self.max_row {
            "a row does not end: is there a `\"` too much?"
        } else if memchr_iter(self.separator, row).count() > MAX_FIELDS {
            "a row has more fields than any table: is it one?"
        } else {
            return Ok(());
        };
        Err(io::Error::other(problem))
    }
}

fn complete_rows(bytes: &[u8], separator: u8) -> usize {
    let last = |bytes: &[u8]| memrchr2(b'\r', b'\n', bytes).map_or(0, |at| at + 1);
    let Some(quote) = memchr(b'"', bytes) else { return last(bytes) };
    let mut complete = last(bytes.get(..quote).unwrap_or_default());
    while let Some(length) = bytes.get(complete..).and_then(|rest| row_end(rest, separator)) {
        complete += length;
    }
    complete
}

/// The length of the first row with its line end. As in the `csv` crate, only a quote at the start
/// of a field begins a quoted text, and the next quote that is not doubled ends it.
fn row_end(bytes: &[u8], separator: u8) -> Option<usize> {
    let line = memchr2(b'\r', b'\n', bytes)? + 1;
    if memchr(b'"', bytes.get(..line)?).is_none() {
        return Some(line);
    }
    let mut at = 0;
    loop {
        if bytes.get(at) == Some(&b'"') {
            at = after_quotes(bytes, at + 1)?;
        }
        at += memchr3(separator, b'\r', b'\n', bytes.get(at..)?)? + 1;
        if bytes.get(at - 1) != Some(&separator) {
            return Some(at);
        }
    }
}

fn after_quotes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'"', bytes.get(at..)?)? + 1;
        if bytes.get(at)? != &b'"' {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use csv::{ByteRecord, ReaderBuilder};
    use proptest::prelude::*;

    use super::*;

    fn rows(bytes: &[u8]) -> Vec<ByteRecord> {
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        reader.byte_records().map(Result::unwrap).collect()
    }

    proptest! {
        #[test]
        fn rows_are_the_same_wherever_the_text_is_cut(text in "[a,\"\r\n]{0,40}", cut in 0..40_usize) {
            let bytes = text.as_bytes();
            let (begun, _) = bytes.split_at(cut.min(bytes.len()));
            let (first, rest) = bytes.split_at(complete_rows(begun, b','));
            prop_assert_eq!([rows(first), rows(rest)].concat(), rows(bytes));
        }

        #[test]
        fn a_complete_row_is_found(text in "[a,\"\r\n]{0,40}") {
            let bytes = text.as_bytes();
            let end = row_end(bytes, b',').unwrap_or(bytes.len());
            let (first, rest) = bytes.split_at(end);
            prop_assert!(rows(first).len() <= 1);
            prop_assert_eq!([rows(first), rows(rest)].concat(), rows(bytes));
        }
    }

    #[test]
    fn rows_before_one_that_does_not_end_come_first() {
        let whole = "1,2\n".repeat(100_000);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(format!("{whole}3,\"{}", "4".repeat(2 * CHUNK)).as_bytes()).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut chunks = CsvChunks::new(file, b',', CHUNK);
        let bytes = |chunks: Vec<CsvChunk>| chunks.iter().map(|chunk| chunk.bytes.len()).sum();
        let found: usize = bytes(chunks.read_some().unwrap());
        assert_eq!(found, whole.len());
        assert_eq!(chunks.lines(), 100_000);
        assert!(chunks.read_some().unwrap_err().to_string().contains("does not end"));
        assert!(chunks.read_some().unwrap().is_empty());
    }

    #[test]
    fn chunks_are_the_file_again() {
        let row = |number: usize| format!("{number},\"{}\"\n", "\n".repeat(number % 7));
        let text: String = (0..100_000).map(row).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut chunks = CsvChunks::new(file, b',', 100);
        let mut again = Vec::new();
        loop {
            let some = chunks.read_some().unwrap();
            if some.is_empty() {
                break;
            }
            for chunk in some {
                assert_eq!(chunk.is_first, again.is_empty());
                assert_eq!(chunk.lines, memchr_iter(b'\n', &again).count() as u64);
                again.extend(chunk.bytes);
            }
        }
        assert_eq!(again, text.as_bytes());
    }
}
