//! A table as CSV: comma, semicolon or tab between fields, quotes doubled within quotes, names of
//! columns in the first line. A field that is empty, `NULL` or `\N` is null.
//!
//! A damaged row, for example with a wrong number of fields or with `\"` inside of quotes, is an
//! error with its line, and does not end the table. Invalid UTF-8 is replaced, and a quote without
//! end needs little memory. `DataFusion`'s CSV reader is not used because it rejects a file at its
//! first damaged row, and reads an unterminated quote up to the end of the file into memory.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use csv::{ByteRecord, ReaderBuilder};
use lodger_terminal::{sanitize, sanitize_to};
use rayon::prelude::*;

use super::csv_chunks::{CsvChunk, CsvChunks};
use super::records::{RecordValue, TableKind, TableRow, max_blob_bytes};
use crate::ingest::options::IngestError;
use crate::ingest::tree::hexadecimal;

const SEPARATORS: [u8; 3] = *b",;\t";
/// The byte order mark that some programs write before UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// The limit of bytes of a header.
const MAX_HEADER: u64 = 64 << 10;
/// The limit of bytes of a row without its blob.
const MAX_OTHER_FIELDS: usize = 1 << 20;

#[derive(Debug)]
struct CsvHeader {
    kind: TableKind,
    separator: u8,
    names: Vec<String>,
}

#[derive(Debug)]
pub(super) struct CsvTable {
    path: PathBuf,
    header: CsvHeader,
    /// The index in a row of each column that is read, and whether it is a blob.
    columns: Vec<(Option<usize>, bool)>,
}

#[derive(Debug)]
pub(super) struct CsvRow<'l> {
    table: &'l CsvTable,
    record: &'l ByteRecord,
    lines_before: u64,
}

/// Whether the first bytes of a file are the header of a table.
pub(super) fn is_table(start: &[u8]) -> bool {
    header(start).is_some()
}

fn header(start: &[u8]) -> Option<CsvHeader> {
    let start = start.strip_prefix(BOM).unwrap_or(start);
    let end = start.iter().position(|c| *c == b'\n').unwrap_or(start.len());
    let line = start.get(..end)?;
    SEPARATORS.into_iter().find_map(|separator| {
        let mut reader =
            ReaderBuilder::new().has_headers(false).delimiter(separator).from_reader(line);
        let mut names = ByteRecord::new();
        reader.read_byte_record(&mut names).ok()?;
        let lower_case = |name: &[u8]| String::from_utf8_lossy(name).trim().to_ascii_lowercase();
        let names: Vec<String> = names.iter().map(lower_case).collect();
        Some(CsvHeader { kind: TableKind::detect(&names)?, separator, names })
    })
}

impl CsvTable {
    pub(super) fn open(path: &Path) -> Result<Self, IngestError> {
        let fail = |problem: String| IngestError::new(display_path(path), problem);
        let mut start = Vec::new();
        let file =
            File::open(path).map_err(|error| fail(format!("it cannot be opened: {error}")))?;
        let read = file.take(MAX_HEADER).read_to_end(&mut start);
        read.map_err(|error| fail(format!("it cannot be read: {error}")))?;
        let header = header(&start).ok_or_else(|| {
            fail(
                "its first line is the header of none of the tables `fsassets`, `assets`, `prims`, `primshapes` and \
                 `primitems`: dump it as CSV with all columns and a header"
                    .to_owned(),
            )
        })?;
        let index =
            |name: &str| header.names.iter().position(|known| *known == name.to_ascii_lowercase());
        let columns = header.kind.columns().into_iter();
        let columns = columns.map(|column| (index(column.name), column.is_blob)).collect();
        Ok(Self { path: path.to_owned(), header, columns })
    }

