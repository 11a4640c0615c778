//! The screen: a panel for each board with budget, modules, history and log.

use std::collections::VecDeque;

use lodger_board::{BoardError, Event, LogLevel, LogLine, Selector, SessionEnd};
use lodger_core::budget::Load;
use lodger_core::units::ms;
use lodger_terminal::{count, percent, sanitize};
use lodger_wire::telemetry::TelemetryFrame as Telemetry;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Padding, Paragraph, Sparkline, SparklineBar, Wrap};

use super::super::args::BoardTarget;
use super::super::json::scale;
use super::super::text::{self, decimals};
use super::modules;

/// Frames that are kept for the history; no terminal is wider.
const MAX_FRAMES: usize = 512;
/// Log lines that are kept; no terminal is higher.
const MAX_LINES: usize = 256;
const HISTORY_HEIGHT: u16 = 5;
const MIN_LOG_HEIGHT: u16 = 5;

#[derive(Debug)]
pub(super) struct BoardPanel {
    pub(super) name: String,
    pub(super) chip: String,
    pub(super) probe: String,
    /// Whether the probe is on the network, as an emulated one is.
    pub(super) is_remote: bool,
    pub(super) frame: Option<Telemetry>,
    pub(super) history: VecDeque<(u64, Option<u64>)>,
    pub(super) log: VecDeque<LogLine>,
    /// The number of unreadable lines and lost frames.
    pub(super) lost: u64,
    pub(super) restarts: u64,
    pub(super) end: Option<String>,
    pub(super) failure: Option<String>,
}

impl BoardPanel {
    pub(super) fn new(target: &BoardTarget) -> Self {
        Self {
            name: target.board.to_string(),
            chip: target.board.chip.clone(),
            probe: sanitize(&target.probe).into_owned(),
            is_remote: target.board.probe.as_ref().is_some_and(Selector::is_remote),
            frame: None,
            history: VecDeque::new(),
            log: VecDeque::new(),
            lost: 0,
            restarts: 0,
            end: None,
            failure: None,
        }
    }

    pub(super) fn take(&mut self, event: Event) {
        match event {
            Event::Telemetry(frame) => {
                remember(&mut self.history, (frame.measured(), frame.budget), MAX_FRAMES);
                self.frame = Some(*frame);
            }
            Event::Log(line) => remember(&mut self.log, line, MAX_LINES),
            Event::LostLine => self.lost += 1,
            Event::LostFrames(count) => self.lost += u64::from(count),
            Event::Restarted => self.restarts += 1,
            Event::Flashing(_) | Event::Flashed(_) | Event::Compared(_) | Event::Count(_) => {}
        }
    }

    pub(super) fn finish(&mut self, outcome: &Result<SessionEnd, BoardError>) {
        self.end = Some(match outcome {
            Ok(SessionEnd::Exit(code)) => format!("exited with {code}"),
            Ok(SessionEnd::Crash(crash)) => format!("crashed: {}", crash.what),
            Ok(SessionEnd::Complete | SessionEnd::Stopped) => "left alone".to_owned(),
            Err(_) => "failed".to_owned(),
        });
        self.failure = outcome.as_ref().err().map(BoardError::to_string);
    }
}

fn remember<T>(memory: &mut VecDeque<T>, item: T, max: usize) {
    if memory.len() == max {
        memory.pop_front();
    }
    memory.push_back(item);
}

pub(super) fn screen(frame: &mut Frame<'_>, boards: &[BoardPanel]) {
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

fn panel(frame: &mut Frame<'_>, board: &BoardPanel, area: Rect) {
    let rows = board.frame.as_ref().map_or(0, |frame| frame.modules.len());
    let rows = u16::try_from(rows).unwrap_or(0);
    // Frame, headline, bar, a line free, heading, modules, a line free, history.
    let wanted = 2 + 1 + 1 + 1 + 1 + rows + 1 + HISTORY_HEIGHT;
    let has_log = area.height >= wanted + MIN_LOG_HEIGHT;
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
        log(frame, board, lower);
    }
}

