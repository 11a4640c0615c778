//! zlib-ng at its best level, as today's viewer compresses the blocks of an asset.
//!
//! Source: `zip_llsd` of the viewer (`indra/llcommon/llsdserialize.cpp`): one zlib stream for each
//! block, with `Z_BEST_COMPRESSION`, a window of 32 KiB and memory level 8.
//!
//! All `unsafe` of the crate is in this file.
#![expect(
    unsafe_code,
    reason = "two calls of a C library, which the functions of this file make safe"
)]

use libz_ng_sys::{Z_BEST_COMPRESSION, Z_OK, compress2, compressBound};
use lodger_mesh_asset::AssetErrorKind;

/// Compresses bytes to a zlib stream.
///
/// # Errors
///
/// [`AssetErrorKind::TooLong`] from 4 GiB on, or without memory for the stream.
pub fn deflate(bytes: &[u8]) -> Result<Vec<u8>, AssetErrorKind> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(AssetErrorKind::TooLong);
    }
    // SAFETY: the function takes a number and follows no pointer.
    let mut length = unsafe { compressBound(bytes.len()) };
    let mut stream = vec![0; length];
    // SAFETY: `bytes` is read for its length and `stream` written for at most `length`, which is its own; `length` is
    // read and written. None of the three overlaps another, and none is kept after the call.
    let status = unsafe {
        let (to, from) = (stream.as_mut_ptr(), bytes.as_ptr());
        compress2(to, &raw mut length, from, bytes.len(), Z_BEST_COMPRESSION)
    };
    if status != Z_OK {
        return Err(AssetErrorKind::TooLong);
    }
    stream.truncate(length);
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;
    use lodger_testkit::SplitMix64;
    use proptest::prelude::*;

    use super::*;

    fn comes_back(bytes: &[u8]) {
        let stream = deflate(bytes).unwrap();
        assert_eq!(stream[..2], [0x78, 0xda], "a window of 32 KiB, the best level");
        let mut again = Vec::new();
        let mut decoder = ZlibDecoder::new(&stream[..]);
        decoder.read_to_end(&mut again).unwrap();
        assert!(again == bytes, "{} bytes", bytes.len());
        assert_eq!(decoder.total_in(), stream.len() as u64, "nothing behind the stream");
    }

    fn noise(length: usize) -> Vec<u8> {
        SplitMix64::new(1).noise(length)
    }

    #[test]
    fn inflated_by_another_library_it_is_the_same() {
        let ends = [0, 1, 2, 3, 257, 258, 259, 1 << 14, 1 << 15, 65_535, 65_536, 1 << 20];
        for length in ends.iter().flat_map(|&end| [end, end + 1]) {
            comes_back(&vec![7; length]);
            comes_back(&noise(length));
            let steps = (0..length).map(|i| (i / 2 * (1 + i % 2)).to_le_bytes()[i % 2]);
            comes_back(&steps.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_same_bytes_give_the_same_stream() {
        let bytes = noise(100_000);
        assert_eq!(deflate(&bytes), deflate(&bytes));
        let far = [&bytes[..30_000], &bytes[..30_000]].concat();
        assert!(deflate(&far).unwrap().len() < 30_400, "the whole window is used");
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(
            parts in prop::collection::vec((prop::collection::vec(any::<u8>(), 1..300), 1_usize..40), 0..20)
        ) {
            let bytes = parts.iter().flat_map(|(part, times)| part.repeat(*times));
            comes_back(&bytes.collect::<Vec<_>>());
        }
    }
}
