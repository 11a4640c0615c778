//! The container: a header, a chunk of JSON and one of bytes.

use lodger_mesh_asset::Problem;
use serde_json::{Map, Value};

/// Source: glTF 2.0, 4.4, binary glTF layout.
const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON: [u8; 4] = *b"JSON";
const BINARY: [u8; 4] = *b"BIN\0";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// The bytes of a file. Those of the binary part are a multiple of four.
///
/// # Errors
/// [`Problem::TooLong`] from 2 GiB on, as for an asset; the format itself would end at 4.
pub(super) fn glb(document: Map<String, Value>, binary: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut json = Value::Object(document).to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = HEADER + CHUNK_HEADER + json.len() + CHUNK_HEADER + binary.len();
    let signed = i32::try_from(length).map_err(|_| Problem::TooLong)?;
    let mut file = Vec::with_capacity(length);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(signed.to_le_bytes());
    for (kind, bytes) in [(JSON, &json[..]), (BINARY, binary)] {
        let size = u32::try_from(bytes.len()).map_err(|_| Problem::TooLong)?;
        file.extend(size.to_le_bytes());
        file.extend(kind);
        file.extend_from_slice(bytes);
    }
    Ok(file)
}
