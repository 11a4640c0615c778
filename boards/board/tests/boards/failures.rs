//! Mistakes, each reported once with help; interruptions by signals, and an unplugged probe.

use std::fs;

use crate::bench::{Board, Kind, lodger};

/// A chip with the processor of the M0, without memory at the addresses of programs.
const ELSEWHERE: &str = "\
name: Elsewhere
variants:
- name: ELSEWHERE
  cores:
  - name: main
    type: armv6m
    core_access_options: !Arm
      ap: !v1 0
  memory_map:
  - !Ram
    name: RAM
    range: { start: 0x20000000, end: 0x20004000 }
    cores: [main]
  flash_algorithms: []
flash_algorithms: []
";

/// Asserts that the program fails without output, with one error.
#[track_caller]
fn fails_with(arguments: &[&str], parts: &[&str]) {
    let outcome = lodger(arguments).exited(2).complains(parts);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    assert_eq!(outcome.stdout.trim(), "");
}

#[test]
fn mistakes_are_reported_before_a_board_is_accessed() {
    let program = Kind::Microbit.program("decide");
    let own = env!("CARGO_BIN_EXE_lodger-board");
    let probe = ["--probe", "1d50:6018:127.0.0.1:1"];
    let with = |arguments: &[&str], parts: &[&str]| {
        fails_with(&[arguments, &probe].concat(), parts);
    };
    with(&["run", &program], &["no debug probe 1d50:6018:127.0.0.1:1", "lodger board list"]);
    with(&["flash", &program, "--probe", "nonsense"], &["VID:PID", "lodger board list"]);
    with(
        &["flash", &program, probe[0], probe[1]],
        &["the probe 1d50:6018:127.0.0.1:1 is named twice", "once"],
    );
    with(&["run", &program, "--board", "toaster"], &["no board is called toaster", "microbit-v1"]);
    with(
        &["run", &program, "--chip", "nRF52840_xxAB"],
        &["no chip is called `nRF52840_xxAB`", "nRF52840_xxAA"],
    );
    with(&["monitor"], &["no board is selected", "--board"]);
    with(&["flash", own], &["is no program for a board", "thumb target"]);
    with(&["flash", "no/such/file"], &["cannot read `no/such/file`"]);
}

#[test]
fn a_program_of_another_board() {
    let board = Board::new(Kind::Microbit);
    let (program, probe) = (Kind::Mps2.program("decide"), board.probe());
    fails_with(
        &["flash", &program, "--board", "microbit-v1", "--probe", &probe],
        &["was built for the board mps2-an386, not for microbit-v1", "--chip"],
    );
    // The connected chip is another.
    fails_with(
        &["flash", &program, "--probe", &probe],
        &["is no MPS2-AN386: its processor is a Cortex-M0", "that is connected"],
    );
}

#[test]
fn another_chip() {
    let board = Board::new(Kind::Mps2);
    let outcome = board.lodger("run", "decide", &["--chip", "nRF51822_xxAA"]).exited(2);
    outcome.complains(&["is no nRF51822_xxAA: its processor is a Cortex-M4"]);
}

#[test]
fn a_program_that_does_not_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let description = folder.path().join("elsewhere.yaml");
    fs::write(&description, ELSEWHERE).expect("a file");
    let description = description.display().to_string();
    let board = Board::new(Kind::Microbit);
    let options = ["--chip", "ELSEWHERE", "--chip-description", &description];
    let outcome = board.lodger("flash", "decide", &options).exited(2);
    outcome.complains(&["does not fit", "no memory at 0x00000000"]);
}

#[test]
fn the_list_needs_no_probe() {
    let outcome = lodger(&["list"]).exited(0);
    outcome.says(&["Debug probes", "microbit-v1", "nRF51822_xxAA", "mps2-an386"]);
    let outcome = lodger(&["list", "--json"]).exited(0);
    let list: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("a document");
    assert_eq!(list["schema"], 1);
    assert!(list["probes"].is_array());
    let names: Vec<_> =
        list["boards"].as_array().expect("boards").iter().map(|board| &board["name"]).collect();
    assert!(names.contains(&&serde_json::Value::from("microbit-v1")), "{names:?}");
}

#[test]
fn a_program_runs_on_after_ctrl_c() {
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
fn a_closed_terminal_stops_cleanly() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &["--json"]);
    running.wait_for("telemetry");
    running.signal("-HUP");
    assert_eq!(running.finish().exited(130).events("stopped").len(), 1);
    board.lodger("monitor", "demo", &["--plain", "--frames", "2"]).exited(0);
}

#[test]
fn an_abandoned_flash_is_reported_as_incomplete() {
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
fn an_unplugged_probe_is_reported() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("run", "demo", &[]);
    running.wait_for("all actors at the highest level");
    board.emulation.unplug();
    let probe = board.probe();
    let outcome = running.finish().exited(2);
    outcome.complains(&[&format!("the probe {probe} does not respond"), "check the cable"]);
}

#[test]
fn other_boards_are_still_watched() {
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
fn an_interrupted_flash_is_reported_as_incomplete() {
    let board = Board::new(Kind::Microbit);
    let mut running = board.start("flash", "demo", &["--json"]);
    running.wait_for("\"phase\":\"program\"");
    board.emulation.unplug();
    running.finish().exited(2).complains(&["the flash is incomplete", "flash again"]);
    board.emulation.plug_in();
    board.lodger("run", "decide", &[]).exited(0);
}
