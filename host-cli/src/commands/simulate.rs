//! `lodger simulate`: a camera moves through a scene, and the scheduler decides its frames.

use std::convert::Infallible;
use std::io;
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use lodger_cli::simulation::{
    Baseline, Candidate, Keeps, Path, Prices, Report, Settings, Simulation, SimulationCost, Stage,
};
use lodger_core::error::Quantity;
use lodger_quota::{Quota, QuotaExceeded};
use lodger_scenes::PolicyName;
use lodger_scheduler::{Leftovers, Policy, SceneError, Stability};
use lodger_terminal::arguments::named;
use lodger_terminal::{
    Diagnostic, Look, OutputFormat, Progress, QuotaArgs, Target, output, quota_exceeded,
};

use crate::diagnostics::{CommandStatus, check_outputs};
use crate::scene_input::{SceneArgs, SceneRequest, camera_path};

mod render;

/// Which scene, and how it is simulated.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    options: SimulateOptions,

    #[command(flatten)]
    quota: QuotaArgs,
}

/// Runs the command.
pub(crate) fn run(args: &SimulateArgs) -> Result<CommandStatus, Diagnostic> {
    let SimulateArgs { scene, options, quota } = args;
    let outputs = [
        ("--output", options.output.as_deref()),
        ("--report", options.report.as_deref()),
        ("--plot", options.plot.as_deref()),
        ("--record", options.record.as_deref()),
    ];
    let way = if let CameraMotion::File(way) = &options.path { Some(way) } else { None };
    let inputs: Vec<_> = scene.scene.iter().chain(way).cloned().collect();
    check_outputs(&outputs, &inputs)?;
    let quota = Quota::new(quota.limits());
    let path = match &options.path {
        CameraMotion::Orbit => Path::Orbit,
        CameraMotion::Line => Path::Line,
        CameraMotion::Still => Path::Still,
        CameraMotion::File(file) => Path::File(camera_path(file, &quota)?),
    };
    if let Some(file) = &scene.scene {
        let stage = read(scene, &outputs, &quota)?;
        let name = file.display().to_string();
        simulate(options, &name, &path, &quota, |_| Ok(stage.clone()))?;
    } else {
        let built_in = |seed| built_in(scene, seed);
        simulate(options, "the built-in scene", &path, &quota, built_in)?;
    }
    Ok(CommandStatus::Fine)
}

/// The scene of a file.
fn read(
    scene: &SceneArgs,
    outputs: &[(&str, Option<&std::path::Path>)],
    quota: &Quota,
) -> Result<Stage, Diagnostic> {
    let (file, remarks) =
        SceneRequest { scene, policy: None, leftovers: None, outputs }.load(quota)?;
    remarks.iter().for_each(Diagnostic::print);
    match file.unit.name() {
        None => Ok(file.into()),
        Some(unit) => {
            Err(Diagnostic::error(format!("the money of this scene is `{unit}`, and not time"))
                .help("only what takes time can be measured: give a scene with `budget_ms`"))
        }
    }
}

/// The built-in scene, under the policy that it is there to show.
fn built_in(scene: &SceneArgs, seed: u64) -> Result<Stage, Diagnostic> {
    let given = [
        ("--budget", scene.budget.is_some(), "give --budget-ms: its money is time"),
        ("--eye", scene.eye.is_some(), "give --path: the camera moves"),
        ("--unit-cost-ns", scene.unit_cost_ns.is_some(), "leave it out, or give a glTF scene"),
        ("--benefit-value", scene.benefit_value.is_some(), "leave it out, or give a glTF scene"),
        ("--scene", scene.which.is_some(), "leave it out, or give a glTF scene"),
    ];
    if let Some((option, _, help)) = given.into_iter().find(|(_, is_given, _)| *is_given) {
        let message = format!("{option} is not for the built-in scene");
        return Err(Diagnostic::error(message).help(help));
    }
    let refused = |error| Diagnostic::error(format!("the built-in scene: {error}"));
    let mut stage = Stage::crowd(seed).map_err(refused)?;
    stage.scene_mut().set_policy(Policy::Optimal);
    if let Some(budget) = scene.budget_ms {
        stage.scene_mut().set_budget(budget);
    }
    Ok(stage)
}

/// How a scene is simulated, and what is written of it.
#[derive(Args, Debug)]
struct SimulateOptions {
    /// Where the camera goes: orbit, line, still, or a .toml file of waypoints
    #[arg(long, value_name = "PATH", default_value = "orbit", value_parser = way)]
    path: CameraMotion,

