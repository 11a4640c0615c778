//! Commands that succeed: flash, run, monitor and conform.

use serde_json::Value;

use crate::bench::{Board, Kind, lodger};

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
fn a_flash_is_reported() {
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
fn a_locked_chip_is_reported_with_a_remedy() {
    let board = Board::new(Kind::Mps2);
    // The port that says whether the chip is open is not emulated, and reads as 0.
    let chip = ["--chip", "nRF52840_xxAA"];
    let outcome = board.lodger("run", "decide", &chip).exited(2);
    let outcome = outcome.complains(&[
        "the nRF52840_xxAA at the probe",
        "is locked",
        "--allow-erase-all erases all",
    ]);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    // Erasing cannot open the missing port.
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
fn a_board_restarts_when_it_is_held_in_reset() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &["--json"]);
    running.wait_for("\"frame\":30,");
    // A debugger that disconnects cleanly removes the catch of the reset.
    board.emulation.unplug();
    running.finish().exited(2);
    board.emulation.plug_in();
    let options = ["--json", "--frames", "1", "--connect-under-reset", "--speed", "100"];
    let outcome = board.lodger("monitor", "demo", &options).exited(0);
    assert_eq!(outcome.events("telemetry")[0]["frame"], 0);
}

/// The log of `decide` on every board.
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
fn text_has_level_message_and_place() {
    let outcome = Board::new(Kind::Microbit).lodger("run", "decide", &[]).exited(0);
    outcome.says(&[
        "Flashed microbit-v1",
        "info  64 actors",
        "firmware/programs/src/bin/decide.rs:",
    ]);
}

#[test]
fn a_log_has_the_format_of_the_user() {
    let board = Board::new(Kind::Microbit);
    let format = ["--log-format", "{L:>6} <{s}> {f}:{l:1}"];
    let outcome = board.lodger("run", "decide", &format).exited(0);
    outcome.says(&["  INFO <64 actors", "> decide.rs:"]);
    let bad = board.lodger("run", "decide", &["--log-format", "{L} {s:bald}"]).exited(2);
    bad.complains(&["--log-format", "at character 8: this is none of s (message)"]);
    for json in [&["--json"][..], &["--format", "json"]] {
        let outcome = board.lodger("run", "decide", &[&format[..], json].concat()).exited(2);
        outcome.complains(&["--log-format formats text", "leave one out"]);
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
fn a_panic_has_its_backtrace_in_json() {
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
    // The log of the first run is not repeated.
    assert_eq!(outcome.events("log").len(), DECIDE.lines().count());
}

#[test]
fn another_program_on_the_board_is_an_error() {
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

#[test]
fn lines_show_budget_and_modules_and_the_log() {
    let board = Board::new(Kind::Microbit);
    board.lodger("flash", "demo", &[]).exited(0);
    let outcome = board.lodger("monitor", "demo", &["--plain", "--frames", "3"]).exited(0);
    let outcome = outcome.says(&["budget", "scale", "cloth: LODs", "particles: LODs", "measured"]);
    assert_eq!(outcome.stdout.matches("frame ").count(), 3, "{}", outcome.stdout);
    // It was logged before the monitor connected.
    outcome.says(&["all actors at the highest level", "firmware/programs/src/bin/demo.rs:"]);
}

#[test]
fn json_has_every_frame_of_an_m4f() {
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
fn two_boards_are_distinguished() {
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
fn the_end_of_a_program_is_reported() {
    let board = Board::new(Kind::Microbit);
    board.lodger("run", "decide", &[]).exited(0);
    let outcome = board.lodger("monitor", "decide", &["--json", "--reset"]).exited(0);
    assert_eq!(outcome.events("exit")[0]["code"], 0);
}

#[test]
fn an_m0_has_the_results_of_this_computer() {
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
fn an_m4f_has_the_results_of_this_computer() {
    let board = Board::new(Kind::Mps2);
    let outcome = board.lodger("conform", "conform", &["--vectors", "300"]).exited(0);
    let rows = outcome.stdout.lines().filter(|line| line.contains("mps2-an386"));
    let ends: Vec<Vec<_>> = rows.map(|row| row.split_whitespace().skip(3).collect()).collect();
    assert_eq!(ends, vec![["300", "0"]; 3], "{}", outcome.stdout);
}

#[test]
fn a_program_that_does_not_respond_is_reported() {
    let board = Board::new(Kind::Microbit);
    let options = ["--vectors", "5", "--json"];
    let outcome = board.lodger("conform", "decide", &options).exited(2);
    let outcome = outcome.complains(&["ended within the conversation", "it exited with 0"]);
    assert_eq!(outcome.events("flashed").len(), 1);
    assert_eq!(outcome.events("failed").len(), 1);
    // Nothing was compared, so that there are no counts.
    assert!(outcome.events("compared").is_empty());
}

#[test]
fn invalid_responses_are_no_results() {
    let board = Board::new(Kind::Microbit);
    // It sends frames instead of responses.
    let outcome = board.lodger("conform", "demo", &["--vectors", "5", "--json"]).exited(2);
    let outcome =
        outcome.complains(&["sends something else than responses", "run the program `conform`"]);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("differs"), "{}", outcome.stderr);
    for event in ["compared", "mismatch"] {
        assert!(outcome.events(event).is_empty(), "{}", outcome.stdout);
    }
    let outcome = board.lodger("conform", "demo", &["--vectors", "5", "--no-flash"]).exited(2);
    assert_eq!(outcome.stdout.trim(), "");
}
