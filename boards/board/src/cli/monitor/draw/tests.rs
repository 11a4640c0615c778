//! The screen on a terminal in memory.

use lodger_board::{BoardSelection, Location};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::text::tests::frame;

fn board() -> Board {
    let selection =
        BoardSelection { chip: Some("nRF51822_xxAA".to_owned()), ..BoardSelection::default() };
    let board = selection.choose(None).expect("a chip");
    Board::new(&Target { probe: "0d28:0204:99".to_owned(), prefix: String::new(), board })
}

fn logged(text: &str) -> Event {
    let mut line = LogLine::new(text.to_owned());
    (line.level, line.time) = (Some(Level::Warn), Some("0.25".to_owned()));
    line.location = Some(Location { file: "app.rs".into(), line: 83, module: "app".to_owned() });
    Event::Log(line)
}

fn drawn(boards: &[Board], width: u16, height: u16) -> String {
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
fn a_budget_that_is_exceeded_is_seen() {
    let mut board = board();
    let shown =
        Telemetry { budget: Some(3_000_000), overcommit: 1_000_000, load: Load::Tight, ..frame(1) };
    board.take(Event::Telemetry(Box::new(shown)));
    let text = drawn(&[board], 110, 24);
    assert!(text.contains("tight   over by 1 ms") && text.contains("▒▒▒"), "{text}");
}

#[test]
fn a_board_without_frames_says_what_it_waits_for() {
    let text = drawn(&[board()], 80, 24);
    assert!(text.contains("waiting for its first frame"), "{text}");
}

#[test]
fn a_board_that_failed_says_how() {
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
