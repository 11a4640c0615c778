//! Columns of ids and of numbers of ladders.

/// A column of ids or of numbers of ladders, by default an empty one; of bytes where all numbers of a scene are below 256.
///
/// # Examples
/// ```
/// # use lodger_core::budget::IndexColumn;
/// assert!(IndexColumn::Bytes(&[1, 7]).iter().eq(IndexColumn::Words(&[1, 7]).iter()));
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum IndexColumn<'a> {
    /// Numbers of 8 bits.
    Bytes(&'a [u8]),
    /// Numbers of 32 bits.
    Words(&'a [u32]),
}

impl Default for IndexColumn<'_> {
    fn default() -> Self {
        Self::Words(&[])
    }
}

/// Does the same with a column of either width.
macro_rules! of_any_width {
    ($column:expr, $slice:ident => $action:expr) => {
        match $column {
            IndexColumn::Bytes($slice) => $action,
            IndexColumn::Words($slice) => $action,
        }
    };
}

impl<'a> IndexColumn<'a> {
    /// Returns the number of rows.
    #[must_use]
    pub const fn len(self) -> usize {
        of_any_width!(self, slice => slice.len())
    }

    /// Whether there is no row.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the number in a row; `None` beyond the end.
    #[inline]
    #[must_use]
    #[allow(clippy::useless_conversion)] // words stay as they are
    pub fn get(self, row: usize) -> Option<u32> {
        of_any_width!(self, slice => slice.get(row).map(|&number| number.into()))
    }

    /// Returns the number in a row; 0 beyond the end.
    #[inline]
    pub(super) fn at(self, row: usize) -> u32 {
        self.get(row).unwrap_or(0)
    }

    /// Returns the numbers of all rows.
    #[must_use]
    pub fn iter(self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'a> {
        (0..self.len()).map(move |row| self.at(row))
    }

    /// Returns the number in a row, 0 beyond the end, and for how many rows it is the same; at most `most`.
    pub(super) fn run(self, row: usize, most: usize) -> (u32, usize) {
        let Some(number) = self.get(row) else { return (0, most) };
        let rows = (row..).take(most).take_while(|&row| self.get(row) == Some(number));
        (number, rows.count())
    }

    /// Splits off the first rows.
    pub(super) fn split_off(&mut self, rows: usize) -> Self {
        let rows = rows.min(self.len());
        match self {
            Self::Bytes(rest) => Self::Bytes(rest.split_off(..rows).unwrap_or_default()),
            Self::Words(rest) => Self::Words(rest.split_off(..rows).unwrap_or_default()),
        }
    }
}
