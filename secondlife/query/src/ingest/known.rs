//! What a dataset has already.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use arrow::array::{Array as _, RecordBatch};
use uuid::Uuid;

use super::hash::Hash;
use super::lacking::{Found, cell, key, texts};
use crate::dataset::{AssetRow, Manifest, ManifestError, Table, each_rows};

/// What a dataset has already, by 16 bytes for each identifier, for each hash and for each object in a region.
#[derive(Debug, Default)]
pub(super) struct Known {
    ids: HashSet<u128>,
    /// Of assets whose bytes were there, and of those without identifiers.
    hashes: HashSet<u128>,
    /// Assets whose bytes could not be had, and that this run has not met.
    lacking: HashSet<u128>,
    /// Those of them that this run has met, and whose bytes are there by now.
    found: HashSet<u128>,
    /// Rows with neither, and how many of each there are.
    faults: HashMap<u128, u32>,
    /// Those that this run told so far.
    told: HashMap<u128, u32>,
    /// What has rows of assets or objects.
    sources: HashSet<String>,
    /// Objects that stand in regions.
    standing: HashSet<u128>,
}

impl Known {
    /// Reads what the files of a dataset say.
    pub(super) fn load(dataset: &Path, manifest: &Manifest) -> Result<Self, ManifestError> {
        let mut known = Self::default();
        for path in manifest.paths(Table::Assets) {
            let path = dataset.join(path);
            let columns = ["source", "id", "hash", "bytes", "error"];
            each_rows(&path, &columns, |rows| known.assets(rows).ok_or_else(|| strange(&path)))?;
        }
        for path in manifest.paths(Table::Parts) {
            let path = dataset.join(path);
            let columns = ["source", "object", "region"];
            each_rows(&path, &columns, |rows| known.parts(rows).ok_or_else(|| strange(&path)))?;
        }
        Ok(known)
    }

    /// Takes an asset, by its identifier. Whether it was not there before.
    pub(super) fn take(&mut self, id: Uuid) -> bool {
        self.ids.insert(id.as_u128())
    }

    /// Whether there is an asset that has this hash: one whose bytes were there, or one without identifier.
    pub(super) fn has_hash(&self, hash: &Hash) -> bool {
        self.hashes.contains(&hash.short())
    }

    /// Whether the bytes of an asset could not be had before. True once: one that is there twice is tried once.
    pub(super) fn lacks(&mut self, id: Option<Uuid>, hash: Option<&Hash>) -> bool {
        key(id, hash).is_some_and(|key| self.lacking.remove(&key))
    }

    /// Notes an asset that was lacking, if its bytes are there by now. Whether they are.
    pub(super) fn has_found(&mut self, row: &AssetRow) -> bool {
        let hash = row.hash.as_deref().and_then(Hash::parse);
        row.bytes.is_some() && key(row.id, hash.as_ref()).is_some_and(|key| self.found.insert(key))
    }

    /// Forgets those whose bytes are there by now, and lets all be read once more.
    pub(super) fn forget_found(&mut self) -> Found {
        let found = std::mem::take(&mut self.found);
        for key in &found {
            self.ids.remove(key);
            self.hashes.remove(key);
        }
        for (fault, told) in self.told.drain() {
            let before = self.faults.entry(fault).or_default();
            *before = told.max(*before);
        }
        Found(found)
    }

    /// Notes the hash of an asset whose bytes were there.
    pub(super) fn take_bytes(&mut self, row: &AssetRow) {
        let hash = row.hash.as_deref().filter(|_| row.bytes.is_some()).and_then(Hash::parse);
        self.hashes.extend(hash.map(|hash| hash.short()));
    }

    /// Whether all of a file was read.
    pub(super) fn has_file(&self, source: &str) -> bool {
        self.sources.contains(source)
    }

    /// Notes that all of a file was read.
    pub(super) fn take_file(&mut self, source: &str) {
        note(&mut self.sources, source);
    }

    /// Whether there is an object of this identifier that stands in a region.
    pub(super) fn has_standing(&self, id: Uuid) -> bool {
        self.standing.contains(&id.as_u128())
    }

    /// Takes an object that stands in a region. Whether it was not there before; nobody knows of one without identifier.
    pub(super) fn take_standing(&mut self, id: Uuid) -> bool {
        id.is_nil() || self.standing.insert(id.as_u128())
    }

    /// Takes the row of an asset that has no identifier. Whether it was not there before.
    pub(super) fn take_nameless(&mut self, source: &str, row: &AssetRow) -> bool {
        if let Some(hash) = row.hash.as_deref().and_then(Hash::parse) {
            return self.hashes.insert(hash.short());
        }
        let fault = fault(source, row.error.as_deref().unwrap_or_default());
        let told = self.told.entry(fault).or_default();
        *told += 1;
        *told > self.faults.get(&fault).copied().unwrap_or_default()
    }

    fn assets(&mut self, rows: &RecordBatch) -> Option<()> {
        let [source, ids, hashes, errors] = texts(rows, ["source", "id", "hash", "error"])?;
        let bytes = rows.column_by_name("bytes")?;
        for row in 0..rows.num_rows() {
            let id = cell(ids, row).map(Uuid::try_parse).transpose().ok()?;
            let hash = match cell(hashes, row) {
                Some(hash) => Some(Hash::parse(hash)?),
                None => None,
            };
            let error = cell(errors, row);
            let Some(key) = key(id, hash.as_ref()) else {
                let fault = fault(source.value(row), error.unwrap_or_default());
                *self.faults.entry(fault).or_default() += 1;
                continue;
            };
            self.ids.extend(id.map(|id| id.as_u128()));
            if error.is_some() && bytes.is_null(row) {
                self.lacking.insert(key);
            }
            if id.is_none() || bytes.is_valid(row) {
                self.hashes.extend(hash.map(|hash| hash.short()));
            }
            note(&mut self.sources, source.value(row));
        }
        Some(())
    }

    fn parts(&mut self, rows: &RecordBatch) -> Option<()> {
        let [source, object, region] = texts(rows, ["source", "object", "region"])?;
        for row in 0..rows.num_rows() {
            note(&mut self.sources, source.value(row));
            let id = object.value(row).split('#').next().and_then(|id| Uuid::try_parse(id).ok());
            if let Some(id) = id.filter(|_| region.is_valid(row)) {
                self.standing.insert(id.as_u128());
            }
        }
        Some(())
    }
}

fn note(names: &mut HashSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

/// What a row without identifier and hash is known by.
fn fault(source: &str, error: &str) -> u128 {
    Hash::of(format!("{source}\0{error}").as_bytes()).short()
}

fn strange(path: &Path) -> ManifestError {
    ManifestError::new(path, "its columns are not those of a dataset".to_owned())
}
