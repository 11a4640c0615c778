use std::io::{self, BufReader, Read, Take};

use flate2::bufread::ZlibDecoder;
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};

use super::limits::{LogError, MEMORY_OF_BYTE, Meter, WORK_OF_BYTE, WORK_OF_TICK};
use super::{FIRST_SCHEMA, MAGIC, SCHEMA, SECOND_SCHEMA};

/// A length and its checksum.
const HEAD: usize = 8;

#[derive(Debug)]
pub(super) struct Packer {
    deflate: Compress,
    checksum: Crc,
    frame: Vec<u8>,
}

impl Packer {
    pub(super) fn new() -> Self {
        let deflate = Compress::new(Compression::default(), false);
        Self { deflate, checksum: Crc::new(), frame: Vec::new() }
    }

    /// Returns the frame of a tick, or the end of a log for no bytes.
    pub(super) fn frame(&mut self, bytes: &[u8]) -> io::Result<&[u8]> {
        self.frame.clear();
        self.frame.resize(HEAD, 0);
        let mut rest = bytes;
        // The last call leaves space in the buffer: everything is flushed then.
        while !bytes.is_empty() && (!rest.is_empty() || self.frame.len() == self.frame.capacity()) {
            self.frame.reserve(rest.len() / 2 + 64);
            let before = self.deflate.total_in();
            self.deflate.compress_vec(rest, &mut self.frame, FlushCompress::Sync)?;
            rest = &rest[difference(self.deflate.total_in(), before)..];
        }
        let (head, packed) = self.frame.split_at_mut(HEAD);
        let length = u32::try_from(packed.len()).map_err(io::Error::other)?.to_le_bytes();
        self.checksum.update(&length);
        head[..4].copy_from_slice(&length);
        head[4..].copy_from_slice(&self.checksum.sum().to_le_bytes());
        if !packed.is_empty() {
            self.checksum.update(packed);
            self.frame.extend(self.checksum.sum().to_le_bytes());
        }
        Ok(&self.frame)
    }
}

#[derive(Debug)]
pub(super) enum LogFrames<R: Read> {
    /// The first schema: one stream of ticks without checksums.
    Unchecked(ZlibDecoder<BufReader<Take<R>>>),
    Checked {
        read: BufReader<Take<R>>,
        inflate: Decompress,
        checksum: Crc,
    },
}

impl<R: Read> LogFrames<R> {
    pub(super) fn new(read: R) -> Result<Self, LogError> {
        let mut read = BufReader::new(read.take(u64::MAX));
        let mut head = [0; MAGIC.len() + 2];
        read.read_exact(&mut head).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => LogError::NotALog,
            _ => LogError::Io(error),
        })?;
        let [magic @ .., low, high] = head;
        if magic != *MAGIC {
            return Err(LogError::NotALog);
        }
        match u16::from_le_bytes([low, high]) {
            FIRST_SCHEMA => Ok(Self::Unchecked(ZlibDecoder::new(read))),
            SECOND_SCHEMA | SCHEMA => {
                Ok(Self::Checked { read, inflate: Decompress::new(false), checksum: Crc::new() })
            }
            found => Err(LogError::Schema { found }),
        }
    }

    /// Returns the bytes of a tick; `None` at the end of the log. `kept` is the number of other bytes in memory.
    pub(super) fn next(
        &mut self,
        tick: u64,
        kept: u64,
        meter: &mut Meter,
    ) -> Result<Option<Vec<u8>>, LogError> {
        match self {
            Self::Unchecked(log) => {
                let before = log.total_in();
                // Endless compressed bytes may decompress to nothing.
                log.get_mut().get_mut().set_limit(meter.left() / WORK_OF_BYTE + 1);
                let tick_bytes = unchecked(log, tick, kept, meter);
                let packed = log.total_in().saturating_sub(before);
                meter.charge(tick, packed * WORK_OF_BYTE)?;
                tick_bytes
            }
            Self::Checked { read, inflate, checksum } => {
                let length = word(read, tick)?;
                checksum.update(&length);
                check(checksum, word(read, tick)?, tick)?;
                let length = u32::from_le_bytes(length);
                if length == 0 {
                    at_end(read, tick)?;
                    return Ok(None);
                }
                meter.charge(tick, WORK_OF_TICK + u64::from(length) * WORK_OF_BYTE)?;
                meter.check_memory(tick, kept + u64::from(length))?;
                let packed = bytes(read, length, tick)?;
                checksum.update(&packed);
                check(checksum, word(read, tick)?, tick)?;
                inflated(inflate, &packed, tick, kept, meter).map(Some)
            }
        }
    }
}

