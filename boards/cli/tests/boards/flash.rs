//! Writing programs.

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
