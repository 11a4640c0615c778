//! Boards that decide as this computer does.

use crate::bench::{Board, Kind};

#[test]
fn an_m0_decides_as_this_computer_does() {
    let board = Board::new(Kind::Microbit);
    let outcome = board.lodger("conform", "conform", &["--vectors", "300", "--json"]).exited(0);
    let compared = outcome.events("compared");
    assert_eq!(compared.len(), 3);
    for line in compared {
        assert_eq!((&line["vectors"], &line["differ"]), (&300.into(), &0.into()), "{line}");
    }
    assert!(outcome.events("mismatch").is_empty());
}

#[test]
fn an_m4f_decides_as_this_computer_does() {
    let board = Board::new(Kind::Mps2);
    let outcome = board.lodger("conform", "conform", &["--vectors", "300"]).exited(0);
    let rows = outcome.stdout.lines().filter(|line| line.contains("mps2-an386"));
    let ends: Vec<Vec<_>> = rows.map(|row| row.split_whitespace().skip(3).collect()).collect();
    assert_eq!(ends, vec![["300", "0"]; 3], "{}", outcome.stdout);
}

#[test]
fn a_program_that_does_not_answer_is_told() {
    let board = Board::new(Kind::Microbit);
    let options = ["--vectors", "5", "--json"];
    let outcome = board.lodger("conform", "decide", &options).exited(2);
    let outcome =
        outcome.complains(&["ended in the middle of the conversation", "it exited with 0"]);
    assert_eq!(outcome.events("flashed").len(), 1);
    assert_eq!(outcome.events("failed").len(), 1);
    // Nothing was compared, so nothing is tallied.
    assert!(outcome.events("compared").is_empty());
}

#[test]
fn a_program_that_says_something_else_has_answered_nothing() {
    let board = Board::new(Kind::Microbit);
    // It sends its frames where answers are expected.
    let outcome = board.lodger("conform", "demo", &["--vectors", "5", "--json"]).exited(2);
    let outcome = outcome.complains(&["answers with something else", "run the program `conform`"]);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("differs"), "{}", outcome.stderr);
    for event in ["compared", "mismatch"] {
        assert!(outcome.events(event).is_empty(), "{}", outcome.stdout);
    }
    let outcome = board.lodger("conform", "demo", &["--vectors", "5", "--no-flash"]).exited(2);
    assert_eq!(outcome.stdout.trim(), "");
}