fn unchecked<R: Read>(
    log: &mut ZlibDecoder<BufReader<Take<R>>>,
    tick: u64,
    kept: u64,
    meter: &mut Meter,
) -> Result<Option<Vec<u8>>, LogError> {
    let length = u32::from_le_bytes(word(log, tick)?);
    if length == 0 {
        at_end(log, tick)?;
        at_end(log.get_mut(), tick)?;
        return Ok(None);
    }
    meter.charge(tick, WORK_OF_TICK + u64::from(length) * WORK_OF_BYTE)?;
    meter.check_memory(tick, kept + u64::from(length) * MEMORY_OF_BYTE)?;
    bytes(log, length, tick).map(Some)
}

fn inflated(
    inflate: &mut Decompress,
    packed: &[u8],
    tick: u64,
    kept: u64,
    meter: &mut Meter,
) -> Result<Vec<u8>, LogError> {
    let damaged = LogError::Damaged { tick, what: "its compression is" };
    let (mut bytes, mut rest) = (Vec::new(), packed);
    loop {
        if bytes.len() == bytes.capacity() {
            let more = bytes.len().max(packed.len()).max(256);
            let becomes = (bytes.len() + more) as u64 * MEMORY_OF_BYTE;
            meter.check_memory(tick, kept + packed.len() as u64 + becomes)?;
            bytes.reserve_exact(more);
        }
        let (taken, made) = (inflate.total_in(), bytes.len());
        match inflate.decompress_vec(rest, &mut bytes, FlushDecompress::None) {
            Err(_) | Ok(Status::StreamEnd) => return Err(damaged),
            Ok(Status::Ok | Status::BufError) => {}
        }
        let (taken, made) = (difference(inflate.total_in(), taken), bytes.len() - made);
        meter.charge(tick, made as u64 * WORK_OF_BYTE)?;
        rest = &rest[taken..];
        if (taken, made) == (0, 0) {
            return if rest.is_empty() { Ok(bytes) } else { Err(damaged) };
        }
    }
}

fn difference(now: u64, before: u64) -> usize {
    usize::try_from(now - before).unwrap_or(usize::MAX)
}

fn check(checksum: &Crc, logged: [u8; 4], tick: u64) -> Result<(), LogError> {
    if checksum.sum() == u32::from_le_bytes(logged) {
        Ok(())
    } else {
        Err(LogError::Damaged { tick, what: "its bytes do not match their checksum" })
    }
}

fn word(read: &mut impl Read, tick: u64) -> Result<[u8; 4], LogError> {
    let mut word = [0; 4];
    read.read_exact(&mut word).map_err(|error| broken(error, tick))?;
    Ok(word)
}

/// Reads `length` bytes. Allocates memory as they arrive, because a length may be false.
fn bytes(read: &mut impl Read, length: u32, tick: u64) -> Result<Vec<u8>, LogError> {
    let mut bytes = Vec::new();
    let count = read.take(length.into()).read_to_end(&mut bytes);
    let count = count.map_err(|error| broken(error, tick))?;
    if count < length as usize { Err(LogError::BreaksOff { tick }) } else { Ok(bytes) }
}

fn at_end(read: &mut impl Read, ticks: u64) -> Result<(), LogError> {
    match read.take(1).read_to_end(&mut Vec::new()) {
        Ok(0) => Ok(()),
        Ok(_) => Err(LogError::BytesAfterEnd { ticks }),
        Err(error) => Err(broken(error, ticks)),
    }
}

fn broken(error: io::Error, tick: u64) -> LogError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => LogError::BreaksOff { tick },
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            LogError::Damaged { tick, what: "its compression is" }
        }
        _ => LogError::Io(error),
    }
}
