//! Assets whose bytes could not be had.

use std::collections::HashSet;

use arrow::array::{Array as _, BooleanArray, RecordBatch, StringArray};
use uuid::Uuid;

use super::hash::Hash;
use crate::dataset::Going;

/// What an asset is known by: its identifier, or half of its hash where it has none.
pub(super) fn key(id: Option<Uuid>, hash: Option<&Hash>) -> Option<u128> {
    id.map(|id| id.as_u128()).or_else(|| hash.map(Hash::short))
}

/// A text of a column; `None` where it is null.
pub(super) fn cell(column: &StringArray, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.value(row))
}

/// Assets whose bytes could not be had, and are there by now, by their [`key`].
#[derive(Debug)]
pub(super) struct Found(pub(super) HashSet<u128>);

impl Going for Found {
    fn columns(&self) -> &'static [&'static str] {
        &["id", "hash", "bytes"]
    }

    fn of(&self, rows: &RecordBatch) -> BooleanArray {
        let text = |name: &str| {
            let column = rows.column_by_name(name)?;
            column.as_any().downcast_ref::<StringArray>()
        };
        let (id, hash, bytes) = (text("id"), text("hash"), rows.column_by_name("bytes"));
        let goes = |row| {
            let id = id.and_then(|id| Uuid::try_parse(cell(id, row)?).ok());
            let hash = hash.and_then(|hash| Hash::parse(cell(hash, row)?));
            let lacks = bytes.is_some_and(|bytes| bytes.is_null(row));
            Some(lacks && key(id, hash.as_ref()).is_some_and(|key| self.0.contains(&key)))
        };
        (0..rows.num_rows()).map(goes).collect()
    }
}
