//! A reader of tar files, optionally gzip-compressed, that counts bytes.
//!
//! `OpenSimulator` writes headers without magic and GNU long paths (`TarArchiveWriter.cs`). The crate `tar` reads
//! long paths only behind the magic, without a limit, and loses its position after a file with many holes, so only
//! its headers are used.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;
use lodger_quota::{Quota, QuotaExceeded};
use tar::{EntryType, Header};

use crate::archive::error::{ArchiveError, ArchiveErrorKind};
use crate::archive::reader::ArchiveReader;

const GZIP: [u8; 2] = [0x1f, 0x8b];

pub(crate) fn open<'r>(input: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let mut input = RetryReader(input);
    let mut head = Vec::with_capacity(GZIP.len());
    input.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let compressed = head == GZIP;
    let input = Cursor::new(head).chain(input);
    Ok(if compressed {
        Box::new(MultiGzDecoder::new(input))
    } else {
        Box::new(BufReader::new(input))
    })
}

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

#[derive(Debug, Default)]
pub(crate) struct StreamStats {
    bytes: Cell<u64>,
    ended: Cell<bool>,
    exceeded: Cell<Option<QuotaExceeded>>,
}

/// A reader that charges a unit of work for each byte.
#[derive(Debug)]
struct QuotaReader<'t, R> {
    input: R,
    stats: &'t StreamStats,
    quota: &'t Quota,
}

impl<R: Read> Read for QuotaReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.stats.ended.set(count == 0 && !buffer.is_empty());
        self.stats.bytes.set(self.stats.bytes.get() + count as u64);
        self.quota
            .charge_work(count as u64)
            .inspect_err(|&exceeded| self.stats.exceeded.set(Some(exceeded)))?;
        Ok(count)
    }
}

/// Whether a file with these first bytes is a tar file: its first header has a valid checksum. `OpenSimulator` writes
/// no magic. Fewer than 512 bytes are no tar file.
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

fn is_header(header: &[u8; 512]) -> bool {
    let Ok(stated) = tar::Header::from_byte_slice(header).cksum() else { return false };
    let sum: u32 = header
        .iter()
        .enumerate()
        .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u32::from(byte) })
        .sum();
    stated == sum
}

const BLOCK: usize = 512;
const MAX_PATH: usize = 16 << 10;
/// Maximum bytes of an extended header; the rest is ignored.
const MAX_EXTENDED_HEADER: u64 = 1 << 20;
/// Offset of the flag that another block of the map of holes follows (GNU tar, `tar.h`, `struct sparse_header`).
const IS_CONTINUED: usize = 504;
/// Prefix of the keys of a sparse file in POSIX format (GNU tar, "Storing Sparse Files").
const OF_HOLES: &[u8] = b"GNU.sparse.";

#[derive(Debug, Default)]
struct ExtendedHeader {
    path: Option<String>,
    size: Option<u64>,
    has_holes: bool,
}

pub(crate) fn read_entries(
    input: impl Read,
    reader: &mut ArchiveReader<'_>,
) -> Result<(), ArchiveError> {
    let stats = StreamStats::default();
    let opened = open(input).map_err(|error| broken(error, &stats, reader))?;
    let mut input = QuotaReader { input: opened, stats: &stats, quota: reader.quota() };
    read_each_entry(&mut input, &stats, reader)?;
    if stats.ended.get() {
        let error = io::Error::new(io::ErrorKind::UnexpectedEof, "there is no end mark");
        return Err(broken(error, &stats, reader));
    }
    // Padding, and the checksum of gzip.
    io::copy(&mut input, &mut io::sink()).map_err(|error| broken(error, &stats, reader))?;
    Ok(())
}

