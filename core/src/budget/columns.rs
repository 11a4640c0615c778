//! Columns that are split by rows.

/// Splits a column after `rows` rows, or at its end.
pub(super) fn split<T>(column: &[T], rows: usize) -> (&[T], &[T]) {
    column.split_at_checked(rows).unwrap_or((column, &[]))
}

/// `split` for mutable columns.
pub(super) fn split_mut<T>(column: &mut [T], rows: usize) -> (&mut [T], &mut [T]) {
    column.split_at_mut(rows.min(column.len()))
}
