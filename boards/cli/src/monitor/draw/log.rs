//! The last lines of a log.

use lodger_probe::{Level, LogLine};
use lodger_terminal::plain;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Padding, Paragraph};

use crate::monitor::state::Board;
use crate::words::{level, place};

/// The narrowest terminal that has room for places in the source.
const WITH_PLACES: u16 = 70;

/// Draws as many lines as there is room for.
pub(super) fn draw(frame: &mut Frame<'_>, board: &Board, area: Rect) {
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .padding(Padding::horizontal(1))
        .border_style(Style::new().dim())
        .title(" Log ");
    let inner = block.inner(area);
    let skip = board.log.len().saturating_sub(inner.height.into());
    let lines = board.log.iter().skip(skip).map(|said| line(said, inner.width));
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn line(said: &LogLine, width: u16) -> Line<'static> {
    let mut spans = Vec::new();
    if let Some(time) = &said.time {
        spans.push(format!("{:>10} ", plain(time)).dim());
    }
    spans.push(Span::styled(level(said), said.level.map_or(Style::new(), style)));
    spans.push(plain(&said.text).into_owned().into());
    let used: usize = spans.iter().map(Span::width).sum();
    if let Some(location) = said.location.as_ref().filter(|_| width >= WITH_PLACES) {
        let place = place(&location.file, location.line);
        let free = usize::from(width).saturating_sub(used + place.chars().count());
        if free >= 2 {
            spans.push(format!("{}{place}", " ".repeat(free)).dim());
        }
    }
    Line::from(spans)
}

fn style(level: Level) -> Style {
    match level {
        Level::Trace => Style::new().dim(),
        Level::Debug => Style::new().blue(),
        Level::Info => Style::new().green(),
        Level::Warn => Style::new().yellow(),
        Level::Error => Style::new().red().bold(),
    }
}
