//! From bytes to the JSON of a glTF file.

use super::container::{is_glb, open};
use super::json_price::{WORK, price};
use super::purse::Purse;
use super::raw::{Asset, Document, Stamp};
use crate::clip::clipped;
use crate::gltf_error::{GltfError, JsonError};

/// The only glTF that is read.
const MAJOR: &str = "2";

/// A .glb or .gltf file: its JSON, and the bytes that a .glb file has beside it.
#[derive(Debug)]
pub(super) struct GltfFile<'a> {
    pub(super) document: Document<'a>,
    pub(super) bin: Option<&'a [u8]>,
}

/// Parses a .glb or .gltf file. Nothing is validated beyond its version and the types of its values.
pub(super) fn parse<'a>(bytes: &'a [u8], purse: &Purse<'_>) -> Result<GltfFile<'a>, GltfError> {
    if !is_glb(bytes) {
        let document = parse_json(bytes, purse, GltfError::NotGltf)?;
        return Ok(GltfFile { document, bin: None });
    }
    let glb = open(bytes)?;
    Ok(GltfFile { document: parse_json(glb.json, purse, GltfError::Json)?, bin: glb.bin })
}

fn parse_json<'a>(
    bytes: &'a [u8],
    purse: &Purse<'_>,
    broken: fn(JsonError) -> GltfError,
) -> Result<Document<'a>, GltfError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_end();
    // Some programs fill up the chunk with zeros, where spaces should be.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    purse.work((bytes.len() as u64).saturating_mul(WORK))?;
    purse.keep(price(bytes))?;
    match serde_json::from_slice::<Document<'_>>(bytes) {
        Ok(document) => check_version(&document.asset).map(|()| document),
        Err(error) => {
            // In other versions other shapes are right.
            let stamp = serde_json::from_slice::<Stamp<'_>>(bytes).ok();
            match stamp.map(|stamp| check_version(&stamp.asset)) {
                Some(Err(version @ GltfError::Version { .. })) => Err(version),
                Some(Ok(())) => Err(GltfError::Broken(with_path(bytes, JsonError::new(error)))),
                _ => Err(broken(JsonError::new(error))),
            }
        }
    }
}

/// A mistake with the keys and indices that lead to it. They are sought only now, as keeping them takes
/// time.
fn with_path(bytes: &[u8], error: JsonError) -> JsonError {
    /// More of a stranger's keys says no more.
    const LONGEST: usize = 80;
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let found = serde_path_to_error::deserialize::<_, Document<'_>>(&mut deserializer).err();
    let path = found.map(|found| found.path().to_string()).filter(|path| path != ".");
    match path {
        Some(path) => error.at(path.chars().take(LONGEST).collect()),
        None => error,
    }
}

/// A file may ask for less than it is: then that counts.
fn check_version(asset: &Asset<'_>) -> Result<(), GltfError> {
    let version = asset.version.get().ok_or(GltfError::NoVersion)?;
    let asked = asset.min_version.get().unwrap_or(version);
    if asked.split('.').next() == Some(MAJOR) {
        return Ok(());
    }
    Err(GltfError::Version { found: clipped(asked).into_owned() })
}
