//! What the last frames took of their budgets.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::widgets::{Sparkline, SparklineBar};

use super::bar;
use crate::monitor::state::Board;

/// How high it is, with a line that explains it.
pub(super) const HEIGHT: u16 = 5;
/// How finely a bar is drawn; its middle is the budget.
const FULL: u16 = 200;

/// Draws as many frames as there is room for, the last one on the right.
pub(super) fn draw(frame: &mut Frame<'_>, board: &Board, area: Rect) {
    let [caption, bars] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let text = "Measured, frame by frame; half of the height is the budget";
    frame.render_widget(text.dim(), caption);
    let width = usize::from(bars.width);
    let skip = board.history.len().saturating_sub(width);
    let free = width.saturating_sub(board.history.len());
    let empty = std::iter::repeat_n(SparklineBar::from(None), free);
    let past = board.history.iter().skip(skip).map(|&(measured, budget)| share(measured, budget));
    let line = Sparkline::default().data(empty.chain(past).collect::<Vec<_>>());
    frame.render_widget(line.max(FULL.into()), bars);
}

/// A frame by its share of the budget; without one it has none.
fn share(measured: u64, budget: Option<u64>) -> SparklineBar {
    let Some(budget) = budget else { return SparklineBar::from(None) };
    let length: usize = bar::lengths(&[measured], budget.saturating_mul(2), FULL).into_iter().sum();
    let colour = if measured > budget { Color::Red } else { Color::Green };
    SparklineBar::from(length as u64).style(Style::new().fg(colour))
}
