//! Attaching to chips, and writing programs.

use crate::bench::{Board, Kind};

#[test]
fn real_flash_is_erased_written_and_read_back() {
    let board = Board::new(Kind::Microbit);
    let outcome = board.lodger("flash", "decide", &["--json"]).exited(0);
    let progress = outcome.events("progress");
    for phase in ["erase", "program", "verify"] {
        let of_phase: Vec<_> = progress.iter().filter(|line| line["phase"] == phase).collect();
        let (first, last) = (of_phase.first().expect(phase), of_phase.last().expect(phase));
        assert_eq!(first["done"], 0);
        assert_eq!(last["done"], last["total"], "{phase}");
        assert!(last["total"].as_u64().is_some_and(|bytes| bytes > 1_000));
    }
    let flashed = &outcome.events("flashed")[0];
    assert!(flashed["bytes"].as_u64().is_some_and(|bytes| bytes > 1_000));
    assert_eq!(flashed["probe"], board.probe());
    assert!(flashed["program"].as_str().is_some_and(|path| path.ends_with("decide")));
}

#[test]
fn what_was_written_is_told() {
    for kind in [Kind::Microbit, Kind::Mps2] {
        let outcome = Board::new(kind).lodger("flash", "decide", &[]).exited(0);
        let outcome = outcome.says(&["Flashed", kind.name(), "bytes written and read back"]);
        outcome.complains(&["through an emulated probe: no hardware was tested"]);
    }
}

#[test]
fn several_boards_are_written_at_once() {
    let (one, other) = (Board::new(Kind::Microbit), Board::new(Kind::Microbit));
    let second = other.probe();
    let outcome = one.lodger("flash", "decide", &["--probe", &second]).exited(0);
    outcome.says(&[&format!("{}  Flashed", one.probe()), &format!("{second}  Flashed")]);
}

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
