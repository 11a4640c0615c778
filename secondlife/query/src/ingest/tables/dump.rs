//! A table as CSV: comma, semicolon or tab between fields, quotes doubled within quotes, names of columns in the first
//! line. A field that is empty, `NULL` or `\N` is null.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use csv::{ByteRecord, ReaderBuilder};
use lodger_terminal::{clipped, plain};
use rayon::prelude::*;

use super::blob;
use super::blocks::{Block, Blocks};
use super::layout::Layout;
use super::record::{Flow, TableError};
use super::row::{Row, Value, largest_blob};

/// What may stand between fields.
const BETWEEN: [u8; 3] = *b",;\t";
/// The mark that some programs put in front of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// The most bytes of a header.
const LONGEST_HEADER: u64 = 64 << 10;
/// What a row may have beside its blob in hexadecimal.
const BESIDE_BLOB: usize = 1 << 20;

/// A header that is known.
#[derive(Debug)]
struct Header {
    layout: Layout,
    between: u8,
    /// The names of all columns, in small letters.
    names: Vec<String>,
}

/// A file with one of the tables.
#[derive(Debug)]
pub(super) struct Dump {
    path: PathBuf,
    header: Header,
    /// Where each column that is read stands in a row, and whether it is a blob.
    places: Vec<(Option<usize>, bool)>,
}

/// A row as it stands in a file.
#[derive(Debug)]
pub(super) struct Line<'l> {
    dump: &'l Dump,
    record: &'l ByteRecord,
    /// The lines before those that its place is counted in.
    before: u64,
}

/// Whether the beginning of a file is the header of one of the tables.
pub(super) fn is_table(start: &[u8]) -> bool {
    header(start).is_some()
}

fn header(start: &[u8]) -> Option<Header> {
    let start = start.strip_prefix(MARK).unwrap_or(start);
    let end = start.iter().position(|c| *c == b'\n').unwrap_or(start.len());
    let line = start.get(..end)?;
    BETWEEN.into_iter().find_map(|between| {
        let mut reader =
            ReaderBuilder::new().has_headers(false).delimiter(between).from_reader(line);
        let mut names = ByteRecord::new();
        reader.read_byte_record(&mut names).ok()?;
        let small = |name: &[u8]| String::from_utf8_lossy(name).trim().to_ascii_lowercase();
        let names: Vec<String> = names.iter().map(small).collect();
        Some(Header { layout: Layout::known_by(&names)?, between, names })
    })
}

impl Dump {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> Result<Self, TableError> {
        let fail = |problem: String| TableError::new(shown(path), problem);
        let mut start = Vec::new();
        let file =
            File::open(path).map_err(|error| fail(format!("it cannot be opened: {error}")))?;
        let read = file.take(LONGEST_HEADER).read_to_end(&mut start);
        read.map_err(|error| fail(format!("it cannot be read: {error}")))?;
        let header = header(&start).ok_or_else(|| {
            fail(
                "its first line is the header of none of the tables `fsassets`, `assets`, `prims`, `primshapes` and \
                 `primitems`: dump it as CSV with all columns and a header"
                    .to_owned(),
            )
        })?;
        let place =
            |name: &str| header.names.iter().position(|known| *known == name.to_ascii_lowercase());
        let columns = header.layout.columns().into_iter();
        let places = columns.map(|column| (place(column.name), column.blob)).collect();
        Ok(Self { path: path.to_owned(), header, places })
    }