fn frame_of(board: &BoardPanel) -> Block<'static> {
    let (colour, status) = match (&board.end, &board.frame) {
        (Some(end), _) => (Color::Yellow, sanitize(end).into_owned()),
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

fn budget(frame: &mut Frame<'_>, board: &BoardPanel, area: Rect) {
    let show = |frame: &mut Frame<'_>, text: Span<'_>| {
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    };
    let shown = match (&board.failure, &board.frame) {
        (Some(failure), _) => return show(frame, sanitize(failure).into_owned().red()),
        (None, None) => {
            let text = "A program sends its first frame when its frame loop runs.";
            return show(frame, text.dim());
        }
        (None, Some(shown)) => shown,
    };
    let rows = u16::try_from(shown.modules.len()).unwrap_or(u16::MAX).saturating_add(1);
    let [verdict, whole, _, table, _, past] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(rows),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(area);
    frame.render_widget(headline(shown), verdict);
    frame.render_widget(modules::bar(shown, whole.width), whole);
    modules::draw(frame, shown, table);
    history(frame, board, past);
}

fn headline(shown: &Telemetry) -> Line<'static> {
    let format = decimals(shown);
    let budget = shown.budget.map_or("unlimited".to_owned(), |budget| format.say(ms(budget)));
    let over = shown.budget.is_some_and(|budget| shown.measured() > budget);
    let measured = Style::new().fg(if over { Color::Red } else { Color::Green });
    let mut line = vec![
        "Budget ".dim(),
        budget.bold(),
        "   measured ".dim(),
        Span::styled(format.say(ms(shown.measured())), measured.bold()),
        "   targets scaled to ".dim(),
        percent(scale(shown)).bold(),
        "   ledger ".dim(),
        format.say(ms(shown.decision_time)).into(),
    ];
    if shown.load > Load::Normal {
        line.push(format!("   {}", shown.load).yellow());
    }
    if shown.overcommit > 0 {
        let text = format!("   over by {}", format.say(ms(shown.overcommit)));
        line.push(text.red().bold());
    }
    Line::from(line)
}

/// The end of a bar, whose middle is the budget.
const FULL_BAR: u16 = 200;

fn history(frame: &mut Frame<'_>, board: &BoardPanel, area: Rect) {
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
    frame.render_widget(line.max(FULL_BAR.into()), bars);
}

/// The bar of a frame; empty without a budget.
fn share(measured: u64, budget: Option<u64>) -> SparklineBar {
    let Some(budget) = budget else { return SparklineBar::from(None) };
    let length: usize =
        modules::lengths(&[measured], budget.saturating_mul(2), FULL_BAR).into_iter().sum();
    let colour = if measured > budget { Color::Red } else { Color::Green };
    SparklineBar::from(length as u64).style(Style::new().fg(colour))
}

const MIN_WIDTH_WITH_PLACES: u16 = 70;

fn log(frame: &mut Frame<'_>, board: &BoardPanel, area: Rect) {
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .padding(Padding::horizontal(1))
        .border_style(Style::new().dim())
        .title(" Log ");
    let inner = block.inner(area);
    let skip = board.log.len().saturating_sub(inner.height.into());
    let lines = board.log.iter().skip(skip).map(|logged| log_line(logged, inner.width));
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn log_line(logged: &LogLine, width: u16) -> Line<'static> {
    let mut spans = Vec::new();
    if let Some(time) = &logged.time {
        spans.push(format!("{:>10} ", sanitize(time)).dim());
    }
    spans.push(Span::styled(text::level(logged), logged.level.map_or(Style::new(), level_style)));
    spans.push(sanitize(&logged.text).into_owned().into());
    let used: usize = spans.iter().map(Span::width).sum();
    if let Some(location) = logged.location.as_ref().filter(|_| width >= MIN_WIDTH_WITH_PLACES) {
        let place = text::place(&location.file, location.line);
        let free = usize::from(width).saturating_sub(used + place.chars().count());
        if free >= 2 {
            spans.push(format!("{}{place}", " ".repeat(free)).dim());
        }
    }
    Line::from(spans)
}

