//! The modules of a frame: levels, planned and measured times, and the budget as a bar.

use lodger_core::units::ms;
use lodger_terminal::{MillisecondFormat, sanitize};
use lodger_wire::telemetry::{ModuleFrame, TelemetryFrame as Telemetry};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Row, Table};

use super::super::text::decimals;

const COLOURS: [Color; 4] = [Color::Cyan, Color::Magenta, Color::Blue, Color::Yellow];

const NAME: u16 = 20;
const NUMBERS: [u16; 3] = [8, 11, 12];
const LEVEL: u16 = 4;
const MIN_BAR: u16 = 8;

pub(super) fn draw(frame: &mut Frame<'_>, shown: &Telemetry, area: Rect) {
    let format = decimals(shown);
    let number = |text: &'static str| Cell::from(Line::from(text).alignment(Alignment::Right));
    let heading = Row::new([
        Cell::from("Module"),
        Cell::from("Actors at LOD 0, 1, …"),
        number("Units"),
        number("Planned ms"),
        number("Measured ms"),
        Cell::from(""),
    ]);
    let levels = shown.modules.iter().map(|module| module.levels.len()).max().unwrap_or(0);
    let levels = u16::try_from(levels).unwrap_or(0).saturating_mul(LEVEL).max(22);
    let [units, planned, measured] = NUMBERS;
    let mut widths = vec![NAME, levels, units, planned, measured];
    let taken: u16 = widths.iter().map(|width| width + 1).sum();
    let cells = Some(area.width.saturating_sub(taken)).filter(|&cells| cells >= MIN_BAR);
    let cells = cells.unwrap_or(0);
    widths.push(cells);
    let rows = shown.modules.iter().zip(COLOURS.into_iter().cycle());
    let rows = rows.map(|(module, colour)| row(module, colour, shown, format, cells));
    let table = Table::new(rows, widths).column_spacing(1);
    let heading = heading.style(Style::new().add_modifier(Modifier::DIM));
    frame.render_widget(table.header(heading), area);
}

fn row(
    module: &ModuleFrame,
    colour: Color,
    shown: &Telemetry,
    format: MillisecondFormat,
    cells: u16,
) -> Row<'static> {
    let number = |text: String| Cell::from(Line::from(text).alignment(Alignment::Right));
    let mut name = vec![
        Span::styled("█ ", Style::new().fg(colour)),
        Span::styled(sanitize(&module.name).into_owned(), Modifier::BOLD),
    ];
    if module.quarantined > 0 {
        name.push(format!(" {}!", module.quarantined).yellow());
    }
    let late = module.measured > module.planned;
    let measured = Style::new().fg(if late { Color::Yellow } else { Color::Green });
    let whole = shown.budget.unwrap_or_else(|| shown.measured());
    let length = lengths(&[module.measured], whole, cells).into_iter().sum();
    Row::new([
        Cell::from(Line::from(name)),
        Cell::from(levels(module)),
        number(module.units.to_string()),
        number(format.show(ms(module.planned))),
        number(format.show(ms(module.measured))).style(measured),
        Cell::from("▬".repeat(length).fg(colour)),
    ])
}

/// The number of actors at each level, from red (lowest) to green.
fn levels(module: &ModuleFrame) -> Line<'static> {
    let highest = module.levels.len().saturating_sub(1);
    let span = |(level, count): (usize, &u16)| {
        let text = format!("{count:>3} ");
        let style = Style::new();
        Span::styled(
            text,
            match level {
                _ if *count == 0 => style.dim(),
                0 if highest > 0 => style.red(),
                level if level == highest => style.green(),
                _ => style.yellow(),
            },
        )
    };
    Line::from(module.levels.iter().enumerate().map(span).collect::<Vec<_>>())
}

/// The budget as a bar: the times of modules, the free rest, and the excess.
pub(super) fn bar(shown: &Telemetry, cells: u16) -> Line<'static> {
    let took: Vec<_> = shown.modules.iter().map(|module| module.measured).collect();
    let measured = shown.measured();
    let budget = shown.budget.unwrap_or(measured);
    let whole = budget.max(measured);
    let lengths = lengths(&took, whole, cells);
    let used: usize = lengths.iter().sum();
    let within = length(budget, whole, cells);
    let mut spans: Vec<_> = lengths
        .iter()
        .zip(COLOURS.into_iter().cycle())
        .map(|(&length, colour)| Span::styled("█".repeat(length), Style::new().fg(colour)))
        .collect();
    spans.push("░".repeat(usize::from(cells) - used).dim());
    if measured > budget {
        return over(spans, within);
    }
    Line::from(spans)
}

fn over(spans: Vec<Span<'static>>, within: usize) -> Line<'static> {
    let mut left = within;
    let mut line = Vec::new();
    for span in spans {
        let cells: Vec<_> = span.content.chars().collect();
        let (inside, outside) = cells.split_at(left.min(cells.len()));
        left -= inside.len();
        line.push(Span::styled(inside.iter().collect::<String>(), span.style));
        line.push(Span::styled("▒".repeat(outside.len()), Style::new().fg(Color::Red)));
    }
    Line::from(line)
}

/// The cells of parts; their sum does not exceed the whole's.
pub(super) fn lengths(parts: &[u64], whole: u64, cells: u16) -> Vec<usize> {
    let mut sum = 0_u64;
    let mut drawn = 0;
    let end = |part: &u64| {
        sum = sum.saturating_add(*part);
        let end = length(sum, whole, cells);
        let length = end - drawn;
        drawn = end;
        length
    };
    parts.iter().map(end).collect()
}

fn length(part: u64, whole: u64, cells: u16) -> usize {
    let (part, whole) = (u128::from(part.min(whole)), u128::from(whole.max(1)));
    let rounded = (part * u128::from(cells) + whole / 2) / whole;
    usize::try_from(rounded).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        assert_eq!(lengths(&[1, 2, 1], 4, 40), [10, 20, 10]);
        assert_eq!(lengths(&[1, 2], 4, 40), [10, 20]);
        assert_eq!(lengths(&[1, 1, 1], 3, 40).iter().sum::<usize>(), 40);
        assert_eq!(lengths(&[0, 0], 0, 40), [0, 0]);
        assert_eq!(lengths(&[u64::MAX, u64::MAX], u64::MAX, 40), [40, 0]);
    }
}
