//! Byte streams with a detected kind, inflated from gzip, and files named by a relative URI.

use std::fs::{self, File, Metadata};
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use lodger_quota::{Quota, QuotaExceeded};

use crate::archive::RetryReader;
use crate::files::error::FileErrorKind;
use crate::files::kind::FileKind;

const FIRST: usize = 64 << 10;

/// A byte stream, inflated from gzip if necessary, with the kind of its content. Only its beginning has been read.
///
/// # Examples
/// ```
/// use lodger_opensim::files::{FileKind, SniffedReader};
/// use lodger_quota::{Quota, QuotaLimits};
///
/// let quota = Quota::new(QuotaLimits::default());
/// let reader = SniffedReader::new(&b"budget_ms = 8"[..])?;
/// assert_eq!(reader.kind(), FileKind::Text);
/// assert_eq!(reader.read_all(&quota)?, b"budget_ms = 8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SniffedReader<'r> {
    kind: FileKind,
    inflated: bool,
    length: Option<u64>,
    reader: Box<dyn Read + 'r>,
}

impl<'r> SniffedReader<'r> {
    /// Detects the kind of a stream, through one layer of gzip.
    ///
    /// # Errors
    /// [`FileErrorKind::Unreadable`]; [`FileErrorKind::Inflate`] if gzip yields nothing, and
    /// [`FileErrorKind::GzipInGzip`].
    pub fn new(input: impl Read + 'r) -> Result<Self, FileErrorKind> {
        let (kind, reader) = peek(RetryReader(input)).map_err(FileErrorKind::Unreadable)?;
        if kind != FileKind::Gzip {
            return Ok(Self { kind, inflated: false, length: None, reader });
        }
        let (kind, reader) = peek(MultiGzDecoder::new(reader)).map_err(FileErrorKind::Inflate)?;
        match kind {
            FileKind::Gzip => Err(FileErrorKind::GzipInGzip),
            kind => Ok(Self { kind, inflated: true, length: None, reader }),
        }
    }

    /// Opens a file, or stdin for `-`, and detects its kind.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn open(path: &Path) -> Result<Self, FileErrorKind> {
        if path == Path::new("-") {
            return Self::new(io::stdin());
        }
        let file = File::open(path).map_err(FileErrorKind::Unreadable)?;
        let length = file.metadata().ok().filter(Metadata::is_file).map(|found| found.len());
        let stream = Self::new(file)?;
        Ok(Self { length: length.filter(|_| !stream.inflated), ..stream })
    }

    /// The kind of the content.
    #[must_use]
    pub const fn kind(&self) -> FileKind {
        self.kind
    }

    /// Reads all bytes. The quota pays their memory, and a unit of work for each, in advance, so that too large files
    /// and endless devices are rejected.
    ///
    /// # Errors
    /// [`FileErrorKind::QuotaExceeded`]; [`FileErrorKind::Unreadable`], or [`FileErrorKind::Inflate`] for gzip.
    pub fn read_all(mut self, quota: &Quota) -> Result<Vec<u8>, FileErrorKind> {
        let mut bytes = Vec::new();
        let mut capacity =
            self.length.and_then(|length| usize::try_from(length).ok()).unwrap_or(FIRST);
        loop {
            // One byte more, so that the end is found without another reservation.
            let more = capacity.saturating_add(1).saturating_sub(bytes.len());
            pay(quota, more)?;
            bytes.try_reserve_exact(more).map_err(|_| quota.exceeded())?;
            match self.reader.by_ref().take(more as u64).read_to_end(&mut bytes) {
                Err(error) if self.inflated => return Err(FileErrorKind::Inflate(error)),
                Err(error) => return Err(FileErrorKind::Unreadable(error)),
                Ok(read) if read < more => return Ok(bytes),
                Ok(_) => capacity = capacity.max(FIRST).saturating_mul(2),
            }
        }
    }

    /// A reader of all bytes.
    #[must_use]
    pub fn into_reader(self) -> impl Read + 'r {
        self.reader
    }
}

fn pay(quota: &Quota, bytes: usize) -> Result<(), QuotaExceeded> {
    quota.charge_memory(bytes as u64)?;
    quota.charge_work(bytes as u64)
}

fn peek<'r>(mut input: impl Read + 'r) -> io::Result<(FileKind, Box<dyn Read + 'r>)> {
    let mut head = Vec::with_capacity(FileKind::SNIFF_BYTES);
    let read = input.by_ref().take(FileKind::SNIFF_BYTES as u64).read_to_end(&mut head);
    let kind = FileKind::detect(&head);
    Ok(match read {
        Ok(_) => (kind, Box::new(Cursor::new(head).chain(input))),
        Err(error) if head.is_empty() => return Err(error),
        Err(error) => (kind, Box::new(Cursor::new(head).chain(FailingReader(Some(error))))),
    })
}

struct FailingReader(Option<io::Error>);

impl Read for FailingReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Reads at most `max` bytes of a file that another file names by a URI: a relative path from its folder to a regular
/// file, as a glTF file names its buffers.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] for any other URI or for stdin (`-`), and errors of the operating system.
///
/// # Examples
/// ```
/// use lodger_opensim::files::read_sibling;
///
/// # let folder = tempfile::tempdir()?;
/// # let scene = folder.path().join("scene.gltf");
/// std::fs::write(scene.with_file_name("all trees.bin"), [1, 2, 3])?;
/// assert_eq!(read_sibling(&scene, "all%20trees.bin", 2)?, [1, 2]);
/// assert!(read_sibling(&scene, "https://example.org/trees.bin", 2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_sibling(file: &Path, uri: &str, max: u64) -> io::Result<Vec<u8>> {
    let path = sibling_path(file, uri)?;
    // A pipe would block, and a device has no end.
    if !fs::metadata(&path)?.is_file() {
        return Err(invalid_input("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The path of a file that another file names by a URI; the file may be missing.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] as in [`read_sibling`].
pub fn sibling_path(file: &Path, uri: &str) -> io::Result<PathBuf> {
    if file == Path::new("-") {
        return Err(invalid_input("there is no folder beside stdin"));
    }
    Ok(file.parent().unwrap_or(Path::new("")).join(relative(uri)?))
}

fn relative(uri: &str) -> io::Result<PathBuf> {
    let has_scheme = uri.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    let path = PathBuf::from(decoded(uri).ok_or_else(|| invalid_input("it is no path"))?);
    if has_scheme || path.has_root() || path.is_absolute() {
        return Err(invalid_input("only relative paths are followed"));
    }
    Ok(path)
}

fn decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let code = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
                u8::try_from(code).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().filter(|path| !path.is_empty() && !path.contains('\0'))
}

fn invalid_input(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use super::{decoded, relative};

    #[test]
    fn percent_escapes_are_decoded() {
        assert_eq!(decoded("a%20b/%c3%A9.bin").as_deref(), Some("a b/é.bin"));
        for wrong in ["a%2", "%zz", "%ff", "%00", "", "%+1"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_relative_paths_are_followed() {
        for fine in ["a.bin", "data/a.bin", "./a.bin", "a%3Ab.bin"] {
            assert!(relative(fine).is_ok(), "{fine}");
        }
        for wrong in ["/etc/passwd", "%2Fetc/passwd", "file:///a.bin", "http://a/b.bin", "c:a.bin"]
        {
            assert!(relative(wrong).is_err(), "{wrong}");
        }
    }
}
