//! The materials of an object, and what they name.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::model::{Model, Object};

/// The arrays of a model that are kept as they were.
const KEPT: [&str; 3] = ["textures", "samplers", "images"];

/// The materials of an object, each once, in the order of its faces.
pub(super) struct Materials<'a> {
    model: &'a Model,
    used: Vec<usize>,
}

impl<'a> Materials<'a> {
    pub(super) fn of(model: &'a Model, object: &Object) -> Self {
        let mut used = Vec::new();
        for &material in &object.materials {
            if material < model.materials.len() && !used.contains(&material) {
                used.push(material);
            }
        }
        Self { model, used }
    }

    /// Where a material of the model is among those of the file.
    pub(super) fn index(&self, material: usize) -> Option<usize> {
        self.used.iter().position(|&used| used == material)
    }

    /// The entries of a document.
    pub(super) fn entries(&self) -> Map<String, Value> {
        let mut entries = Map::new();
        let materials: Vec<_> = self.used.iter().map(|&index| self.material(index)).collect();
        let kept =
            KEPT.iter().filter_map(|&key| Some((key, self.model.textures.get(key)?.clone())));
        for (key, array) in kept.chain([("materials", Value::Array(materials))]) {
            // An array of a document has an element.
            if array.as_array().is_some_and(|array| !array.is_empty()) {
                entries.insert(key.into(), array);
            }
        }
        let extensions: Vec<_> = extensions(&entries).into_iter().collect();
        if !extensions.is_empty() {
            entries.insert("extensionsUsed".into(), extensions.into());
        }
        entries
    }

    fn material(&self, index: usize) -> Value {
        let material = &self.model.materials[index];
        let mut value = material.gltf.clone();
        value.insert("name".into(), material.name.clone().into());
        Value::Object(value)
    }
}

/// The names of all extensions that are used somewhere in there.
fn extensions(entries: &Map<String, Value>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest: Vec<&Value> = entries.values().collect();
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => {
                if let Some(Value::Object(extensions)) = map.get("extensions") {
                    found.extend(extensions.keys().cloned());
                }
                rest.extend(map.iter().filter(|(key, _)| *key != "extras").map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}