fn read_each_entry(
    input: &mut impl Read,
    stats: &StreamStats,
    reader: &mut ArchiveReader<'_>,
) -> Result<(), ArchiveError> {
    let mut extended = ExtendedHeader::default();
    while let Some(header) = header(input).map_err(|error| broken(error, stats, reader))? {
        let kind = header.entry_type();
        let stated = header.entry_size().map_err(|error| broken(error, stats, reader))?;
        let size = extended.size.filter(|_| !is_about_others(kind)).unwrap_or(stated);
        let mut body = input.take(size);
        let done = match kind {
            EntryType::GNULongName | EntryType::XHeader => note(&mut body, kind, &mut extended),
            EntryType::GNULongLink | EntryType::XGlobalHeader => Ok(()),
            kind => {
                let ExtendedHeader { path, has_holes, .. } = std::mem::take(&mut extended);
                let path = path.unwrap_or_else(|| lossy(&header.path_bytes()));
                reader.begin(&path)?;
                if kind.is_gnu_sparse() {
                    reader.sparse(&path);
                    skip_map(&header, body.get_mut())
                } else if has_holes {
                    reader.sparse(&path);
                    Ok(())
                } else if kind.is_file() || kind.is_contiguous() {
                    reader.file(&path, size, &mut body)
                } else {
                    Ok(())
                }
            }
        };
        done.and_then(|()| skip_rest(body, size)).map_err(|error| broken(error, stats, reader))?;
        reader.check()?;
    }
    Ok(())
}

const fn is_about_others(kind: EntryType) -> bool {
    use EntryType::{GNULongLink, GNULongName, XGlobalHeader, XHeader};
    matches!(kind, GNULongLink | GNULongName | XGlobalHeader | XHeader)
}

/// Reads a header; `None` at the end mark or the end of input.
fn header(input: &mut impl Read) -> io::Result<Option<Header>> {
    let mut bytes = Vec::with_capacity(BLOCK);
    input.take(BLOCK as u64).read_to_end(&mut bytes)?;
    let Some(block) = bytes.first_chunk::<BLOCK>() else {
        return if bytes.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
    };
    if block.iter().all(|&byte| byte == 0) {
        Ok(None)
    } else if is_header(block) {
        Ok(Some(Header::from_byte_slice(block).clone()))
    } else {
        Err(io::Error::other("a wrong checksum"))
    }
}

fn note(body: &mut impl Read, kind: EntryType, extended: &mut ExtendedHeader) -> io::Result<()> {
    let mut note = Vec::new();
    body.take(MAX_EXTENDED_HEADER).read_to_end(&mut note)?;
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

/// Splits off the first record, `LENGTH KEY=VALUE\n`; returns key, value and rest.
fn record(note: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let blank = note.iter().position(|&byte| byte == b' ')?;
    let length: usize = str::from_utf8(note.get(..blank)?).ok()?.parse().ok()?;
    let text = note.get(blank + 1..length)?.strip_suffix(b"\n")?;
    let sign = text.iter().position(|&byte| byte == b'=')?;
    Some((text.get(..sign)?, text.get(sign + 1..)?, note.get(length..)?))
}

/// Skips the blocks that continue the map of holes.
fn skip_map(header: &Header, input: &mut impl Read) -> io::Result<()> {
    let mut goes_on = header.as_gnu().is_some_and(tar::GnuHeader::is_extended);
    while goes_on {
        let mut block = [0; BLOCK];
        input.read_exact(&mut block)?;
        goes_on = block[IS_CONTINUED] == 1;
    }
    Ok(())
}

fn skip_rest<R: Read>(mut body: io::Take<R>, size: u64) -> io::Result<()> {
    let block = BLOCK as u64;
    let filling = (block - size % block) % block;
    let rest = body.limit().saturating_add(filling);
    let skipped = io::copy(&mut body.get_mut().take(rest), &mut io::sink())?;
    if skipped < rest { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path.get(..MAX_PATH).unwrap_or(path)).into_owned()
}

/// After the end of the stream the error is always an unexpected end.
fn broken(error: io::Error, stats: &StreamStats, reader: &ArchiveReader<'_>) -> ArchiveError {
    if let Some(exceeded) = stats.exceeded.get() {
        return ArchiveErrorKind::QuotaExceeded(exceeded).into();
    }
    let Some(last) = reader.last() else {
        return ArchiveErrorKind::NotAnArchive(error).into();
    };
    let error =
        if stats.ended.get() { io::Error::new(io::ErrorKind::UnexpectedEof, error) } else { error };
    let (entry, bytes) = (reader.entries(), stats.bytes.get());
    ArchiveError::from(ArchiveErrorKind::Broken { entry, bytes, error }).in_entry(last)
}
