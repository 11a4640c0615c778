//! Bytes whose first were looked at, and which gzip no longer surrounds.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::error::Problem;
use crate::kind::Kind;

/// The most bytes that are held as a whole: 1 GiB. More is taken for something that is no input, such as
/// an endless device.
pub const LARGEST: u64 = 1 << 30;

/// The bytes of a file, inflated if it is compressed with gzip, and of what kind they are. Only their
/// beginning was read so far.
///
/// # Examples
/// ```
/// use lodger_files::{Kind, Stream};
///
/// let stream = Stream::of(&b"budget_ms = 8"[..])?;
/// assert_eq!(stream.kind(), Kind::Text);
/// assert_eq!(stream.whole()?, b"budget_ms = 8");
/// # Ok::<(), lodger_files::Problem>(())
/// ```
pub struct Stream<'r> {
    kind: Kind,
    inflated: bool,
    reader: Box<dyn Read + 'r>,
}

impl<'r> Stream<'r> {
    /// Looks at the beginning of a file. gzip is read through, once.
    ///
    /// # Errors
    /// [`Problem::Unreadable`]; [`Problem::Inflate`] if gzip gives nothing at all, and
    /// [`Problem::GzipInGzip`].
    pub fn of(input: impl Read + 'r) -> Result<Self, Problem> {
        let (kind, reader) = peek(Patient(input)).map_err(Problem::Unreadable)?;
        if kind != Kind::Gzip {
            return Ok(Self { kind, inflated: false, reader });
        }
        let (kind, reader) = peek(MultiGzDecoder::new(reader)).map_err(Problem::Inflate)?;
        match kind {
            Kind::Gzip => Err(Problem::GzipInGzip),
            kind => Ok(Self { kind, inflated: true, reader }),
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
        Self::of(File::open(path).map_err(Problem::Unreadable)?)
    }

    /// What it is, behind gzip if there is any.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// All its bytes.
    ///
    /// # Errors
    /// [`Problem::TooLarge`] above [`LARGEST`]; [`Problem::Unreadable`], or [`Problem::Inflate`] of
    /// what is compressed.
    pub fn whole(self) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        match self.reader.take(LARGEST + 1).read_to_end(&mut bytes) {
            Err(error) if self.inflated => Err(Problem::Inflate(error)),
            Err(error) => Err(Problem::Unreadable(error)),
            Ok(_) if bytes.len() as u64 > LARGEST => Err(Problem::TooLarge),
            Ok(_) => Ok(bytes),
        }
    }

    /// Its bytes as they come.
    #[must_use]
    pub fn into_reader(self) -> impl Read + 'r {
        self.reader
    }
}

/// The kind of what is read, and a reader of all of it.
fn peek<'r>(mut input: impl Read + 'r) -> io::Result<(Kind, Box<dyn Read + 'r>)> {
    let mut head = Vec::with_capacity(Kind::LOOKED_AT);
    let read = input.by_ref().take(Kind::LOOKED_AT as u64).read_to_end(&mut head);
    let kind = Kind::of(&head);
    Ok(match read {
        Ok(_) => (kind, Box::new(Cursor::new(head).chain(input))),
        Err(error) if head.is_empty() => return Err(error),
        Err(error) => (kind, Box::new(Cursor::new(head).chain(Broken(Some(error))))),
    })
}

/// A reader that fails once, and has nothing more.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// A reader that is never interrupted: not everything above it would try again.
struct Patient<R>(R);

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}
