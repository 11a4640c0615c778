//! Materials of all files, as they were written.

use std::collections::{HashMap, HashSet};

use lodger_gltf::{Data, Index, Parts, Purse};
use lodger_quota::Quota;
use serde_json::{Map, Value};

use super::failure::Failure;
use super::images::Images;
use super::names::{clipped, unique};
use crate::model::Material;
use crate::read::failure::Notes;
use crate::read::raw::list;

/// The lists that materials refer to, each by what in the others its elements are referred to.
const TEXTURES: &str = "textures";
const SAMPLERS: &str = "samplers";
const IMAGES: &str = "images";

/// Which material it is: its name, and how many of that name are before it in its file.
type Key = (String, usize);

/// The materials of all files so far. One of the same name in another file is the same material.
#[derive(Debug, Default)]
pub(super) struct Library {
    pub(super) materials: Vec<Material>,
    pub(super) textures: Map<String, Value>,
    pub(super) images: Vec<(String, Vec<u8>)>,
    known: HashMap<Key, usize>,
    names: HashSet<String>,
    files: HashSet<String>,
}

/// The materials of a file.
#[derive(Debug)]
pub(super) struct Written {
    list: Vec<Map<String, Value>>,
    keys: Vec<Key>,
    /// Whether any of them is new.
    is_used: bool,
}

impl Written {
    pub(super) fn read(parts: &Parts<'_>, purse: &Purse<'_>) -> Result<Self, Failure> {
        let list: Vec<Map<String, Value>> = list("materials", parts.materials, purse)?;
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut key = |(number, material): (usize, &Map<String, Value>)| {
            let name = material.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            let name =
                name.map_or_else(|| format!("material {number}"), |n| clipped(n).into_owned());
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            (name, *count - 1)
        };
        let keys = list.iter().enumerate().map(&mut key).collect();
        Ok(Self { list, keys, is_used: false })
    }
}

impl Library {
    /// Where a material of a file is among all, and that of a primitive that has none.
    pub(super) fn find(
        &mut self,
        written: &mut Written,
        material: Option<Index>,
    ) -> Result<usize, Failure> {
        let (key, mut gltf) = match material.map(Index::get) {
            None => ((String::new(), 0), Map::new()),
            Some(number) => {
                let missing = || Failure::new(format!("there is no material {number}"));
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

    /// Takes over what the materials of a file refer to, if any of them was new, behind what is there.
    pub(super) fn take(
        &mut self,
        written: &Written,
        parts: &Parts<'_>,
        (file, data, quota): (&str, &Data<'_>, &Quota),
        notes: &mut Notes,
    ) -> Result<(), Failure> {
        if !written.is_used {
            return Ok(());
        }
        let read = |what, raw| list::<Map<String, Value>>(what, raw, data.purse);
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
            part.part(image, number, notes);
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

    /// Adds what is there already to indices of a list: to `key` of an object, and of all objects inside of it that stand
    /// under a key that is one for it.
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

/// The base colour of a material; white if it has none.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn base_colour(gltf: &Map<String, Value>) -> [f32; 4] {
    let factor = gltf.get("pbrMetallicRoughness").and_then(|pbr| pbr.get("baseColorFactor"));
    std::array::from_fn(|channel| {
        let value = factor.and_then(|factor| factor.get(channel)).and_then(Value::as_f64);
        value.filter(|value| value.is_finite()).unwrap_or(1.0).clamp(0.0, 1.0) as f32
    })
}
