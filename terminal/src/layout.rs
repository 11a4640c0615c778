//! Tables: headings, alignment, names of a bounded length, and any number of rows.

use std::io::{self, Write};

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Row,
    Table, TableStyle, Width,
};

use crate::Look;
use crate::text::{LONGEST_SENTENCE, clipped};

/// A name may wrap, but not take the table with it.
const LONGEST_NAME: usize = 60;

/// A column, by its heading.
#[derive(Clone, Copy, Debug)]
pub enum Column<'h> {
    /// Names, which take at most a part of the line, in percent.
    Name(&'h str, u16),
    /// Numbers, to the right and in one piece.
    Number(&'h str),
    /// Words that take what is left of the line.
    Words(&'h str),
}

impl Column<'_> {
    /// What stands above it.
    #[must_use]
    pub fn heading(&self) -> &str {
        match self {
            Self::Name(heading, _) | Self::Number(heading) | Self::Words(heading) => heading,
        }
    }
}

/// A table without rows.
#[must_use]
pub fn empty(look: Look, columns: &[Column<'_>]) -> Table {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')))
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(look.width).unwrap_or(u16::MAX));
    if look.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table.set_header(columns.iter().map(|column| {
        let cell = Cell::new(column.heading()).add_attribute(Attribute::Bold);
        match column {
            Column::Number(_) => cell.set_alignment(CellAlignment::Right),
            Column::Name(..) | Column::Words(_) => cell,
        }
    }));
    for (place, column) in table.column_iter_mut().zip(columns) {
        let is_last = place.index + 1 == columns.len();
        place.set_padding((0, if is_last { 0 } else { 2 }));
        match column {
            Column::Number(_) => {
                place.set_constraint(ColumnConstraint::ContentWidth);
            }
            Column::Name(_, percent) => {
                place.set_constraint(ColumnConstraint::UpperBoundary(Width::Percentage(*percent)));
            }
            Column::Words(_) => {}
        }
    }
    table
}

/// A stranger's name.
#[must_use]
pub fn name(text: &str) -> Cell {
    Cell::new(clipped(text, LONGEST_NAME))
}

/// A sentence with a stranger's text in it. It may be long, but not of any length: wrapping takes time
/// that grows with the square of it.
#[must_use]
pub fn sentence(text: &str) -> Cell {
    Cell::new(clipped(text, LONGEST_SENTENCE))
}

/// A number as text.
#[must_use]
pub fn number(text: String) -> Cell {
    Cell::new_owned(text).set_alignment(CellAlignment::Right)
}

/// A cell in a colour, if there is one.
#[must_use]
pub fn tinted(cell: Cell, colour: Option<Color>) -> Cell {
    match colour {
        Some(colour) => cell.fg(colour),
        None => cell,
    }
}

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

    #[test]
    fn no_cell_is_longer_than_it_says() {
        let text = "k".repeat(1 << 20);
        let mut table =
            empty(Look { width: 100, colour: false }, &[Column::Name("A", 40), Column::Words("B")]);
        table.add_row([name(&text), sentence(&text)]);
        let shown = table.trim_fmt();
        assert!(shown.contains('…') && shown.len() < 4_000, "{shown}");
        assert_eq!(shown.matches('k').count(), 460);
    }

    #[test]
    fn a_newline_in_a_name_is_no_line() {
        let mut table = empty(Look { width: 100, colour: false }, &[Column::Name("A", 40)]);
        table.add_row([name("one\ntwo\u{61c}")]);
        assert!(table.trim_fmt().ends_with("one␊two\u{fffd}"), "{}", table.trim_fmt());
    }

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
