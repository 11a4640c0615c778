//! What `lodger simulate` is asked and says: its options, its table, its picture.
//!
//! [`Options`] are those of the command line, [`run`] simulates and writes what was asked for. The caller reads
//! scenes and camera paths.
#![forbid(unsafe_code)]

mod options;
mod picture;
mod table;

use std::{fmt, io};

use lodger_allowance::{Allowance, Spent};
use lodger_core::error::Quantity;
use lodger_scheduler::{Leftovers, Policy, SceneError, Stability};
use lodger_simulation::{
    Baseline, Candidate, Keeps, Path, Prices, Report, Settings, Simulation, SimulationCost, Stage,
};
use lodger_terminal::{Diagnostic, Look, Progress, Target, output, raise};

use options::{Form, PolicyWord, Switch};

pub use options::{Options, Way};

/// Simulates a scene of that name along a path, and writes what came of it. `stage` makes the scene for a seed.
///
/// # Errors
/// An exceeded quota, an input that the scheduler refuses, or a file that cannot be written.
pub fn run(
    options: &Options,
    scene: &str,
    path: &Path,
    allowance: &Allowance,
    stage: impl Fn(u64) -> Result<Stage, Diagnostic>,
) -> Result<(), Diagnostic> {
    let frames = usize::try_from(options.frames).unwrap_or(usize::MAX);
    let seeds = options.seeds.unwrap_or(1);
    let (wrong, noise, spike) = (options.wrong, options.noise, options.spike);
    let prices = Prices::Measured { wrong, noise, spike };
    let keeps = Keeps { page: options.report.is_some(), log: options.record.is_some() };
    let progress = Progress::of_many(Some(options.frames.saturating_mul(seeds)));
    let (mut reports, mut results) = (Vec::new(), Vec::new());
    for number in 0..seeds {
        let seed = options.seed.wrapping_add(number);
        let stage = stage(seed)?;
        let candidates = candidates(options, stage.scene().policy());
        if number == 0 {
            let cost = SimulationCost::new(&stage, &candidates, frames, keeps);
            let kept = allowance.keep(cost.memory);
            let paid = kept.and_then(|()| allowance.work(cost.work.saturating_mul(seeds)));
            paid.map_err(|spent| too_much(scene, spent))?;
        }
        let settings = Settings { path: path.clone(), walking: true, frames, prices, seed };
        let mut simulation = Simulation::new(stage, &candidates, settings, keeps.page)
            .map_err(|error| refused(scene, error))?;
        if keeps.log {
            simulation.record().map_err(|error| unwritten(&error))?;
        }
        while simulation.frames() < frames {
            simulation.step().map_err(|error| refused(scene, error))?;
            progress.done();
        }
        let report = simulation.report(scene);
        results.extend(files(options, scene, &mut simulation, &report)?);
        reports.push(report);
    }
    drop(progress);
    let medians = options.seeds.and_then(|_| Report::medians(&reports));
    let target = Target::of(options.output.as_deref());
    if let Some(report) = medians.as_ref().or(reports.first()) {
        results.push((target, shown(report, options.format, target)?));
    }
    output::write_all(&results)
}

/// The files that are written beside the report.
fn files<'a>(
    options: &'a Options,
    scene: &str,
    simulation: &mut Simulation,
    report: &Report,
) -> Result<Vec<(Target<'a>, Vec<u8>)>, Diagnostic> {
    let mut files = Vec::new();
    let log = simulation.log().map_err(|error| unwritten(&error))?;
    if let (Some(file), Some(log)) = (&options.record, log) {
        files.push((Target::File(file), log));
    }
    if let (Some(file), Some(page)) = (&options.report, simulation.page(scene)) {
        files.push((Target::File(file), page.into_bytes()));
    }
    if let Some(file) = &options.plot {
        files.push((Target::File(file), picture::svg(simulation, report)?.into_bytes()));
    }
    Ok(files)
}

/// The report as it is written.
fn shown(report: &Report, form: Form, target: Target<'_>) -> Result<Vec<u8>, Diagnostic> {
    match form {
        Form::Json => output::json(report),
        Form::Table => {
            let mut text = Vec::new();
            table::write(report, Look::of(target), &mut text)
                .map_err(|error| Diagnostic::error(format!("cannot show the table: {error}")))?;
            Ok(text)
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

fn refused(scene: &str, error: SceneError) -> Diagnostic {
    let refused = Diagnostic::error(format!("{scene} cannot be simulated: {error}"));
    match error.refused().map(lodger_core::Error::quantity) {
        Some(Quantity::UnitCost | Quantity::Cost | Quantity::Overhead) => {
            refused.help("unit costs that are --wrong by less may do")
        }
        _ => refused,
    }
}

fn too_much(scene: &str, spent: Spent) -> Diagnostic {
    let told = fmt::from_fn(|f| spent.about(&format_args!("the simulation of {scene}"), f));
    Diagnostic::error(told.to_string()).help(raise(spent)).help("or simulate fewer --frames")
}

fn unwritten(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("the log cannot be written: {error}"))
}

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
