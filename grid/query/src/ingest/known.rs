//! What a dataset has already.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;

use arrow::array::{Array as _, AsArray as _, RecordBatch, StringArray};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use uuid::Uuid;

use super::hash::Hash;
use crate::dataset::{AssetRow, Manifest, ManifestError, Table};

/// What a dataset has already, by 16 bytes for each asset.
#[derive(Debug, Default)]
pub(super) struct Known {
    ids: HashSet<u128>,
    /// Of assets without identifiers.
    hashes: HashSet<u128>,
    /// Rows with neither, and how many of each there are.
    faults: HashMap<u128, u32>,
    /// Those that this run told so far.
    told: HashMap<u128, u32>,
    /// What has rows of assets or objects.
    sources: HashSet<String>,
    /// What has objects that stand in regions.
    standing: HashSet<String>,
}

impl Known {
    /// Reads what the files of a dataset say.
    pub(super) fn load(dataset: &Path, manifest: &Manifest) -> Result<Self, ManifestError> {
        let mut known = Self::default();
        for path in manifest.paths(Table::Assets) {
            let path = dataset.join(path);
            each(&path, &["source", "id", "hash", "error"], |rows| known.assets(rows))?;
        }
        for path in manifest.paths(Table::Parts) {
            let path = dataset.join(path);
            each(&path, &["source", "region"], |rows| known.parts(rows))?;
        }
        Ok(known)
    }

    /// Takes an asset, by its identifier. Whether it was not there before.
    pub(super) fn take(&mut self, id: Uuid) -> bool {
        self.ids.insert(id.as_u128())
    }

    /// Whether there is an asset without identifier that has this hash.
    pub(super) fn has_hash(&self, hash: &Hash) -> bool {
        self.hashes.contains(&hash.short())
    }

    /// Whether all of a file was read.
    pub(super) fn has_file(&self, source: &str) -> bool {
        self.sources.contains(source)
    }

    /// Whether all that stands in the regions of a database was read.
    pub(super) fn has_standing(&self, source: &str) -> bool {
        self.standing.contains(source)
    }

    /// Takes the row of an asset that has no identifier. Whether it was not there before.
    pub(super) fn take_nameless(&mut self, source: &str, row: &AssetRow) -> bool {
        match row.hash.as_deref().and_then(Hash::parse) {
            Some(hash) => self.hashes.insert(hash.short()),
            None => {
                let fault = fault(source, row.error.as_deref().unwrap_or_default());
                let told = self.told.entry(fault).or_default();
                *told += 1;
                *told > self.faults.get(&fault).copied().unwrap_or_default()
            }
        }
    }

    fn assets(&mut self, rows: &RecordBatch) -> Option<()> {
        let [source, id, hash, error] = texts(rows, ["source", "id", "hash", "error"])?;
        for row in 0..rows.num_rows() {
            if id.is_valid(row) {
                self.ids.insert(Uuid::try_parse(id.value(row)).ok()?.as_u128());
            } else if hash.is_valid(row) {
                self.hashes.insert(Hash::parse(hash.value(row))?.short());
            } else {
                let error = if error.is_valid(row) { error.value(row) } else { "" };
                *self.faults.entry(fault(source.value(row), error)).or_default() += 1;
                continue;
            }
            note(&mut self.sources, source.value(row));
        }
        Some(())
    }

    fn parts(&mut self, rows: &RecordBatch) -> Option<()> {
        let [source, region] = texts(rows, ["source", "region"])?;
        for row in 0..rows.num_rows() {
            note(&mut self.sources, source.value(row));
            if region.is_valid(row) {
                note(&mut self.standing, source.value(row));
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

fn texts<'r, const N: usize>(
    rows: &'r RecordBatch,
    names: [&str; N],
) -> Option<[&'r StringArray; N]> {
    let text = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
    let found: Vec<_> = names.iter().filter_map(|name| text(name)).collect();
    found.try_into().ok()
}

/// Shows some columns of a file, piece by piece.
fn each(
    path: &Path,
    columns: &[&str],
    mut take: impl FnMut(&RecordBatch) -> Option<()>,
) -> Result<(), ManifestError> {
    let told = |error: &dyn std::fmt::Display| {
        ManifestError::new(path, format!("it cannot be read: {error}"))
    };
    let file = File::open(path).map_err(|error| told(&error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| told(&error))?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let reader = builder.with_projection(mask).build().map_err(|error| told(&error))?;
    for rows in reader {
        let rows = rows.map_err(|error| told(&error))?;
        take(&rows).ok_or_else(|| told(&"its columns are not those of a dataset"))?;
    }
    Ok(())
}
