//! From the bytes of a file to the bytes of a tar file, counted.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;
use lodger_allowance::{Allowance, Spent};

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
    spent: Cell<Option<Spent>>,
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

    /// Why no more comes out, if there was more than is allowed.
    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }
}

/// A reader that pays for what comes out of it, and fails where it cannot.
#[derive(Debug)]
pub(crate) struct Metered<'t, R> {
    input: R,
    tally: &'t Tally,
    allowance: &'t Allowance,
}

impl<'t, R: Read> Metered<'t, R> {
    /// Counts what comes out of a reader, a unit of work for each byte.
    pub(crate) fn new(input: R, tally: &'t Tally, allowance: &'t Allowance) -> Self {
        Self { input, tally, allowance }
    }
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.tally.ended.set(count == 0 && !buffer.is_empty());
        self.tally.bytes.set(self.tally.bytes() + count as u64);
        self.allowance
            .work(count as u64)
            .inspect_err(|&spent| self.tally.spent.set(Some(spent)))?;
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
    head.first_chunk::<512>().is_some_and(is_header)
}

/// Whether these are the bytes of a header, by its checksum.
pub(crate) fn is_header(header: &[u8; 512]) -> bool {
    let Ok(stated) = tar::Header::from_byte_slice(header).cksum() else { return false };
    let sum: u32 = header
        .iter()
        .enumerate()
        .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u32::from(byte) })
        .sum();
    stated == sum
}
