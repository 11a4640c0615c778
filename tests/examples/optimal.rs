//! How good the optimal policy is, over many instances by chance: against the exact optimum where that can be found,
//! else against a proven bound.
//!
//! `cargo run --release -p lodger-tests --example optimal -- [--instances 10000] [--seed 1] [--from 0]`
//!
//! What is counted is worth above the lowest levels. The exit code says whether all promises are kept.

#[path = "../tests/optimal/books.rs"]
#[allow(dead_code, unreachable_pub)] // the tests use more of it
mod books;
#[path = "../tests/optimal/measure.rs"]
#[allow(dead_code, unreachable_pub)] // the same
mod measure;

use std::collections::BTreeMap;
use std::process::ExitCode;

use lodger_tests::knapsack::generate::{Chance, Class, instance};
use measure::{Measured, measure};
use rayon::prelude::*;

/// What is found of one class.
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
    refined: f64,
    greedy: f64,
    large: f64,
    proportional: f64,
    over_relaxation: f64,
}

impl Default for Worst {
    fn default() -> Self {
        Self { refined: 1.0, greedy: 1.0, large: 1.0, proportional: 1.0, over_relaxation: 0.0 }
    }
}

impl Row {
    fn add(&mut self, it: &Measured) {
        self.instances += 1;
        self.exact += u32::from(it.is_exact);
        self.close += u32::from(it.refined >= 0.999);
        self.good += u32::from(it.refined >= 0.99);
        let worst = &mut self.worst;
        worst.refined = worst.refined.min(it.refined);
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
    let found: Vec<(u64, Class, Measured)> = (from..from + instances)
        .into_par_iter()
        .map(|number| {
            let class = Class::ALL[usize::try_from(number).expect("few") % Class::ALL.len()];
            let mut chance = Chance::new(seed << 32 | number);
            let actors = actors(&mut chance);
            (number, class, measure(&instance(class, actors, &mut chance)))
        })
        .collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut violations = 0_u32;
    for (number, class, measured) in found {
        let actors = measured.actors;
        for violation in &measured.violations {
            violations += 1;
            println!("{class}, instance {number}, {actors} actors: {violation}");
        }
        if measured.refined < 0.999 {
            let known = if measured.is_exact { "the optimum" } else { "a bound" };
            println!(
                "{class}, instance {number}, {actors} actors: {:.5} of {known}",
                measured.refined
            );
        }
        rows.entry(class.to_string()).or_default().add(&measured);
    }
    report(&rows, violations)
}

/// Mostly few: those are the hard ones.
fn actors(chance: &mut Chance) -> usize {
    match chance.count(0, 19) {
        0..10 => chance.count(5, 60),
        10..17 => chance.count(60, 300),
        17..19 => chance.count(300, 999),
        _ => 1_000,
    }
}

fn report(rows: &BTreeMap<String, Row>, violations: u32) -> ExitCode {
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
    let mut all = Row::default();
    for (class, row) in rows {
        print(class, row);
        let share = |of: &mut u32, more: u32| *of += more;
        share(&mut all.instances, row.instances);
        share(&mut all.exact, row.exact);
        share(&mut all.close, row.close);
        share(&mut all.good, row.good);
        share(&mut all.large, row.large);
        share(&mut all.large_good, row.large_good);
        all.worst.refined = all.worst.refined.min(row.worst.refined);
        all.worst.greedy = all.worst.greedy.min(row.worst.greedy);
        all.worst.large = all.worst.large.min(row.worst.large);
        all.worst.proportional = all.worst.proportional.min(row.worst.proportional);
        all.worst.over_relaxation = all.worst.over_relaxation.max(row.worst.over_relaxation);
    }
    print("all", &all);
    println!(
        "where the exact optimum would take too long, parts are of a bound closer than the relaxation's"
    );
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
    let Worst { refined, greedy, large, proportional, over_relaxation } = row.worst;
    println!(
        "{class:20} {:9} {:6} | {refined:9.5} {:8.4} {:8.4} | {greedy:9.5} {large:9.5} {proportional:12.4} | {over_relaxation:9.6}",
        row.instances,
        row.exact,
        part(row.close),
        part(row.good),
    );
}
