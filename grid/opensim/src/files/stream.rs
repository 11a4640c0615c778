//! Bytes whose first were looked at, and which gzip no longer surrounds.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use lodger_allowance::{Allowance, Spent};

use crate::archive::RetryReader;
use crate::files::error::Problem;
use crate::files::kind::Kind;

/// What is kept for more bytes of which nobody said how many they are, at first.
const FIRST: usize = 64 << 10;

/// The bytes of a file, inflated if it is compressed with gzip, and of what kind they are. Only their
/// beginning was read so far.
///
/// # Examples
/// ```
/// use lodger_allowance::{Allowance, Limits};
/// use lodger_opensim::files::{Kind, Stream};
///
/// let allowance = Allowance::new(Limits::default());
/// let stream = Stream::of(&b"budget_ms = 8"[..])?;
/// assert_eq!(stream.kind(), Kind::Text);
/// assert_eq!(stream.whole(&allowance)?, b"budget_ms = 8");
/// # Ok::<(), lodger_opensim::files::Problem>(())
/// ```
pub struct Stream<'r> {
    kind: Kind,
    inflated: bool,
    /// How many bytes there are, where that is known.
    length: Option<u64>,
    reader: Box<dyn Read + 'r>,
}

impl<'r> Stream<'r> {
    /// Looks at the beginning of a file. gzip is read through, once.
    ///
    /// # Errors
    /// [`Problem::Unreadable`]; [`Problem::Inflate`] if gzip gives nothing at all, and
    /// [`Problem::GzipInGzip`].
    pub fn of(input: impl Read + 'r) -> Result<Self, Problem> {
        let (kind, reader) = peek(RetryReader(input)).map_err(Problem::Unreadable)?;
        if kind != Kind::Gzip {
            return Ok(Self { kind, inflated: false, length: None, reader });
        }
        let (kind, reader) = peek(MultiGzDecoder::new(reader)).map_err(Problem::Inflate)?;
        match kind {
            Kind::Gzip => Err(Problem::GzipInGzip),
            kind => Ok(Self { kind, inflated: true, length: None, reader }),
        }
    }

    /// Looks at the beginning of a file, or of stdin for `-`.
    ///
    /// # Errors
    /// Those of [`of`](Self::of).
    pub fn open(path: &Path) -> Result<Self, Problem> {
        if path == Path::new("-") {
            return Self::of(io::stdin());
        }
        let file = File::open(path).map_err(Problem::Unreadable)?;
        let length = file.metadata().ok().filter(Metadata::is_file).map(|found| found.len());
        let stream = Self::of(file)?;
        Ok(Self { length: length.filter(|_| !stream.inflated), ..stream })
    }

    /// What it is, behind gzip if there is any.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// All its bytes. Their memory, and a unit of work for each, is paid before they are read: a file
    /// that is too large, or a device without an end, is refused and not held.
    ///
    /// # Errors
    /// [`Problem::Spent`]; [`Problem::Unreadable`], or [`Problem::Inflate`] of what is compressed.
    pub fn whole(mut self, allowance: &Allowance) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        let mut room = self.length.and_then(|length| usize::try_from(length).ok()).unwrap_or(FIRST);
        loop {
            // One more, so that the end is seen without asking for more room.
            let more = room.saturating_add(1).saturating_sub(bytes.len());
            pay(allowance, more)?;
            bytes.try_reserve_exact(more).map_err(|_| allowance.refusal())?;
            match self.reader.by_ref().take(more as u64).read_to_end(&mut bytes) {
                Err(error) if self.inflated => return Err(Problem::Inflate(error)),
                Err(error) => return Err(Problem::Unreadable(error)),
                Ok(read) if read < more => return Ok(bytes),
                Ok(_) => room = room.max(FIRST).saturating_mul(2),
            }
        }
    }

    /// Its bytes as they come.
    #[must_use]
    pub fn into_reader(self) -> impl Read + 'r {
        self.reader
    }
}

/// Pays for bytes that are to be read and kept.
fn pay(allowance: &Allowance, bytes: usize) -> Result<(), Spent> {
    allowance.keep(bytes as u64)?;
    allowance.work(bytes as u64)
}

/// The kind of what is read, and a reader of all of it.
fn peek<'r>(mut input: impl Read + 'r) -> io::Result<(Kind, Box<dyn Read + 'r>)> {
    let mut head = Vec::with_capacity(Kind::LOOKED_AT);
    let read = input.by_ref().take(Kind::LOOKED_AT as u64).read_to_end(&mut head);
    let kind = Kind::of(&head);
    Ok(match read {
        Ok(_) => (kind, Box::new(Cursor::new(head).chain(input))),
        Err(error) if head.is_empty() => return Err(error),
        Err(error) => (kind, Box::new(Cursor::new(head).chain(FailingReader(Some(error))))),
    })
}

/// A reader that fails once, and has nothing more.
struct FailingReader(Option<io::Error>);

impl Read for FailingReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
