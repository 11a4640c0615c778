//! Materials of all files as written, and images as files.

use std::collections::{HashMap, HashSet};

use lodger_gltf::{AccessorReader, Buffers, FileQuota, Index, RawSections, data_uri};
use lodger_quota::Quota;
use serde_json::{Map, Value};

use crate::model::Material;
use crate::read::names::{printable, unique, unique_with};
use crate::read::raw::list;
use crate::read::{Notes, ReadFailure};

const TEXTURES: &str = "textures";
const SAMPLERS: &str = "samplers";
const IMAGES: &str = "images";

/// A material's name, and the number of earlier materials in its file with the same name.
type MaterialKey = (String, usize);

/// The materials of all files. Materials of the same name in several files are one.
#[derive(Debug, Default)]
pub(super) struct Library {
    pub(super) materials: Vec<Material>,
    pub(super) textures: Map<String, Value>,
    pub(super) images: Vec<(String, Vec<u8>)>,
    known: HashMap<MaterialKey, usize>,
    names: HashSet<String>,
    files: HashSet<String>,
}

#[derive(Debug)]
pub(super) struct FileMaterials {
    list: Vec<Map<String, Value>>,
    keys: Vec<MaterialKey>,
    is_used: bool,
}

impl FileMaterials {
    pub(super) fn read(
        parts: &RawSections<'_>,
        file_quota: &FileQuota<'_>,
    ) -> Result<Self, ReadFailure> {
        let list: Vec<Map<String, Value>> = list("materials", parts.materials, file_quota)?;
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut key = |(number, material): (usize, &Map<String, Value>)| {
            let name = material.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            let name =
                name.map_or_else(|| format!("material {number}"), |n| printable(n).into_owned());
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            (name, *count - 1)
        };
        let keys = list.iter().enumerate().map(&mut key).collect();
        Ok(Self { list, keys, is_used: false })
    }
}

impl Library {
    pub(super) fn find(
        &mut self,
        written: &mut FileMaterials,
        material: Option<Index>,
    ) -> Result<usize, ReadFailure> {
        let (key, mut gltf) = match material.map(Index::get) {
            None => ((String::new(), 0), Map::new()),
            Some(number) => {
                let missing = || ReadFailure::new(format!("there is no material {number}"));
                let key = written.keys.get(number).cloned().ok_or_else(missing)?;
                (key, written.list[number].clone())
            }
        };
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        written.is_used |= material.is_some();
        let name = if key.0.is_empty() { "default" } else { &key.0 };
        let name = unique(name, &mut self.names);
        gltf.insert("name".to_owned(), Value::String(name.clone()));
        let colour = base_colour(&gltf);
        self.shift(&mut gltf, "index", TEXTURES, |key| key.to_lowercase().ends_with("texture"));
        self.materials.push(Material { name, gltf, colour });
        self.known.insert(key, self.materials.len() - 1);
        Ok(self.materials.len() - 1)
    }

