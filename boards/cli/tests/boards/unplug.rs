//! A probe that is pulled out in the middle.

use crate::bench::{Board, Kind};

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
