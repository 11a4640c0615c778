//! `lodger bench`: the time of decisions on this machine.
//!
//! [`workload`] has the scenes of all cases, and [`baseline`] the textbook methods. A [`suite`]
//! makes all cases decide for the same actors and measures them.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lodger_core::budget::MAX_ACTORS;
use lodger_scheduler::{SceneError, SimdLevel};
use lodger_terminal::arguments::{named, scaled};
use lodger_terminal::{Diagnostic, OutputTarget, ProgressReport, ReportArgs, output, with_threads};

use crate::diagnostics::{CommandStatus, check_outputs};
use machine::MachineMemory;
use report::BenchReport;
use suite::{BenchCase, BenchSuite, Measurement};
use workload::BenchPolicy;

mod baseline;
mod machine;
mod report;
mod suite;
mod workload;

const PICTURE: &str = "lodger-bench.svg";
const MIN_ACTORS: u32 = 100;
/// Number of actors of a case whose instructions are counted, if `--actors` does not say it.
const COUNTED_ACTORS: u32 = 10_000;
/// Number of frames of such a case.
const COUNTED_FRAMES: u32 = 16;

/// Options of the measurement and its results.
#[derive(Args, Debug)]
pub(crate) struct BenchOptions {
    /// Number of actors, as in 250000, 250k or 4M [default: 1M; 10M for --sweep, as far as memory goes]
    #[arg(long, value_name = "N", value_parser = actors)]
    actors: Option<u32>,

    /// Number of threads of the scheduler; the textbook methods and the memory pass use one
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Vectors of the scheduler [default: the widest of this processor]
    #[arg(long, value_name = "KIND", value_parser = named(VECTORS))]
    vectors: Option<SimdLevel>,

    /// Policies, separated by commas [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    policy: Vec<BenchPolicy>,

    /// Measure 100, 1000, … actors and draw the growth of the time per actor [FILE.svg: lodger-bench.svg]
    #[arg(long, value_name = "FILE.svg", num_args = 0..=1, default_missing_value = PICTURE)]
    sweep: Option<PathBuf>,

    /// About the seconds of measurement for each number of actors; at least five rounds are made
    /// [default: 40; 10 for --sweep]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u16).range(0..=3600))]
    seconds: Option<u16>,

    #[command(flatten)]
    report: ReportArgs,

    /// Run one case for `cargo xtask callgrind`, and print the number of decided actors
    #[arg(long, value_name = "CASE", hide = true, conflicts_with_all = ["policy", "sweep", "seconds", "format", "vectors"])]
    instructions: Option<String>,
}

/// The kinds of vectors that a user can ask for.
const VECTORS: [(&str, &str, SimdLevel); 3] = [
    ("sse2", "128 bits, which every x86-64 has; NEON on other processors", SimdLevel::Baseline),
    ("avx2", "256 bits", SimdLevel::Avx2),
    ("avx512", "512 bits", SimdLevel::Avx512),
];

fn simd_level(wanted: Option<SimdLevel>) -> Result<SimdLevel, Diagnostic> {
    let missing = wanted.filter(|level| !SimdLevel::all().contains(level));
    match VECTORS.into_iter().find(|(.., level)| Some(*level) == missing) {
        Some((name, ..)) => Err(Diagnostic::error(format!("this processor has no {name}"))),
        None => Ok(wanted.unwrap_or_default()),
    }
}

/// Parses a number of actors with an optional suffix k or M.
fn actors(text: &str) -> Result<u32, String> {
    let (min, max) = (f64::from(MIN_ACTORS), f64::from(MAX_ACTORS));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within u32")]
    match scaled(text) {
        Ok(number) if number > max => {
            Err(format!("a scene holds at most {MAX_ACTORS} actors (2^24 - 1)"))
        }
        Ok(number) if number >= min && number.fract() == 0.0 => Ok(number as u32),
        _ => Err(format!("a whole number is expected, from {MIN_ACTORS} on, as in 250k or 4M")),
    }
}

pub(crate) fn run(options: &BenchOptions) -> Result<CommandStatus, Diagnostic> {
    let output = options.report.output.as_deref();
    let outputs = [("--output", output), ("--sweep", options.sweep.as_deref())];
    check_outputs(&outputs, &[])?;
    if let Some(name) = &options.instructions {
        let actors = options.actors.unwrap_or(COUNTED_ACTORS);
        return count(name, actors, options.report.target());
    }
    let threads = NonZero::new(options.threads.into()).unwrap_or(NonZero::<usize>::MIN);
    with_threads(threads, || measure(options))??;
    Ok(CommandStatus::Fine)
}