    /// How many frames, 60 a second; what is reported begins with frame 60
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(61..=100_000))]
    frames: u64,

    /// How to divide the budget [default: what the scene says; optimal for the built-in scene]
    #[arg(long, value_name = "NAME", value_parser = policy(), conflicts_with = "compare")]
    policy: Option<PolicyName>,

    /// Whether a change must earn something
    #[arg(long, value_name = "WHETHER", default_value = "on")]
    stability: OnOff,

    /// How much measured times vary, as a part of them
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = part, allow_hyphen_values = true)]
    noise: f64,

    /// The part of the frames that take ten times as long
    #[arg(long, value_name = "X", default_value_t = 0.01, value_parser = part, allow_hyphen_values = true)]
    spike: f64,

    /// By which factor unit costs are wrong at first, up and down by turns; the scene's are the truth
    #[arg(long, value_name = "X", default_value_t = 3.0, value_parser = factor, allow_hyphen_values = true)]
    wrong: f64,

    /// What all chance is made from: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Run so many seeds, from --seed on, and show the median of each number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    #[arg(conflicts_with_all = ["report", "record", "plot"])]
    seeds: Option<u64>,

    /// Run both policies and four ways in which engines decide today, on the same frames
    #[arg(long)]
    compare: bool,

    /// How to show the result
    #[arg(long, default_value = "table", value_parser = OutputFormat::table_or_json())]
    format: OutputFormat,

    /// Write to a file, as a whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write a page that shows every frame: one file of HTML that needs no network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Write what the ledger was asked and what it decided, for lodger replay
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    record: Option<PathBuf>,

    /// Write the time of every frame as a picture
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Where the camera goes, as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CameraMotion {
    /// A circle half way to the border.
    Orbit,
    /// To and fro through the middle.
    Line,
    /// Nowhere.
    Still,
    /// By the waypoints of a file.
    File(PathBuf),
}

/// Parser of the policies.
fn policy() -> impl TypedValueParser<Value = PolicyName> {
    named([
        (
            "proportional",
            "Shares by benefit and benefit value; leftovers are spent as the scene says",
            PolicyName::Proportional,
        ),
        (
            "apex",
            "Proportional, leftovers are kept; with `--stability off`, the APEX LOD document to the letter",
            PolicyName::Apex,
        ),
        ("optimal", "The most benefit times quality that the budget buys", PolicyName::Optimal),
    ])
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnOff {
    /// The last answer stands unless a new one is better by so much
    On,
    /// Every frame by itself
    Off,
}

#[expect(clippy::unnecessary_wraps, reason = "clap asks for it")]
fn way(text: &str) -> Result<CameraMotion, Infallible> {
    Ok(match text {
        "orbit" => CameraMotion::Orbit,
        "line" => CameraMotion::Line,
        "still" => CameraMotion::Still,
        file => CameraMotion::File(file.into()),
    })
}

fn part(text: &str) -> Result<f64, &'static str> {
    number(text, 0.0, 1.0).ok_or("a part is expected, from 0 to 1")
}

fn factor(text: &str) -> Result<f64, &'static str> {
    number(text, 0.001, 1000.0).ok_or("a factor is expected, from 0.001 to 1000")
}

fn number(text: &str, least: f64, most: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|number| (least..=most).contains(number))
}

/// Simulates a scene of that name along a path, and writes the results. `stage` makes the scene for a seed.
fn simulate(
    options: &SimulateOptions,
    scene: &str,
    path: &Path,
    quota: &Quota,
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
            let kept = quota.charge_memory(cost.memory);
            let paid = kept.and_then(|()| quota.charge_work(cost.work.saturating_mul(seeds)));
            paid.map_err(|spent| too_long(scene, spent))?;
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
    options: &'a SimulateOptions,
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
        files.push((Target::File(file), render::picture(simulation, report)?.into_bytes()));
    }
    Ok(files)
}

/// The report as it is written.
fn shown(report: &Report, format: OutputFormat, target: Target<'_>) -> Result<Vec<u8>, Diagnostic> {
    match format {
        OutputFormat::Json => output::json(report),
        OutputFormat::Table | OutputFormat::Csv => {
            let mut text = Vec::new();
            render::table(report, Look::of(target), &mut text)
                .map_err(|error| Diagnostic::error(format!("cannot show the table: {error}")))?;
            Ok(text)
        }
    }
}

/// Who decides: one policy, or both and the baselines.
fn candidates(options: &SimulateOptions, of_scene: Policy) -> Vec<Candidate> {
    let stability = match options.stability {
        OnOff::On => Stability::STEADY,
        OnOff::Off => Stability::OFF,
    };
    let leftovers = match of_scene {
        Policy::Proportional(leftovers) => leftovers,
        Policy::Optimal => Leftovers::default(),
    };
    let proportional = Policy::Proportional(leftovers);
    let policies = match (options.compare, options.policy) {
        (true, _) => vec![Policy::Optimal, proportional],
        (false, Some(PolicyName::Apex)) => vec![Policy::APEX],
        (false, Some(PolicyName::Optimal)) => vec![Policy::Optimal],
        (false, Some(_)) => vec![proportional],
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

fn too_long(scene: &str, spent: QuotaExceeded) -> Diagnostic {
    quota_exceeded(&format_args!("the simulation of {scene}"), spent)
        .help("or simulate fewer --frames")
}

fn unwritten(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("the log cannot be written: {error}"))
}
