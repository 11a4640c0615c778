//! The modules of a frame: LODs, what was planned, what it took.

use lodger_core::units::ms;
use lodger_terminal::{Milliseconds, plain};
use lodger_wire::telemetry::{Frame as Said, ModuleFrame};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell, Row, Table};

use super::bar;
use super::colours::COLOURS;
use crate::words::decimals;

/// The widths of a name and of the three numbers.
const NAME: u16 = 20;
const NUMBERS: [u16; 3] = [8, 11, 12];
/// The width of a level's number of actors.
const LEVEL: u16 = 4;
/// The narrowest bar that is worth its place beside the numbers.
const NARROWEST: u16 = 8;

/// Draws the table.
pub(super) fn draw(frame: &mut Frame<'_>, said: &Said, area: Rect) {
    let format = decimals(said);
    let number = |text: &'static str| Cell::from(Line::from(text).alignment(Alignment::Right));
    let heading = Row::new([
        Cell::from("Module"),
        Cell::from("Actors at LOD 0, 1, …"),
        number("Units"),
        number("Planned ms"),
        number("Measured ms"),
        Cell::from(""),
    ]);
    let levels = said.modules.iter().map(|module| module.levels.len()).max().unwrap_or(0);
    let levels = u16::try_from(levels).unwrap_or(0).saturating_mul(LEVEL).max(22);
    let [units, planned, measured] = NUMBERS;
    let mut widths = vec![NAME, levels, units, planned, measured];
    let taken: u16 = widths.iter().map(|width| width + 1).sum();
    let cells = Some(area.width.saturating_sub(taken)).filter(|&cells| cells >= NARROWEST);
    let cells = cells.unwrap_or(0);
    widths.push(cells);
    let rows = said.modules.iter().zip(COLOURS.into_iter().cycle());
    let rows = rows.map(|(module, colour)| row(module, colour, said, format, cells));
    let table = Table::new(rows, widths).column_spacing(1);
    let heading = heading.style(Style::new().add_modifier(Modifier::DIM));
    frame.render_widget(table.header(heading), area);
}

fn row(
    module: &ModuleFrame,
    colour: Color,
    said: &Said,
    format: Milliseconds,
    cells: u16,
) -> Row<'static> {
    let number = |text: String| Cell::from(Line::from(text).alignment(Alignment::Right));
    let mut name = vec![
        Span::styled("█ ", Style::new().fg(colour)),
        Span::styled(plain(&module.name).into_owned(), Modifier::BOLD),
    ];
    if module.quarantined > 0 {
        name.push(format!(" {}!", module.quarantined).yellow());
    }
    let late = module.measured > module.planned;
    let measured = Style::new().fg(if late { Color::Yellow } else { Color::Green });
    let whole = said.budget.unwrap_or_else(|| said.measured());
    let length = bar::lengths(&[module.measured], whole, cells).into_iter().sum();
    Row::new([
        Cell::from(Line::from(name)),
        Cell::from(levels(module)),
        number(module.units.to_string()),
        number(format.show(ms(module.planned))),
        number(format.show(ms(module.measured))).style(measured),
        Cell::from("▬".repeat(length).fg(colour)),
    ])
}

/// How many actors are at each level; from red, the lowest, to green.
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
