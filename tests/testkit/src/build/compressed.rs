//! zlib and gzip. Equal blocks are compressed once, so a decompression bomb takes little time even without
//! optimisation.

use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

const CHUNK: usize = 1 << 16;
/// The bytes of a run that are compressed together.
const UNIT: usize = 1 << 20;
/// A last block without bytes.
const END: [u8; 5] = [1, 0, 0, 0xff, 0xff];
const ADLER: u64 = 65_521;

#[derive(Clone, Debug)]
pub enum Piece<'a> {
    Bytes(&'a [u8]),
    Repeated(Vec<u8>, usize),
}

pub fn run(byte: u8, count: usize) -> [Piece<'static>; 2] {
    [Piece::Repeated(vec![byte; UNIT], count / UNIT), Piece::Repeated(vec![byte; count % UNIT], 1)]
}

pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    zlib_of(&pieces(bytes))
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    gzip_of(&pieces(bytes))
}

pub fn zlib_of(pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut out = vec![0x78, 0xda];
    deflate(&mut out, pieces);
    let (mut a, mut b) = (1, 0);
    each(pieces, |bytes, times| {
        let (a_unit, b_unit) = adler(bytes);
        let length = bytes.len() as u64 % ADLER;
        for _ in 0..times {
            b = (b + b_unit + length * (a + ADLER - 1)) % ADLER;
            a = (a + a_unit + ADLER - 1) % ADLER;
        }
    });
    let sum = u32::try_from(b << 16 | a).unwrap_or_default();
    out.extend(sum.to_be_bytes());
    out
}

pub fn gzip_of(pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3];
    deflate(&mut out, pieces);
    let (mut whole, mut length) = (Crc::new(), 0_u64);
    each(pieces, |bytes, times| {
        let mut unit = Crc::new();
        unit.update(bytes);
        for _ in 0..times {
            whole.combine(&unit);
        }
        length = length.wrapping_add((bytes.len() * times) as u64);
    });
    out.extend(whole.sum().to_le_bytes());
    out.extend(&length.to_le_bytes()[..4]);
    out
}

fn each(pieces: &[Piece<'_>], mut visit: impl FnMut(&[u8], usize)) {
    for piece in pieces {
        match piece {
            Piece::Bytes(bytes) => visit(bytes, 1),
            Piece::Repeated(unit, times) => visit(unit, *times),
        }
    }
}

/// Writes independent blocks, so that equal ones are compressed once.
fn deflate(out: &mut Vec<u8>, pieces: &[Piece<'_>]) {
    each(pieces, |bytes, times| {
        if bytes.is_empty() || times == 0 {
            return;
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
        let block = encoder.write_all(bytes).and_then(|()| encoder.flush());
        block.expect("memory takes it");
        (0..times).for_each(|_| out.extend_from_slice(encoder.get_ref()));
    });
    out.extend(END);
}

fn pieces(bytes: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut at, mut begun) = (0, 0);
    while at + CHUNK <= bytes.len() {
        let byte = bytes[at];
        let uniform = vec![byte; CHUNK];
        let chunks =
            bytes[at..].chunks_exact(CHUNK).take_while(|chunk| **chunk == *uniform).count();
        if chunks == 0 {
            at += CHUNK;
            continue;
        }
        pieces.push(Piece::Bytes(&bytes[begun..at]));
        at += chunks * CHUNK;
        begun = at;
        pieces.extend(run(byte, chunks * CHUNK));
    }
    pieces.push(Piece::Bytes(&bytes[begun..]));
    pieces
}

fn adler(bytes: &[u8]) -> (u64, u64) {
    // 4096 sums fit before the reduction.
    bytes.chunks(4096).fold((1, 0), |(a, b), chunk| {
        let (a, b) = chunk.iter().fold((a, b), |(a, b), &byte| {
            let a = a + u64::from(byte);
            (a, b + a)
        });
        (a % ADLER, b % ADLER)
    })
}

#[cfg(test)]
mod tests {
    use flate2::read::{GzDecoder, ZlibDecoder};

    use super::{gzip, zlib};

    fn inflated(mut decoder: impl std::io::Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        decoder.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn packed_bytes_inflate_to_the_same() {
        let mut mixed = vec![0; 3 << 20];
        mixed.splice(5..5, *b"a word");
        mixed.extend(b"the end");
        for bytes in [Vec::new(), b"short".to_vec(), vec![b'n'; 200_000], mixed] {
            assert_eq!(inflated(ZlibDecoder::new(&*zlib(&bytes))), bytes);
            assert_eq!(inflated(GzDecoder::new(&*gzip(&bytes))), bytes);
        }
    }

    #[test]
    fn a_run_takes_a_thousandth() {
        assert!(zlib(&vec![0; 8 << 20]).len() < 12 << 10);
    }
}
