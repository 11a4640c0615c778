//! Ctrl-C, and what counts as such.

use crate::bench::{Board, Kind};

#[test]
fn a_program_that_is_left_runs_on() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &["--json"]);
    running.wait_for("telemetry");
    running.interrupt();
    let outcome = running.finish().exited(130);
    assert_eq!(outcome.events("stopped").len(), 1);
    let left_at =
        outcome.events("telemetry").iter().filter_map(|line| line["frame"].as_u64()).max();
    let outcome = board.lodger("monitor", "demo", &["--json", "--frames", "3"]).exited(0);
    let found_at = outcome.events("telemetry")[0]["frame"].as_u64();
    assert!(left_at < found_at, "{left_at:?} {found_at:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_that_is_ignored_when_it_starts_stays_ignored() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.run_ignoring("INT", "demo");
    for _ in 0..3 {
        running.wait_for("telemetry");
        running.interrupt();
    }
    running.wait_for("telemetry");
    running.signal("-TERM");
    assert_eq!(running.finish().exited(130).events("stopped").len(), 1);
}

#[test]
fn a_closed_terminal_is_left_in_good_order() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &["--json"]);
    running.wait_for("telemetry");
    running.signal("-HUP");
    assert_eq!(running.finish().exited(130).events("stopped").len(), 1);
    board.lodger("monitor", "demo", &["--plain", "--frames", "2"]).exited(0);
}

#[test]
fn a_flash_that_is_abandoned_is_called_incomplete() {
    for command in ["flash", "run", "conform"] {
        let board = Board::new(Kind::Microbit);
        let program = if command == "conform" { "conform" } else { "demo" };
        let mut running = board.start(command, program, &["--json"]);
        running.wait_for("\"phase\":\"erase\"");
        running.interrupt();
        running.interrupt_until_it_ends();
        running.finish().exited(130).complains(&["finishing", "the flash is incomplete"]);
    }
}

#[test]
fn a_flash_is_finished_first() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("flash", "demo", &["--json"]);
    running.wait_for("\"phase\":\"erase\"");
    running.interrupt();
    let outcome = running.finish().exited(130).complains(&["finishing"]);
    assert_eq!(outcome.events("flashed").len(), 1);
    board.lodger("monitor", "demo", &["--plain", "--frames", "1"]).exited(0);
}
