//! Chips that a debugger does not get at as easily as at others.

use crate::bench::{Board, Kind};

#[test]
fn a_locked_chip_is_told_with_what_opens_it() {
    let board = Board::new(Kind::Mps2);
    // What is no part of the emulation reads as 0, and so does the port that says whether it is open.
    let chip = ["--chip", "nRF52840_xxAA"];
    let outcome = board.lodger("run", "decide", &chip).exited(2);
    let outcome = outcome.complains(&[
        "the nRF52840_xxAA at the probe",
        "is locked",
        "--allow-erase-all erases all",
    ]);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    // It is erased then, but nothing opens what is not there.
    let outcome = board.lodger("run", "decide", &[&chip[..], &["--allow-erase-all"]].concat());
    outcome.exited(2).complains(&["Could not unlock core"]);
}

#[test]
fn a_chip_that_is_not_locked_is_not_erased() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "decide", &[]).exited(0);
    let options = ["--no-flash", "--allow-erase-all", "--json"];
    let outcome = board.lodger("run", "decide", &options).exited(0);
    assert!(!outcome.events("log").is_empty());
}

#[test]
fn a_board_begins_anew_where_it_is_held_in_reset() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &["--json"]);
    running.wait_for("\"frame\":30,");
    // A debugger that leaves in good order takes along what catches the reset.
    board.emulation.unplug();
    running.finish().exited(2);
    board.emulation.plug_in();
    let options = ["--json", "--frames", "1", "--connect-under-reset", "--speed", "100"];
    let outcome = board.lodger("monitor", "demo", &options).exited(0);
    assert_eq!(outcome.events("telemetry")[0]["frame"], 0);
}
