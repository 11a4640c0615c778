//! From bytes to the JSON of a glTF file.

use crate::clip::clipped;
use crate::container::{is_glb, open};
use crate::error::{Error, JsonError};
use crate::json_price::{WORK, price};
use crate::parts::Parts;
use crate::purse::Purse;
use crate::raw::{Asset, Document, Stamp};

/// The only glTF that is read.
const MAJOR: &str = "2";

/// A .glb or .gltf file: its JSON, and the bytes that a .glb file has beside it.
#[derive(Debug)]
pub struct GltfFile<'a> {
    /// What is looked at.
    pub document: Document<'a>,
    /// The bytes that are buffer 0, if it is a .glb file that has them.
    pub bin: Option<&'a [u8]>,
    json: &'a [u8],
}

impl<'a> GltfFile<'a> {
    /// What a packer looks at beside the document.
    ///
    /// # Errors
    /// [`Error::Spent`], and [`Error::Json`] for text that is not UTF-8.
    pub fn parts(&self, purse: &Purse<'_>) -> Result<Parts<'a>, Error> {
        purse.work((self.json.len() as u64).saturating_mul(WORK))?;
        Parts::find(self.json).map_err(Error::Json)
    }
}

/// Parses a .glb or .gltf file. Nothing is validated beyond its version and the types of its values.
///
/// # Errors
/// All but those of scenes and nodes.
pub fn parse<'a>(bytes: &'a [u8], purse: &Purse<'_>) -> Result<GltfFile<'a>, Error> {
    if !is_glb(bytes) {
        let json = text_of(bytes);
        let document = parse_json(json, purse, Error::NotGltf)?;
        return Ok(GltfFile { document, bin: None, json });
    }
    let glb = open(bytes)?;
    let json = text_of(glb.json);
    Ok(GltfFile { document: parse_json(json, purse, Error::Json)?, bin: glb.bin, json })
}

/// The text without a byte order mark, and without what a chunk is filled up with.
fn text_of(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_end();
    // Some programs fill up the chunk with zeros, where spaces should be.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

fn parse_json<'a>(
    bytes: &'a [u8],
    purse: &Purse<'_>,
    broken: fn(JsonError) -> Error,
) -> Result<Document<'a>, Error> {
    let pass = (bytes.len() as u64).saturating_mul(WORK);
    purse.work(pass)?;
    purse.keep(price(bytes))?;
    let error = match serde_json::from_slice::<Document<'_>>(bytes) {
        Ok(document) => return check_version(&document.asset, false).map(|()| document),
        Err(error) => JsonError::new(error),
    };
    // In other versions other types are right, so the version is named before a value.
    purse.work(pass)?;
    let Ok(stamp) = serde_json::from_slice::<Stamp<'_>>(bytes) else { return Err(broken(error)) };
    check_version(&stamp.asset, stamp.has_keyed_nodes)?;
    purse.work(pass)?;
    Err(Error::Broken(with_path(bytes, error)))
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
fn check_version(asset: &Asset<'_>, has_keyed_nodes: bool) -> Result<(), Error> {
    let version = asset.version.get().filter(|version| !version.trim().is_empty());
    let version = version.ok_or(Error::NoVersion { has_keyed_nodes })?;
    let asked = asset.min_version.get().unwrap_or(version);
    if asked.split('.').next() == Some(MAJOR) {
        return Ok(());
    }
    Err(Error::Version { found: clipped(asked).into_owned() })
}
