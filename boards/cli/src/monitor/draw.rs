//! The screen: a panel for each board, with its budget, its modules, and its log.

mod bar;
mod colours;
mod history;
mod log;
mod modules;

use lodger_core::budget::Load;
use lodger_core::units::ms;
use lodger_terminal::{count, percent, plain};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Padding, Paragraph, Wrap};

use crate::json::scale;
use crate::monitor::state::Board;
use crate::words::decimals;

/// The least height of a log that is worth its frame.
const LOG: u16 = 5;

/// Draws all boards, one below the other.
pub(super) fn screen(frame: &mut Frame<'_>, boards: &[Board]) {
    let [panels, footer] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(frame.area());
    let areas = Layout::vertical(boards.iter().map(|_| Constraint::Fill(1))).split(panels);
    for (board, area) in boards.iter().zip(areas.iter()) {
        panel(frame, board, *area);
    }
    let mut help = vec![" q ".reversed(), " leaves; the program runs on".dim()];
    if boards.iter().any(|board| board.is_remote) {
        help.push("   times through an emulated probe say nothing of a board".dim());
    }
    let help = Line::from(help);
    frame.render_widget(help, footer);
}

fn panel(frame: &mut Frame<'_>, board: &Board, area: Rect) {
    let rows = board.frame.as_ref().map_or(0, |frame| frame.modules.len());
    let rows = u16::try_from(rows).unwrap_or(0);
    // Frame, headline, bar, a line free, heading, modules, a line free, history.
    let wanted = 2 + 1 + 1 + 1 + 1 + rows + 1 + history::HEIGHT;
    let has_log = area.height >= wanted + LOG;
    let heights = if has_log {
        [Constraint::Length(wanted), Constraint::Fill(1)]
    } else {
        [Constraint::Fill(1), Constraint::Length(0)]
    };
    let [upper, lower] = Layout::vertical(heights).areas(area);
    let block = frame_of(board);
    let inner = block.inner(upper);
    frame.render_widget(block, upper);
    budget(frame, board, inner);
    if has_log {
        log::draw(frame, board, lower);
    }
}

/// The frame around a board, with its name on the left and how it does on the right.
fn frame_of(board: &Board) -> Block<'static> {
    let (colour, status) = match (&board.end, &board.frame) {
        (Some(end), _) => (Color::Yellow, plain(end).into_owned()),
        (None, Some(frame)) => (Color::Green, format!("frame {}", frame.number)),
        (None, None) => (Color::Blue, "waiting for its first frame".to_owned()),
    };
    let mut right = vec![Span::styled(format!(" {status} "), Style::new().fg(colour))];
    if board.restarts > 0 {
        let restarts = count(usize::try_from(board.restarts).unwrap_or(usize::MAX), "restart");
        right.insert(0, Span::styled(format!(" {restarts} "), Color::Yellow));
    }
    if board.lost > 0 {
        right.insert(0, Span::styled(format!(" {} lost ", board.lost), Color::Yellow));
    }
    let left = vec![
        Span::styled(format!(" {} ", board.name), Modifier::BOLD),
        Span::raw(format!("{} at {} ", board.chip, board.probe)).dim(),
    ];
    Block::bordered()
        .border_type(BorderType::Rounded)
        .padding(Padding::horizontal(1))
        .border_style(Style::new().dim())
        .title(Line::from(left))
        .title(Line::from(right).alignment(Alignment::Right))
}

fn budget(frame: &mut Frame<'_>, board: &Board, area: Rect) {
    let told = |frame: &mut Frame<'_>, text: Span<'_>| {
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    };
    let said = match (&board.failure, &board.frame) {
        (Some(failure), _) => return told(frame, plain(failure).into_owned().red()),
        (None, None) => {
            let text = "A program sends its first frame when its frame loop runs.";
            return told(frame, text.dim());
        }
        (None, Some(said)) => said,
    };
    let rows = u16::try_from(said.modules.len()).unwrap_or(u16::MAX).saturating_add(1);
    let [verdict, whole, _, table, _, past] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(rows),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(area);
    frame.render_widget(headline(said), verdict);
    frame.render_widget(bar::bar(said, whole.width), whole);
    modules::draw(frame, said, table);
    history::draw(frame, board, past);
}

/// Budget, what was measured of it, the scale; and what is wrong, if anything is.
fn headline(said: &lodger_wire::telemetry::Frame) -> Line<'static> {
    let format = decimals(said);
    let budget = said.budget.map_or("unlimited".to_owned(), |budget| format.say(ms(budget)));
    let over = said.budget.is_some_and(|budget| said.measured() > budget);
    let measured = Style::new().fg(if over { Color::Red } else { Color::Green });
    let mut line = vec![
        "Budget ".dim(),
        budget.bold(),
        "   measured ".dim(),
        Span::styled(format.say(ms(said.measured())), measured.bold()),
        "   targets scaled to ".dim(),
        percent(scale(said)).bold(),
        "   ledger ".dim(),
        format.say(ms(said.ledger)).into(),
    ];
    if said.load > Load::Normal {
        line.push(format!("   {}", said.load).yellow());
    }
    if said.overcommit > 0 {
        let text = format!("   over by {}", format.say(ms(said.overcommit)));
        line.push(text.red().bold());
    }
    Line::from(line)
}

#[cfg(test)]
mod tests;
