//! Running programs: their log, their exit code, their crashes.

use serde_json::Value;

use crate::bench::{Board, Kind};

/// What `decide` logs on every board, a line of level and text each.
const DECIDE: &str = include_str!("../../../../firmware/programs/src/bin/decide.out");

#[test]
fn a_log_has_its_levels_texts_and_lines_on_every_board() {
    for kind in [Kind::Microbit, Kind::Mps2] {
        let outcome = Board::new(kind).lodger("run", "decide", &["--json"]).exited(0);
        let log = outcome.events("log");
        let said: Vec<_> = log
            .iter()
            .map(|line| format!("{:5} {}", line["level"].as_str().expect("a level"), text(line)))
            .collect();
        assert_eq!(said, DECIDE.lines().collect::<Vec<_>>(), "{}", kind.name());
        for line in &log {
            let file = line["file"].as_str().expect("a file");
            assert!(file.ends_with("firmware/programs/src/bin/decide.rs"), "{file}");
            assert!(line["line"].as_u64().is_some_and(|number| number > 0));
            assert!(line["module"].as_str().is_some_and(|module| module.contains("decide")));
        }
        assert_eq!(outcome.events("exit")[0]["code"], 0);
    }
}

fn text(line: &Value) -> &str {
    line["text"].as_str().expect("a text")
}

#[test]
fn eyes_see_level_text_and_place() {
    let outcome = Board::new(Kind::Microbit).lodger("run", "decide", &[]).exited(0);
    outcome.says(&[
        "Flashed microbit-v1",
        "info  64 actors",
        "firmware/programs/src/bin/decide.rs:",
    ]);
}

#[test]
fn a_log_looks_as_somebody_wants_it() {
    let board = Board::new(Kind::Microbit);
    let format = ["--log-format", "{L:>6} <{s}> {f}:{l:1}"];
    let outcome = board.lodger("run", "decide", &format).exited(0);
    outcome.says(&["  INFO <64 actors", "> decide.rs:"]);
    let bad = board.lodger("run", "decide", &["--log-format", "{L} {s:bald}"]).exited(2);
    bad.complains(&["--log-format", "at character 8: this is none of s (what it says)"]);
    for json in [&["--json"][..], &["--format", "json"]] {
        let outcome = board.lodger("run", "decide", &[&format[..], json].concat()).exited(2);
        outcome.complains(&["--log-format is for eyes", "leave one out"]);
    }
}

#[test]
fn a_panic_is_exit_code_1_with_a_backtrace() {
    for kind in [Kind::Microbit, Kind::Mps2] {
        let outcome = Board::new(kind).lodger("run", "panics", &[]).exited(1);
        outcome.says(&["error panicked at", "index out of bounds"]).complains(&[
            "The program crashed: it panicked",
            "panics::device::look_up",
            "firmware/programs/src/bin/panics.rs:",
        ]);
    }
}

#[test]
fn a_panic_has_its_backtrace_for_scripts() {
    let outcome = Board::new(Kind::Microbit).lodger("run", "panics", &["--json"]).exited(1);
    let crash = &outcome.events("crash")[0];
    assert_eq!((&crash["what"], &crash["code"]), (&"it panicked".into(), &1.into()));
    let calls = crash["backtrace"].as_array().expect("calls");
    let found = calls.iter().find(|call| call["function"] == "panics::device::look_up");
    let call = found.expect("the function that panicked");
    assert!(call["file"].as_str().is_some_and(|file| file.ends_with("panics.rs")));
    assert!(call["line"].as_u64().is_some_and(|line| line > 0));
}

#[test]
fn a_program_runs_again_without_being_written() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "decide", &[]).exited(0);
    let outcome = board.lodger("run", "decide", &["--no-flash", "--json"]).exited(0);
    assert!(outcome.events("flashed").is_empty());
    // Nothing of the first run is heard again.
    assert_eq!(outcome.events("log").len(), DECIDE.lines().count());
}

#[test]
fn another_program_is_not_taken_for_the_one_that_was_named() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "panics", &[]).exited(0);
    for (command, options) in [("run", ["--no-flash"]), ("monitor", ["--plain"])] {
        let outcome = board.lodger(command, "decide", &options).exited(2);
        outcome.complains(&["holds another program", "flash it first"]);
    }
}

#[test]
fn several_boards_run_at_once() {
    let (one, other) = (Board::new(Kind::Microbit), Board::new(Kind::Microbit));
    let second = other.probe();
    let outcome = one.lodger("run", "decide", &["--json", "--probe", &second]).exited(0);
    for probe in [one.probe(), second] {
        let log = outcome.events("log");
        let lines = log.iter().filter(|line| line["probe"] == probe).count();
        assert_eq!(lines, DECIDE.lines().count());
    }
}
