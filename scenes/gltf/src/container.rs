//! The container of a .glb file: a header and chunks.

use crate::error::Error;

/// The header of a .glb file: magic, version, length.
const HEADER: usize = 12;
/// The header of a chunk: length, kind.
const CHUNK_HEADER: usize = 8;

/// The parts of a .glb file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glb<'a> {
    pub(crate) json: &'a [u8],
    pub(crate) bin: Option<&'a [u8]>,
}

/// Whether a file begins as a .glb file.
pub(crate) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Takes a .glb file apart. Chunks of other kinds are skipped, and so is what stands behind its end.
pub(crate) fn open(bytes: &[u8]) -> Result<Glb<'_>, Error> {
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(Error::Cut);
    };
    if version != 2 {
        return Err(Error::Version { found: format!("{version}.0") });
    }
    if (length as usize) < HEADER {
        return Err(Error::Length { bytes: length });
    }
    let found = bytes.len();
    let file = bytes.get(..length as usize).ok_or(Error::Truncated { bytes: length, found })?;
    let mut chunks = chunks(file);
    let Some((b"JSON", json)) = chunks.next().transpose()? else {
        return Err(Error::NoJson);
    };
    for chunk in chunks {
        if let (b"BIN\0", bin) = chunk? {
            return Ok(Glb { json, bin: Some(bin) });
        }
    }
    Ok(Glb { json, bin: None })
}

type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

/// The chunks of a file, up to the first that is not whole.
fn chunks(file: &[u8]) -> impl Iterator<Item = Result<Chunk<'_>, Error>> {
    let mut rest = file.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((length, (kind, content))) =
            word(rest, 0).zip(rest.get(4..).and_then(<[u8]>::split_first_chunk::<4>))
        else {
            rest = &[];
            return Some(Err(Error::Cut));
        };
        let Some(content) = content.get(..length as usize) else {
            rest = &[];
            return Some(Err(Error::Chunk { bytes: length }));
        };
        // What is padded to 4 bytes may be the last without its padding.
        let next = CHUNK_HEADER.saturating_add(content.len().next_multiple_of(4));
        rest = rest.get(next..).unwrap_or_default();
        Some(Ok((kind, content)))
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}
