//! A table as CSV: comma, semicolon or tab between fields, quotes doubled within quotes, names of columns in the first
//! line. A field that is empty, `NULL` or `\N` is null.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use csv::{ByteRecord, Reader, ReaderBuilder};
use lodger_terminal::{clipped, plain};
use rayon::prelude::*;

use super::blob;
use super::layout::Layout;
use super::record::{Flow, TableError};
use super::row::{Row, Value, largest_blob};

/// What may stand between fields.
const BETWEEN: [u8; 3] = *b",;\t";
/// The mark that some programs put in front of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// The most bytes of a header.
const LONGEST_HEADER: u64 = 64 << 10;
/// The most fields of a row, with those of others that are read on the way: a field takes memory even where it is empty.
const MOST_FIELDS: usize = 1 << 20;
/// What a row may have beside its blob in hexadecimal.
const BESIDE_BLOB: u64 = 1 << 20;

/// The rows that are worked on side by side.
const BATCH: usize = 1024;
/// Bytes of them, after which there are no more.
const BATCH_BYTES: usize = 8 << 20;

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

    /// Its rows, one after the other.
    pub(super) fn rows(&self, each: &mut dyn FnMut(&Line<'_>) -> Flow) -> Result<(), TableError> {
        let mut records = self.records()?;
        let mut record = ByteRecord::new();
        while records.next(&mut record)? {
            if each(&Line { dump: self, record: &record }) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Its rows, some at once: what `read` makes of each, side by side, goes to `take` in their order.
    pub(super) fn side_by_side<T: Send>(
        &self,
        read: impl Fn(&Line<'_>) -> T + Sync,
        take: &mut impl FnMut(T) -> Flow,
    ) -> Result<Flow, TableError> {
        let mut records = self.records()?;
        let mut batch = vec![ByteRecord::new(); BATCH];
        loop {
            let (mut rows, mut bytes) = (0, 0);
            for record in &mut batch {
                if bytes >= BATCH_BYTES || !records.next(record)? {
                    break;
                }
                rows += 1;
                bytes += record.as_slice().len();
            }
            let batch = batch.get(..rows).unwrap_or_default();
            let line = |record| Line { dump: self, record };
            let read: Vec<T> = batch.par_iter().map(|record| read(&line(record))).collect();
            if read.is_empty() {
                return Ok(Flow::Go);
            }
            for row in read {
                if take(row) == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
        }
    }

    fn records(&self) -> Result<Records<'_>, TableError> {
        let file = File::open(&self.path);
        let file = file.map_err(|error| self.lost(format!("it cannot be opened: {error}")))?;
        let (left, fields) = (Rc::default(), Rc::default());
        let between = self.header.between;
        let metered = Metered { file, between, left: Rc::clone(&left), fields: Rc::clone(&fields) };
        let mut builder = ReaderBuilder::new();
        builder.delimiter(self.header.between).flexible(true).buffer_capacity(1 << 18);
        Ok(Records { dump: self, reader: builder.from_reader(metered), left, fields })
    }

    fn lost(&self, problem: String) -> TableError {
        TableError::new(shown(&self.path), problem)
    }
}

/// The rows of a file, while it is read.
struct Records<'d> {
    dump: &'d Dump,
    reader: Reader<Metered>,
    /// The bytes that the next row may have.
    left: Rc<Cell<u64>>,
    /// The fields that were read since the row began.
    fields: Rc<Cell<usize>>,
}

impl Records<'_> {
    /// The next row, if there is one.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool, TableError> {
        self.left.set(2 * largest_blob() as u64 + BESIDE_BLOB);
        self.fields.set(0);
        self.reader.read_byte_record(record).map_err(|error| {
            let line = self.reader.position().line();
            self.dump.lost(format!("it cannot be read behind line {line}: {}", cause(error)))
        })
    }
}

impl Line<'_> {
    /// What is wrong with it, with its place.
    pub(super) fn wrong(&self, problem: &str) -> String {
        let line = self.record.position().map_or(0, csv::Position::line);
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

/// A file of which so many bytes and fields may be read until the next row begins.
#[derive(Debug)]
struct Metered {
    file: File,
    between: u8,
    left: Rc<Cell<u64>>,
    fields: Rc<Cell<usize>>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other("a row does not end: is there a `\"` too much?"));
        }
        let count = self.file.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(count as u64));
        let read = buffer.get(..count).unwrap_or_default();
        #[allow(clippy::naive_bytecount)] // no crate for what takes a hundredth of reading
        let fields = read.iter().filter(|byte| **byte == self.between).count();
        self.fields.set(self.fields.get() + fields);
        if self.fields.get() > MOST_FIELDS {
            return Err(io::Error::other("a row has more fields than any table: is it one?"));
        }
        Ok(count)
    }
}

fn cause(error: csv::Error) -> String {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => "it is no CSV".to_owned(),
    }
}

/// The rows of several files, one after the other.
pub(super) fn each_line(
    dumps: &[Dump],
    each: &mut dyn FnMut(&Line<'_>) -> Flow,
) -> Result<(), TableError> {
    let mut flow = Flow::Go;
    for dump in dumps {
        if flow == Flow::Go {
            dump.rows(&mut |line| {
                flow = each(line);
                flow
            })?;
        }
    }
    Ok(())
}

/// A path as it may be shown.
pub(super) fn shown(path: &Path) -> String {
    plain(&path.display().to_string()).into_owned()
}
