//! The parts of a .glb or .gltf file: its JSON, and the binary chunk of a .glb file.

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{GltfFileError, JsonError, ellipsized};
use crate::file_quota::Purse;
use crate::raw::{Asset, Document, Stamp};

/// The only glTF that is read.
const MAJOR: &str = "2";
/// Work for each byte of JSON, in units: some 10 ns.
const WORK: u64 = 4;
/// The bytes of any file: the first block of each list, and a message.
const FILE: u64 = 32 << 10;
/// The bytes of an object: a node, an accessor, or a primitive in a list that grows to twice its length.
const OBJECT: u64 = 136;
/// The bytes of a list, beside its elements.
const LIST: u64 = 32;
/// The bytes of what a comma ends: an index in a list that grows to twice its length.
const ENTRY: u64 = 12;
/// The bytes of a text, which may be an element of a list.
const TEXT: u64 = 14;
/// A mistake is told with the text at which it is, and with the keys that lead there.
const LONGEST_TEXTS: u64 = 4;
/// How errors of the JSON in a .glb file begin.
const CHUNK: &str = "the JSON of this .glb file is broken";

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
    /// [`QuotaExceeded`](lodger_quota::QuotaExceeded), and an error for text that is not UTF-8.
    pub fn parts(&self, purse: &Purse<'_>) -> Result<Parts<'a>, GltfFileError> {
        purse.work((self.json.len() as u64).saturating_mul(WORK))?;
        serde_json::from_slice(self.json).map_err(|error| broken(CHUNK, JsonError::new(error)))
    }
}

/// Parses a .glb or .gltf file. Nothing is validated beyond its version and the types of its values.
///
/// # Errors
/// All but those of scenes and nodes.
pub fn parse<'a>(bytes: &'a [u8], purse: &Purse<'_>) -> Result<GltfFile<'a>, GltfFileError> {
    if !is_glb(bytes) {
        let json = text_of(bytes);
        let document = parse_json(json, purse, "this is not glTF")?;
        return Ok(GltfFile { document, bin: None, json });
    }
    let glb = open(bytes)?;
    let json = text_of(glb.json);
    Ok(GltfFile { document: parse_json(json, purse, CHUNK)?, bin: glb.bin, json })
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
    refused: &str,
) -> Result<Document<'a>, GltfFileError> {
    let pass = (bytes.len() as u64).saturating_mul(WORK);
    purse.work(pass)?;
    purse.keep(price(bytes))?;
    let error = match serde_json::from_slice::<Document<'_>>(bytes) {
        Ok(document) => return check_version(&document.asset, false).map(|()| document),
        Err(error) => JsonError::new(error),
    };
    // In other versions other types are right, so the version is named before a value.
    purse.work(pass)?;
    let Ok(stamp) = serde_json::from_slice::<Stamp<'_>>(bytes) else {
        return Err(broken(refused, error));
    };
    check_version(&stamp.asset, stamp.has_keyed_nodes)?;
    purse.work(pass)?;
    Err(broken("this glTF file is broken", with_path(bytes, error)))
}

/// The bytes at most of what is kept of a file's JSON, of its copies while it is read, and of tables of names,
/// groups and boxes, which are no larger than the objects that they are about. Lists grow in blocks and
/// texts are borrowed, so memory goes by objects, lists and commas, and by texts with escapes.
fn price(json: &[u8]) -> u64 {
    let (mut sum, mut longest) = (FILE, 0);
    let mut rest = json;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        sum += match byte {
            b'{' => OBJECT,
            b'[' => LIST,
            b',' => ENTRY,
            b'"' => {
                let (length, has_escapes) = text(rest);
                rest = rest.get(length + 1..).unwrap_or_default();
                longest = longest.max(length as u64);
                TEXT + if has_escapes { length as u64 } else { 0 }
            }
            _ => 0,
        };
    }
    sum.saturating_add(LONGEST_TEXTS * longest)
}

/// The length of a text whose first quotation mark was read, and whether it has escapes and so is copied.
fn text(bytes: &[u8]) -> (usize, bool) {
    let (mut end, mut has_escapes) = (0, false);
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'"' => break,
            b'\\' => {
                has_escapes = true;
                end += 2;
            }
            _ => end += 1,
        }
    }
    (end.min(bytes.len()), has_escapes)
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
        Some(path) => error.at(&path.chars().take(LONGEST).collect::<String>()),
        None => error,
    }
}

