//! A CSV file cut into blocks of whole rows, which can be read side by side.

use std::fs::File;
use std::io::{self, Read as _};

use memchr::{memchr, memchr_iter, memchr2, memchr3, memrchr2};

/// Bytes of a block, unless a row is longer.
const BLOCK: usize = 256 << 10;
/// Bytes of the blocks that are read at once.
const AT_ONCE: usize = 4 << 20;
/// The most fields of a row: one takes memory even where it is empty.
const MOST_FIELDS: usize = 1 << 20;

/// Whole rows of a file.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// The lines before it.
    pub(super) lines: u64,
    /// Whether the header is in it.
    pub(super) is_first: bool,
}

/// The blocks of a file, one after the other.
#[derive(Debug)]
pub(super) struct Blocks {
    file: File,
    between: u8,
    longest_row: usize,
    /// What was read of the row that the next block begins with.
    begun: Vec<u8>,
    lines: u64,
    is_first: bool,
    ended: bool,
    failed: Option<io::Error>,
}

impl Blocks {
    /// The blocks of a file whose fields have that between them. No row may have more bytes than `longest_row`.
    pub(super) fn of(file: File, between: u8, longest_row: usize) -> Self {
        Self {
            file,
            between,
            longest_row,
            begun: Vec::new(),
            lines: 0,
            is_first: true,
            ended: false,
            failed: None,
        }
    }

    /// The lines before what comes next.
    pub(super) const fn lines(&self) -> u64 {
        self.lines
    }

    /// The next blocks, and none at the end. An error comes when there are no more before it, once.
    pub(super) fn some(&mut self) -> io::Result<Vec<Block>> {
        let (mut blocks, mut bytes) = (Vec::new(), 0);
        while bytes < AT_ONCE && !self.ended {
            match self.next() {
                Ok(block) if block.bytes.is_empty() => {}
                Ok(block) => {
                    bytes += block.bytes.len();
                    blocks.push(block);
                }
                Err(error) => {
                    self.failed = Some(error);
                    self.ended = true;
                }
            }
        }
        match self.failed.take_if(|_| blocks.is_empty()) {
            Some(error) => Err(error),
            None => Ok(blocks),
        }
    }

    fn next(&mut self) -> io::Result<Block> {
        let mut bytes = std::mem::take(&mut self.begun);
        let mut wanted = BLOCK;
        let whole = loop {
            let missing = wanted.saturating_sub(bytes.len());
            bytes.reserve_exact(missing);
            let read = self.file.by_ref().take(missing as u64).read_to_end(&mut bytes)?;
            self.ended = read < missing;
            self.check_first_row(&bytes)?;
            let whole = if self.ended { bytes.len() } else { whole_rows(&bytes, self.between) };
            if whole > 0 || self.ended {
                break whole;
            }
            wanted = 2 * bytes.len();
        };
        self.begun = bytes.split_off(whole);
        let block = Block { lines: self.lines, is_first: self.is_first, bytes };
        self.lines += memchr_iter(b'\n', &block.bytes).count() as u64;
        self.is_first = false;
        Ok(block)
    }

    /// Refuses a row that is no row of a table. Only the first can be longer than a block: that is why there is more.
    fn check_first_row(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() <= BLOCK {
            return Ok(());
        }
        let row = row_end(bytes, self.between).and_then(|end| bytes.get(..end)).unwrap_or(bytes);
        let problem = if row.len() > self.longest_row {
            "a row does not end: is there a `\"` too much?"
        } else if memchr_iter(self.between, row).count() > MOST_FIELDS {
            "a row has more fields than any table: is it one?"
        } else {
            return Ok(());
        };
        Err(io::Error::other(problem))
    }
}

/// How many of the bytes are whole rows.
fn whole_rows(bytes: &[u8], between: u8) -> usize {
    let last = |bytes: &[u8]| memrchr2(b'\r', b'\n', bytes).map_or(0, |at| at + 1);
    let Some(quote) = memchr(b'"', bytes) else { return last(bytes) };
    let mut whole = last(bytes.get(..quote).unwrap_or_default());
    while let Some(length) = bytes.get(whole..).and_then(|rest| row_end(rest, between)) {
        whole += length;
    }
    whole
}

/// Where the first row ends, with what ends it. As for the crate that reads it, a quote means something at the beginning
/// of a field, and from there to the next that is not doubled.
fn row_end(bytes: &[u8], between: u8) -> Option<usize> {
    let line = memchr2(b'\r', b'\n', bytes)? + 1;
    if memchr(b'"', bytes.get(..line)?).is_none() {
        return Some(line);
    }
    let mut at = 0;
    loop {
        if bytes.get(at) == Some(&b'"') {
            at = behind_quotes(bytes, at + 1)?;
        }
        at += memchr3(between, b'\r', b'\n', bytes.get(at..)?)? + 1;
        if bytes.get(at - 1) != Some(&between) {
            return Some(at);
        }
    }
}

/// Where quotes end, behind them.
fn behind_quotes(bytes: &[u8], mut at: usize) -> Option<usize> {
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
            let (first, rest) = bytes.split_at(whole_rows(begun, b','));
            prop_assert_eq!([rows(first), rows(rest)].concat(), rows(bytes));
        }

        #[test]
        fn a_row_that_is_whole_is_found(text in "[a,\"\r\n]{0,40}") {
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
        file.write_all(format!("{whole}3,\"{}", "4".repeat(2 * BLOCK)).as_bytes()).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut blocks = Blocks::of(file, b',', BLOCK);
        let bytes = |blocks: Vec<Block>| blocks.iter().map(|block| block.bytes.len()).sum();
        let found: usize = bytes(blocks.some().unwrap());
        assert_eq!(found, whole.len());
        assert_eq!(blocks.lines(), 100_000);
        assert!(blocks.some().unwrap_err().to_string().contains("does not end"));
        assert!(blocks.some().unwrap().is_empty());
    }

    #[test]
    fn blocks_are_the_file_again() {
        let row = |number: usize| format!("{number},\"{}\"\n", "\n".repeat(number % 7));
        let text: String = (0..100_000).map(row).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        io::Seek::rewind(&mut file).unwrap();
        let mut blocks = Blocks::of(file, b',', 100);
        let mut again = Vec::new();
        loop {
            let some = blocks.some().unwrap();
            if some.is_empty() {
                break;
            }
            for block in some {
                assert_eq!(block.is_first, again.is_empty());
                assert_eq!(block.lines, memchr_iter(b'\n', &again).count() as u64);
                again.extend(block.bytes);
            }
        }
        assert_eq!(again, text.as_bytes());
    }
}