    /// Appends everything that the materials of a file refer to, if any of them is used.
    pub(super) fn take(
        &mut self,
        written: &FileMaterials,
        parts: &RawSections<'_>,
        (file, data, quota): (&str, &AccessorReader<'_>, &Quota),
        notes: &mut Notes,
    ) -> Result<(), ReadFailure> {
        if !written.is_used {
            return Ok(());
        }
        let read = |what, raw| list::<Map<String, Value>>(what, raw, data.file_quota);
        let mut textures = read(TEXTURES, parts.textures)?;
        let samplers = read(SAMPLERS, parts.samplers)?;
        let mut images = read(IMAGES, parts.images)?;
        for texture in &mut textures {
            self.shift(texture, "sampler", SAMPLERS, |_| false);
            self.shift(texture, "source", IMAGES, |_| true);
        }
        let (taken, found) = (&mut self.files, &mut self.images);
        let mut part = Images { file, data, quota, taken, found };
        for (number, image) in images.iter_mut().enumerate() {
            part.move_to_file(image, number, notes);
        }
        for (what, new) in [(TEXTURES, textures), (SAMPLERS, samplers), (IMAGES, images)] {
            let all = self.textures.entry(what).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(all) = all {
                all.extend(new.into_iter().map(Value::Object));
            }
        }
        self.textures.retain(|_, all| all.as_array().is_some_and(|all| !all.is_empty()));
        Ok(())
    }

    /// Adds the length of the list before this file to indices into it: to `key` of an object, and
    /// of nested objects under keys that `inside` accepts.
    fn shift(
        &self,
        object: &mut Map<String, Value>,
        key: &str,
        list: &str,
        inside: fn(&str) -> bool,
    ) {
        let before = self.textures.get(list).and_then(Value::as_array).map_or(0, Vec::len);
        let is_index = |name: &str, value: &Value| name == key && value.is_u64();
        let mut open: Vec<(bool, &mut Map<String, Value>)> = vec![(key != "index", object)];
        while let Some((counts, object)) = open.pop() {
            for (name, value) in object.iter_mut() {
                if counts && is_index(name, value) {
                    let index = value.as_u64().unwrap_or_default();
                    *value = Value::from(index.saturating_add(before as u64));
                } else if let Value::Object(deeper) = value {
                    open.push((inside(name), deeper));
                }
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn base_colour(gltf: &Map<String, Value>) -> [f32; 4] {
    let factor = gltf.get("pbrMetallicRoughness").and_then(|pbr| pbr.get("baseColorFactor"));
    std::array::from_fn(|channel| {
        let value = factor.and_then(|factor| factor.get(channel)).and_then(Value::as_f64);
        value.filter(|value| value.is_finite()).unwrap_or(1.0).clamp(0.0, 1.0) as f32
    })
}

const MAX_IMAGE_BYTES: u64 = 64 << 20;
const MAX_NAME: usize = 80;
const ENDINGS: [&str; 6] = ["png", "jpg", "jpeg", "webp", "ktx2", "dds"];

/// Sources and destination of images.
pub(super) struct Images<'a, 'd> {
    pub(super) file: &'a str,
    pub(super) data: &'a AccessorReader<'d>,
    pub(super) quota: &'a Quota,
    pub(super) taken: &'a mut HashSet<String>,
    pub(super) found: &'a mut Vec<(String, Vec<u8>)>,
}

impl Images<'_, '_> {
    /// Makes an image a file of its own and changes its URI. An unreadable image keeps its new
    /// name, with a note.
    pub(super) fn move_to_file(
        &mut self,
        image: &mut Map<String, Value>,
        number: usize,
        notes: &mut Notes,
    ) {
        let bytes = self.bytes(image);
        let kind = image.get("mimeType").and_then(Value::as_str);
        let kind = bytes.as_deref().ok().and_then(ending).or_else(|| kind.and_then(ending_of_kind));
        let name = unique_file_name(&wanted(image, number), kind, self.taken);
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
        match data_uri(uri, self.data.file_quota) {
            Some(decoded) => decoded.map_err(|error| error.to_string()),
            None => self.read_external(self.data.buffers(), uri),
        }
    }

    fn read_external(&self, buffers: &Buffers<'_>, uri: &str) -> Result<Vec<u8>, String> {
        let reserved = self.quota.reserve(MAX_IMAGE_BYTES).map_err(|spent| spent.to_string())?;
        let read =
            buffers.read_external(uri, MAX_IMAGE_BYTES).map_err(|error| error.to_string())?;
        let length = read.len() as u64;
        drop(reserved);
        if length >= MAX_IMAGE_BYTES {
            return Err(format!("has more than {} MiB", MAX_IMAGE_BYTES >> 20));
        }
        self.quota.charge_memory(length).map_err(|spent| spent.to_string())?;
        Ok(read)
    }
}

/// The preferred name of an image: of its file, else its own, else its number.
fn wanted(image: &Map<String, Value>, number: usize) -> String {
    let text = |key| image.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let uri =
        text("uri").filter(|uri| !uri.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("data:")));
    let named = uri.or_else(|| text("name"));
    named.map_or_else(|| format!("image{number}"), |name| printable(name).into_owned())
}

/// A file name that is not in use, without folders and special characters.
fn unique_file_name(
    wanted: &str,
    kind: Option<&'static str>,
    taken: &mut HashSet<String>,
) -> String {
    let last = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let plain: String = last.chars().take(MAX_NAME).map(plain).collect();
    let plain = plain.trim_matches('.');
    let (stem, found) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let stem = if stem.is_empty() { "image" } else { stem };
    // An unknown extension, as of `v1.2`, stays in the name.
    let is_image = ENDINGS.iter().any(|ending| found.eq_ignore_ascii_case(ending));
    let (stem, end) = match kind {
        Some(kind) if found.is_empty() => (stem.to_owned(), kind),
        Some(kind) if !is_image => (format!("{stem}.{found}"), kind),
        _ => (stem.to_owned(), found),
    };
    let ended = |stem: &str| if end.is_empty() { stem.to_owned() } else { format!("{stem}.{end}") };
    unique_with(&stem, ended, taken)
}

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

    use super::*;

    #[test]
    fn names_of_files_are_safe_and_unique() {
        let mut taken = HashSet::new();
        let mut name = |wanted: &str, kind| unique_file_name(wanted, kind, &mut taken);
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
