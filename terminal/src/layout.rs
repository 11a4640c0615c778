//! Tables of any number of rows, sentences within the terminal's width, and a bar of segments.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::Style;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Row,
    Table, TableStyle, Width,
};
use terminal_size::terminal_size_of;

use crate::text::{MAX_SENTENCE, sanitize_to};
use crate::{CostFormat, OutputTarget};

const WIDTH_ELSEWHERE: usize = 100;
const NARROWEST: usize = 60;
/// The largest legible width.
const WIDEST: usize = 160;

/// The width and the colours of output.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    /// Characters of a line.
    pub width: usize,
    /// Whether to use colours.
    pub colour: bool,
}

impl RenderOptions {
    /// Returns the terminal's width and colours for a terminal, and neither for a file.
    #[must_use]
    pub fn for_target(target: OutputTarget<'_>) -> Self {
        match target {
            OutputTarget::File(_) => Self { width: WIDTH_ELSEWHERE, colour: false },
            OutputTarget::Stdout => Self {
                width: terminal_size_of(io::stdout())
                    .map_or(WIDTH_ELSEWHERE, |(columns, _)| usize::from(columns.0))
                    .clamp(NARROWEST, WIDEST),
                colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            },
        }
    }

    /// Applies a style, if colours are on.
    #[must_use]
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

const WIDEST_BAR: usize = 72;

/// A segment of a bar.
#[derive(Clone, Copy, Debug)]
pub struct StyledSegment {
    /// The name in the legend.
    pub name: &'static str,
    /// The character of its cells.
    pub glyph: &'static str,
    /// The style of its cells.
    pub style: Style,
    /// The cost in the legend; a segment of cost 0 has no entry.
    pub amount: f64,
    /// The drawn length, in the unit of `amount`; it may be infinite.
    pub drawn: f64,
}

/// Renders a bar and its legend in two lines.
#[must_use]
pub fn bar<const N: usize>(
    segments: &[StyledSegment; N],
    money: CostFormat<'_>,
    look: RenderOptions,
) -> String {
    let cells = (look.width - 2).min(WIDEST_BAR);
    let lengths = apportion(cells, &segments.each_ref().map(|segment| segment.drawn));
    let paint = |(segment, length): (&StyledSegment, usize)| {
        look.paint(segment.style, &segment.glyph.repeat(length))
    };
    let parts: String = segments.iter().zip(lengths).map(paint).collect();
    let is_in_legend = |segment: &&StyledSegment| segment.amount > 0.0;
    let entry = |StyledSegment { name, glyph, style, amount, .. }: &StyledSegment| {
        format!("{} {name} {}", look.paint(*style, glyph), money.say(*amount))
    };
    let legend: Vec<_> = segments.iter().filter(is_in_legend).map(entry).collect();
    format!("  {parts}\n  {}\n", legend.join("   "))
}

/// Apportions the cells of a bar to its segments. Lengths add up, and every positive segment has a cell. Beside an
/// infinite segment the others share half of the bar.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most a line of cells"
)]
pub fn apportion<const N: usize>(cells: usize, parts: &[f64; N]) -> [usize; N] {
    let finite = parts.map(|part| if part.is_finite() { part } else { 0.0 });
    let unlimited = parts.iter().any(|part| part.is_infinite());
    let total: f64 = finite.iter().sum::<f64>() * if unlimited { 2.0 } else { 1.0 };
    let mut lengths = finite.map(|part| {
        if part > 0.0 { ((part / total * cells as f64).round() as usize).max(1) } else { 0 }
    });
    let longest = (0..N).max_by_key(|&i| lengths[i]).unwrap_or(0);
    let used: usize = lengths.iter().sum();
    match parts.iter().position(|part| part.is_infinite()) {
        Some(rest) => lengths[rest] = cells.saturating_sub(used),
        None if used > 0 => lengths[longest] = (lengths[longest] + cells).saturating_sub(used),
        None => {}
    }
    lengths
}