fn measure(options: &BenchOptions) -> Result<(), Diagnostic> {
    let is_sweep = options.sweep.is_some();
    let wanted = |name: &BenchPolicy| options.policy.is_empty() || options.policy.contains(name);
    let policies: Vec<_> = BenchPolicy::ALL.into_iter().filter(wanted).collect();
    let cases = BenchCase::for_policies(&policies, !is_sweep);
    let memory = MachineMemory::from_cases(&cases);
    let (sizes, warning) = if is_sweep {
        memory.sweep(options.actors.unwrap_or(machine::SWEPT))?
    } else {
        let actors = options.actors.unwrap_or(machine::ALONE);
        (vec![actors], memory.alone(actors)?)
    };
    if let Some(warning) = warning {
        warning.print();
    }
    let seconds = options.seconds.unwrap_or(if is_sweep { 10 } else { 40 });
    let simd_level = simd_level(options.vectors)?;
    let measured = measure_all(&sizes, &cases, seconds, simd_level)?;
    let threads = rayon::current_num_threads();
    let report = BenchReport::new(&measured, threads, machine::cpu(), is_sweep);
    // There is at least one size.
    let Some(report) = report else { return Ok(()) };
    if let Some(file) = &options.sweep {
        output::write(OutputTarget::File(file), report.picture()?.as_bytes())?;
    }
    options.report.write(&report, |style, out| report.table(style, out))
}

fn measure_all(
    sizes: &[u32],
    cases: &[BenchCase],
    seconds: u16,
    simd_level: SimdLevel,
) -> Result<Vec<Measurement>, Diagnostic> {
    let progress = ProgressReport::new(sizes.len() * usize::from(seconds), true);
    let mut measured = Vec::new();
    for &actors in sizes {
        progress.say(format!("{actors} actors: spawning them"));
        let mut suite = BenchSuite::new(actors, cases.to_vec(), simd_level)
            .map_err(|error| no_scene(&error))?;
        progress.say(format!("{actors} actors"));
        let mut shown = 0;
        let mut advance = |elapsed: Duration| {
            while shown < elapsed.as_secs().min(seconds.into()) {
                progress.done();
                shown += 1;
            }
        };
        measured.push(suite.measure(Duration::from_secs(seconds.into()), &mut advance));
        advance(Duration::MAX);
    }
    Ok(measured)
}

fn count(name: &str, actors: u32, target: OutputTarget<'_>) -> Result<CommandStatus, Diagnostic> {
    let frames = COUNTED_FRAMES;
    let case = BenchCase::for_policies(&BenchPolicy::ALL, true)
        .into_iter()
        .find(|case| case.name() == name);
    let case = case.ok_or_else(|| Diagnostic::error(format!("there is no case `{name}`")))?;
    let mut suite = BenchSuite::new(actors, vec![case], SimdLevel::default())
        .map_err(|error| no_scene(&error))?;
    suite.run(case, frames);
    counted(&mut suite, case, frames);
    output::write(target, format!("{}\n", actors * frames).as_bytes())?;
    Ok(CommandStatus::Fine)
}

#[inline(never)]
fn counted(suite: &mut BenchSuite, case: BenchCase, frames: u32) {
    suite.run(case, frames);
}

fn no_scene(error: &SceneError) -> Diagnostic {
    Diagnostic::error(format!("no such scene: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_actors_are_whole_and_fit_into_a_scene() {
        for (text, number) in [("100", 100), ("2.5k", 2_500), ("1M", 1_000_000), ("1e5", 100_000)] {
            assert_eq!(actors(text), Ok(number));
        }
        assert_eq!(actors("16777215"), Ok(16_777_215));
        for wrong in ["99", "-1", "1.5", "many", "", "k", "NaN", "2.0001k"] {
            assert!(actors(wrong).is_err_and(|error| error.contains("whole number")), "{wrong}");
        }
        for large in ["16777216", "17M", "inf", "1e300"] {
            assert!(
                actors(large).is_err_and(|error| error.contains("at most 16777215")),
                "{large}"
            );
        }
    }
}
