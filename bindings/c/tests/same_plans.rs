//! The same random calls, made of the scheduler and through the functions of the header, decide the same.
#![allow(unsafe_code, reason = "a pointer for a C function is made with a promise")]

#[path = "plans/abi.rs"]
mod abi;
#[path = "plans/mod.rs"]
mod plans;

use plans::rust::ThroughRust;

/// Scenes of 20 frames each.
const SCENES: u64 = 1_000;

#[test]
fn random_plans_through_c_are_those_through_rust() {
    let (mut lines, mut kinds) = (0_usize, [0_usize; 9]);
    for seed in 0..SCENES {
        let ours = plans::player::play(seed, ThroughRust::default());
        let theirs = plans::player::play(seed, abi::ThroughC::default());
        let differing = ours.lines().zip(theirs.lines()).position(|(ours, theirs)| ours != theirs);
        if let Some(line) = differing {
            let (ours, theirs) = (ours.lines().nth(line), theirs.lines().nth(line));
            panic!("seed {seed}, line {line}:\n rust {ours:?}\n c    {theirs:?}");
        }
        assert_eq!(ours.len(), theirs.len(), "seed {seed}");
        lines += ours.lines().count();
        for status in ours.lines().filter_map(|line| line.strip_prefix("call ")) {
            kinds[status.parse::<usize>().expect("a status is a digit")] += 1;
        }
    }
    println!("{SCENES} scenes, {lines} lines; calls by status: {kinds:?}");
    // All that a call on one thread can come to is among them.
    assert!([0, 2, 3, 4, 5].iter().all(|&status| kinds[status] > 100), "{kinds:?}");
}
