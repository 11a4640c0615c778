//! Assets whose bytes could not be had.

use std::collections::HashSet;

use arrow::array::{Array as _, AsArray as _, BooleanArray, RecordBatch, StringArray};
use uuid::Uuid;

use super::hash::Hash;
use crate::dataset::Going;

/// What an asset is known by: its identifier, or half of its hash where it has none.
pub(super) fn key(id: Option<Uuid>, hash: Option<&Hash>) -> Option<u128> {
    id.map(|id| id.as_u128()).or_else(|| hash.map(Hash::short))
}

/// Columns of texts, if they are there.
pub(super) fn texts<'r, const N: usize>(
    rows: &'r RecordBatch,
    names: [&str; N],
) -> Option<[&'r StringArray; N]> {
    let text = |name: &str| rows.column_by_name(name)?.as_string_opt::<i32>();
    let found: Vec<_> = names.iter().filter_map(|name| text(name)).collect();
    found.try_into().ok()
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
        let columns = texts(rows, ["id", "hash"]).zip(rows.column_by_name("bytes"));
        let goes = |row| {
            let ([ids, hashes], bytes) = columns?;
            let id = cell(ids, row).and_then(|id| Uuid::try_parse(id).ok());
            let key = key(id, cell(hashes, row).and_then(Hash::parse).as_ref())?;
            Some(bytes.is_null(row) && self.0.contains(&key))
        };
        (0..rows.num_rows()).map(|row| Some(goes(row).unwrap_or(false))).collect()
    }
}
