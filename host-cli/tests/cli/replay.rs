use std::io::Write as _;

use flate2::write::ZlibEncoder;
use lodger_scheduler::record::Recorder;
use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost, View};
use serde_json::{Value, json};

use crate::run::{Case, RunOutput, lodger};

pub(crate) fn log() -> Vec<u8> {
    log_of(10)
}

pub(crate) fn log_of(ticks: u16) -> Vec<u8> {
    let mut scene = Scene::<f32>::new(Budget::from_ms(1.0).unwrap());
    scene.add_view(View::from_position([0.0; 3]).unwrap()).unwrap();
    let unit_cost = UnitCost::from_ns(500.0).unwrap();
    let cloth = Module::new("cloth", unit_cost).benefit_value(BenefitValue::from_ms(3.0).unwrap());
    let cloth = scene.add_module(cloth).unwrap();
    let [moving, _] = [9.0, 4.0]
        .map(|x| scene.spawn(cloth, Actor::at([x, 0.0, 0.0], 1.0, &[0, 400, 2_000])).unwrap());
    let mut recorder = Recorder::new(Vec::new()).unwrap();
    for step in 0..ticks {
        scene.set_position(moving, [9.0 - f32::from(step % 10), 0.0, 0.0]).unwrap();
        recorder.tick(&mut scene).unwrap();
    }
    recorder.finish().unwrap()
}

/// A log of the first schema: ticks without a module, the last of which states a number of
/// switches.
fn unchecked(ticks: usize, flips: u8) -> Vec<u8> {
    let decision = [0, 0, 0, 128, 128, 128, 128, 16, 1, 0, 0, 0];
    let tick = [&[23, 0, 0, 0, 1][..], &[0; 10], &decision].concat();
    let mut bytes = tick.repeat(ticks);
    bytes.pop();
    bytes.extend([flips, 0, 0, 0, 0]);
    let mut stream = ZlibEncoder::new(b"lodger log\x01\x00".to_vec(), flate2::Compression::fast());
    stream.write_all(&bytes).unwrap();
    stream.finish().unwrap()
}

pub(crate) fn different() -> Vec<u8> {
    unchecked(10, 3)
}

fn replay(log: impl AsRef<[u8]>, arguments: &[&str]) -> RunOutput {
    let folder = lodger().with("frames.log", log);
    let arguments = [&["replay", "frames.log"], arguments].concat();
    folder.run(&arguments)
}

#[test]
fn a_log_replays_and_says_how_much_it_was() {
    let log = log();
    let outcome = replay(&log, &[]).succeeds();
    assert!(
        outcome.stdout.starts_with("Identical: 10 ticks of up to 2 actors"),
        "{}",
        outcome.stdout
    );
    let answer: Value = replay(&log, &["--format", "json"]).succeeds().json();
    let expected = json!({
        "schema": 1, "log": "frames.log", "ticks": 10, "actors": 2, "bytes": log.len(),
        "identical": true, "difference": null, "flaw": null,
    });
    assert_eq!(answer, expected);
    let folder = lodger();
    assert_eq!(folder.run_case(&Case::of_args(["replay", "-"]).bytes(&log)).code, Some(0));
}

#[test]
fn the_first_difference_is_named() {
    let spoilt = different();
    let outcome = replay(&spoilt, &[]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("Different: in tick 9 the number of flips is"),
        "{}",
        outcome.stdout
    );
    let answer: Value = replay(&spoilt, &["--format", "json"]).json();
    assert_eq!(answer["identical"], json!(false));
    assert_eq!(answer["difference"]["tick"], json!(9));
    assert_eq!(answer["difference"]["what"], json!("the number of flips"));
}

#[test]
fn files_without_a_log_are_rejected() {
    replay("budget_ms = 5", &[]).fails_with(&["`frames.log`", "no log", "help: "]);
    replay("", &[]).fails_with(&["no log"]);
    let mut older = log();
    older[10] = 0;
    replay(older, &[]).fails_with(&[
        "schema 0",
        "reads schemas 1, 2 and 4",
        "the lodger that wrote it",
    ]);
    let whole = log();
    replay(&whole[..whole.len() / 2], &[]).fails_with(&["breaks off at tick"]);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    replay(flipped, &[]).fails_with(&["`frames.log`: tick", "is damaged", "checksum"]);
    let folder = lodger();
    folder.run(&["replay", "nowhere.log"]).fails_with(&["`nowhere.log`"]);
}

#[test]
fn a_log_of_the_first_schema_is_read() {
    let outcome = replay(unchecked(10, 0), &[]).succeeds();
    assert!(outcome.stdout.starts_with("Identical: 10 ticks"), "{}", outcome.stdout);
}

#[test]
fn no_tick_and_bytes_behind_the_end_are_findings() {
    let behind = [log(), b"behind".to_vec()].concat();
    for (log, words, flaw, ticks) in [
        (log_of(0), "Empty: the log has no tick", "no-ticks", 0),
        (
            behind,
            "Not whole: bytes follow the end of the log, after 10 ticks",
            "bytes-after-end",
            10,
        ),
    ] {
        let outcome = replay(&log, &[]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        assert!(outcome.stdout.starts_with(words), "{}", outcome.stdout);
        let outcome = replay(&log, &["--format", "json"]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        let answer = outcome.json();
        assert_eq!([&answer["ticks"], &answer["flaw"]], [&json!(ticks), &json!(flaw)]);
        assert_eq!(answer["identical"], json!(false));
    }
}

#[test]
fn a_result_is_never_written_onto_the_log() {
    let folder = lodger().with("frames.log", log());
    let command = ["replay", "frames.log", "--output", "./frames.log"];
    folder.run(&command).fails_with(&["frames.log"]);
    assert_eq!(std::fs::read(folder.path("frames.log")).unwrap(), log());
}

#[test]
fn a_log_of_more_than_it_may_take_is_refused() {
    // More than a hundred units for each of two actors in a tick.
    replay(log_of(5_001), &["--work", "1"]).fails_with(&["`frames.log`", "--work"]);
    // Ticks cost something, too.
    replay(unchecked(10_000, 0), &["--work", "1"]).fails_with(&["`frames.log`", "--work"]);
}