    /// The table that is in it.
    pub(super) const fn layout(&self) -> Layout {
        self.header.layout
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its rows, side by side: what `read` makes of each goes to `take` in their order.
    ///
    /// While `take` has those of some blocks, the next ones are made, and those after them read from the file.
    pub(super) fn rows<T: Send>(
        &self,
        read: &(impl Fn(&Line<'_>) -> T + Sync),
        take: &mut impl FnMut(T) -> Flow,
    ) -> Result<Flow, TableError> {
        let file = File::open(&self.path);
        let file = file.map_err(|error| self.lost(format!("it cannot be opened: {error}")))?;
        let mut blocks = Blocks::of(file, self.header.between, longest_row());
        let (mut waiting, mut made, mut failed) = (Vec::new(), Vec::new(), None);
        loop {
            let (mut next, mut making) = (Ok(Vec::new()), Vec::new());
            let of_block = |block: &Block| self.rows_of(block, read);
            let is_over = rayon::in_place_scope(|scope| {
                scope.spawn(|_| next = blocks.some());
                scope.spawn(|_| making = waiting.par_iter().map(of_block).collect());
                let made = made.drain(..).flat_map(Vec::into_iter);
                made.map(&mut *take).any(|flow| flow == Flow::Stop)
            });
            if is_over {
                return Ok(Flow::Stop);
            }
            made = making;
            waiting = next.unwrap_or_else(|error: io::Error| {
                let line = blocks.lines();
                failed = Some(self.lost(format!("it cannot be read behind line {line}: {error}")));
                Vec::new()
            });
            if made.is_empty() && waiting.is_empty() {
                return failed.map_or(Ok(Flow::Go), Err);
            }
        }
    }

    fn rows_of<T>(&self, block: &Block, read: impl Fn(&Line<'_>) -> T) -> Vec<T> {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(self.header.between).flexible(true).has_headers(block.is_first);
        let (mut reader, mut record) =
            (builder.from_reader(block.bytes.as_slice()), ByteRecord::new());
        let mut rows = Vec::new();
        // What is in memory, and may have any number of fields, is read without errors.
        while reader.read_byte_record(&mut record).unwrap_or(false) {
            rows.push(read(&Line { dump: self, record: &record, before: block.lines }));
        }
        rows
    }

    fn lost(&self, problem: String) -> TableError {
        TableError::new(shown(&self.path), problem)
    }
}

impl Line<'_> {
    /// What is wrong with it, with its place.
    pub(super) fn wrong(&self, problem: &str) -> String {
        let line = self.before + self.record.position().map_or(0, csv::Position::line);
        let file = self.dump.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{}, line {line}: {problem}", clipped(&file, 60))
    }

    /// The text of a column by its place among those that are read; `None` where it is null or missing.
    pub(super) fn text(&self, at: usize) -> Option<&[u8]> {
        let (place, _) = self.dump.places.get(at)?;
        let text = self.record.get((*place)?)?;
        (!matches!(text.trim_ascii(), b"" | b"NULL" | b"\\N")).then_some(text)
    }

    /// Hands its values to `make`, if it is whole.
    pub(super) fn read<T>(
        &self,
        make: impl FnOnce(Row<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let values = self.values()?;
        make(Row(&values)).map_err(|problem| self.wrong(&problem))
    }

    /// Its values.
    pub(super) fn values(&self) -> Result<Vec<Value<'_>>, String> {
        let (fields, columns) = (self.record.len(), self.dump.header.names.len());
        if fields != columns {
            let what = format!(
                "it has {fields} fields, and the header has {columns}; a `\"` within quotes must be doubled, \
                 not written as `\\\"`"
            );
            return Err(self.wrong(&what));
        }
        let value = |(at, (_, blob)): (usize, &(Option<usize>, bool))| match self.text(at) {
            Some(text) if *blob => match blob::bytes(text) {
                Some(bytes) => Ok(Some(Cow::Owned(bytes))),
                None => {
                    Err(self.wrong("a blob is neither hexadecimal behind `0x` or `\\x` nor base64"))
                }
            },
            text => Ok(text.map(Cow::Borrowed)),
        };
        self.dump.places.iter().enumerate().map(value).collect()
    }
}

/// The most bytes of a row.
fn longest_row() -> usize {
    2 * largest_blob() + BESIDE_BLOB
}

/// The [rows](Dump::rows) of several files, one after the other.
pub(super) fn each_row<T: Send>(
    dumps: &[Dump],
    read: impl Fn(&Line<'_>) -> T + Sync,
    mut take: impl FnMut(T) -> Flow,
) -> Result<Flow, TableError> {
    for dump in dumps {
        if dump.rows(&read, &mut take)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
    }
    Ok(Flow::Go)
}

/// A path as it may be shown.
pub(super) fn shown(path: &Path) -> String {
    plain(&path.display().to_string()).into_owned()
}
