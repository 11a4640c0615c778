//! Reads the entries of a tar file, inflated if it is compressed, and counts their bytes.
//!
//! `OpenSimulator` writes headers without the magic word, and long paths as GNU does
//! (`TarArchiveWriter.cs`). The crate `tar` knows such paths only behind the magic word, reads them
//! without a limit, and loses its place behind a file with many holes, so only its headers are used.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;
use lodger_allowance::{Allowance, Spent};
use tar::{EntryType, Header};

use crate::archive::error::{Error, Problem};
use crate::archive::reading::Reading;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The tar file in a file, inflated if it is compressed.
pub(crate) fn open<'r>(input: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let mut input = RetryReader(input);
    let mut head = Vec::with_capacity(GZIP.len());
    input.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let compressed = head == GZIP;
    let whole = Cursor::new(head).chain(input);
    Ok(if compressed {
        Box::new(MultiGzDecoder::new(whole))
    } else {
        Box::new(BufReader::new(whole))
    })
}

/// A reader that is never interrupted: nothing above it would try again.
#[derive(Debug)]
pub(crate) struct RetryReader<R>(pub(crate) R);

impl<R: Read> Read for RetryReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}

/// What has come out of a [`QuotaReader`] reader.
#[derive(Debug, Default)]
pub(crate) struct StreamStats {
    bytes: Cell<u64>,
    ended: Cell<bool>,
    spent: Cell<Option<Spent>>,
}

impl StreamStats {
    /// How many bytes have come out.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Whether the end of the stream was met.
    pub(crate) fn ended(&self) -> bool {
        self.ended.get()
    }

    /// Why no more comes out, if there was more than is allowed.
    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }
}

/// A reader that pays for what comes out of it, and fails where it cannot.
#[derive(Debug)]
struct QuotaReader<'t, R> {
    input: R,
    stats: &'t StreamStats,
    allowance: &'t Allowance,
}

impl<'t, R: Read> QuotaReader<'t, R> {
    /// Counts what comes out of a reader, a unit of work for each byte.
    pub(crate) fn new(input: R, stats: &'t StreamStats, allowance: &'t Allowance) -> Self {
        Self { input, stats, allowance }
    }
}

impl<R: Read> Read for QuotaReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.stats.ended.set(count == 0 && !buffer.is_empty());
        self.stats.bytes.set(self.stats.bytes() + count as u64);
        self.allowance
            .work(count as u64)
            .inspect_err(|&spent| self.stats.spent.set(Some(spent)))?;
        Ok(count)
    }
}

/// Whether a file that begins so is a tar file, by the checksum of its first header; one that
/// `OpenSimulator` wrote has no magic word. A beginning of fewer than 512 bytes is none.
///
/// # Examples
/// ```
/// let mut header = tar::Header::new_gnu();
/// header.set_size(0);
/// header.set_cksum();
/// assert!(lodger_opensim::archive::is_tar(header.as_bytes()));
/// assert!(!lodger_opensim::archive::is_tar(&header.as_bytes()[..511]));
/// assert!(!lodger_opensim::archive::is_tar(&[0; 512]));
/// ```
#[must_use]
pub fn is_tar(head: &[u8]) -> bool {
    head.first_chunk::<512>().is_some_and(is_header)
}

/// Whether these are the bytes of a header, by its checksum.
fn is_header(header: &[u8; 512]) -> bool {
    let Ok(stated) = tar::Header::from_byte_slice(header).cksum() else { return false };
    let sum: u32 = header
        .iter()
        .enumerate()
        .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u32::from(byte) })
        .sum();
    stated == sum
}

/// Everything in a tar file is filled up to blocks of so many bytes.
const BLOCK: usize = 512;
/// The most bytes of a path.
const LONGEST_PATH: usize = 16 << 10;
/// The most bytes of what is said about the next entry. Of more, what is behind is lost.
const LONGEST_NOTE: u64 = 1 << 20;
/// Where a block that continues the map of holes says whether another one follows
/// (GNU tar, `tar.h`, `struct sparse_header`).
const IS_CONTINUED: usize = 504;
/// How the records of a file with holes begin in the form of POSIX (GNU tar, "Storing Sparse Files").
const OF_HOLES: &[u8] = b"GNU.sparse.";

/// What is said about the next entry.
#[derive(Debug, Default)]
struct ExtendedHeader {
    path: Option<String>,
    size: Option<u64>,
    has_holes: bool,
}

/// Hands every file of an archive to `reading`, to its end or to where it breaks.
pub(crate) fn read_entries(input: impl Read, reading: &mut Reading<'_>) -> Result<(), Error> {
    let stats = StreamStats::default();
    let opened = open(input).map_err(|error| broken(error, &stats, reading))?;
    let mut input = QuotaReader::new(opened, &stats, reading.allowance());
    read_each_entry(&mut input, &stats, reading)?;
    if stats.ended() {
        let error = io::Error::new(io::ErrorKind::UnexpectedEof, "there is no end mark");
        return Err(broken(error, &stats, reading));
    }
    // The rest is padding, and the checksum of the compression.
    io::copy(&mut input, &mut io::sink()).map_err(|error| broken(error, &stats, reading))?;
    Ok(())
}

