//! Measures the optimal policy on random instances against the exact optimum, or a proven bound if that is unknown.
//!
//! `cargo run --release -p lodger-tests --example optimal -- [--instances 10000] [--seed 1] [--from 0]`
//!
//! Values are counted above the lowest levels. The exit code is 1 if a promise is broken.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "small random numbers"
)]

#[path = "../tests/optimal/instance_views.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod instance_views;
#[path = "../tests/wide/mod.rs"]
mod wide;

use std::collections::BTreeMap;
use std::process::ExitCode;

use instance_views::{InstanceQuality, measure};
use lodger_testkit::SplitMix64;
use lodger_tests::knapsack::generate::{Class, instance};
use rayon::prelude::*;

#[derive(Default)]
struct Row {
    instances: u32,
    exact: u32,
    close: u32,
    good: u32,
    large_good: u32,
    large: u32,
    worst: Worst,
}

struct Worst {
    improved: f64,
    greedy: f64,
    large: f64,
    proportional: f64,
    over_relaxation: f64,
}

impl Default for Worst {
    fn default() -> Self {
        Self { improved: 1.0, greedy: 1.0, large: 1.0, proportional: 1.0, over_relaxation: 0.0 }
    }
}

impl Row {
    fn add(&mut self, it: &InstanceQuality) {
        self.instances += 1;
        self.exact += u32::from(it.is_exact);
        self.close += u32::from(it.improved >= 0.999);
        self.good += u32::from(it.improved >= 0.99);
        let worst = &mut self.worst;
        worst.improved = worst.improved.min(it.improved);
        worst.greedy = worst.greedy.min(it.greedy);
        worst.proportional = worst.proportional.min(it.proportional);
        worst.over_relaxation = worst.over_relaxation.max(it.over_relaxation);
        if it.actors >= 1_000 {
            self.large += 1;
            self.large_good += u32::from(it.greedy >= 0.99);
            worst.large = worst.large.min(it.greedy);
        }
    }
}

fn main() -> ExitCode {
    let (mut instances, mut seed, mut from) = (10_000_u64, 1_u64, 0_u64);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|value| value.parse().ok());
        match (name.as_str(), value) {
            ("--instances", Some(value)) => instances = value,
            ("--seed", Some(value)) => seed = value,
            ("--from", Some(value)) => from = value,
            _ => {
                eprintln!("usage: optimal [--instances N] [--seed N] [--from N]");
                return ExitCode::from(2);
            }
        }
    }
    let found: Vec<(u64, Class, InstanceQuality)> = (from..from + instances)
        .into_par_iter()
        .map(|number| {
            let class = Class::ALL[usize::try_from(number).expect("few") % Class::ALL.len()];
            let mut random = SplitMix64::new(seed << 32 | number);
            let actors = actors(&mut random);
            (number, class, measure(&instance(class, actors, &mut random)))
        })
        .collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let (mut all, mut violations) = (Row::default(), 0_u32);
    for (number, class, measured) in found {
        let actors = measured.actors;
        for violation in &measured.violations {
            violations += 1;
            println!("{class}, instance {number}, {actors} actors: {violation}");
        }
        if measured.improved < 0.999 {
            let known = if measured.is_exact { "the optimum" } else { "a bound" };
            println!(
                "{class}, instance {number}, {actors} actors: {:.5} of {known}",
                measured.improved
            );
        }
        rows.entry(class.to_string()).or_default().add(&measured);
        all.add(&measured);
    }
    report(&rows, &all, violations)
}

/// Draws mostly small numbers, as small instances are the hard ones.
fn actors(random: &mut SplitMix64) -> usize {
    match random.within(0, 19) {
        0..10 => random.within(5, 60),
        10..17 => random.within(60, 300),
        17..19 => random.within(300, 999),
        _ => 1_000,
    }
}

fn report(rows: &BTreeMap<String, Row>, all: &Row, violations: u32) -> ExitCode {
    println!(
        "{:20} {:>9} {:>6} | {:>9} {:>8} {:>8} | {:>9} {:>9} {:>12} | {:>9}",
        "class",
        "instances",
        "exact",
        "512: min",
        ">=0.999",
        ">=0.99",
        "0: min",
        "1000: min",
        "proportional",
        "over LP"
    );
    for (class, row) in rows {
        print(class, row);
    }
    print("all", all);
    println!("if the exact optimum is unknown, shares are those of a bound");
    println!("{violations} violations");
    let kept = violations == 0
        && f64::from(all.close) >= 0.995 * f64::from(all.instances)
        && all.good == all.instances
        && all.large_good == all.large;
    println!("{}", if kept { "all promises are kept" } else { "a promise is broken" });
    ExitCode::from(u8::from(!kept))
}

fn print(class: &str, row: &Row) {
    let part = |of: u32| f64::from(of) / f64::from(row.instances.max(1));
    let Worst { improved, greedy, large, proportional, over_relaxation } = row.worst;
    println!(
        "{class:20} {:9} {:6} | {improved:9.5} {:8.4} {:8.4} | {greedy:9.5} {large:9.5} {proportional:12.4} | {over_relaxation:9.6}",
        row.instances,
        row.exact,
        part(row.close),
        part(row.good),
    );
}
