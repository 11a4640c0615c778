//! Watching a program that runs.

use crate::bench::{Board, Kind, lodger};

#[test]
fn lines_show_budget_and_modules_and_the_log() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "demo", &[]).exited(0);
    let outcome = board.lodger("monitor", "demo", &["--plain", "--frames", "3"]).exited(0);
    let outcome = outcome.says(&["budget", "scale", "cloth: LODs", "particles: LODs", "measured"]);
    assert_eq!(outcome.stdout.matches("frame ").count(), 3, "{}", outcome.stdout);
    // It had said that before anybody listened.
    outcome.says(&["everybody at the highest level", "firmware/programs/src/bin/demo.rs:"]);
}

#[test]
fn scripts_see_every_frame_of_an_m4f() {
    let board = Board::new(Kind::Mps2);
    board.lodger("flash", "demo", &[]).exited(0);
    let outcome = board.lodger("monitor", "demo", &["--json", "--frames", "20"]).exited(0);
    let frames = outcome.events("telemetry");
    assert_eq!(frames.len(), 20);
    for frame in &frames {
        let modules = frame["modules"].as_array().expect("modules");
        let names: Vec<_> = modules.iter().map(|module| &module["name"]).collect();
        assert_eq!(names, ["cloth", "particles"]);
        for module in modules {
            assert!(module["measured_ms"].is_f64() && module["planned_ms"].is_f64());
            assert_eq!(module["levels"].as_array().map(Vec::len), Some(5));
        }
        assert!(frame["budget_ms"].is_null() || frame["budget_ms"].is_f64());
    }
    assert_eq!(outcome.events("stopped").len(), 1);
}

#[test]
fn without_the_program_there_is_telemetry_and_no_log() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "demo", &[]).exited(0);
    let probe = board.probe();
    let options = ["--json", "--frames", "2", "--probe", &probe];
    let outcome = lodger(&[&["monitor", "--board", "microbit-v1"], &options[..]].concat());
    let outcome = outcome.exited(0).complains(&["without the program there is no log"]);
    assert_eq!(outcome.events("telemetry").len(), 2);
}

#[test]
fn two_boards_are_told_apart() {
    let (one, other) = (Board::new(Kind::Microbit), Board::new(Kind::Microbit));
    let second = other.probe();
    one.lodger("flash", "demo", &["--probe", &second]).exited(0);
    let options = ["--plain", "--frames", "2", "--probe", &second];
    let outcome = one.lodger("monitor", "demo", &options).exited(0);
    outcome.says(&[&format!("{}  frame ", one.probe()), &format!("{second}  frame ")]);
}

#[test]
fn watching_ends_in_time() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "demo", &[]).exited(0);
    board.lodger("monitor", "demo", &["--plain", "--for", "1"]).exited(0);
}

#[test]
fn a_program_that_has_ended_is_told() {
    let board = Board::new(Kind::Microbit);
    board.lodger("run", "decide", &[]).exited(0);
    let outcome = board.lodger("monitor", "decide", &["--json", "--reset"]).exited(0);
    assert_eq!(outcome.events("exit")[0]["code"], 0);
}
