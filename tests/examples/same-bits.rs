//! Whether all forms of the ledger and of its loops give the same bits, over many plans by chance.
//!
//! `cargo run --release -p lodger-tests --example same-bits -- [--plans 100000] [--rows 10000000] [--seed 0] [--digest …]`
//!
//! Books are decided as a whole, in parts that are asked in any order, and by the naive ledger. Scenes of
//! `f32`, `f64` and `Fixed`, with NaN, infinities, forced and pinned actors, continuous modules and several
//! ladders, are decided with all vectors that the processor has on 1, 2 and 7 threads; benefits are held
//! against those that the rule gives each actor alone.
//!
//! The digest of all plans is the same on every machine, and may be held against that of another. Exit code 1
//! if anything differs.

// What is cast are small numbers by chance.
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]

#[path = "../tests/wide/crowds.rs"]
#[allow(unreachable_pub)] // the tests use it, too
mod crowds;
#[path = "../tests/wide/frames.rs"]
#[allow(unreachable_pub)] // the same
mod frames;
#[path = "../tests/wide/random.rs"]
#[allow(unreachable_pub)] // the same
mod random;
#[path = "../tests/wide/references.rs"]
#[allow(unreachable_pub)] // the same
mod references;
#[path = "../tests/wide/scenes.rs"]
#[allow(unreachable_pub)] // the same
mod scenes;
#[path = "../tests/wide/walks.rs"]
#[allow(unreachable_pub)] // the same
mod walks;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lodger_core::Fixed;
use lodger_scheduler::Vectors;
use rayon::ThreadPoolBuilder;
use scenes::{ExecutionVariant, PlanSnapshot};

const THREADS: [usize; 3] = [1, 2, 7];

/// How much is asked for.
struct Asked {
    plans: u64,
    rows: u64,
    seed: u64,
    /// That of another machine.
    digest: Option<String>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked { plans: 100_000, rows: 10_000_000, seed: 0, digest: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--digest" {
            asked.digest = words.next();
            continue;
        }
        let place = match word.as_str() {
            "--plans" => &mut asked.plans,
            "--rows" => &mut asked.rows,
            "--seed" => &mut asked.seed,
            _ => return Err(format!("what is {word}?")),
        };
        let number = words.next().and_then(|number| number.parse().ok());
        *place = number.ok_or_else(|| format!("{word} needs a number"))?;
    }
    Ok(asked)
}

/// Who was compared.
#[derive(Default)]
struct Seen {
    books: u64,
    scenes: u64,
    rows: u64,
    digest: Digest,
}

impl Seen {
    fn plans(&self) -> u64 {
        self.books + self.scenes
    }

    fn book(&mut self, scene: &frames::Scene, decision: &lodger_core::budget::Decision) {
        self.books += 1;
        self.rows += scene.actors() as u64;
        self.digest.add(format!("{decision:?}").as_bytes());
        for outcome in scene.outcomes() {
            self.digest.add(&outcome.levels);
            outcome.fractions.iter().for_each(|fraction| self.digest.add(&fraction.to_le_bytes()));
        }
    }

    fn scene(&mut self, told: &PlanSnapshot) {
        self.scenes += 1;
        self.rows += told.actors.len() as u64;
        self.digest.add(told.whole.as_bytes());
        for actor in &told.actors {
            self.digest.add(&actor.benefit.bits().to_le_bytes());
            self.digest.add(&[actor.lod.level()]);
            self.digest.add(&actor.lod.fraction().to_le_bytes());
        }
    }
}

/// FNV-1a.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// One scene of each kind.
fn round(seed: u64, ways: &[ExecutionVariant<'_>], seen: &mut Seen) -> Result<(), String> {
    let books = [40, 300, 2_000, 6_000][(seed % 4) as usize];
    let actors = [10, 100, 400, 100, 30, 2_000][(seed % 6) as usize];
    frames::run(seed, books, |scene, decision| seen.book(scene, decision))?;
    scenes::run::<f32>(seed, actors, ways, |told| seen.scene(told))?;
    scenes::run::<f64>(seed, actors, ways, |told| seen.scene(told))?;
    scenes::run::<Fixed>(seed, actors, ways, |told| seen.scene(told))
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::from(2);
        }
    };
    let pools = THREADS.map(|threads| ThreadPoolBuilder::new().num_threads(threads).build());
    let pools = pools.map(|pool| pool.expect("threads"));
    let vectors = Vectors::all();
    let on_all =
        |&vectors: &Vectors| pools.iter().map(move |pool| ExecutionVariant { vectors, pool });
    let ways: Vec<_> = vectors.iter().flat_map(on_all).collect();
    let (mut seen, mut said) = (Seen::default(), Instant::now());
    for seed in asked.seed.. {
        if seen.plans() >= asked.plans && seen.rows >= asked.rows {
            break;
        }
        if let Err(difference) = round(seed, &ways, &mut seen) {
            eprintln!("error: {difference}");
            return ExitCode::FAILURE;
        }
        if said.elapsed() > Duration::from_secs(5) && std::io::stderr().is_terminal() {
            eprintln!("{} plans, {} rows", seen.plans(), seen.rows);
            said = Instant::now();
        }
    }
    println!(
        "{} plans of {} rows: {} of books, as a whole and in parts; {} of scenes, with {vectors:?} on {THREADS:?} \
         threads",
        seen.plans(),
        seen.rows,
        seen.books,
        seen.scenes
    );
    let digest = format!("{:016x}", seen.digest.0);
    println!("digest {digest}");
    match asked.digest {
        Some(other) if other != digest => {
            eprintln!("error: the other digest is {other}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
