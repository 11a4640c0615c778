//! Interruptions: Ctrl-C and other signals, and a probe that is pulled out.

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

#[test]
fn a_probe_that_is_gone_is_told() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &[]);
    running.wait_for("everybody at the highest level");
    board.emulation.unplug();
    let probe = board.probe();
    let outcome = running.finish().exited(2);
    outcome.complains(&[&format!("the probe {probe} does not answer"), "check the cable"]);
}

#[test]
fn the_other_board_is_watched_on() {
    let (one, other) = (Board::new(Kind::Microbit), Board::new(Kind::Microbit));
    let second = other.probe();
    one.lodger("flash", "demo", &["--probe", &second]).exited(0);
    let options = ["--json", "--frames", "60", "--probe", &second];
    let mut running = one.start("monitor", "demo", &options);
    running.wait_for("telemetry");
    other.emulation.unplug();
    let outcome = running.finish().exited(2).complains(&[&second]);
    let failed = outcome.events("failed");
    assert_eq!((failed.len(), &failed[0]["probe"]), (1, &second.into()));
    assert!(failed[0]["message"].is_string() && failed[0]["help"].is_string());
    let first = one.probe();
    let frames = outcome.events("telemetry").iter().filter(|line| line["probe"] == first).count();
    assert_eq!(frames, 60);
}

#[test]
fn a_flash_that_was_cut_short_is_called_incomplete() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("flash", "demo", &["--json"]);
    running.wait_for("\"phase\":\"program\"");
    board.emulation.unplug();
    running.finish().exited(2).complains(&["the flash is incomplete", "flash again"]);
    board.emulation.plug_in();
    board.lodger("run", "decide", &[]).exited(0);
}