/// Wraps a text at the terminal's width.
#[must_use]
pub fn wrapped(text: &str, look: RenderOptions) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > look.width {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

/// Renders a dimmed line.
#[must_use]
pub fn hint(text: &str, look: RenderOptions) -> String {
    look.paint(Style::new().dimmed(), &wrapped(text, look)) + "\n"
}

/// Renders a coloured label and a sentence in a line. The text may be untrusted: control characters are replaced, and
/// it is cut at [`MAX_SENTENCE`] characters.
#[must_use]
pub fn labelled(label: &str, style: Style, text: &str, look: RenderOptions) -> String {
    let said = wrapped(&format!("{label} {}", sanitize_to(text, MAX_SENTENCE)), look);
    format!("{}{}\n", look.paint(style, label), said.trim_start_matches(label))
}

const MAX_NAME: usize = 60;

/// A column with its heading.
#[derive(Clone, Copy, Debug)]
pub enum TableColumn<'h> {
    /// Names, with the largest share of the line in percent.
    Name(&'h str, u16),
    /// Numbers, aligned right and never wrapped.
    Number(&'h str),
    /// Text in the rest of the line.
    Words(&'h str),
}

impl TableColumn<'_> {
    /// Returns the heading.
    #[must_use]
    pub fn heading(&self) -> &str {
        match self {
            Self::Name(heading, _) | Self::Number(heading) | Self::Words(heading) => heading,
        }
    }
}

/// Creates a table without rows.
#[must_use]
pub fn new_table(look: RenderOptions, columns: &[TableColumn<'_>]) -> Table {
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
            TableColumn::Number(_) => cell.set_alignment(CellAlignment::Right),
            TableColumn::Name(..) | TableColumn::Words(_) => cell,
        }
    }));
    for (place, column) in table.column_iter_mut().zip(columns) {
        let is_last = place.index + 1 == columns.len();
        place.set_padding((0, if is_last { 0 } else { 2 }));
        match column {
            TableColumn::Number(_) => {
                place.set_constraint(ColumnConstraint::ContentWidth);
            }
            TableColumn::Name(_, percent) => {
                place.set_constraint(ColumnConstraint::UpperBoundary(Width::Percentage(*percent)));
            }
            TableColumn::Words(_) => {}
        }
    }
    table
}

/// Creates a cell of an untrusted name, cut at 60 characters.
#[must_use]
pub fn name(text: &str) -> Cell {
    Cell::new(sanitize_to(text, MAX_NAME))
}

/// Creates a cell of a sentence with untrusted text, cut at [`MAX_SENTENCE`] characters: wrapping takes time that
/// grows with the square of the length.
#[must_use]
pub fn sentence(text: &str) -> Cell {
    Cell::new(sanitize_to(text, MAX_SENTENCE))
}

/// Creates a cell of a number, aligned right.
#[must_use]
pub fn number(text: String) -> Cell {
    Cell::new_owned(text).set_alignment(CellAlignment::Right)
}

/// Colours a cell, if a colour is given.
#[must_use]
pub fn colored(cell: Cell, colour: Option<Color>) -> Cell {
    match colour {
        Some(colour) => cell.fg(colour),
        None => cell,
    }
}

const ROWS: usize = 1024;

