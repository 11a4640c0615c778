//! What `lodger simulate` is asked and says: its options, its table, its picture.
//!
//! [`Options`] are those of the command line, [`run`] simulates and writes what was asked for. Scenes and
//! camera paths are read by whoever calls.
#![forbid(unsafe_code)]

mod options;
mod picture;
mod table;

use lodger_scheduler::{Leftovers, Policy, SceneError, Stability};
use lodger_simulation::{Baseline, Candidate, Path, Prices, Settings, Simulation, Stage};
use lodger_terminal::{Diagnostic, Look, Progress, Target, output};

use options::{Form, PolicyWord, Switch};

pub use options::{Options, Way};

/// Simulates a stage of that name, and writes what came of it.
///
/// # Errors
/// What the scheduler refuses, and what cannot be written.
pub fn run(options: &Options, stage: Stage, scene: &str, path: Path) -> Result<(), Diagnostic> {
    let frames = usize::try_from(options.frames).unwrap_or(usize::MAX);
    let candidates = candidates(options, stage.scene().policy());
    let (wrong, noise, spike) = (options.wrong, options.noise, options.spike);
    let prices = Prices::Measured { wrong, noise, spike };
    let settings = Settings { path, walking: true, frames, prices, seed: options.seed };
    let is_watched = options.report.is_some();
    let mut simulation =
        Simulation::new(stage, &candidates, settings, is_watched).map_err(refused)?;
    let unwritten = |error| Diagnostic::error(format!("the log cannot be written: {error}"));
    if options.record.is_some() {
        simulation.record().map_err(unwritten)?;
    }
    let progress = Progress::new(frames, false);
    while simulation.frames() < frames {
        simulation.step().map_err(refused)?;
        progress.done();
    }
    drop(progress);
    if let (Some(file), Some(log)) = (&options.record, simulation.log().map_err(unwritten)?) {
        output::write(Target::File(file), &log)?;
    }
    if let (Some(file), Some(page)) = (&options.report, simulation.page(scene)) {
        output::write(Target::File(file), page.as_bytes())?;
    }
    let report = simulation.report(scene);
    if let Some(file) = &options.plot {
        output::write(Target::File(file), picture::svg(&simulation, &report)?.as_bytes())?;
    }
    let target = Target::of(options.output.as_deref());
    match options.format {
        Form::Json => output::write_json(target, &report),
        Form::Table => {
            output::write_with(target, |out| table::write(&report, Look::of(target), out))
        }
    }
}

/// Who decides: one policy, or both and the baselines.
fn candidates(options: &Options, of_scene: Policy) -> Vec<Candidate> {
    let stability = match options.stability {
        Switch::On => Stability::STEADY,
        Switch::Off => Stability::OFF,
    };
    let leftovers = match of_scene {
        Policy::Proportional(leftovers) => leftovers,
        Policy::Optimal => Leftovers::default(),
    };
    let proportional = Policy::Proportional(leftovers);
    let policies = match (options.compare, options.policy) {
        (true, _) => vec![Policy::Optimal, proportional],
        (false, Some(PolicyWord::Proportional)) => vec![proportional],
        (false, Some(PolicyWord::Apex)) => vec![Policy::APEX],
        (false, Some(PolicyWord::Optimal)) => vec![Policy::Optimal],
        (false, None) => vec![of_scene],
    };
    let baselines = Baseline::ALL.into_iter().filter(|_| options.compare).map(Candidate::Baseline);
    policies
        .into_iter()
        .map(|policy| Candidate::Ledger(policy, stability))
        .chain(baselines)
        .collect()
}

fn refused(error: SceneError) -> Diagnostic {
    Diagnostic::error(format!("the scene cannot be simulated: {error}"))
        .help("unit costs that are --wrong by less may do")
}

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
