//! Images as files of their own.

use std::collections::HashSet;

use lodger_gltf::{Buffers, Data, Index, data_uri};
use lodger_quota::Quota;
use serde_json::{Map, Value};

use super::names::clipped;
use crate::read::failure::Notes;

/// The most bytes of an image in another file.
const LARGEST: u64 = 64 << 20;
/// The most characters of the name of a file, without its ending.
const LONGEST: usize = 80;
/// The endings of files of images.
const ENDINGS: [&str; 6] = ["png", "jpg", "jpeg", "webp", "ktx2", "dds"];

/// Where images come from, and where they go.
pub(super) struct Images<'a, 'd> {
    /// The file that names them, for notes.
    pub(super) file: &'a str,
    pub(super) data: &'a Data<'d>,
    pub(super) quota: &'a Quota,
    /// The names of files that are given away.
    pub(super) taken: &'a mut HashSet<String>,
    pub(super) found: &'a mut Vec<(String, Vec<u8>)>,
}

impl Images<'_, '_> {
    /// Gives an image a file of its own, by which it is named from then on. What cannot be read is named, and a note.
    pub(super) fn part(
        &mut self,
        image: &mut Map<String, Value>,
        number: usize,
        notes: &mut Notes,
    ) {
        let bytes = self.bytes(image);
        let kind = image.get("mimeType").and_then(Value::as_str);
        let kind = bytes.as_deref().ok().and_then(ending).or_else(|| kind.and_then(ending_of_kind));
        let name = unique_file(&wanted(image, number), kind, self.taken);
        image.remove("bufferView");
        image.insert("uri".to_owned(), Value::String(name.clone()));
        match bytes {
            Ok(bytes) => self.found.push((name, bytes)),
            Err(why) => {
                let text = format!("image {number} of {} {why}", self.file);
                notes.once("image-missing", &name, text);
            }
        }
    }

    /// The bytes of an image, or why there are none.
    fn bytes(&self, image: &Map<String, Value>) -> Result<Vec<u8>, String> {
        if let Some(view) = image.get("bufferView").and_then(Value::as_u64) {
            let found = self
                .data
                .view(Index::from(view))
                .ok_or("is in a buffer view that cannot be read")?;
            self.quota.charge_memory(found.len() as u64).map_err(|spent| spent.to_string())?;
            return Ok(found.to_vec());
        }
        let Some(uri) = image.get("uri").and_then(Value::as_str) else {
            return Err("has neither bytes nor a file".to_owned());
        };
        match data_uri(uri, self.data.purse) {
            Some(decoded) => decoded.map_err(|error| error.to_string()),
            None => self.outside(self.data.buffers(), uri),
        }
    }

    fn outside(&self, buffers: &Buffers<'_>, uri: &str) -> Result<Vec<u8>, String> {
        let reserved = self.quota.reserve(LARGEST).map_err(|spent| spent.to_string())?;
        let read = buffers.ask(uri, LARGEST).map_err(|error| error.to_string())?;
        let length = read.len() as u64;
        drop(reserved);
        if length >= LARGEST {
            return Err(format!("has more than {} MiB", LARGEST >> 20));
        }
        self.quota.charge_memory(length).map_err(|spent| spent.to_string())?;
        Ok(read)
    }
}

/// The name that an image would like to have: that of its file, else its own, else its number.
fn wanted(image: &Map<String, Value>, number: usize) -> String {
    let text = |key| image.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let uri =
        text("uri").filter(|uri| !uri.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("data:")));
    let named = uri.or_else(|| text("name"));
    named.map_or_else(|| format!("image{number}"), |name| clipped(name).into_owned())
}

/// A name of a file that nothing else has: no folder, and no character that a URI or a file system could mistake.
fn unique_file(wanted: &str, kind: Option<&'static str>, taken: &mut HashSet<String>) -> String {
    let last = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let plain: String = last.chars().take(LONGEST).map(plain).collect();
    let plain = plain.trim_matches('.');
    let (stem, found) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let stem = if stem.is_empty() { "image" } else { stem };
    // An ending that is none, as that of `v1.2`, stays in the name.
    let is_image = ENDINGS.iter().any(|ending| found.eq_ignore_ascii_case(ending));
    let (stem, end) = match kind {
        Some(kind) if found.is_empty() => (stem.to_owned(), kind),
        Some(kind) if !is_image => (format!("{stem}.{found}"), kind),
        _ => (stem.to_owned(), found),
    };
    let ended = |stem: &str| if end.is_empty() { stem.to_owned() } else { format!("{stem}.{end}") };
    let mut made = ended(&stem);
    let mut number = 2_u32;
    while !taken.insert(made.to_lowercase()) {
        made = ended(&format!("{stem}-{number}"));
        number += 1;
    }
    made
}

/// The ending of an image's file, by its first bytes.
fn ending(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        [0xab, b'K', b'T', b'X', ..] => Some("ktx2"),
        [b'D', b'D', b'S', b' ', ..] => Some("dds"),
        _ => None,
    }
}

fn ending_of_kind(kind: &str) -> Option<&'static str> {
    match kind {
        "image/png" => Some("png"),
        "image/jpeg" => Some("jpg"),
        "image/webp" => Some("webp"),
        "image/ktx2" => Some("ktx2"),
        "image/vnd-ms.dds" => Some("dds"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::unique_file;

    #[test]
    fn names_of_files_are_safe_and_unique() {
        let mut taken = HashSet::new();
        let mut name = |wanted: &str, kind| unique_file(wanted, kind, &mut taken);
        assert_eq!(name("../../etc/bark.png", Some("jpg")), "bark.png");
        assert_eq!(name("C:\\pictures\\Bark.png", None), "Bark-2.png");
        assert_eq!(name("leaf%20one é.JPG", None), "leaf_20one__.JPG");
        assert_eq!(name("..", Some("png")), "image.png");
        assert_eq!(name("", None), "image");
        assert_eq!(name("/", None), "image-2");
        assert_eq!(name("v1.2", Some("png")), "v1.2.png");
        assert_eq!(name(".hidden", Some("png")), "hidden.png");
        assert_eq!(name(&"n".repeat(300), Some("png")).len(), 84);
    }
}