/// An error of JSON that stands in a file of this kind.
fn broken(what: &str, error: JsonError) -> GltfFileError {
    GltfFileError::caused_by(format!("{what}: {error}"), error)
}

fn other_version(found: &str) -> GltfFileError {
    GltfFileError::new(format!("this is glTF {found}; lodger reads 2.0"))
}

/// A file may ask for less than it is: then that counts.
fn check_version(asset: &Asset<'_>, has_keyed_nodes: bool) -> Result<(), GltfFileError> {
    let version = asset.version.get().filter(|version| !version.trim().is_empty());
    let version = version.ok_or_else(|| {
        GltfFileError::new(if has_keyed_nodes {
            "this is not glTF 2.0: it has no `asset.version`, and its `nodes` is an object, as in glTF 1.0"
        } else {
            "this is not glTF: it has no `asset.version`"
        })
    })?;
    let asked = asset.min_version.get().unwrap_or(version);
    if asked.split('.').next() == Some(MAJOR) {
        return Ok(());
    }
    Err(other_version(&ellipsized(asked)))
}

/// Parts of the same JSON as they are written. What becomes of them is paid by whoever parses them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Parts<'a> {
    /// The list of meshes.
    #[serde(borrow, default)]
    pub meshes: Option<&'a RawValue>,
    /// The list of materials.
    #[serde(borrow, default)]
    pub materials: Option<&'a RawValue>,
    /// The list of textures.
    #[serde(borrow, default)]
    pub textures: Option<&'a RawValue>,
    /// The list of samplers.
    #[serde(borrow, default)]
    pub samplers: Option<&'a RawValue>,
    /// The list of images.
    #[serde(borrow, default)]
    pub images: Option<&'a RawValue>,
    /// The list of animations.
    #[serde(borrow, default)]
    pub animations: Option<&'a RawValue>,
    /// The list of cameras.
    #[serde(borrow, default)]
    pub cameras: Option<&'a RawValue>,
    /// The object of extensions of the file as a whole.
    #[serde(borrow, default)]
    pub extensions: Option<&'a RawValue>,
}

/// The header of a .glb file: magic, version, length.
const HEADER: usize = 12;
/// The header of a chunk: length, kind.
const CHUNK_HEADER: usize = 8;

/// The parts of a .glb file.
#[derive(Clone, Copy, Debug)]
struct Glb<'a> {
    json: &'a [u8],
    bin: Option<&'a [u8]>,
}

/// Whether a file begins as a .glb file.
fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Takes a .glb file apart. Chunks of other kinds are skipped, and so is what stands behind its end.
fn open(bytes: &[u8]) -> Result<Glb<'_>, GltfFileError> {
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return Err(incomplete("it ends within a header"));
    };
    if version != 2 {
        return Err(other_version(&format!("{version}.0")));
    }
    if (length as usize) < HEADER {
        return Err(incomplete(format_args!("its header says {length} bytes")));
    }
    let found = bytes.len();
    let file = bytes.get(..length as usize).ok_or_else(|| {
        incomplete(format_args!("its header says {length} bytes, but it has {found}"))
    })?;
    let mut chunks = chunks(file);
    let Some((b"JSON", json)) = chunks.next().transpose()? else {
        return Err(incomplete("it does not begin with JSON"));
    };
    for chunk in chunks {
        if let (b"BIN\0", bin) = chunk? {
            return Ok(Glb { json, bin: Some(bin) });
        }
    }
    Ok(Glb { json, bin: None })
}

fn incomplete(why: impl fmt::Display) -> GltfFileError {
    GltfFileError::new(format!("this is not a whole .glb file: {why}"))
}

type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

/// The chunks of a file, up to the first that is not whole.
fn chunks(file: &[u8]) -> impl Iterator<Item = Result<Chunk<'_>, GltfFileError>> {
    let mut rest = file.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((length, (kind, content))) =
            word(rest, 0).zip(rest.get(4..).and_then(<[u8]>::split_first_chunk::<4>))
        else {
            rest = &[];
            return Some(Err(incomplete("it ends within a header")));
        };
        let Some(content) = content.get(..length as usize) else {
            rest = &[];
            return Some(Err(incomplete(format_args!("a chunk of {length} bytes ends beyond it"))));
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
