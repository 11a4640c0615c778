//! The parts of glTF's JSON that only a packer looks at.

use std::collections::BTreeMap;

use lodger_gltf::{Index, JsonError, Purse, Whole};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;

use super::failure::Failure;

/// A mesh.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Mesh {
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
}

/// A part of a mesh.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, Index>,
    pub(super) indices: Option<Index>,
    pub(super) material: Option<Index>,
    pub(super) mode: Option<Whole>,
    pub(super) targets: Option<IgnoredAny>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

/// The extensions of a primitive that are looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<IgnoredAny>,
}

/// The bytes that an object of any kind may take, a list, and what is between two commas.
const OBJECT: u64 = 800;
const LIST: u64 = 400;
const ENTRY: u64 = 120;
/// Units of work for each byte.
const WORK: u64 = 8;

/// The elements of a list of the file, paid; none if there is no list.
pub(super) fn list<T: DeserializeOwned>(
    what: &str,
    raw: Option<&RawValue>,
    purse: &Purse<'_>,
) -> Result<Vec<T>, Failure> {
    let Some(text) = raw.map(RawValue::get) else { return Ok(Vec::new()) };
    let count = |bytes: &[u8]| text.bytes().filter(|byte| bytes.contains(byte)).count() as u64;
    purse.work(WORK * text.len() as u64)?;
    purse.keep(
        OBJECT * count(b"{") + LIST * count(b"[") + ENTRY * count(b",") + 2 * text.len() as u64,
    )?;
    serde_json::from_str(text).map_err(|error| {
        // Lines count from the beginning of the list, not of the file.
        let path = JsonError::new(error).to_string();
        let said = path.rsplit_once(" (line").map_or(path.as_str(), |(said, _)| said);
        Failure::new(format!("its list of {what} is broken: {said}"))
    })
}
