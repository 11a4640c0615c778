//! Columns of a fixed size, with operations that do not panic. Their owner knows how many elements are in use.

pub(crate) type Column<T, const LEN: usize> = [T; LEN];

/// Returns an element, or the default beyond the end.
pub(crate) fn at<T: Copy + Default>(column: &[T], place: usize) -> T {
    column.get(place).copied().unwrap_or_default()
}

/// Sets an element, unless it is beyond the end.
pub(crate) fn set<T>(column: &mut [T], place: usize, value: T) {
    if let Some(number) = column.get_mut(place) {
        *number = value;
    }
}

pub(crate) fn exchange<T: Copy>(column: &mut [T], a: usize, b: usize) {
    if let (Some(&first), Some(&second)) = (column.get(a), column.get(b)) {
        set(column, a, second);
        set(column, b, first);
    }
}

/// Makes space for `numbers` elements by moving all later ones; the last ones are lost.
pub(crate) fn open<T: Copy + Default>(column: &mut [T], place: usize, numbers: usize) {
    for from in (place..column.len().saturating_sub(numbers)).rev() {
        let value = at(column, from);
        set(column, from.saturating_add(numbers), value);
    }
}

/// Removes `numbers` elements by moving all later ones; the last ones are doubled.
pub(crate) fn close<T: Copy + Default>(column: &mut [T], place: usize, numbers: usize) {
    for to in place..column.len().saturating_sub(numbers) {
        let value = at(column, to.saturating_add(numbers));
        set(column, to, value);
    }
}

/// Returns `numbers` elements; none if the column is shorter.
pub(crate) fn part<T>(column: &[T], start: usize, numbers: usize) -> &[T] {
    column.get(start..start.saturating_add(numbers)).unwrap_or_default()
}

pub(crate) fn part_mut<T>(column: &mut [T], start: usize, numbers: usize) -> &mut [T] {
    column.get_mut(start..start.saturating_add(numbers)).unwrap_or_default()
}

/// Converts a count to 16 bits; no column is longer.
pub(crate) fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