fn level_style(level: LogLevel) -> Style {
    match level {
        LogLevel::Trace => Style::new().dim(),
        LogLevel::Debug => Style::new().blue(),
        LogLevel::Info => Style::new().green(),
        LogLevel::Warn => Style::new().yellow(),
        LogLevel::Error => Style::new().red().bold(),
    }
}

#[cfg(test)]
mod tests {
    use lodger_board::{BoardSelection, LogLocation};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use crate::text::tests::frame;

    fn board() -> BoardPanel {
        let selection =
            BoardSelection { chip: Some("nRF51822_xxAA".to_owned()), ..BoardSelection::default() };
        let board = selection.choose(None).expect("a chip");
        BoardPanel::new(&BoardTarget {
            probe: "0d28:0204:99".to_owned(),
            prefix: String::new(),
            board,
        })
    }

    fn logged(text: &str) -> Event {
        let mut line = LogLine::new(text.to_owned());
        (line.level, line.time) = (Some(LogLevel::Warn), Some("0.25".to_owned()));
        line.location =
            Some(LogLocation { file: "app.rs".into(), line: 83, module: "app".to_owned() });
        Event::Log(line)
    }

    fn drawn(boards: &[BoardPanel], width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        terminal.draw(|frame| screen(frame, boards)).expect("a screen");
        terminal.backend().to_string()
    }

    #[test]
    fn a_board_shows_budget_modules_and_log() {
        let mut board = board();
        board.take(Event::Telemetry(Box::new(frame(41))));
        board.take(Event::LostFrames(2));
        board.take(Event::Restarted);
        board.take(logged("too much"));
        let text = drawn(&[board], 100, 24);
        for part in [
            "nRF51822_xxAA at 0d28:0204:99",
            "frame 41",
            "2 lost",
            "1 restart",
            "Budget 8 ms   measured 6.5 ms   targets scaled to 50.0 %",
            "█ cloth 1!",
            "0   1   3",
            "1200",
            "6.500",
            "0.25 warn  too much",
            "app.rs:83",
            "q  leaves",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
    }

    #[test]
    fn an_exceeded_budget_is_shown() {
        let mut board = board();
        let shown = Telemetry {
            budget: Some(3_000_000),
            overcommit: 1_000_000,
            load: Load::Tight,
            ..frame(1)
        };
        board.take(Event::Telemetry(Box::new(shown)));
        let text = drawn(&[board], 110, 24);
        assert!(text.contains("tight   over by 1 ms") && text.contains("▒▒▒"), "{text}");
    }

    #[test]
    fn a_board_without_frames_waits_for_one() {
        let text = drawn(&[board()], 80, 24);
        assert!(text.contains("waiting for its first frame"), "{text}");
    }

    #[test]
    fn a_failed_board_shows_its_error() {
        let mut board = board();
        board.take(Event::Telemetry(Box::new(frame(1))));
        board.finish(&Err(BoardError::new("no debug probe is plugged in", "plug one in")));
        let text = drawn(&[board], 80, 24);
        assert!(text.contains("failed") && text.contains("no debug probe is plugged in"), "{text}");
    }

    #[test]
    fn any_size_and_any_number_of_boards_are_drawn() {
        for (width, height) in [(1, 1), (10, 3), (40, 8), (83, 12), (84, 40), (200, 60)] {
            let boards: Vec<_> = (0..3)
                .map(|number| {
                    let mut board = board();
                    board.take(Event::Telemetry(Box::new(frame(number))));
                    board.take(logged("a line"));
                    board
                })
                .collect();
            drawn(&boards, width, height);
        }
    }
}
