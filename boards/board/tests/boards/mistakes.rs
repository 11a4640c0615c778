//! Mistakes: each is told once, with what to do.

use std::fs;

use crate::bench::{Board, Kind, lodger};

/// A chip with the M0's processor, and memory where no program of ours is.
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

/// Fails before any board is touched.
#[track_caller]
fn refused(arguments: &[&str], parts: &[&str]) {
    let outcome = lodger(arguments).exited(2).complains(parts);
    assert_eq!(outcome.stderr.matches("error: ").count(), 1, "{}", outcome.stderr);
    assert_eq!(outcome.stdout.trim(), "");
}

#[test]
fn a_probe_that_is_not_there() {
    let program = Kind::Microbit.program("decide");
    let nobody = ["--probe", "1d50:6018:127.0.0.1:1"];
    refused(
        &["run", &program, nobody[0], nobody[1]],
        &["no debug probe 1d50:6018:127.0.0.1:1", "lodger board list"],
    );
    refused(&["flash", &program, "--probe", "nonsense"], &["VID:PID", "lodger board list"]);
    refused(
        &["flash", &program, nobody[0], nobody[1], nobody[0], nobody[1]],
        &["the probe 1d50:6018:127.0.0.1:1 is named twice", "once"],
    );
}

#[test]
fn a_board_that_is_none() {
    let program = Kind::Microbit.program("decide");
    let probe = ["--probe", "1d50:6018:127.0.0.1:1"];
    let with = |options: &[&str], parts| {
        refused(&[&["run", &program], options, &probe].concat(), parts);
    };
    with(&["--board", "toaster"], &["no board is called toaster", "microbit-v1"]);
    with(&["--chip", "nRF52840_xxAB"], &["no chip is called `nRF52840_xxAB`", "nRF52840_xxAA"]);
    with(&["--board", "mps2-an385"], &["built for the board microbit-v1, not for mps2-an385"]);
    refused(&["monitor", probe[0], probe[1]], &["which board?", "--board"]);
}

#[test]
fn a_program_of_another_board() {
    let board = Board::new(Kind::Microbit);
    let (program, probe) = (Kind::Mps2.program("decide"), board.probe());
    refused(
        &["flash", &program, "--board", "microbit-v1", "--probe", &probe],
        &["was built for the board mps2-an386, not for microbit-v1", "--chip"],
    );
    // Its own chip is not what is there.
    refused(
        &["flash", &program, "--probe", &probe],
        &["is no MPS2-AN386: its processor is a Cortex-M0", "that is connected"],
    );
}

#[test]
fn a_chip_that_is_another() {
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
fn programs_that_cannot_be_run() {
    let probe = ["--probe", "1d50:6018:127.0.0.1:1"];
    let own = env!("CARGO_BIN_EXE_lodger-board");
    refused(&["flash", own, probe[0], probe[1]], &["is no program for a board", "thumb target"]);
    refused(&["flash", "no/such/file", probe[0], probe[1]], &["cannot read `no/such/file`"]);
}

#[test]
fn the_list_needs_nothing() {
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