fn read_each_entry(
    input: &mut impl Read,
    stats: &StreamStats,
    reading: &mut Reading<'_>,
) -> Result<(), Error> {
    let mut extended = ExtendedHeader::default();
    while let Some(header) = header(input).map_err(|error| broken(error, stats, reading))? {
        let kind = header.entry_type();
        let stated = header.entry_size().map_err(|error| broken(error, stats, reading))?;
        let size = extended.size.filter(|_| !is_about_others(kind)).unwrap_or(stated);
        let mut body = input.take(size);
        let done = match kind {
            EntryType::GNULongName | EntryType::XHeader => note(&mut body, kind, &mut extended),
            EntryType::GNULongLink | EntryType::XGlobalHeader => Ok(()),
            kind => {
                let ExtendedHeader { path, has_holes, .. } = std::mem::take(&mut extended);
                let path = path.unwrap_or_else(|| lossy(&header.path_bytes()));
                reading.begin(&path)?;
                if kind.is_gnu_sparse() {
                    reading.sparse(&path);
                    skip_map(&header, body.get_mut())
                } else if has_holes {
                    reading.sparse(&path);
                    Ok(())
                } else if kind.is_file() || kind.is_contiguous() {
                    reading.file(&path, size, &mut body)
                } else {
                    Ok(())
                }
            }
        };
        done.and_then(|()| skip_rest(body, size)).map_err(|error| broken(error, stats, reading))?;
        reading.check()?;
    }
    Ok(())
}

/// Whether an entry says something about others, and is no file itself.
const fn is_about_others(kind: EntryType) -> bool {
    use EntryType::{GNULongLink, GNULongName, XGlobalHeader, XHeader};
    matches!(kind, GNULongLink | GNULongName | XGlobalHeader | XHeader)
}

/// The header that comes next; none at the end mark, and where nothing comes at all.
fn header(input: &mut impl Read) -> io::Result<Option<Header>> {
    let mut header = Header::new_old();
    let bytes = header.as_mut_bytes();
    match fill(input, bytes)? {
        0 => return Ok(None),
        read if read < bytes.len() => return Err(io::ErrorKind::UnexpectedEof.into()),
        _ => {}
    }
    if bytes.iter().all(|&byte| byte == 0) {
        return Ok(None);
    }
    if is_header(bytes) { Ok(Some(header)) } else { Err(io::Error::other("a wrong checksum")) }
}

/// Reads until the bytes are full or no more come; how many came.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match input.read(rest)? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}

/// Takes what is said about the next entry.
fn note(body: &mut impl Read, kind: EntryType, extended: &mut ExtendedHeader) -> io::Result<()> {
    let mut note = Vec::new();
    body.take(LONGEST_NOTE).read_to_end(&mut note)?;
    if kind.is_gnu_longname() {
        extended.path = Some(lossy(note.split(|&byte| byte == 0).next().unwrap_or_default()));
        return Ok(());
    }
    let mut rest = &note[..];
    while let Some((key, value, behind)) = record(rest) {
        match key {
            b"path" => extended.path = Some(lossy(value)),
            b"size" => {
                extended.size = str::from_utf8(value).ok().and_then(|size| size.parse().ok());
            }
            key => extended.has_holes |= key.starts_with(OF_HOLES),
        }
        rest = behind;
    }
    Ok(())
}

/// The key and the value of the first record, whose length stands in front of it, and what is behind.
fn record(note: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = note.iter().position(|&byte| byte == b' ')?;
    let length: usize = str::from_utf8(note.get(..blank)?).ok()?.parse().ok()?;
    let text = note.get(blank + 1..length)?.strip_suffix(b"\n")?;
    let sign = text.iter().position(|&byte| byte == b'=')?;
    Some((text.get(..sign)?, text.get(sign + 1..)?, note.get(length..)?))
}

/// Passes over the blocks in which the map of holes goes on that a header begins.
fn skip_map(header: &Header, input: &mut impl Read) -> io::Result<()> {
    let mut goes_on = header.as_gnu().is_some_and(tar::GnuHeader::is_extended);
    while goes_on {
        let mut block = [0; BLOCK];
        input.read_exact(&mut block)?;
        goes_on = block[IS_CONTINUED] == 1;
    }
    Ok(())
}

/// Passes over what was not read of an entry, and what fills its last block.
fn skip_rest<R: Read>(mut body: io::Take<R>, size: u64) -> io::Result<()> {
    let block = BLOCK as u64;
    let filling = (block - size % block) % block;
    let rest = body.limit().saturating_add(filling);
    let skipped = io::copy(&mut body.get_mut().take(rest), &mut io::sink())?;
    if skipped < rest { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path.get(..LONGEST_PATH).unwrap_or(path)).into_owned()
}

/// Says where an archive breaks off. What its reader says at the end of the stream means no more than
/// that there is no more.
fn broken(error: io::Error, stats: &StreamStats, reading: &Reading<'_>) -> Error {
    if let Some(spent) = stats.spent() {
        return Problem::Spent(spent).into();
    }
    let Some(last) = reading.last() else {
        return Problem::NotAnArchive(error).into();
    };
    let error =
        if stats.ended() { io::Error::new(io::ErrorKind::UnexpectedEof, error) } else { error };
    let (entry, bytes) = (reading.entries(), stats.bytes());
    Error::from(Problem::Broken { entry, bytes, error }).in_entry(last)
}
