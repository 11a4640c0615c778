//! Digests of the outcomes of scripts, to compare two versions of the scheduler.
//!
//! ```text
//! cargo run --release -p lodger-tests --example plans -- 2000 > after.txt
//! ```
//!
//! Each line is the script of a seed under a policy, with or without hysteresis, in `f32`, `f64`, `Fixed` and `Micro`. Compare
//! the output of two commits by `diff`.

use std::process::ExitCode;

use lodger_core::{Fixed, Micro};
use lodger_testkit::script::{Call, Player as _, Profile, ScenePlayer, ScriptNumber, calls};
use lodger_testkit::{FNV_START, fnv1a};

const POLICIES: [&str; 5] = ["keep", "within-module", "across-modules", "whole-budget", "optimal"];
const HYSTERESIS: [(&str, [u8; 2]); 2] = [("off", [0, 0]), ("on", [26, 8])];

fn main() -> ExitCode {
    let scripts = match std::env::args().nth(1).map(|count| count.parse::<u64>()) {
        None => 2_000,
        Some(Ok(scripts)) => scripts,
        Some(Err(error)) => {
            eprintln!("error: the number of scripts: {error}");
            return ExitCode::from(2);
        }
    };
    for seed in 0..scripts {
        let profile = Profile { has_lenses: !seed.is_multiple_of(2), ..Profile::SCHEDULER };
        let drawn = calls(seed, &profile);
        for (name, policy) in POLICIES.iter().zip(0..) {
            for (hysteresis, [margin, dead_band]) in HYSTERESIS {
                let mut calls =
                    vec![Call::SetPolicy(policy), Call::SetHysteresis { margin, dead_band }];
                let is_drawn =
                    |call: &&Call| !matches!(call, Call::SetPolicy(_) | Call::SetHysteresis { .. });
                calls.extend(drawn.iter().filter(is_drawn).cloned());
                let single = digest::<f32>(&calls);
                let double = digest::<f64>(&calls);
                let (fixed, micro) = (digest::<Fixed>(&calls), digest::<Micro>(&calls));
                println!(
                    "{seed} {name} {hysteresis} {single:016x} {double:016x} {fixed:016x} {micro:016x}"
                );
            }
        }
    }
    ExitCode::SUCCESS
}

fn digest<N: ScriptNumber>(calls: &[Call]) -> u64 {
    let mut player = ScenePlayer::<N>::new();
    calls.iter().fold(FNV_START, |digest, call| {
        let outcome = player.call(call);
        let lines = outcome.lines.iter().flat_map(|line| line.words.iter());
        [outcome.status as u64]
            .iter()
            .chain(lines)
            .fold(digest, |digest, word| fnv1a(digest, &word.to_le_bytes()))
    })
}