    pub(super) const fn kind(&self) -> TableKind {
        self.header.kind
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Converts the rows with `read` in parallel, and passes the results to `take` in order.
    ///
    /// While `take` handles some chunks, the next chunks are converted, and later ones are read.
    pub(super) fn rows<T: Send>(
        &self,
        read: &(impl Fn(&CsvRow<'_>) -> T + Sync),
        take: &mut impl FnMut(T) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, IngestError> {
        let file = File::open(&self.path);
        let file = file.map_err(|error| self.lost(format!("it cannot be opened: {error}")))?;
        let mut chunks = CsvChunks::new(file, self.header.separator, max_row_bytes());
        let (mut waiting, mut ready, mut failed) = (Vec::new(), Vec::new(), None);
        loop {
            let (mut next, mut converted) = (Ok(Vec::new()), Vec::new());
            let convert = |chunk: &CsvChunk| self.rows_of(chunk, read);
            let is_over = rayon::in_place_scope(|scope| {
                scope.spawn(|_| next = chunks.read_some());
                scope.spawn(|_| converted = waiting.par_iter().map(convert).collect());
                let ready = ready.drain(..).flat_map(Vec::into_iter);
                ready.map(&mut *take).any(|flow| flow.is_break())
            });
            if is_over {
                return Ok(Break(()));
            }
            ready = converted;
            waiting = next.unwrap_or_else(|error: io::Error| {
                let line = chunks.lines();
                failed = Some(self.lost(format!("it cannot be read after line {line}: {error}")));
                Vec::new()
            });
            if ready.is_empty() && waiting.is_empty() {
                return failed.map_or(Ok(Continue(())), Err);
            }
        }
    }

    fn rows_of<T>(&self, chunk: &CsvChunk, read: impl Fn(&CsvRow<'_>) -> T) -> Vec<T> {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(self.header.separator).flexible(true).has_headers(chunk.is_first);
        let (mut reader, mut record) =
            (builder.from_reader(chunk.bytes.as_slice()), ByteRecord::new());
        let mut rows = Vec::new();
        // Reading from memory with any number of fields has no errors.
        while reader.read_byte_record(&mut record).unwrap_or(false) {
            rows.push(read(&CsvRow { table: self, record: &record, lines_before: chunk.lines }));
        }
        rows
    }

    fn lost(&self, problem: String) -> IngestError {
        IngestError::new(display_path(&self.path), problem)
    }
}

impl CsvRow<'_> {
    pub(super) fn locate(&self, problem: &str) -> String {
        let line = self.lines_before + self.record.position().map_or(0, csv::Position::line);
        let file = self.table.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{}, line {line}: {problem}", sanitize_to(&file, 60))
    }

    /// The text of a column by its index in the table; `None` if it is null or missing.
    pub(super) fn text(&self, index: usize) -> Option<&[u8]> {
        let (field, _) = self.table.columns.get(index)?;
        let text = self.record.get((*field)?)?;
        (!matches!(text.trim_ascii(), b"" | b"NULL" | b"\\N")).then_some(text)
    }

    /// Parses the row with `parse`, if it is complete.
    pub(super) fn read<T>(
        &self,
        parse: impl FnOnce(TableRow<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let values = self.values()?;
        parse(TableRow(&values)).map_err(|problem| self.locate(&problem))
    }

    pub(super) fn values(&self) -> Result<Vec<RecordValue<'_>>, String> {
        let (fields, columns) = (self.record.len(), self.table.header.names.len());
        if fields != columns {
            let problem = format!(
                "it has {fields} fields, and the header has {columns}; a `\"` within quotes must be doubled, \
                 not written as `\\\"`"
            );
            return Err(self.locate(&problem));
        }
        let value = |(index, (_, is_blob)): (usize, &(Option<usize>, bool))| match self.text(index)
        {
            Some(text) if *is_blob => match blob(text) {
                Some(bytes) => Ok(Some(Cow::Owned(bytes))),
                None => {
                    Err(self.locate("a blob is neither hexadecimal after `0x` or `\\x` nor base64"))
                }
            },
            text => Ok(text.map(Cow::Borrowed)),
        };
        self.table.columns.iter().enumerate().map(value).collect()
    }
}

fn max_row_bytes() -> usize {
    2 * max_blob_bytes() + MAX_OTHER_FIELDS
}

pub(super) fn each_row<T: Send>(
    tables: &[CsvTable],
    read: impl Fn(&CsvRow<'_>) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, IngestError> {
    for table in tables {
        if table.rows(&read, &mut take)?.is_break() {
            return Ok(Break(()));
        }
    }
    Ok(Continue(()))
}

pub(super) fn display_path(path: &Path) -> String {
    sanitize(&path.display().to_string()).into_owned()
}

/// Parses a blob: hexadecimal after `0x` (`MySQL`) or `\x` (`PostgreSQL`), else base64, which may
/// contain white space.
fn blob(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let digits = [&b"0x"[..], b"0X", b"\\x"].iter().find_map(|start| text.strip_prefix(*start));
    match digits {
        Some(digits) => hexadecimal(digits),
        None if text.iter().any(u8::is_ascii_whitespace) => {
            let text: Vec<u8> = text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
            STANDARD.decode(text).ok()
        }
        None => STANDARD.decode(text).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::blob;

    #[test]
    fn the_prefix_of_a_blob_tells_its_encoding() {
        let some = Some(vec![0, 0x7f, 0xab]);
        for text in ["0x007fab", "0X007FAB", "\\x007fAb", "AH+r", " AH\n+r "] {
            assert_eq!(blob(text.as_bytes()), some, "{text}");
        }
        for nothing in ["", "0x", "\\x"] {
            assert_eq!(blob(nothing.as_bytes()), Some(Vec::new()));
        }
        for wrong in ["0x0", "0xgg", "\\x 00", "AH+", "%"] {
            assert_eq!(blob(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
