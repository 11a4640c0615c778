//! Checks that all algorithms of the ledger and all SIMD levels give the same bits, over many random plans.
//!
//! `cargo run --release -p lodger-tests --example same-bits -- [--plans 100000] [--rows 10000000] [--seed 0]
//! [--without-scenes] [--digest …]`
//!
//! Modules are decided sequentially, in parts, and naively; scenes with NaN and infinities with all SIMD levels on 1, 2
//! and 7 threads.
//!
//! The digest of all plans is the same on every machine; `--digest` compares it. The exit code is 1 if there is a
//! difference.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "small random numbers"
)]

#[path = "../tests/wide/mod.rs"]
mod wide;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lodger_core::Fixed;
use lodger_scheduler::SimdLevel;
use lodger_testkit::script::Profile;
use lodger_testkit::{FNV_START, fnv1a};
use wide::scenes::{ExecutionVariant, PlanSnapshot};
use wide::{frames, scenes};

struct Options {
    plans: u64,
    rows: u64,
    seed: u64,
    has_scenes: bool,
    digest: Option<String>,
}

fn options() -> Result<Options, String> {
    let (plans, rows) = (100_000, 10_000_000);
    let mut options = Options { plans, rows, seed: 0, has_scenes: true, digest: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--digest" {
            options.digest = words.next();
            continue;
        }
        if word == "--without-scenes" {
            options.has_scenes = false;
            continue;
        }
        let place = match word.as_str() {
            "--plans" => &mut options.plans,
            "--rows" => &mut options.rows,
            "--seed" => &mut options.seed,
            _ => return Err(format!("unknown option {word}")),
        };
        let number = words.next().and_then(|number| number.parse().ok());
        *place = number.ok_or_else(|| format!("{word} needs a number"))?;
    }
    Ok(options)
}

struct Comparison {
    modules: u64,
    scenes: u64,
    rows: u64,
    digest: u64,
}

impl Comparison {
    fn add(&mut self, bytes: &[u8]) {
        self.digest = fnv1a(self.digest, bytes);
    }

    fn plans(&self) -> u64 {
        self.modules + self.scenes
    }

    fn add_modules(&mut self, scene: &frames::Scene, decision: &lodger_core::budget::Decision) {
        self.modules += 1;
        self.rows += scene.actors() as u64;
        self.add(format!("{decision:?}").as_bytes());
        for outcome in scene.outcomes() {
            self.add(&outcome.levels);
            outcome.fractions.iter().for_each(|fraction| self.add(&fraction.to_le_bytes()));
        }
    }

    fn add_scene(&mut self, plan: &PlanSnapshot) {
        self.scenes += 1;
        self.rows += plan.actors.len() as u64;
        self.add(plan.whole.as_bytes());
        for actor in &plan.actors {
            self.add(&actor.benefit.bits().to_le_bytes());
            self.add(&[actor.lod.level()]);
            self.add(&actor.lod.fraction().to_le_bytes());
        }
    }
}

fn compare(
    seed: u64,
    variants: Option<&[ExecutionVariant<'_>]>,
    compared: &mut Comparison,
) -> Result<(), String> {
    let actors = [10, 100, 400, 100, 30, 2_000][(seed % 6) as usize];
    frames::run(seed, |scene, decision| compared.add_modules(scene, decision))?;
    let Some(variants) = variants else { return Ok(()) };
    let profile = Profile { has_lenses: !(seed / 6).is_multiple_of(2), ..Profile::of_many(actors) };
    scenes::run::<f32>(seed, &profile, variants, |plan| compared.add_scene(plan))?;
    scenes::run::<f64>(seed, &profile, variants, |plan| compared.add_scene(plan))?;
    scenes::run::<Fixed>(seed, &profile, variants, |plan| compared.add_scene(plan))
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::from(2);
        }
    };
    let pools = wide::pools();
    let variants = wide::variants(&pools);
    let variants = options.has_scenes.then_some(&variants[..]);
    let mut compared = Comparison { modules: 0, scenes: 0, rows: 0, digest: FNV_START };
    let mut reported = Instant::now();
    for seed in options.seed.. {
        if compared.plans() >= options.plans && compared.rows >= options.rows {
            break;
        }
        if let Err(difference) = compare(seed, variants, &mut compared) {
            eprintln!("error: {difference}");
            return ExitCode::FAILURE;
        }
        if reported.elapsed() > Duration::from_secs(5) && std::io::stderr().is_terminal() {
            eprintln!("{} plans, {} rows", compared.plans(), compared.rows);
            reported = Instant::now();
        }
    }
    println!(
        "{} plans of {} rows: {} of modules, sequentially and in parts; {} of scenes, with {:?} on 1, 2 and 7 threads",
        compared.plans(),
        compared.rows,
        compared.modules,
        compared.scenes,
        SimdLevel::all()
    );
    let digest = format!("{:016x}", compared.digest);
    println!("digest {digest}");
    match options.digest {
        Some(other) if other != digest => {
            eprintln!("error: the other digest is {other}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
