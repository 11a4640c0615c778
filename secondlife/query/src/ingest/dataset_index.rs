//! An index of the assets, objects and sources that a dataset contains.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use arrow::array::{Array as _, AsArray as _, BooleanArray, RecordBatch, StringArray};
use uuid::Uuid;

use super::tree::Hash;
use crate::dataset::{
    AssetRow, DatasetError, DatasetManifest, DatasetTable, RowFilter, for_each_batch,
};

/// An index with 16 bytes for each identifier, each hash and each object in a region.
#[derive(Debug, Default)]
pub(super) struct DatasetIndex {
    ids: HashSet<u128>,
    /// Hashes of assets with bytes, and of assets without identifiers.
    hashes: HashSet<u128>,
    /// Assets with missing bytes that this run has not tried again.
    missing: HashSet<u128>,
    /// Assets with formerly missing bytes, which this run has found.
    recovered: HashSet<u128>,
    errors: HashMap<u128, u32>,
    new_errors: HashMap<u128, u32>,
    sources: HashSet<String>,
    rezzed: HashSet<u128>,
}

impl DatasetIndex {
    pub(super) fn load(dataset: &Path, manifest: &DatasetManifest) -> Result<Self, DatasetError> {
        let mut index = Self::default();
        for path in manifest.paths(DatasetTable::Assets) {
            let path = dataset.join(path);
            let columns = ["source", "id", "hash", "bytes", "error"];
            for_each_batch(&path, &columns, |rows| {
                index.add_assets(rows).ok_or_else(|| wrong_columns(&path))
            })?;
        }
        for path in manifest.paths(DatasetTable::Parts) {
            let path = dataset.join(path);
            let columns = ["source", "object", "region"];
            for_each_batch(&path, &columns, |rows| {
                index.add_parts(rows).ok_or_else(|| wrong_columns(&path))
            })?;
        }
        Ok(index)
    }

    pub(super) fn insert(&mut self, id: Uuid) -> bool {
        self.ids.insert(id.as_u128())
    }

    /// Whether an asset with bytes or without identifier has this hash.
    pub(super) fn has_hash(&self, hash: &Hash) -> bool {
        self.hashes.contains(&hash.short())
    }

    /// Whether the bytes of an asset were missing. Returns true once, so that it is tried again
    /// once.
    pub(super) fn remove_missing(&mut self, id: Option<Uuid>, hash: Option<&Hash>) -> bool {
        key(id, hash).is_some_and(|key| self.missing.remove(&key))
    }

    /// Records an asset whose missing bytes were found. Returns whether it is one.
    pub(super) fn insert_recovered(&mut self, row: &AssetRow) -> bool {
        let hash = row.hash.as_deref().and_then(Hash::parse);
        row.bytes.is_some()
            && key(row.id, hash.as_ref()).is_some_and(|key| self.recovered.insert(key))
    }

    /// Removes and returns the recovered assets, so that they are read once more.
    pub(super) fn take_recovered(&mut self) -> RecoveredAssets {
        let recovered = std::mem::take(&mut self.recovered);
        for key in &recovered {
            self.ids.remove(key);
            self.hashes.remove(key);
        }
        for (error, count) in self.new_errors.drain() {
            let before = self.errors.entry(error).or_default();
            *before = count.max(*before);
        }
        RecoveredAssets(recovered)
    }

    pub(super) fn insert_hash(&mut self, row: &AssetRow) {
        let hash = row.hash.as_deref().filter(|_| row.bytes.is_some()).and_then(Hash::parse);
        self.hashes.extend(hash.map(|hash| hash.short()));
    }

    pub(super) fn has_file(&self, source: &str) -> bool {
        self.sources.contains(source)
    }

    pub(super) fn insert_file(&mut self, source: &str) {
        insert_name(&mut self.sources, source);
    }

    pub(super) fn has_rezzed(&self, id: Uuid) -> bool {
        self.rezzed.contains(&id.as_u128())
    }

    /// Inserts an object in a region. Returns whether it is new or has no identifier.
    pub(super) fn insert_rezzed(&mut self, id: Uuid) -> bool {
        id.is_nil() || self.rezzed.insert(id.as_u128())
    }

    pub(super) fn insert_unnamed(&mut self, source: &str, row: &AssetRow) -> bool {
        if let Some(hash) = row.hash.as_deref().and_then(Hash::parse) {
            return self.hashes.insert(hash.short());
        }
        let error = error_key(source, row.error.as_deref().unwrap_or_default());
        let count = self.new_errors.entry(error).or_default();
        *count += 1;
        *count > self.errors.get(&error).copied().unwrap_or_default()
    }

    fn add_assets(&mut self, rows: &RecordBatch) -> Option<()> {
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
                let error = error_key(source.value(row), error.unwrap_or_default());
                *self.errors.entry(error).or_default() += 1;
                continue;
            };
            self.ids.extend(id.map(|id| id.as_u128()));
            if error.is_some() && bytes.is_null(row) {
                self.missing.insert(key);
            }
            if id.is_none() || bytes.is_valid(row) {
                self.hashes.extend(hash.map(|hash| hash.short()));
            }
            insert_name(&mut self.sources, source.value(row));
        }
        Some(())
    }

    fn add_parts(&mut self, rows: &RecordBatch) -> Option<()> {
        let [source, object, region] = texts(rows, ["source", "object", "region"])?;
        for row in 0..rows.num_rows() {
            insert_name(&mut self.sources, source.value(row));
            let id = object.value(row).split('#').next().and_then(|id| Uuid::try_parse(id).ok());
            if let Some(id) = id.filter(|_| region.is_valid(row)) {
                self.rezzed.insert(id.as_u128());
            }
        }
        Some(())
    }
}

fn insert_name(names: &mut HashSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_owned());
    }
}

fn error_key(source: &str, error: &str) -> u128 {
    Hash::from_bytes(format!("{source}\0{error}").as_bytes()).short()
}

fn wrong_columns(path: &Path) -> DatasetError {
    DatasetError::new(path, "its columns are not the columns of a dataset")
}

/// The key of an asset: its identifier, or else half of its hash.
fn key(id: Option<Uuid>, hash: Option<&Hash>) -> Option<u128> {
    id.map(|id| id.as_u128()).or_else(|| hash.map(Hash::short))
}

fn texts<'r, const N: usize>(
    rows: &'r RecordBatch,
    names: [&str; N],
) -> Option<[&'r StringArray; N]> {
    let text = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
    let found: Vec<_> = names.iter().filter_map(|name| text(name)).collect();
    found.try_into().ok()
}

fn cell(column: &StringArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// [Keys](key) of assets with formerly missing bytes, whose old rows are deleted.
#[derive(Debug)]
pub(super) struct RecoveredAssets(pub(super) HashSet<u128>);

impl RowFilter for RecoveredAssets {
    fn columns(&self) -> &'static [&'static str] {
        &["id", "hash", "bytes"]
    }

    fn matches(&self, rows: &RecordBatch) -> BooleanArray {
        let columns = texts(rows, ["id", "hash"]).zip(rows.column_by_name("bytes"));
        let matches = |row| {
            let ([ids, hashes], bytes) = columns?;
            let id = cell(ids, row).and_then(|id| Uuid::try_parse(id).ok());
            let key = key(id, cell(hashes, row).and_then(Hash::parse).as_ref())?;
            Some(bytes.is_null(row) && self.0.contains(&key))
        };
        (0..rows.num_rows()).map(|row| Some(matches(row).unwrap_or(false))).collect()
    }
}
