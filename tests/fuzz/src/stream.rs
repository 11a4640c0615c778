//! Bytes of any kind, and gzip around them.

use std::io::{self, ErrorKind, Read, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use lodger_opensim::files::{Kind, Problem, Stream};

use super::limits::allowance;

/// A file of any kind: no more than its beginning decides what it is; all its bytes come back, in whatever
/// pieces they arrive, and so they do through one gzip, but not through two. It is valid if it can be
/// read.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn stream(bytes: &[u8]) -> bool {
    let kind = Kind::of(bytes);
    assert!(!kind.to_string().is_empty());
    assert_eq!(Kind::of(&bytes[..bytes.len().min(Kind::LOOKED_AT)]), kind);
    let read = whole(bytes);
    assert_eq!(whole(Drops { rest: bytes, asked: 0 }), read);
    if kind != Kind::Gzip {
        assert_eq!(read, Ok((kind, bytes.to_vec())));
    }
    match Stream::of(&gzip(bytes)[..]) {
        Err(Problem::GzipInGzip) => assert_eq!(kind, Kind::Gzip),
        Err(other) => panic!("{other}"),
        Ok(stream) => {
            assert_eq!(stream.kind(), kind);
            assert_eq!(stream.whole(&allowance()).expect("it was packed whole"), bytes);
        }
    }
    read.is_ok()
}

/// The kind and all bytes of a stream, or what is wrong with it.
fn whole(input: impl Read) -> Result<(Kind, Vec<u8>), String> {
    let stream = Stream::of(input).map_err(|problem| problem.to_string())?;
    Ok((stream.kind(), stream.whole(&allowance()).map_err(|problem| problem.to_string())?))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Bytes that come in pieces of 7, every third time after an interruption.
struct Drops<'b> {
    rest: &'b [u8],
    asked: u32,
}

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.asked += 1;
        if self.asked.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(7);
        self.rest.read(&mut buffer[..most])
    }
}
