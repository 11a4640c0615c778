//! Columns, split.

/// The first so many of a column, or all there are, and the others.
pub(super) fn split<T>(column: &[T], rows: usize) -> (&[T], &[T]) {
    column.split_at_checked(rows).unwrap_or((column, &[]))
}

/// The same to be written.
pub(super) fn split_mut<T>(column: &mut [T], rows: usize) -> (&mut [T], &mut [T]) {
    column.split_at_mut(rows.min(column.len()))
}
