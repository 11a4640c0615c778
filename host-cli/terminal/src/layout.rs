//! What all tables share: headings, alignment, and names that keep to their place.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table,
    TableStyle, Width,
};

use crate::Look;
use crate::plain::{LONGEST_SENTENCE, clipped};

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

#[cfg(test)]
mod tests {
    use super::{Column, empty, name, sentence};
    use crate::Look;

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
}
