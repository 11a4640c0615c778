//! Parses the JSON and the binary chunk of a .glb or .gltf file.

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::buffers::FileQuota;
use crate::error::{GltfFileError, JsonError, ellipsized};
use crate::json::{path_at_end, string_length};
use crate::raw::{Document, RawAsset, Stamp};

const MAJOR: &str = "2";
/// Units of work for each byte of JSON: about 10 ns.
const WORK: u64 = 4;
/// Bytes of any file: the first chunk of each list, and a message.
const FILE: u64 = 32 << 10;
/// Bytes of an object: a node, an accessor, or a primitive in a list that doubles.
const OBJECT: u64 = 136;
/// Bytes of a list, beside its elements.
const LIST: u64 = 32;
/// Bytes of a comma: an index in a list that doubles.
const ENTRY: u64 = 12;
/// Bytes of a string, which may be an element of a list.
const TEXT: u64 = 14;
/// Copies of the longest string in an error: its text and its path.
const STRING_COPIES: u64 = 4;
const CHUNK: &str = "the JSON of this .glb file is broken";

/// A parsed .glb or .gltf file.
#[derive(Debug)]
pub struct GltfFile<'a> {
    /// The parsed JSON.
    pub document: Document<'a>,
    /// The binary chunk of a .glb file, which is buffer 0.
    pub bin: Option<&'a [u8]>,
    json: &'a [u8],
}

impl<'a> GltfFile<'a> {
    /// Returns the raw JSON of lists that [`Document`] does not parse.
    ///
    /// # Errors
    /// [`QuotaExceeded`](lodger_quota::QuotaExceeded), and an error for JSON that is not UTF-8.
    pub fn raw_sections(
        &self,
        file_quota: &FileQuota<'_>,
    ) -> Result<RawSections<'a>, GltfFileError> {
        file_quota.charge_work((self.json.len() as u64).saturating_mul(WORK))?;
        serde_json::from_slice(self.json).map_err(|error| broken(CHUNK, JsonError::new(error)))
    }
}

/// Parses a .glb or .gltf file, and checks the version and the types of values.
///
/// # Errors
/// [`QuotaExceeded`](lodger_quota::QuotaExceeded), and errors for an invalid file.
pub fn parse<'a>(
    bytes: &'a [u8],
    file_quota: &FileQuota<'_>,
) -> Result<GltfFile<'a>, GltfFileError> {
    if !is_glb(bytes) {
        let json = text_of(bytes);
        let document = parse_json(json, file_quota, "this is not glTF")?;
        return Ok(GltfFile { document, bin: None, json });
    }
    let glb = open(bytes)?;
    let json = text_of(glb.json);
    Ok(GltfFile { document: parse_json(json, file_quota, CHUNK)?, bin: glb.bin, json })
}

/// The text without its byte order mark and padding.
fn text_of(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_end();
    // Some programs pad the chunk with zeros instead of spaces.
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

fn parse_json<'a>(
    bytes: &'a [u8],
    file_quota: &FileQuota<'_>,
    refused: &str,
) -> Result<Document<'a>, GltfFileError> {
    let pass = (bytes.len() as u64).saturating_mul(WORK);
    file_quota.charge_work(pass)?;
    file_quota.charge(memory(bytes))?;
    let error = match serde_json::from_slice::<Document<'_>>(bytes) {
        Ok(document) => return check_version(&document.asset, false).map(|()| document),
        Err(error) => JsonError::new(error),
    };
    // Other versions have other types, so the version is checked before a value.
    file_quota.charge_work(pass)?;
    let Ok(stamp) = serde_json::from_slice::<Stamp<'_>>(bytes) else {
        return Err(broken(refused, error));
    };
    check_version(&stamp.asset, stamp.has_keyed_nodes)?;
    file_quota.charge_work(pass)?;
    Err(broken("this glTF file is broken", with_path(bytes, error)))
}

/// The most bytes of the parsed JSON, its copies while it is read, and later tables of names, groups and boxes. Lists
/// grow in chunks and strings without escapes are borrowed.
fn memory(json: &[u8]) -> u64 {
    let (mut sum, mut longest) = (FILE, 0);
    let mut rest = json;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        sum += match byte {
            b'{' => OBJECT,
            b'[' => LIST,
            b',' => ENTRY,
            b'"' => {
                let (length, has_escapes) = string_length(rest);
                rest = rest.get(length + 1..).unwrap_or_default();
                longest = longest.max(length as u64);
                TEXT + if has_escapes { length as u64 } else { 0 }
            }
            _ => 0,
        };
    }
    sum.saturating_add(STRING_COPIES * longest)
}

/// Adds the path of keys and indices to an error.
fn with_path(bytes: &[u8], error: JsonError) -> JsonError {
    const MAX_PATH: usize = 80;
    let path = path_at_end(error.read_part(bytes));
    if path.is_empty() { error } else { error.at(&path.chars().take(MAX_PATH).collect::<String>()) }
}

fn broken(what: &str, error: JsonError) -> GltfFileError {
    GltfFileError::caused_by(format!("{what}: {error}"), error)
}

fn other_version(found: &str) -> GltfFileError {
    GltfFileError::new(format!("this is glTF {found}; lodger reads 2.0"))
}

/// `minVersion` takes precedence.
fn check_version(asset: &RawAsset<'_>, has_keyed_nodes: bool) -> Result<(), GltfFileError> {
    let version = asset.version.get().filter(|version| !version.trim().is_empty());
    let version = version.ok_or_else(|| {
        GltfFileError::new(if has_keyed_nodes {
            "this is not glTF 2.0: it has no `asset.version`, and its `nodes` is an object, as in glTF 1.0"
        } else {
            "this is not glTF: it has no `asset.version`"
        })
    })?;
    let needed = asset.min_version.get().unwrap_or(version);
    if needed.split('.').next() == Some(MAJOR) {
        return Ok(());
    }
    Err(other_version(&ellipsized(needed)))
}

/// Raw JSON of parts of a file. Their parser charges their memory.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct RawSections<'a> {
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
    /// The extensions of the file as a whole.
    #[serde(borrow, default)]
    pub extensions: Option<&'a RawValue>,
}

/// Magic, version, length.
const HEADER: usize = 12;
/// Length, kind.
const CHUNK_HEADER: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Glb<'a> {
    json: &'a [u8],
    bin: Option<&'a [u8]>,
}

fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Splits a .glb file. Chunks of other kinds and bytes behind its end are skipped.
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

/// The chunks of a file, up to the first incomplete one.
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
        // The last chunk may lack its padding to 4 bytes.
        let next = CHUNK_HEADER.saturating_add(content.len().next_multiple_of(4));
        rest = rest.get(next..).unwrap_or_default();
        Some(Ok((kind, content)))
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}