/// Writes a table. `rows` is called three times, and at most 1024 rows are kept at a time. Columns of a longer table are
/// as wide as their widest cells, even if these can wrap.
///
/// # Errors
/// The output cannot be written.
pub fn write_table<I: Iterator<Item = Row>>(
    look: RenderOptions,
    columns: &[TableColumn<'_>],
    rows: impl Fn() -> I,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_passes(look, columns, [&mut rows(), &mut rows(), &mut rows()], out)
}

/// Writes a table whose rows are given three times. It is compiled once for all kinds of rows.
fn write_passes(
    look: RenderOptions,
    columns: &[TableColumn<'_>],
    [first, second, third]: [&mut dyn Iterator<Item = Row>; 3],
    out: &mut dyn Write,
) -> io::Result<()> {
    let short = filled(look, columns, &mut (&mut *first).take(ROWS));
    if first.next().is_none() {
        return writeln!(out, "{}", short.trim_fmt());
    }
    let widest = widest(look, columns, second);
    let only_widest = &mut std::iter::once(widest.clone());
    let heading = filled(look, columns, only_widest).lines().count() - 1;
    let mut rows = third.peekable();
    let mut skipped = 0;
    while rows.peek().is_some() {
        let piece = &mut std::iter::once(widest.clone()).chain(rows.by_ref().take(ROWS));
        let text = filled(look, columns, piece).trim_fmt();
        for (_, line) in text.lines().enumerate().filter(|(n, _)| *n >= skipped && *n != heading) {
            writeln!(out, "{line}")?;
        }
        skipped = heading;
    }
    Ok(())
}

/// Returns the indices of the `shown` greatest numbers, the greatest first and equal ones in order. It keeps at most
/// twice as many numbers.
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

fn filled(
    look: RenderOptions,
    columns: &[TableColumn<'_>],
    rows: &mut dyn Iterator<Item = Row>,
) -> Table {
    let mut table = new_table(look, columns);
    table.add_rows(rows);
    table
}

fn widest(
    look: RenderOptions,
    columns: &[TableColumn<'_>],
    rows: &mut dyn Iterator<Item = Row>,
) -> Row {
    let mut rows = rows.peekable();
    let mut widths = vec![0; columns.len()];
    while rows.peek().is_some() {
        let piece = filled(look, columns, &mut rows.by_ref().take(ROWS));
        let piece = piece.column_max_content_widths();
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
    fn cells_have_a_bounded_length() {
        let text = "k".repeat(1 << 20);
        let mut table = new_table(
            RenderOptions { width: 100, colour: false },
            &[TableColumn::Name("A", 40), TableColumn::Words("B")],
        );
        table.add_row([name(&text), sentence(&text)]);
        let shown = table.trim_fmt();
        assert!(shown.contains('…') && shown.len() < 4_000, "{shown}");
        assert_eq!(shown.matches('k').count(), 460);
    }

    #[test]
    fn a_newline_in_a_name_starts_no_line() {
        let mut table =
            new_table(RenderOptions { width: 100, colour: false }, &[TableColumn::Name("A", 40)]);
        table.add_row([name("one\ntwo\u{61c}")]);
        assert!(table.trim_fmt().ends_with("one␊two\u{fffd}"), "{}", table.trim_fmt());
    }

    const COLUMNS: [TableColumn<'_>; 3] =
        [TableColumn::Name("Name", 28), TableColumn::Number("Number"), TableColumn::Words("Words")];

    fn row(index: usize) -> Row {
        let words = ["all that its share pays", "raised"][index % 2];
        Row::from([name(&format!("chair {index}")), number(index.to_string()), Cell::new(words)])
    }

    #[test]
    fn a_long_table_is_laid_out_as_one() {
        for count in [0, 1, ROWS, ROWS + 1, 3 * ROWS, 5000] {
            for width in [60, 100] {
                let look = RenderOptions { width, colour: false };
                let mut written = Vec::new();
                write_table(look, &COLUMNS, || (0..count).map(row), &mut written).expect("memory");
                let whole = filled(look, &COLUMNS, &mut (0..count).map(row)).trim_fmt() + "\n";
                assert_eq!(String::from_utf8(written).expect("text"), whole, "{count} rows");
            }
        }
    }

    #[test]
    fn cells_add_up_and_positive_segments_are_visible() {
        assert_eq!(apportion(40, &[1.0, 2.0, 1.0]), [10, 20, 10]);
        assert_eq!(apportion(40, &[0.001, 5.0, 0.0]), [1, 39, 0]);
        assert_eq!(apportion(40, &[1.0, 1.0, 1.0]).iter().sum::<usize>(), 40);
        assert_eq!(apportion(40, &[0.0, 0.0, 0.0]), [0, 0, 0]);
        assert_eq!(apportion(40, &[0.0, 3.0, f64::INFINITY]), [0, 20, 20]);
    }

    #[test]
    fn a_note_is_one_line_of_a_stated_length() {
        let look = RenderOptions { width: 100, colour: false };
        let note = |text: &str| labelled("note:", Style::new(), text, look);
        assert_eq!(note("one\ntwo"), "note: one␊two\n");
        assert_eq!(note(&"x".repeat(1 << 20)).chars().filter(|c| *c == 'x').count(), 400);
        assert_eq!(note(&"x ".repeat(1 << 20)).matches('x').count(), 200);
    }

    #[test]
    fn lines_end_between_words() {
        let look = RenderOptions { width: 9, colour: false };
        assert_eq!(wrapped("one two three", look), "one two\nthree");
        assert_eq!(wrapped("indivisible one", look), "indivisible\none");
    }
}
