//! What all tables share: headings, alignment, and names that keep to their place.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table,
    TableStyle, Width,
};

use crate::Look;
use crate::plain;

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
    let mut short: String = text.chars().take(LONGEST_NAME).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    Cell::new(plain(&short))
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
