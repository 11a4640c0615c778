//! Tables of any length, which are written as they are laid out.

use std::io::{self, Write};

use comfy_table::{Cell, Row, Table};

use crate::Look;
use crate::layout::{Column, empty};

/// So many rows are laid out at a time.
const ROWS: usize = 1024;

/// Writes a table of these rows, which are asked for twice: no more than 1024 of them are kept at a time.
/// A longer table is as wide as its widest cells ask for, whether or not they can be broken.
///
/// # Errors
/// What cannot be written.
pub fn write_table<I: Iterator<Item = Row>>(
    look: Look,
    columns: &[Column<'_>],
    rows: impl Fn() -> I,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut first = rows();
    let short = filled(look, columns, first.by_ref().take(ROWS));
    if first.next().is_none() {
        return writeln!(out, "{}", short.trim_fmt());
    }
    let widest = widest(look, columns, rows());
    let heading = filled(look, columns, std::iter::once(widest.clone())).lines().count() - 1;
    let mut rows = rows().peekable();
    let mut skipped = 0;
    while rows.peek().is_some() {
        let piece = std::iter::once(widest.clone()).chain(rows.by_ref().take(ROWS));
        let text = filled(look, columns, piece).trim_fmt();
        for (_, line) in text.lines().enumerate().filter(|(n, _)| *n >= skipped && *n != heading) {
            writeln!(out, "{line}")?;
        }
        skipped = heading;
    }
    Ok(())
}

/// The indices of so many of the greatest numbers, the greatest first and the first of equal ones. No more
/// than twice as many are kept at a time.
#[must_use]
pub fn greatest(numbers: impl Iterator<Item = (f64, usize)>, shown: usize) -> Vec<usize> {
    let mut kept: Vec<(f64, usize)> = Vec::new();
    let order = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    for number in numbers {
        kept.push(number);
        if kept.len() >= 2 * shown {
            kept.sort_unstable_by(order);
            kept.truncate(shown);
        }
    }
    kept.sort_unstable_by(order);
    kept.into_iter().take(shown).map(|(_, index)| index).collect()
}

fn filled(look: Look, columns: &[Column<'_>], rows: impl Iterator<Item = Row>) -> Table {
    let mut table = empty(look, columns);
    table.add_rows(rows);
    table
}

/// A row of one line that asks for as much as any.
fn widest<I: Iterator<Item = Row>>(look: Look, columns: &[Column<'_>], rows: I) -> Row {
    let mut rows = rows.peekable();
    let mut widths = vec![0; columns.len()];
    while rows.peek().is_some() {
        let piece = filled(look, columns, rows.by_ref().take(ROWS)).column_max_content_widths();
        for (width, of_piece) in widths.iter_mut().zip(piece) {
            *width = of_piece.max(*width);
        }
    }
    let mut row = Row::from(widths.into_iter().map(|width| Cell::new("x".repeat(width.into()))));
    row.max_height(1);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{name, number};

    const COLUMNS: [Column<'_>; 3] =
        [Column::Name("Name", 28), Column::Number("Number"), Column::Words("Words")];

    fn row(index: usize) -> Row {
        let words = ["all that its share pays", "raised"][index % 2];
        Row::from([name(&format!("chair {index}")), number(index.to_string()), Cell::new(words)])
    }

    #[test]
    fn a_long_table_is_laid_out_as_one() {
        for count in [0, 1, ROWS, ROWS + 1, 3 * ROWS, 5000] {
            for width in [60, 100] {
                let look = Look { width, colour: false };
                let mut written = Vec::new();
                write_table(look, &COLUMNS, || (0..count).map(row), &mut written).expect("memory");
                let whole = filled(look, &COLUMNS, (0..count).map(row)).trim_fmt() + "\n";
                assert_eq!(String::from_utf8(written).expect("text"), whole, "{count} rows");
            }
        }
    }
}
