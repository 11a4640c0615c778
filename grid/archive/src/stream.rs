//! From the bytes of a file to the bytes of a tar file, counted.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The tar file in a file, inflated if it is compressed.
pub(crate) fn open<'r>(input: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let mut input = Patient(input);
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

/// What has come out of a [`Metered`] reader.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    bytes: Cell<u64>,
    ended: Cell<bool>,
    over: Cell<bool>,
}

impl Tally {
    /// How many bytes have come out.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Whether the end of the stream was met.
    pub(crate) fn ended(&self) -> bool {
        self.ended.get()
    }

    /// Whether there was more than the limit.
    pub(crate) fn over(&self) -> bool {
        self.over.get()
    }
}

/// A reader that fails when more comes out of it than is allowed.
#[derive(Debug)]
pub(crate) struct Metered<'t, R> {
    input: R,
    tally: &'t Tally,
    limit: u64,
}

impl<'t, R: Read> Metered<'t, R> {
    /// Counts what comes out of a reader.
    pub(crate) fn new(input: R, tally: &'t Tally, limit: u64) -> Self {
        Self { input, tally, limit }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.tally.ended.set(count == 0 && !buffer.is_empty());
        self.tally.bytes.set(self.tally.bytes() + count as u64);
        if self.tally.bytes() > self.limit {
            self.tally.over.set(true);
            return Err(io::Error::other("it inflates to too much"));
        }
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
/// assert!(lodger_archive::is_tar(header.as_bytes()));
/// assert!(!lodger_archive::is_tar(&header.as_bytes()[..511]));
/// assert!(!lodger_archive::is_tar(&[0; 512]));
/// ```
#[must_use]
pub fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<512>() else { return false };
    let Ok(stated) = tar::Header::from_byte_slice(header).cksum() else { return false };
    let sum: u32 = header
        .iter()
        .enumerate()
        .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u32::from(byte) })
        .sum();
    stated == sum
}
